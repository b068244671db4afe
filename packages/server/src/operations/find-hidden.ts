import {
  createSnipper,
  parseQuery,
  sourceTextOf,
  wholeTextOf,
  type SearchAnswer,
  type SearchHit,
  type SearchQuery,
  type Store,
} from '@yarnboard/store';
import { breathe } from './request/breathing.ts';

/** A cursor for scanning masked entries; the scan continues below this position. */
export const HIDDEN_CURSOR = /^x\d{1,15}$/u;

/**
 * SEC-25: search for an operator who may see secrets: first the entries, newest first, that match only in masked text, then the normal results. The
 * index knows which entries hide something but not what, so their texts are read one by one.
 */
export const findHidden = async (store: Pick<Store, 'log' | 'search'>, query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer> => {
  const { cursor, filters, limit } = query;
  if (cursor !== null && !HIDDEN_CURSOR.test(cursor)) return store.search.find(query);
  const asked = parseQuery(query.text);
  const isHiding = hidingOf(asked);
  const nothingElse = { order: 'newest', corrected: NONE, loosened: null, asked, alternatives: NONE, isComplete: true } as const;
  const hits: SearchHit[] = [];
  let below = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor.slice(1));
  for (let looked = 0; looked < MOST_LOOKED;) {
    const some = await store.search.masked({ filters, below, limit: AT_ONCE });
    const positions = some.map(({ position }) => position);
    const [payloads, entries] = await Promise.all([store.log.payloadsOf(positions), store.log.entriesAt(positions)]);
    const entryAt = new Map(entries.map((entry) => [entry.position, entry]));
    for (const hit of some) {
      const entry = entryAt.get(hit.position);
      const bytes = payloads.get(hit.position) ?? null;
      below = hit.position;
      if (entry !== undefined && isHiding(wholeTextOf(entry, bytes), () => sourceTextOf(entry, bytes).text)) hits.push(hit);
      if (hits.length === limit) return { ...nothingElse, hits, next: `x${below}` };
    }
    looked += some.length;
    if (some.length < AT_ONCE) {
      const rest = await store.search.find({ ...query, cursor: null, limit: limit - hits.length });
      return { ...rest, hits: [...hits, ...rest.hits] };
    }
    await breathe(signal);
  }
  return { ...nothingElse, hits, next: `x${below}` };
};

/** Whether a text matches the query, but its masked version doesn't. */
const hidingOf = ({ clauses }: SearchAnswer['asked']): ((whole: string, shown: () => string) => boolean) => {
  const snippers = clauses.map((clause) => ({ isWanted: !clause.negated, snip: createSnipper({ clauses: [{ ...clause, negated: false }] }) }));
  const fits = (text: string): boolean => snippers.every(({ isWanted, snip }) => snip(text).highlights.length > 0 === isWanted);
  return (whole, shown) => snippers.some(({ isWanted }) => isWanted) && fits(whole) && !fits(shown());
};

const NONE: SearchAnswer['corrected'] = new Map();
const AT_ONCE = 50;
/** Beyond this, the next page continues the scan: an answer must not take minutes. */
const MOST_LOOKED = 2000;
