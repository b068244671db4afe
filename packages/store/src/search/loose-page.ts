import { startOf } from './alternatives.ts';
import type { LooseRanked } from './loose-rank.ts';
import type { Loose } from './loose.ts';
import type { SearchAnswer } from './port.ts';
import type { Alternatives } from './query.ts';
import { fitsExactly, matchesExact } from './snippet.ts';

/** Whether the index alone can't decide which texts match. */
export const needsText = ({ required, excluded }: Loose): boolean =>
  required.some(({ exacts }) => exacts.length > 0) || excluded.clauses.some((clause) => clause.kind === 'phrase' && clause.exact !== null);

/** Whether a text has every exact requirement, and nothing that is excluded. */
export const fitsLoosely = (text: string, { required, excluded }: Loose): boolean =>
  fitsExactly(text, excluded) && required.every(({ exacts }) => exacts.length === 0 || exacts.some((exact) => matchesExact(text, exact)));

/** The prefixes of cursors of such lists. */
export const CURSORS = { most: 'l', whole: 'w' } as const;

/** Continues after a number of hits. */
export const loosePage = (
  ranked: readonly LooseRanked[],
  cursor: string | null,
  limit: number,
  manner: 'most' | 'whole',
  fits: (position: number) => boolean,
): { readonly page: readonly LooseRanked[]; readonly next: string | null } => {
  const page: LooseRanked[] = [];
  for (let at = startOf(cursor) ?? 0; at < ranked.length; at += 1) {
    if (page.length === limit) return { page, next: `${CURSORS[manner]}${at}` };
    const one = ranked[at];
    if (one !== undefined && fits(one.position)) page.push(one);
  }
  return { page, next: null };
};

export const looseAnswer = (
  { told, asked, alternatives }: Loose,
  corrected: Alternatives,
): Pick<SearchAnswer, 'order' | 'corrected' | 'loosened' | 'asked' | 'alternatives'> => ({
  order: 'relevance',
  // Ignored words were not looked for in any spelling.
  corrected: new Map([...corrected].filter(([word]) => !told.ignored.includes(word))),
  loosened: told,
  asked,
  alternatives,
});
