import { embed, type Embedding } from '@yarnboard/language';
import type { Near, SearchQuery } from '../port.ts';
import type { Alternatives } from '../query.ts';
import { similarityOf, type Curve } from './similarity.ts';
import { bitsOf, nearnessOf, type Bits } from './vectors.ts';

export type Row = Omit<Near, 'near' | 'similarity'> & { readonly row: Buffer; readonly pieces: number };

/** The vector of a question, without its exclusions; null if nothing in it can be embedded. */
export const askedVector = (embedding: Embedding, text: string, corrected: Alternatives): Float32Array | null => {
  // A word known neither to the board nor to the embedding is a slip.
  const meant = withoutExclusions(text).replaceAll(WORD, (word) => {
    const folded = word.toLowerCase();
    return embedding.pieces.has(folded) ? word : (corrected.get(folded)?.[0] ?? word);
  });
  const vector = embed(embedding, meant);
  return vector.some((value) => value !== 0) ? vector : null;
};

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

const NO_TURNS = async (): Promise<void> => {};

const WORD = /\p{L}+/gu;
const EXCLUDED = /(?<!\S)-(?:"[^"]*(?:"|$)|\p{L}\S*)/gu;
const MOST_ASKED = 65_536;
/** Of 8,800 real passages these hold 98 of 100 of the twenty that are nearest. */
const CANDIDATES = 800;
const MOST_LOOKED_AT = 50_000;
/** 99 of 100 unrelated texts are below this. */
const leastOf = (curve: Curve): number => curve[0]?.[0] ?? 0;
