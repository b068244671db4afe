/** Where a match may begin, given the place of an anchor; negative for nowhere. */
export type Begin = (text: string, at: number) => number;

/** A few ASCII characters, in any case, that every match of a shape contains. Three or more, separated by spaces; `[…]` is a class, `[ ]` a space. */
export type Anchored = { readonly anchors: string; readonly begin: Begin };

/** The places at which a shape may begin, in order. `order` is the shape's index. */
export type Sighting<S> = { readonly shape: S; readonly order: number; readonly places: readonly number[] };

type Anchor = {
  readonly order: number;
  readonly begin: Begin;
  /** From the fourth character on: the ones allowed there. */
  readonly rest: readonly Uint8Array[];
};

/** The anchors grouped by their first three characters; most triples have none, which is group 0. */
type Table = { readonly groupOf: Uint16Array; readonly groups: readonly (readonly Anchor[])[] };

/**
 * Looks for the anchors of all shapes at once. Any text is read once, three characters at a time; triples that begin no anchor, nearly all of them,
 * cost two look-ups each. A regular expression per shape, or one for all, costs many times as much.
 */
export const scannerOf = <S extends Anchored>(shapes: readonly S[]): ((text: string) => readonly Sighting<S>[]) => {
  const { groupOf, groups } = tableOf(shapes);
  return (text) => {
    const found: Found[] = [];
    const { length } = text;
    let three = length < 3 ? 0 : ((FOLD[text.charCodeAt(0)] ?? 0) << BITS) | (FOLD[text.charCodeAt(1)] ?? 0);
    for (let at = 2; at < length; at += 1) {
      three = ((three & PAIR) << BITS) | (FOLD[text.charCodeAt(at)] ?? 0);
      const group = groupOf[three] ?? 0;
      if (group !== 0) visit(text, at - 2, groups[group] ?? NONE, found);
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

const visit = (text: string, at: number, anchors: readonly Anchor[], found: Found[]): void => {
  for (const { order, begin, rest } of anchors) {
    const place = goesOn(text, at + 3, rest) ? begin(text, at) : -1;
    if (place >= 0) note(found, order, place);
  }
};

type Found = { readonly order: number; readonly places: number[]; last: number };

const note = (found: Found[], order: number, place: number): void => {
  for (const one of found)
    if (one.order === order) {
      // Two anchors may occur at the same place.
      if (one.last < place) one.places.push(place);
      one.last = Math.max(one.last, place);
      return;
    }
  found.push({ order, places: [place], last: place });
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

/** Letters regardless of case, digits, signs that occur in anchors, and all blanks as one. Everything else is 0. */
const KNOWN = 'abcdefghijklmnopqrstuvwxyz0123456789-_.:/=?&;"\'\\$~*+@ ';
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code));
const FOLD = new Uint8Array(0x1_00_00);
FOLD.set(ASCII.map((char) => KNOWN.indexOf(/\s/u.test(char) ? ' ' : char.toLowerCase()) + 1));
// The blanks outside ASCII.
for (const code of [0xa0, 0x16_80, 0x20_28, 0x20_29, 0x20_2f, 0x20_5f, 0x30_00, 0xfe_ff]) FOLD[code] = KNOWN.length;
FOLD.fill(KNOWN.length, 0x20_00, 0x20_0b);

const tableOf = (shapes: readonly Anchored[]): Table => {
  const groupOf = new Uint16Array(SIZE ** 3);
  const groups: Anchor[][] = [[]];
  const add = (three: number, anchor: Anchor): void => {
    const group = groupOf[three] ?? 0;
    if (group === 0) groupOf[three] = groups.push([anchor]) - 1;
    else groups[group]?.push(anchor);
  };
  for (const [order, { anchors, begin }] of shapes.entries())
    for (const source of anchors.split(/(?<!\[) (?!\])/u)) {
      const [first = [], second = [], third = [], ...more] = [...source.matchAll(/\[[^\]]+\]|./gu)].map(([one]) => codesOf(one));
      const anchor: Anchor = { order, begin, rest: more.map(setOf) };
      for (const a of first) for (const b of second) for (const c of third) add((a * SIZE + b) * SIZE + c, anchor);
    }
  return { groupOf, groups };
};

const codesOf = (one: string): readonly number[] => {
  if (one.length === 1) return [FOLD[one.charCodeAt(0)] ?? 0];
  const members = new RegExp(one, 'iu');
  return [...new Set(ASCII.filter((char) => members.test(char)).map((char) => FOLD[char.charCodeAt(0)] ?? 0))];
};

const setOf = (codes: readonly number[]): Uint8Array => {
  const set = new Uint8Array(SIZE);
  for (const code of codes) set[code] = 1;
  return set;
};
