import {
  formatRef,
  hasSecrets,
  nearestOf,
  nodeOf,
  parseRef,
  rowsOf,
  sidebarOf,
  type Board,
  type NumberedType,
  type Ref,
  type TieIndex,
} from '@yarnboard/domain';
import { contextOf, type Store } from '@yarnboard/store';
import { agentOf, everybody } from '../board/agents.ts';
import { thingOf } from '../board/things.ts';
import { findSession, sessionIdOf, type SessionNames } from '../request/find-session.ts';
import { Refused, refusedFor } from '../request/refusal.ts';
import { isAddress, nameOfEntry, nameOfRow } from './names.ts';

export type RootNeeds = SessionNames & { readonly store: Pick<Store, 'log' | 'library'>; readonly now: () => number };

/** TRACE-9: resolves a reference, a uuid, the start of a session id, a path or a URL. */
export const rootFor = async (needs: RootNeeds, board: Board, index: TieIndex, text: string): Promise<string> => {
  const asked = text.trim();
  const read = parseRef(asked);
  if (read.ok) {
    const node = nodeOf(board, formatRef(read.value));
    if (index.has(node) || (await isThere(needs, board, read.value))) return node;
    // Some records have uuids that look like references.
    const row = await needs.store.library.messageByUuid(asked);
    if (row !== null) return nameOfRow(row);
    throw refusedFor('nothing-to-trace', { asked: formatRef(read.value), nearest: await nearestTo(needs, board, read.value) });
  }
  // SEC-26: an address with a secret is found by its citation only, or else a guess at the secret could be tried.
  if (index.has(asked) && !(isAddress(asked) && hasSecrets(asked))) return asked;
  return (await byId(needs, board, asked)) ?? (await byPath(needs, asked)) ?? sessionOr(needs, asked);
};

const sessionOr = async (needs: RootNeeds, asked: string): Promise<string> => {
  try {
    return sessionIdOf(await findSession(needs, asked));
  } catch (cause) {
    if (cause instanceof Refused && cause.code === 'not-found') throw refusedFor('nothing-to-trace', { asked: asked.slice(0, 200), nearest: [] });
    throw cause;
  }
};

/** A path that was touched or cited, or the end of one. */
const byPath = async ({ store: { library } }: RootNeeds, asked: string): Promise<string | null> => {
  if ((await library.touchesOf([asked], { limit: 1 })).length > 0) return asked;
  const paths = /[/\\.]/u.test(asked) ? await library.pathsLike(asked, MOST_NAMED) : [];
  if (paths.length > 1) throw refusedFor('several-to-trace', { asked: asked.slice(0, 200), refs: paths });
  return paths[0] ?? null;
};

const MOST_NAMED = 6;

const byId = async ({ store: { log, library } }: RootNeeds, board: Board, asked: string): Promise<string | null> => {
  const sidebar = sidebarOf(board, asked);
  if (sidebar !== null) return sidebar.ref;
  for (const table of [board.golds, board.citations, board.media]) {
    const known = table.get(asked);
    if (known !== undefined && known.ref !== '') return known.ref;
  }
  const { sessionId, agentId } = contextOf(asked);
  if (agentId !== null && (await library.agents(sessionId)).some((agent) => agent.agentId === agentId)) return asked;
  const at = asked.lastIndexOf('@');
  const row = at === -1 ? await library.messageByUuid(asked) : await library.messageByUuid(asked.slice(0, at), asked.slice(at + 1));
  if (row !== null) return nameOfRow(row);
  const entry = await log.entryByUuid(asked);
  return entry === null ? null : nodeOf(board, nameOfEntry(entry));
};

const isThere = async ({ store: { log, library }, now }: RootNeeds, board: Board, ref: Ref): Promise<boolean> => {
  if (ref.kind === 'agent') return agentOf(board, formatRef(ref)) !== null;
  if (ref.kind !== 'numbered' || (ref.type !== 'MSG' && ref.type !== 'EXCH')) return thingOf(board, ref, now()) !== null;
  const position = await log.positionOfRef(ref.type, ref.number);
  if (position === null || ref.part === null) return position !== null;
  const row = await library.messageAt(position);
  const operations = row === null ? [] : await library.operationsAt(row.sessionId, [position]);
  return operations.some(({ kind, index, position: place }) => kind === 'use' && place === position && index === (ref.part ?? 0) - 1);
};

/** Suggestions: the last of the same kind, or similar names. */
const nearestTo = async (needs: RootNeeds, board: Board, ref: Ref): Promise<readonly string[]> => {
  if (ref.kind === 'agent')
    return nearestOf(
      formatRef(ref),
      everybody(board).map(({ id }) => id),
    );
  if (ref.kind === 'numbered') {
    if (ref.part !== null && (await needs.store.log.positionOfRef(ref.type, ref.number)) !== null) return [`${ref.type}-${ref.number}`];
    const last = await lastBelow(needs, ref.type, ref.number);
    return last === 0 ? [] : [`${ref.type}-${last}`];
  }
  if (ref.kind === 'scratch' || (ref.kind === 'item' && ref.of === 'SB')) {
    const owner = `SB-${ref.kind === 'scratch' ? ref.sidebar : ref.owner}`;
    if (sidebarOf(board, owner) !== null) return [owner];
    return rowsOf(board.sidebars)
      .slice(-1)
      .map((sidebar) => sidebar.ref);
  }
  return [];
};

/** The highest existing number of this kind; numbers have no gaps, so a binary search works. */
const lastBelow = async ({ store: { log } }: RootNeeds, type: NumberedType, number: number): Promise<number> => {
  let [low, high] = [0, number];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await log.positionOfRef(type, middle)) === null) high = middle;
    else low = middle;
  }
  return low;
};
