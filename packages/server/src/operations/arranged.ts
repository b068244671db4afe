import type { SearchAnswer, SearchHit, Store } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { behindSuccessors, standingOf } from './standing.ts';

type ArrangedNeeds = { readonly store: { readonly log: Pick<Store['log'], 'entriesAt'> }; readonly engine: Pick<Engine, 'board'> };
type Find = (cursor: string | null, limit: number) => Promise<SearchAnswer>;

/**
 * FIND-51: a page of a list in which nothing superseded stands before what took its place, wherever the list is cut into pages. It is arranged a hundred hits at
 * a time, and a cursor names where those begin and how many of them were shown.
 */
export const arrangedPage = async (needs: ArrangedNeeds, find: Find, cursor: string | null, limit: number): Promise<SearchAnswer> => {
  const [base = null, shown = '0'] = cursor?.split('-') ?? [];
  // What came later is newer, too: lists by time are in order as they are.
  if (limit >= AT_ONCE || base?.startsWith('n') === true || base?.startsWith('t') === true) return find(base, limit);
  const answer = await find(base, AT_ONCE);
  const at = Number(shown);
  const isLast = at + limit >= answer.hits.length;
  if (answer.order === 'newest')
    return { ...answer, hits: answer.hits.slice(0, limit), next: isLast ? answer.next : `n${answer.hits[limit - 1]?.position ?? 0}` };
  const hits = (await inOrder(needs, answer.hits)).slice(at, at + limit);
  if (!isLast) return { ...answer, hits, next: `${base ?? (await beginningOf(answer, find))}-${at + limit}` };
  if (answer.next === null || hits.length === limit) return { ...answer, hits };
  const rest = await arrangedPage(needs, find, answer.next, limit - hits.length); // a page is full wherever a hundred ends
  return { ...answer, hits: [...hits, ...rest.hits], next: rest.next };
};

const inOrder = async ({ store, engine }: ArrangedNeeds, hits: readonly SearchHit[]): Promise<readonly SearchHit[]> => {
  const board = engine.board();
  const entries = await store.log.entriesAt(hits.map(({ position }) => position));
  const successors = new Map(entries.map((entry) => [entry.position, standingOf(board, entry).successor?.position ?? null]));
  return behindSuccessors(hits, ({ position }) => successors.get(position) ?? null);
};

/** A cursor at the beginning of the same list: only its other cursors say in which manner it was begun (FIND-46). */
const beginningOf = async ({ next }: SearchAnswer, find: Find): Promise<string> => {
  const manner = (next ?? (await find(null, 1)).next ?? 'r').charAt(0);
  return `${manner === 't' ? 'h' : manner}0`;
};

const AT_ONCE = 100;
