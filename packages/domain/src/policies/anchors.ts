/** Where a match may begin, given where an anchor stands; below zero where none does. */
export type Begin = (text: string, at: number) => number;

/**
 * A few characters, of ASCII and in any case, without which a shape is not there. Three or more, between spaces; `[…]` is one of a class, `[ ]` a space.
 */
export type Anchored = { readonly anchors: string; readonly begin: Begin };

/** The places at which a shape may begin, from first to last. `order` is the shape's place among all. */
export type Sighting<S> = { readonly shape: S; readonly order: number; readonly places: readonly number[] };

type Anchor = {
  readonly shape: number;
  readonly begin: Begin;
  /** From the third character on: which ones may stand there. */
  readonly rest: readonly Uint8Array[];
};

/**
 * Looks for the anchors of all shapes at once. Whatever a text is, it is read once, three characters at a time: those that begin no anchor, nearly all of
 * them, cost two look-ups each. A regular expression for each shape, or one for all, costs many times as much.
 */
export const scannerOf = <S extends Anchored>(shapes: readonly S[]): ((text: string) => readonly Sighting<S>[]) => {
  const { isStart, byPair } = tableOf(shapes);
  return (text) => {
    let at = nextOf(text, 0, isStart);
    if (at < 0) return NONE;
    const found: Found[] = [];
    for (; at >= 0; at = nextOf(text, at + 1, isStart)) {
      const pair = (FOLD[text.charCodeAt(at)] ?? 0) * SIZE + (FOLD[text.charCodeAt(at + 1)] ?? 0);
      for (const { shape, begin, rest } of byPair[pair] ?? NONE) {
        if (!goesOn(text, at + 2, rest)) continue;
        const place = begin(text, at);
        if (place < 0) continue;
        note(found, shape, place);
      }
    }
    if (found.length === 0) return NONE;
    return found
      .toSorted((a, b) => a.order - b.order)
      .flatMap(({ order, places }) => {
        const shape = shapes[order];
        return shape === undefined ? [] : [{ shape, order, places }];
      });
  };
};

type Found = { readonly order: number; readonly places: number[]; last: number };

const note = (found: Found[], order: number, place: number): void => {
  for (const one of found)
    if (one.order === order) {
      // Two anchors may stand at one place.
      if (one.last < place) one.places.push(place);
      one.last = Math.max(one.last, place);
      return;
    }
  found.push({ order, places: [place], last: place });
};

/** Where the next three characters stand that begin an anchor; below zero if none do. Apart from the rest, so that it stays as fast as it can be. */
const nextOf = (text: string, from: number, isStart: Int32Array): number => {
  const { length } = text;
  if (from + 2 >= length) return -1;
  let three = ((FOLD[text.charCodeAt(from)] ?? 0) << BITS) | (FOLD[text.charCodeAt(from + 1)] ?? 0);
  for (let at = from + 2; at < length; at += 1) {
    three = ((three & PAIR) << BITS) | (FOLD[text.charCodeAt(at)] ?? 0);
    if (((isStart[three >> 5] ?? 0) & (1 << (three & 31))) !== 0) return at - 2;
  }
  return -1;
};

const NONE: readonly never[] = [];

const goesOn = (text: string, at: number, rest: readonly Uint8Array[]): boolean => {
  if (at + rest.length > text.length) return false;
  for (let n = 0; n < rest.length; n += 1) if (rest[n]?.[FOLD[text.charCodeAt(at + n)] ?? 0] !== 1) return false;
  return true;
};

const BITS = 6;
const SIZE = 1 << BITS;
const PAIR = SIZE * SIZE - 1;

/** Letters without their case, digits, and the signs that stand in anchors; blanks are one, and so is everything else. */
const KNOWN = 'abcdefghijklmnopqrstuvwxyz0123456789-_.:/=?&;"\'\\$~*+@ ';
const BLANK = KNOWN.length;
const FOLD = Uint8Array.from({ length: 0x1_00_00 }, (_, code) => {
  const one = String.fromCharCode(code);
  return code < 128 ? KNOWN.indexOf(/\s/u.test(one) ? ' ' : one.toLowerCase()) + 1 : /\s/u.test(one) ? BLANK : 0;
});

const tableOf = (shapes: readonly Anchored[]): { readonly isStart: Int32Array; readonly byPair: readonly (readonly Anchor[] | undefined)[] } => {
  const isStart = new Int32Array((SIZE * SIZE * SIZE) / 32);
  const byPair: (Anchor[] | undefined)[] = Array.from({ length: SIZE * SIZE });
  for (const [shape, { anchors, begin }] of shapes.entries())
    for (const source of anchors.split(/(?<!\[) (?!\])/u)) {
      const [first = [], second = [], third = [], ...more] = [...source.matchAll(/\[[^\]]+\]|./gu)].map(([one]) => codesOf(one));
      const anchor: Anchor = { shape, begin, rest: [third, ...more].map(setOf) };
      for (const a of first)
        for (const b of second) {
          const pair = a * SIZE + b;
          (byPair[pair] ??= []).push(anchor);
          for (const c of third) {
            const three = pair * SIZE + c;
            isStart[three >> 5] = (isStart[three >> 5] ?? 0) | (1 << (three & 31));
          }
        }
    }
  return { isStart, byPair };
};

const codesOf = (one: string): readonly number[] => {
  if (one.length === 1) return [FOLD[one.charCodeAt(0)] ?? 0];
  const members = new RegExp(one, 'iu');
  return [...new Set(ASCII.filter((char) => members.test(char)).map((char) => FOLD[char.charCodeAt(0)] ?? 0))];
};

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

const setOf = (codes: readonly number[]): Uint8Array => {
  const set = new Uint8Array(SIZE);
  for (const code of codes) set[code] = 1;
  return set;
};
