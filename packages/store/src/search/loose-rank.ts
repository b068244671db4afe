import type { Loose, WishOption } from './loose.ts';
import type { Option } from './query.ts';
import { NOTE_WEIGHT, rarityOf, SCORE_STEPS, type Collection } from './rank.ts';

/** Everything to look for in a text, flattened; `wish` is null for hard requirements. */
export type LooseOption = Option & { readonly wish: number | null; readonly weight: number; readonly isTyped: boolean };

export const looseOptions = ({ wishes, required }: Loose): readonly LooseOption[] => [
  ...required.flatMap(({ options }) => options.map((option) => ({ ...option, wish: null, weight: 1, isTyped: true }))),
  ...wishes.flatMap(({ options }, wish) => options.map((option: WishOption) => ({ ...option, wish }))),
];

/** The kind of text: what somebody said ranks above a program's notes, and both above a tool's input or output. */
export type Standing = 'said' | 'noted' | 'tool';

/** `parts`: each option's contribution to BM25 before rarity; 0 if the text doesn't have it. */
export type LooseText = { readonly position: number; readonly standing: Standing; readonly parts: readonly number[] };
export type LooseRanked = {
  readonly position: number;
  readonly score: number;
  /** How many wishes the text meets. */
  readonly covered: number;
  /** Whether it meets all of them as typed. */
  readonly isAsTyped: boolean;
};

/**
 * FIND-41: first the texts with all words as typed, then by how much of the query they have, each word weighted by its rarity (decision 44), newest
 * first among equals. All forms of a word share one rarity: a form that hardly anyone uses is no more telling than the others.
 */
export const rankLoosely = (
  loose: Loose,
  collection: Collection,
  frequencies: readonly number[],
  texts: Iterable<LooseText>,
): readonly LooseRanked[] => {
  const options = looseOptions(loose);
  const frequencyOfWish = loose.wishes.map((_, wish) =>
    options.reduce((sum, option, at) => (option.wish === wish ? sum + (frequencies[at] ?? 0) : sum), 0),
  );
  const rarities = options.map(({ wish }, at) => rarityOf(collection.texts, wish === null ? (frequencies[at] ?? 0) : (frequencyOfWish[wish] ?? 0)));
  const ranked: LooseRanked[] = [];
  for (const { position, standing, parts } of texts) {
    const met = new Set<number>();
    const typed = new Set<number>();
    let sum = 0;
    for (const [at, part] of parts.entries()) {
      const option = options[at];
      if (part <= 0 || option === undefined) continue;
      sum += part * option.weight * (rarities[at] ?? 0);
      if (option.wish === null) continue;
      met.add(option.wish);
      if (option.isTyped) typed.add(option.wish);
    }
    if (met.size < loose.needed) continue;
    ranked.push({
      position,
      score: Math.trunc(sum * STANDING[standing] * SCORE_STEPS) / SCORE_STEPS,
      covered: met.size,
      isAsTyped: typed.size === loose.wishes.length,
    });
  }
  return ranked.sort((a, b) => Number(b.isAsTyped) - Number(a.isAsTyped) || b.score - a.score || b.position - a.position);
};

const STANDING = { said: 1, noted: NOTE_WEIGHT, tool: 0.5 } as const satisfies Record<Standing, number>;
