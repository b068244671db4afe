import type { Option } from './query.ts';
import { DIACRITIC, DIACRITIC_CLASS, foldOf, SEPARATOR_CLASS, variantsOf } from './unicode61.ts';
import { CJK_CLASS, eachWord, hasPieces, standsAlone } from './words.ts';

export type Place = { readonly from: number; readonly to: number };

/**
 * Finds these options in a text, as spelled there (capitals, accents, combining marks) and only as whole words. `eachWord` would give the same at a
 * hundredth of the speed: in a tool's output of 32 MB, the match may be at the end.
 */
export const wordFinder = (options: readonly Option[], most: number): ((text: string) => readonly Place[]) => {
  // Compiled once for all texts of an answer: compiling takes longer than matching.
  let made: RegExp | null = null;
  return (text) => (options.length === 0 ? NOWHERE : placesOf(text, options, (made ??= patternOf(options)), most));
};

const placesOf = (text: string, options: readonly Option[], pattern: RegExp, most: number): readonly Place[] => {
  const places: Place[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && places.length < most; match = pattern.exec(text)) {
    const from = match.index;
    const to = from + match[0].length;
    if (startsWord(text, from) && isInOnePiece(text, from, to, options)) places.push({ from, to });
    else pattern.lastIndex = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return places;
};

/** Where a text contains this literally, ignoring case. */
export const exactPlacesOf = (text: string, exact: string, most: number): readonly Place[] => {
  const places: Place[] = [];
  if (exact === '') return places;
  const pattern = new RegExp(exact.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
  for (let match = pattern.exec(text); match !== null && places.length < most; match = pattern.exec(text)) {
    places.push({ from: match.index, to: match.index + match[0].length });
  }
  return places;
};

const NOWHERE: readonly Place[] = [];

const patternOf = (options: readonly Option[]): RegExp => {
  const alone = options.filter(({ words }) => startsAlone(words[0] ?? '')).map(sourceOf);
  const others = options.filter(({ words }) => !startsAlone(words[0] ?? '')).map(sourceOf);
  const apart = others.length === 0 ? [] : [`${NOT_AFTER_ASCII}(?:${others.join('|')})`];
  return new RegExp([...apart, ...alone].join('|'), 'gu');
};

// The pattern checks ASCII only: with all letters in its first condition, which is tried at every place, it is a hundred times slower.
const startsWord = (text: string, from: number): boolean => {
  if (standsAlone(text.codePointAt(from) ?? 0)) return true;
  let at = from;
  while (at > 0 && foldOf(text.charCodeAt(at - 1)) === DIACRITIC) at -= 1;
  if (at === 0) return true;
  const isPair = at > 1 && text.charCodeAt(at - 1) >= 0xdc00 && text.charCodeAt(at - 1) < 0xe000;
  const before = text.codePointAt(at - (isPair ? 2 : 1)) ?? 0;
  return foldOf(before) <= 0 || standsAlone(before);
};

// A letter within a decomposed syllable isn't the word that the letter alone would be.
const isInOnePiece = (text: string, from: number, to: number, options: readonly Option[]): boolean => {
  const start = Math.max(0, from - 2);
  const around = text.slice(start, to + 2);
  if (!hasPieces(around)) return true;
  const found: string[] = [];
  eachWord(around, (word, first, last) => {
    if (last > from - start && first < to - start) found.push(first < from - start || last > to - start ? '' : word);
  });
  return options.some(
    ({ words, prefix }) => words.length === found.length && words.every((word, at) => word === found[at] || (prefix && found[at]?.startsWith(word))),
  );
};

const sourceOf = ({ words, prefix }: Option): string => {
  const pieces: string[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before !== undefined) pieces.push(gapBetween(before, word));
    for (const letter of word) pieces.push(letterOf(letter));
  }
  if (!startsAlone(words.at(-1) ?? '')) pieces.push(prefix ? REST : NOTHING_BEHIND);
  return pieces.join('');
};

const letterOf = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  if (!standsAlone(code)) return `[${[code, ...variantsOf(code)].map(escaped).join('')}]${MARKS}`;
  const apart = letter.normalize('NFD');
  return apart === letter ? escaped(code) : `(?:${Array.from(apart, (part) => escaped(part.codePointAt(0) ?? 0)).join('')}|${escaped(code)})`;
};

// Nothing in a gap can be a letter of the neighbouring words, so there is only one way to match it, and matching is linear.
const gapBetween = (before: string, behind: string): string => {
  if (startsAlone(before)) return `[${SEPARATOR_CLASS}${DIACRITIC_CLASS}]*`;
  return `(?:[${SEPARATOR_CLASS}][${SEPARATOR_CLASS}${DIACRITIC_CLASS}]*)${startsAlone(behind) ? '?' : ''}`;
};

// A word either is one such character or has none.
const startsAlone = (word: string): boolean => standsAlone(word.codePointAt(0) ?? 0);

const escaped = (code: number): string => `\\u{${code.toString(16)}}`;

const MARKS = `[${DIACRITIC_CLASS}]*`;
const NOT_AFTER_ASCII = '(?<![A-Za-z0-9])';
const NOTHING_BEHIND = `(?![^${SEPARATOR_CLASS}${CJK_CLASS}])`;
const REST = `[^${SEPARATOR_CLASS}${CJK_CLASS}]*`;
