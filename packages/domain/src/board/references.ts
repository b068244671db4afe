import { agentIdOf } from '../agents/state.ts';
import { MODEL_ID, OPERATOR } from '../actors.ts';
import { cutText } from '../policies/cutting.ts';
import { itemNamed } from '../scratchpad/items.ts';
import { formatRef, parseRef } from '../refs.ts';
import { ok, type Result } from '../result.ts';
import { assertNever } from '../never.ts';
import { findingOf, type Finding } from '../scratchpad/state.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Facts } from './deciding.ts';
import { isKnownFile, linked } from './links.ts';
import { reject, type Rejection } from './rejection.ts';
import { goldOf, sidebarOf, type Board } from './state.ts';

/** CITE-2: references in printed form; refused if one is malformed or unknown. */
export const knownRefs = (board: Board, facts: Pick<Facts, 'refs'>, texts: readonly string[]): Result<readonly string[], Rejection> => {
  if (texts.length > MOST_REFS) return reject('too-many-references', { count: texts.length, most: MOST_REFS });
  const refs: string[] = [];
  for (const text of texts) {
    const read = parseRef(text);
    if (!read.ok) return reject('not-a-reference', { asked: cutText(text, 100), why: read.error.why, wanted: read.error.wanted });
    const ref = formatRef(read.value);
    if (!isKnown(board, facts, ref)) return reject('unknown-reference', { ref });
    refs.push(ref);
  }
  return ok([...new Set(refs)]);
};

const isKnown = (board: Board, { refs }: Pick<Facts, 'refs'>, text: string): boolean => {
  const read = parseRef(text);
  if (!read.ok) return false;
  const ref = read.value;
  switch (ref.kind) {
    case 'agent':
      return isSomebody(board, text) || text === MODEL_ID;
    case 'scratch':
      return ref.finding === null ? sidebarOf(board, `SB-${ref.sidebar}`) !== null : findingNamed(board, text) !== null;
    case 'file':
      // A file is known by its hash; nobody promises that it still exists.
      return isKnownFile(board, ref.hash);
    case 'numbered':
      return board.ids.get(text) !== undefined || refs.has(text);
    case 'item':
      return itemNamed(board, ref) !== null;
    default:
      return assertNever(ref);
  }
};

/** Whether a member with this id exists and can act. */
export const isSomebody = (board: Board, id: string): boolean => {
  if (id === OPERATOR.id) return true;
  const agent = board.agents.get(id);
  return agent !== undefined && !agent.isRetired;
};

/** Ids of agents that are members. */
export const knownAgents = (board: Board, names: readonly string[]): Result<readonly string[], Rejection> => {
  const ids = [...new Set(names.map(agentIdOf))];
  const stranger = ids.find((id) => !isSomebody(board, id));
  if (stranger === undefined) return ok(ids);
  const name = cutText(stranger, 100);
  return board.agents.get(stranger)?.isRetired === true ? reject('retired-agent', { agent: name }) : reject('unknown-agent', { agent: name });
};

/** The finding that a SCRATCH-n:FINDING-m or FRAG-n stands for, and its sidebar. */
export const findingNamed = (board: Board, text: string): { readonly sidebar: Sidebar; readonly finding: Finding } | null => {
  const read = parseRef(text);
  if (!read.ok) return null;
  const ref = read.value;
  if (ref.kind === 'scratch' && ref.finding !== null) {
    const sidebar = sidebarOf(board, `SB-${ref.sidebar}`);
    const finding = sidebar?.scratchpad.findings[ref.finding - 1];
    return sidebar === null || finding === undefined ? null : { sidebar, finding };
  }
  if (ref.kind !== 'numbered' || ref.type !== 'FRAG') return null;
  const id = board.ids.get(formatRef(ref)) ?? '';
  const sidebar = board.sidebars.get(linked(board, 'finding', id)[0] ?? '');
  const finding = sidebar?.scratchpad.findings.find((one) => one.id === id);
  return sidebar === undefined || finding === undefined ? null : { sidebar, finding };
};

/** PAD-13: a finding of this sidebar's scratchpad; a reference to another scratchpad doesn't match, whatever its number. */
export const findingIn = (board: Board, sidebar: Sidebar, text: string): Finding | null => {
  const named = findingNamed(board, text);
  if (named !== null) return named.sidebar.id === sidebar.id ? named.finding : null;
  return /^SCRATCH-/iu.test(text.trim()) ? null : findingOf(sidebar.scratchpad, text);
};

/** CITE-6: the cited things that may still be withdrawn. */
export const provisionalAmong = (board: Board, refs: readonly string[]): readonly string[] =>
  refs.filter((text) => {
    const gold = goldOf(board, text);
    if (gold !== null) return gold.isProvisional;
    const read = parseRef(text);
    const item = read.ok && read.value.kind === 'item' ? itemNamed(board, read.value) : null;
    if (item !== null) return item.type === 'EPISODE' && item.episode.isProvisional;
    const named = findingNamed(board, text);
    if (named === null) return false;
    const { status } = named.sidebar;
    return named.finding.status !== 'confirmed' || (status !== 'MERGED' && status !== 'ARCHIVED');
  });

const MOST_REFS = 200;
