import { isOperator, SYSTEM } from '../actors.ts';
import { agentIdOf } from '../agents/state.ts';
import { happenIn, maybeWorded, named, standIn, worded, working, type Decision, type Facts, type Deciders } from '../board/deciding.ts';
import { MOST_FINDING } from '../board/limits.ts';
import { findingIn, isSomebody, knownRefs } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import { resolutionAmong } from '../sidebar/relations.ts';
import { branchOff } from '../sidebar/spawn.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { atName, discussion, surface } from '../sidebar/talk.ts';
import { archiveFindings } from './completion.ts';
import { itemIn } from './items.ts';
import { findingOf, NO_CHECKS, openConflicts, refOfFinding, standingFindings, type Finding } from './state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import type { Checks, FindingStatus } from '../messages/values.ts';

/** PAD-1: a finding waits for the curator; contradictions are noticed at once, and nobody wins by being first. */
const submit = (board: Board, facts: Facts, command: CommandOf<'finding.submit'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const content = worded('content', command.content);
  if (!content.ok) return content;
  if (content.value.length > MOST_FINDING) return reject('finding-too-long', { length: content.value.length, most: MOST_FINDING });
  const sources = knownRefs(board, facts, command.sourceRefs ?? []);
  if (!sources.ok) return sources;
  const { findings } = sidebar.scratchpad;
  if (findings.length >= MOST_FINDINGS) return reject('full', { where: named(sidebar), most: MOST_FINDINGS, of: 'findings' });
  const revised = command.supersedes === undefined ? null : findingIn(board, sidebar, command.supersedes);
  if (command.supersedes !== undefined && revised === null) {
    return reject('finding-not-here', { sidebar: named(sidebar), asked: cutText(command.supersedes, 100) });
  }
  if (revised !== null && revised.supersededBy !== null) return alreadyRevised(sidebar, revised);
  const id = facts.newId();
  const submitted = happenIn(
    facts,
    sidebar,
    'finding.submitted',
    {
      number: findings.length + 1,
      content: content.value,
      sourceRefs: sources.value,
      relevanceToTask: maybeWorded(command.relevanceToTask),
      supersedes: revised?.id ?? null,
    },
    { uuid: id },
  );
  return ok([
    submitted,
    ...conflictsWith(board, facts, sidebar, { id, number: findings.length + 1, content: content.value, revised }),
    ...surface(board, facts, sidebar, { content: content.value, about: id, citations: sources.value }),
  ]);
};

const alreadyRevised = (sidebar: Sidebar, finding: Finding): Decision => {
  const newer = sidebar.scratchpad.findings.find(({ id }) => id === finding.supersededBy);
  return reject('finding-revised', {
    ref: refOfFinding(named(sidebar), finding),
    newer: newer === undefined ? null : refOfFinding(named(sidebar), newer),
  });
};

type Submitted = { readonly id: string; readonly number: number; readonly content: string; readonly revised: Finding | null };

/** PAD-16: the latest findings that may be contradicted, as many as can be compared while others wait. */
const comparable = ({ scratchpad }: Sidebar, revised: Finding | null): readonly Finding[] => {
  const others = scratchpad.findings.filter(
    (finding) => finding.status !== 'rejected' && finding.supersededBy === null && finding.id !== revised?.id,
  );
  let left = MOST_COMPARED_IN_ALL;
  const from = others.findLastIndex(({ content }) => (left -= Math.min(content.length, MOST_COMPARED)) < 0);
  return others.slice(from + 1);
};

/** PAD-16: only the beginning of a long one is compared. */
const compared = ({ content }: { readonly content: string }): string => cutText(content, MOST_COMPARED);

const conflictsWith = (board: Board, asked: Facts, sidebar: Sidebar, { id, number, content, revised }: Submitted): readonly Happening[] => {
  const others = comparable(sidebar, revised);
  const all = asked.language.contradictions(compared({ content }), others.map(compared), MOST_CONFLICTS).flatMap(({ at, kind, description }) => {
    const other = others[at];
    return other === undefined ? [] : [{ other, kind, description }];
  });
  const facts: Facts = { ...asked, actor: SYSTEM };
  const name = named(sidebar);
  const own = refOfFinding(name, { number });
  const news = newsOf(
    facts,
    sidebar,
    own,
    all.filter(({ kind }) => kind === 'changed').map(({ other }) => refOfFinding(name, other)),
  );
  const found = all.filter(({ kind }) => kind !== 'changed');
  if (found.length === 0) return news;
  const conflicts = found.map(({ other, description: how }) => {
    const ref = refOfFinding(name, other);
    const uuid = facts.newId();
    const description = `${own} and ${ref}: ${how}`;
    const event = happenIn(facts, sidebar, 'conflict.detected', { findings: [other.id, id], description }, { uuid });
    return { uuid, ref, by: other.submittedBy, event };
  });
  const refs = conflicts.map(({ ref }) => ref);
  const people = [...new Set([asked.actor.id, ...conflicts.map(({ by }) => by)])].filter((agent) => isSomebody(board, agent));
  const why = found.length === 1 ? ` (${found[0]?.description ?? ''})` : '';
  const text = `${people.map(atName).join(' and ')}: ${own} contradicts ${refs.join(', ')}${why}. All of them stay until it is settled. Please discuss.`;
  return [
    ...news,
    ...conflicts.map(({ event }) => event),
    ...talkedOver(board, facts, sidebar, { text, people, refs: [own, ...refs], conflict: conflicts.at(-1)?.uuid ?? '', count: conflicts.length }),
  ];
};

/** PAD-22: a mere change over time is reported, and nobody has to settle it. */
const newsOf = (facts: Facts, sidebar: Sidebar, own: string, older: readonly string[]): readonly Happening[] =>
  older.length === 0
    ? []
    : [discussion(facts, sidebar, `${own} reports a change since ${older.join(', ')}. Revise or reject what no longer holds.`, [own, ...older])];

type Tangle = {
  readonly text: string;
  readonly people: readonly string[];
  readonly refs: readonly string[];
  readonly conflict: string;
  readonly count: number;
};

/**
 * PAD-5: a single contradiction is discussed where it came up; several get a sidebar of their own, and while that exists, further ones go there, too.
 */
const talkedOver = (board: Board, facts: Facts, sidebar: Sidebar, { text, people, refs, conflict, count }: Tangle): readonly Happening[] => {
  const open = resolutionAmong(board, sidebar.children);
  if (open !== null) return [discussion(facts, open, text, refs)];
  if (count === 1) return [discussion(facts, sidebar, text, refs)];
  const child = branchOff(board, facts, {
    type: 'sidebar.spawn-child',
    sidebar: sidebar.id,
    upTo: null,
    task: `Resolve a conflict of findings: ${refs[0] ?? ''} contradicts ${refs.slice(1).join(', ')}`,
    successCriteria: 'It is known which of them hold, and why.',
    taskType: 'conflict_resolution',
    participants: people,
    ...(isSomebody(board, sidebar.coordinator) ? { coordinator: sidebar.coordinator } : {}),
    ...(isSomebody(board, sidebar.curator) ? { curator: sidebar.curator } : {}),
    priority: sidebar.priority,
    resolves: conflict,
  });
  return child.ok ? child.value : [discussion(facts, sidebar, text, refs)];
};

/** PAD-17: of two simultaneous judges, the second is told, and no judgement is silently overwritten. */
export const judgedSince = (
  ref: string,
  seen: FindingStatus,
  { status, validatedBy }: { readonly status: FindingStatus; readonly validatedBy: string | null },
): Result<never, Rejection> => reject('judged-since', { ref, status, seen, by: validatedBy });

/** PAD-2: the curator confirms, leaves pending or rejects with a reason. */
const validate = (board: Board, facts: Facts, command: CommandOf<'finding.validate'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const finding = findingIn(board, sidebar, command.finding);
  if (finding === null) return reject('unknown-finding', { sidebar: named(sidebar), asked: cutText(command.finding, 100) });
  const allowed = standIn(sidebar, facts, 'curator', 'validate findings');
  if (!allowed.ok) return allowed;
  const ref = refOfFinding(named(sidebar), finding);
  if (finding.submittedBy === facts.actor.id && !isOperator(facts.actor)) {
    return reject('own-finding', { ref });
  }
  if (finding.supersededBy !== null) return alreadyRevised(sidebar, finding);
  const before = finding.supersedes === null ? null : findingOf(sidebar.scratchpad, finding.supersedes);
  if (command.status === 'confirmed' && before !== null && before.supersededBy !== null && before.supersededBy !== finding.id)
    return alreadyRevised(sidebar, before);
  const notes = maybeWorded(command.notes);
  if (command.status === 'rejected' && notes === null) return reject('notes-needed', { field: 'notes', for: 'rejecting' });
  const answers = agreesWith(command.status, { ...NO_CHECKS, ...command.checks }, notes);
  if (!answers.ok) return answers;
  if (command.status === finding.status && command.status !== 'pending') {
    return reject('judged-already', { ref, status: finding.status, by: finding.validatedBy });
  }
  if (command.seen !== undefined && command.seen !== finding.status) return judgedSince(ref, command.seen, finding);
  // The finding that a revision replaces doesn't count against it.
  const contradicted = openConflicts(sidebar.scratchpad)
    .filter(({ findings }) => findings.includes(finding.id))
    .flatMap(({ findings }) =>
      sidebar.scratchpad.findings.filter(
        (one) =>
          findings.includes(one.id) &&
          one.id !== finding.id &&
          one.id !== finding.supersedes &&
          one.status === 'confirmed' &&
          one.supersededBy === null,
      ),
    );
  if (command.status === 'confirmed' && contradicted.length > 0) {
    return reject('contradicts-confirmed', { ref, others: contradicted.map((one) => refOfFinding(named(sidebar), one)) });
  }
  return ok([
    happenIn(facts, sidebar, 'finding.validated', {
      finding: finding.id,
      status: command.status,
      notes,
      checks: { ...NO_CHECKS, ...command.checks },
    }),
    ...allowed.value,
    ...(command.status === 'pending' ? [leftOpen(facts, sidebar, finding, notes)] : []),
  ]);
};

/** PAD-18: the three answers count. Confirming against one of them takes a reason; a verdict against all of them was a mistake. */
const agreesWith = (status: FindingStatus, { fitsTask, evidenceSupports, contradicts }: Checks, notes: string | null): Decision => {
  const [pro, contra] = [fitsTask === true && evidenceSupports === true && contradicts === false, fitsTask === false && evidenceSupports === false];
  if (status === 'rejected' && pro) return reject('verdict-against-answers', { status });
  if (status !== 'confirmed') return ok([]);
  if (contra) return reject('verdict-against-answers', { status });
  const against = fitsTask === false || evidenceSupports === false || contradicts === true;
  return against && notes === null ? reject('notes-needed', { field: 'notes', for: 'confirming-against' }) : ok([]);
};

/** PAD-4: what is left pending is discussed. */
const leftOpen = (facts: Facts, sidebar: Sidebar, finding: Finding, notes: string | null): Happening => {
  const ref = refOfFinding(named(sidebar), finding);
  const why = notes === null ? '' : ` (${cutText(notes, 1000)})`;
  return discussion(facts, sidebar, `${atName(finding.submittedBy)}: ${ref} is left pending by ${atName(facts.actor.id)}${why}. Please discuss.`, [
    ref,
  ]);
};

/** PAD-3: any participant may annotate a confirmed finding. */
const annotate = (board: Board, facts: Facts, command: CommandOf<'finding.annotate'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const finding = findingIn(board, found.value, command.finding);
  if (finding === null) return reject('unknown-finding', { sidebar: named(found.value), asked: cutText(command.finding, 100) });
  const note = worded('note', command.note);
  if (!note.ok) return note;
  if (finding.status !== 'confirmed') {
    return reject('annotates-unconfirmed', { ref: refOfFinding(named(found.value), finding), status: finding.status });
  }
  if (finding.annotations.length >= MOST_NOTES)
    return reject('full', { where: refOfFinding(named(found.value), finding), most: MOST_NOTES, of: 'annotations' });
  return ok([happenIn(facts, found.value, 'finding.annotated', { finding: finding.id, note: note.value })]);
};

/** PAD-6: a conflict ends when the curator settles it, or when one side is rejected or revised. */
const resolveConflict = (board: Board, facts: Facts, command: CommandOf<'conflict.resolve'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const conflict = itemIn(sidebar.scratchpad.conflicts, sidebar, 'CONFLICT', command.conflict);
  if (conflict === undefined) return reject('unknown-conflict', { sidebar: named(sidebar), asked: cutText(command.conflict, 100) });
  if (conflict.resolved !== null) return reject('conflict-over', { by: conflict.resolved.by });
  if (!openConflicts(sidebar.scratchpad).includes(conflict)) return reject('conflict-over', { by: null });
  const allowed = standIn(sidebar, facts, 'curator', 'settle a conflict');
  if (!allowed.ok) return allowed;
  const notes = worded('notes', command.notes);
  if (!notes.ok) return notes;
  return ok([happenIn(facts, sidebar, 'conflict.resolved', { conflict: conflict.id, notes: notes.value }), ...allowed.value]);
};

/** PAD-8: a checkpoint lists what is confirmed so far, and keeps it. */
const checkpoint = (board: Board, facts: Facts, command: CommandOf<'checkpoint.create'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const summary = worded('summary', command.summary);
  if (!summary.ok) return summary;
  const { scratchpad } = found.value;
  if (scratchpad.checkpoints.length >= MOST_NOTES) return reject('full', { where: named(found.value), most: MOST_NOTES, of: 'checkpoints' });
  const annotations = Object.fromEntries(Object.entries(command.annotations ?? {}).map(([agent, note]) => [agentIdOf(agent), note]));
  const forged = Object.keys(annotations).find((agent) => agent !== facts.actor.id);
  if (forged !== undefined) return reject('note-of-others', { agent: cutText(forged, 100), actor: facts.actor.id });
  const chosen = chosenAmong(board, found.value, command.findings);
  if (!chosen.ok) return chosen;
  const uuid = facts.newId();
  return ok([
    happenIn(facts, found.value, 'checkpoint.created', { summary: summary.value, findings: chosen.value, annotations }, { uuid }),
    ...archiveFindings(board, facts, found.value, { trigger: 'checkpoint', checkpoint: uuid, only: chosen.value }).flatMap(({ events }) => events),
  ]);
};

/** PAD-8: a checkpoint's findings: the named ones, all of which must stand, or all that do. In the order they were submitted. */
const chosenAmong = (board: Board, sidebar: Sidebar, wanted: readonly string[] | undefined): Result<readonly string[], Rejection> => {
  const standing = standingFindings(sidebar.scratchpad);
  const chosen = new Set<string>();
  for (const text of wanted ?? []) {
    const finding = findingIn(board, sidebar, text);
    if (finding === null) return reject('finding-not-here', { sidebar: named(sidebar), asked: cutText(text, 100) });
    if (!standing.includes(finding)) {
      const status = finding.supersededBy === null ? finding.status : 'revised';
      return reject('finding-not-confirmed', { ref: refOfFinding(named(sidebar), finding), status });
    }
    chosen.add(finding.id);
  }
  return ok(standing.map(({ id }) => id).filter((id) => wanted === undefined || chosen.has(id)));
};

const annotateCheckpoint = (board: Board, facts: Facts, command: CommandOf<'checkpoint.annotate'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const wanted = itemIn(found.value.scratchpad.checkpoints, found.value, 'CHECKPOINT', command.checkpoint);
  if (wanted === undefined) return reject('unknown-checkpoint', { sidebar: named(found.value), asked: cutText(command.checkpoint, 100) });
  const note = worded('note', command.note);
  if (!note.ok) return note;
  return ok([happenIn(facts, found.value, 'checkpoint.annotated', { checkpoint: wanted.id, note: note.value })]);
};

// Each new one is compared with all of them.
const MOST_FINDINGS = 1000;
const MOST_CONFLICTS = 20;
const MOST_COMPARED = 4000;
const MOST_COMPARED_IN_ALL = 400_000;
const MOST_NOTES = 500;

export const scratchpadCommands = {
  'finding.submit': submit,
  'finding.validate': validate,
  'finding.annotate': annotate,
  'conflict.resolve': resolveConflict,
  'checkpoint.create': checkpoint,
  'checkpoint.annotate': annotateCheckpoint,
} satisfies Deciders<FamilyCommand<'scratchpad'>>;
