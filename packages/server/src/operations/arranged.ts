import type { SearchAnswer, SearchHit, Store } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { behindSuccessors, standingOf } from './standing.ts';

type ArrangedNeeds = { readonly store: { readonly log: Pick<Store['log'], 'entriesAt'> }; readonly engine: Pick<Engine, 'board'> };
type Find = (cursor: string | null, limit: number) => Promise<SearchAnswer>;

/**
 * FIND-51: a page of hits in which no superseded hit comes before its successor, wherever the page breaks fall. Hits are arranged in batches of a
 * hundred; a cursor names where the batch begins and how many of its hits were already shown.
 */
export const arrangedPage = async (needs: ArrangedNeeds, find: Find, cursor: string | null, limit: number): Promise<SearchAnswer> => {
  const [base = null, shown = '0'] = cursor?.split('-') ?? [];
  // A successor is always newer, so lists ordered by time are already in order.
  if (limit >= AT_ONCE || base?.startsWith('n') === true || base?.startsWith('t') === true) return find(base, limit);
  const answer = await find(base, AT_ONCE);
  const at = Number(shown);
  const isLast = at + limit >= answer.hits.length;
  if (answer.order === 'newest')
    return { ...answer, hits: answer.hits.slice(0, limit), next: isLast ? answer.next : `n${answer.hits[limit - 1]?.position ?? 0}` };
  const hits = (await inOrder(needs, answer.hits)).slice(at, at + limit);
  if (!isLast) return { ...answer, hits, next: `${base ?? (await beginningOf(answer, find))}-${at + limit}` };
  if (answer.next === null || hits.length === limit) return { ...answer, hits };
  const rest = await arrangedPage(needs, find, answer.next, limit - hits.length); // fill the page even if the batch ends in the middle of it
  return { ...answer, hits: [...hits, ...rest.hits], next: rest.next };
};

const inOrder = async ({ store, engine }: ArrangedNeeds, hits: readonly SearchHit[]): Promise<readonly SearchHit[]> => {
  const board = engine.board();
  const entries = await store.log.entriesAt(hits.map(({ position }) => position));
  const successors = new Map(entries.map((entry) => [entry.position, standingOf(board, entry).successor?.position ?? null]));
  return behindSuccessors(hits, ({ position }) => successors.get(position) ?? null);
};

/** A cursor for the beginning of the same list. Only its later cursors tell which ordering it was started with (FIND-46). */
const beginningOf = async ({ next }: SearchAnswer, find: Find): Promise<string> => {
  const manner = (next ?? (await find(null, 1)).next ?? 'r').charAt(0);
  return `${manner === 't' ? 'h' : manner}0`;
};

const AT_ONCE = 100;
