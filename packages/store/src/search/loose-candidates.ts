import type { LooseOption } from './loose-rank.ts';
import type { Loose } from './loose.ts';

/** Which texts to consider: those with an option from each group of `sure`, and one from `any` if that isn't empty. */
export type Candidates = { readonly sure: readonly (readonly LooseOption[])[]; readonly any: readonly LooseOption[] };

/**
 * A text that meets most wishes meets one of the rarest few. Only texts with one of those are considered, so that common words cost little. If even
 * those are in very many texts, only the rarest counts.
 */
export const candidatesOf = (loose: Loose, options: readonly LooseOption[], frequencies: readonly number[]): Candidates => {
  const { wishes, required, needed } = loose;
  const sure: (readonly LooseOption[])[] = [];
  let from = 0;
  for (const one of required) {
    sure.push(options.slice(from, from + one.options.length));
    from += one.options.length;
  }
  if (sure.length > 0 && needed === 0) return { sure, any: [] };
  const byRarity = wishes
    .map((_, wish) => ({
      options: options.filter((option) => option.wish === wish),
      frequency: options.reduce((sum, option, at) => (option.wish === wish ? sum + (frequencies[at] ?? 0) : sum), 0),
    }))
    .sort((a, b) => a.frequency - b.frequency);
  const any: LooseOption[] = [];
  let sum = 0;
  for (const { options: some, frequency } of byRarity.slice(0, Math.max(1, wishes.length - Math.max(1, needed) + 1))) {
    sum += frequency;
    if (any.length > 0 && sum > MOST_LOOKED_AT) break;
    any.push(...some);
  }
  return { sure, any };
};

const MOST_LOOKED_AT = 5_000;
