import type { Finder } from './any-of.ts';

/** Where a match of `start` puts the secret, and its kind where the shape has several; of none, `to` is where the search goes on. */
export type Span = { readonly from: number; readonly to: number; readonly secret: boolean; readonly kind?: string };

/** `start` has no unbounded repetition: it recognises the first few characters, `span` walks to the end. Hostile text then costs its length, once. */
export type Shape = {
  readonly kind: string;
  readonly start: Finder;
  readonly span: (text: string, from: number, end: number) => Span;
  /** Small letters of which a text that has the shape has some: looking for them costs a fraction of what `start` does. None: it is always looked for. */
  readonly hints: readonly string[];
};

/** Hints are words with spaces between. */
export const shape = (kind: string, hints: string, start: string | Finder, span: Shape['span']): Shape => ({
  kind,
  start: typeof start === 'string' ? new RegExp(start, 'gu') : start,
  span,
  hints: hints.split(' ').filter((hint) => hint !== ''),
});

/** Any case, without the `i` flag: some prefixes are told from words by their case alone, and all must share one pre-check. */
export const anyCase = (source: string): string => source.replace(/(?<!\\)[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

export const inClass = (members: string): Uint8Array => {
  const one = new RegExp(`[${members}]`, 'u');
  return Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCodePoint(code)) ? 1 : 0));
};

export const runEnd = (text: string, from: number, members: Uint8Array): number => {
  let at = from;
  while (members[text.charCodeAt(at)] === 1) at += 1;
  return at;
};

export const ALNUM = 'A-Za-z0-9';
export const WORDS = String.raw`\w-`;
export const BASE64 = inClass(`${ALNUM}+/=`);
export const TOKEN = inClass(WORDS);
