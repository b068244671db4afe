import { KINDS_OF_STRINGS, NODE_KINDS } from '@yarnboard/domain';
import { bundleNamed, nameOfBundle, type Unfolded, type YarnFilters } from './yarn-board.ts';

/** PAGE-235: the part of a yarn board's state that its URL holds. */
export type YarnWish = {
  /** Null: just the card the board is about, with all its strings. */
  readonly unfolded: readonly Unfolded[] | null;
  readonly filters: YarnFilters;
  /** The cards to find the ways between, at most two. */
  readonly chosen: readonly string[];
};

export const NO_FILTERS: YarnFilters = { strings: [], cards: [], person: '', since: '', until: '' };

/** Reads the state from a URL. Drops values that nobody could have chosen. */
export const yarnWishIn = (params: URLSearchParams): YarnWish => {
  const open = params.get('open');
  const day = (name: string): string => DAY.exec(params.get(name) ?? '')?.[0] ?? '';
  return {
    unfolded: open === null ? null : wordsIn(open).flatMap(unfoldedIn),
    filters: {
      strings: KINDS_OF_STRINGS.filter((kind) => wordsIn(params.get('strings')).includes(kind)),
      cards: NODE_KINDS.filter((kind) => wordsIn(params.get('cards')).includes(kind)),
      person: params.get('person')?.trim() ?? '',
      since: day('since'),
      until: day('until'),
    },
    chosen: [...new Set(wordsIn(params.get('ways')).map(decoded))].slice(0, 2),
  };
};

/** The URL of a state. It holds only what is set, and only the latest unfolded cards if there are very many: URLs have a maximum length. */
export const yarnAddressOf = ({ unfolded, filters, chosen }: YarnWish): URLSearchParams => {
  const params = new URLSearchParams();
  if (unfolded !== null) params.set('open', lastFitting(unfolded.map(wordOf)).join(' '));
  for (const name of ['strings', 'cards'] as const) if (filters[name].length > 0) params.set(name, filters[name].join(' '));
  for (const name of ['person', 'since', 'until'] as const) if (filters[name] !== '') params.set(name, filters[name]);
  if (chosen.length > 0) params.set('ways', chosen.map(encoded).join(' '));
  return params;
};

const wordOf = ({ ref, bundle, pages }: Unfolded): string =>
  [encoded(ref), ...(bundle === null ? [] : [nameOfBundle(bundle), ...(pages === 1 ? [] : [pages])])].join('~');

const unfoldedIn = (word: string): readonly Unfolded[] => {
  const [ref = '', name, pages = '1'] = word.split('~');
  const bundle = name === undefined ? null : bundleNamed(name);
  if (ref === '' || (name !== undefined && bundle === null)) return [];
  return [{ ref: decoded(ref), bundle, pages: bundle === null ? 1 : Math.min(MOST_PAGES, Math.max(1, Math.trunc(Number(pages)) || 1)) }];
};

const lastFitting = (words: readonly string[]): readonly string[] => {
  let room = MOST_LETTERS;
  const from = words.findLastIndex((word) => {
    room -= word.length + 1;
    return room < 0;
  });
  return words.slice(from + 1);
};

const wordsIn = (text: string | null): readonly string[] => (text ?? '').split(' ').filter((word) => word !== '');

// A tilde separates the parts of an entry; encodeURIComponent leaves tildes alone, so they are escaped here.
const encoded = (ref: string): string => encodeURIComponent(ref).replaceAll('~', '%7E');

const decoded = (word: string): string => {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // a hand-typed URL
  }
};

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u;
const MOST_LETTERS = 6000;
const MOST_PAGES = 8;
