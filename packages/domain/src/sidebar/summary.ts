import { named, type Facts } from '../board/deciding.ts';
import type { Said } from '../board/language.ts';
import { goldOf, type Board } from '../board/state.ts';
import { openConflicts, pendingFindings, refOfFinding, standingFindings } from '../scratchpad/state.ts';
import type { Command } from '../messages/catalogue.ts';
import { MERGING_COMMANDS } from '../messages/merging.ts';
import type { Sidebar } from './state.ts';

/** SUM-1: the result, made without a model: from what was confirmed, said and left open, each in its own words. */
export const summaryOf = (board: Board, facts: Facts, sidebar: Sidebar): string => {
  const { scratchpad, task } = sidebar;
  const golden = new Set(sidebar.golds.flatMap((id) => goldOf(board, id)?.sourceRefs.map((ref) => ref.toUpperCase()) ?? []));
  const findings = standingFindings(scratchpad).map((finding) => {
    const ref = refOfFinding(named(sidebar), finding);
    return { ref, text: finding.content, isGold: golden.has(ref) || golden.has(finding.ref) };
  });
  const fallen = scratchpad.findings.flatMap(({ status, content }) => (status === 'rejected' ? [content] : []));
  return facts.language.summarise({ task, findings, fallen, talk: talkIn(facts, sidebar), ending: endingOf(sidebar) });
};

/**
 * The sidebar whose conversation a command's decision may need; null if none. Commands that end a sidebar, or allow ending it, may make a summary.
 */
export const needsTalkOf = (command: Command): string | null => {
  const mayEnd = Object.hasOwn(MERGING_COMMANDS, command.type) || 'proposal' in command;
  const isWritten = 'summary' in command && command.summary !== undefined;
  return mayEnd && !isWritten && 'sidebar' in command ? (command.sidebar ?? null) : null;
};

/** KEEP-4: its topics and the kind of work; its status says how it ended. */
export const automaticTags = (board: Board, facts: Facts, sidebar: Sidebar): readonly string[] => {
  const { task, successCriteria, taskType, golds, scratchpad, forkedFrom, citations } = sidebar;
  const findings = standingFindings(scratchpad);
  const texts = [
    { text: task, weight: 3 },
    ...(successCriteria === null ? [] : [{ text: successCriteria, weight: 1 }]),
    ...findings.map(({ content }) => ({ text: content, weight: 2 })),
    ...talkIn(facts, sidebar).map(({ text }) => ({ text, weight: 0.5 })),
  ];
  const files = citations.flatMap((id) => {
    const source = board.citations.get(id)?.source;
    return source?.kind === 'file' ? [source.path] : [];
  });
  return [
    ...(taskType === null ? [] : [taskType]),
    ...facts.language.tagsFor({ texts, files, others: othersOn(board, sidebar) }),
    ...(golds.length > 0 ? ['gold'] : []),
    ...(scratchpad.conflicts.length > 0 ? ['conflict'] : []),
    ...(forkedFrom === null ? [] : ['fork']),
  ];
};

const talkIn = (facts: Facts, sidebar: Sidebar): readonly Said[] => facts.talk?.(sidebar) ?? [];

/** What the state alone says about the ending and the open ends. */
const endingOf = ({ failureReason, waiting, scratchpad }: Sidebar): readonly string[] => {
  const pending = pendingFindings(scratchpad).length;
  const conflicts = openConflicts(scratchpad).length;
  return [
    ...(failureReason === null ? [] : [`It failed: ${failureReason}`]),
    ...(waiting === null ? [] : [`It was waiting for ${waiting.description ?? waiting.waitingFor}`]),
    ...(pending === 0 ? [] : [pending === 1 ? 'One finding was never validated.' : `${pending} findings were never validated.`]),
    ...(conflicts === 0 ? [] : [conflicts === 1 ? 'One conflict was left open.' : `${conflicts} conflicts were left open.`]),
  ];
};

/** Some of the others: enough to distinguish telling words from common ones, however large the board is. */
const othersOn = (board: Board, { id }: Sidebar): readonly string[] => {
  const others: string[] = [];
  for (const [other, { task }] of board.sidebars.entries()) {
    if (others.length >= MOST_COMPARED) break;
    if (other !== id) others.push(task);
  }
  return others;
};

const MOST_COMPARED = 200;
