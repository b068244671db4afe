import { embed, shareSaidOf, type Embedding } from '@yarnboard/language';
import type { Near, SearchQuery } from '../port.ts';
import type { Alternatives } from '../query.ts';
import { similarityOf, type Curve } from './similarity.ts';
import { bitsOf, nearnessOf, type Bits } from './vectors.ts';

export type Row = Omit<Near, 'near' | 'similarity'> & { readonly row: Buffer; readonly pieces: number };

/** The vector of a question, without its exclusions; null if nothing in it can be embedded. */
export const askedVector = (embedding: Embedding, text: string, corrected: Alternatives): Float32Array | null => {
  const vector = embed(embedding, meantBy(embedding, text, corrected));
  return vector.some((value) => value !== 0) ? vector : null;
};

/** MEAN-17: how much a text gains by what it says of a question, nothing where it says no more of it than any other. */
export const closenessIn = (embedding: Embedding, text: string, corrected: Alternatives): Closeness => {
  const shareSaid = shareSaidOf(embedding, meantBy(embedding, text, corrected));
  return (written) => MOST_GAINED * Math.max(0, (shareSaid(written) - BY_CHANCE) / (1 - BY_CHANCE));
};

export type Closeness = (written: string) => number;

/** A word that neither the board nor the embedding knows is a slip. */
const meantBy = (embedding: Embedding, text: string, corrected: Alternatives): string =>
  withoutExclusions(text).replaceAll(WORD, (word) => {
    const folded = word.toLowerCase();
    return embedding.pieces.has(folded) ? word : (corrected.get(folded)?.[0] ?? word);
  });

/** Of the beginning: what somebody types is short, and no more than that of a text that is compared with others is embedded. */
export const withoutExclusions = (text: string): string => text.slice(0, MOST_ASKED).replaceAll(EXCLUDED, ' ');

/** By bits first, then exactly (MEAN-5). Where filters leave too few candidates, more are considered. */
export const nearestAmong = async (
  vector: Float32Array,
  curve: Curve,
  bits: Bits,
  rowsOf: (ids: readonly number[]) => Promise<readonly Row[]> | readonly Row[],
  most: number,
  turn: SearchQuery['turn'] = NO_TURNS,
): Promise<readonly Near[]> => {
  const asked = bitsOf(vector);
  const best = new Map<number, Omit<Near, 'similarity'>>();
  const least = leastOf(curve);
  const weigh = (rows: readonly Row[]): void => {
    for (const { row, pieces, ...place } of rows) {
      const near = nearnessOf(vector, row, pieces);
      const known = best.get(place.position);
      if (near >= least && (known === undefined || near > known.near || (near === known.near && place.passage.from < known.passage.from))) {
        best.set(place.position, { ...place, near });
      }
    }
  };
  const weighed = new Set<number>();
  let passed = 0;
  for (let looked = CANDIDATES; ; looked *= 8) {
    const ids = bits.nearest(asked, looked);
    // More candidates are further away, after those already weighed.
    const more = ids.filter((id) => !weighed.has(id));
    for (let from = 0; from < more.length; from += CANDIDATES) {
      await turn();
      const some = more.slice(from, from + CANDIDATES);
      const rows = await rowsOf(some);
      passed += rows.length;
      weigh(rows);
      for (const id of some) weighed.add(id);
    }
    if (passed >= CANDIDATES || best.size >= most || ids.length < looked || looked > MOST_LOOKED_AT)
      return [...best.values()]
        .sort((a, b) => b.near - a.near || b.position - a.position)
        .slice(0, most)
        .map((one) => ({ ...one, similarity: similarityOf(one.near, curve) }));
  }
};

/**
 * MEAN-17: what the nearest are worth, by what they say: of those that are near by chance, most say little of the question. What they answer says it, too. The
 * order stays.
 */
export const lookedAt = async (
  near: readonly Near[],
  { closeness, curve }: { readonly closeness: Closeness | null; readonly curve: Curve },
  proseAt: (positions: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<readonly Near[]> => {
  if (closeness === null) return near;
  const first = near.slice(0, LOOKED_AT).filter((one) => one.near >= LEAST_LOOKED_AT);
  const prose = await proseAt([...new Set(first.flatMap(({ position, prompt = null }) => (prompt === null ? [position] : [position, prompt])))]);
  const looked = first.map((one) => {
    const own = (prose.get(one.position) ?? '').slice(one.passage.from, one.passage.to);
    const asked = (prose.get(one.prompt ?? NOWHERE) ?? '').slice(0, START_OF_PROMPT);
    return { ...one, similarity: similarityOf(one.near + closeness(`${own}\n${asked}`), curve) };
  });
  return [...looked, ...near.slice(first.length)];
};

const START_OF_PROMPT = 1000;
const NOWHERE = -1;
/** What is further down is seldom looked for, and each costs reading its text. */
const LOOKED_AT = 40;
/** Others cannot reach a similarity of 0.7, whatever they say. */
const LEAST_LOOKED_AT = 0.3;
/** Both were chosen on the tuning half of fixtures/labelled/search (decision 98). */
const MOST_GAINED = 0.3;
const BY_CHANCE = 0.4;

const NO_TURNS = async (): Promise<void> => {};

const WORD = /\p{L}+/gu;
const EXCLUDED = /(?<!\S)-(?:"[^"]*(?:"|$)|\p{L}\S*)/gu;
const MOST_ASKED = 65_536;
/** Of 8,800 real passages these hold 98 of 100 of the twenty that are nearest. */
const CANDIDATES = 800;
const MOST_LOOKED_AT = 50_000;
/** 99 of 100 unrelated texts are below this. */
const leastOf = (curve: Curve): number => curve[0]?.[0] ?? 0;
