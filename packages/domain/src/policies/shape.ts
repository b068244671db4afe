import type { Anchored, Begin, Sighting } from './anchors.ts';

/** Where the secret is in a match of `start`, and its kind if the shape has several; if there is none, `to` is where the search continues. */
export type Span = { readonly from: number; readonly to: number; readonly secret: boolean; readonly kind?: string };

/** Tests whether a shape begins at `lastIndex`, and leaves there the end of its beginning. */
export type Start = { lastIndex: number; readonly test: (text: string) => boolean };

/**
 * `start` is tried only where an anchor indicates it. It has no unbounded repetition: it recognizes the first few characters, and `span` walks to the
 * end. A hostile text then costs its length, once.
 */
export type Shape = Anchored & {
  readonly kind: string;
  readonly start: Start;
  readonly span: (text: string, from: number, end: number) => Span;
};

/** Begins at its anchor by default. */
export const shape = (kind: string, anchors: string, start: string | Start, span: Shape['span'], begin: Begin = atAnchor): Shape => ({
  kind,
  anchors,
  start: typeof start === 'string' ? new RegExp(start, 'uy') : start,
  span,
  begin,
});

const atAnchor: Begin = (_, at) => at;

/** This many characters before its anchor. */
export const back =
  (count: number): Begin =>
  (_, at) =>
    at - count;

/** The start of a run of these characters that ends at `to`. */
export const runStart = (text: string, to: number, members: Uint8Array, most: number): number => {
  let at = to;
  while (at > 0 && to - at < most && members[text.charCodeAt(at - 1)] === 1) at -= 1;
  return at;
};

export type Found = { readonly from: number; readonly to: number; readonly kind: string };

/** The secrets of one shape that begin before `most`. Anything after `near`, the first part of the text, is only read to find their ends. */
export const spansOf = (
  text: string,
  { shape: { kind, start, span }, places }: Sighting<Shape>,
  near = text,
  most = near.length,
): readonly Found[] => {
  const spans: Found[] = [];
  let next = 0;
  for (const place of places) {
    if (place >= most) break;
    if (place < next) continue;
    start.lastIndex = place;
    if (!start.test(near)) continue;
    const found = span(text, place, start.lastIndex);
    // Skips what can't contain another: nothing is walked twice, so a hostile text costs no more than its length.
    next = Math.max(found.to, place + 1);
    if (found.secret) spans.push({ from: found.from, to: found.to, kind: found.kind ?? kind });
  }
  return spans;
};

/** Any case, without the `i` flag: some prefixes differ from words only by case, and all must share one pre-check. */
export const anyCase = (source: string): string => source.replace(/(?<!\\)[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

export const inClass = (members: string): Uint8Array => {
  const one = new RegExp(`[${members}]`, 'u');
  return Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCodePoint(code)) ? 1 : 0));
};

export const runEnd = (text: string, from: number, members: Uint8Array): number => {
  let at = from;
  while (at < text.length && members[text.charCodeAt(at)] === 1) at += 1;
  return at;
};

export const ALNUM = 'A-Za-z0-9';
export const WORDS = String.raw`\w-`;
export const BASE64 = inClass(`${ALNUM}+/=`);
export const TOKEN = inClass(WORDS);
