import { distance } from '@yarnboard/store';

/**
 * ARCHIVE-6: similarity of two words, from 0 to 1: one minus the edits (deletions, insertions, substitutions, swaps) as a share of the longer word. A
 * word of four letters or more also matches a longer word that contains it.
 */
export const likeness = (asked: string, word: string, least: number): number => {
  const longer = Math.max(asked.length, word.length);
  if (longer === 0) return 0;
  if (asked.length >= SHORTEST_PART && word.length > asked.length && word.includes(asked))
    return CONTAINED + (1 - CONTAINED) * (asked.length / longer);
  const most = Math.floor((1 - least) * longer + ROUNDING);
  const away = distance(asked, word, most);
  return away > most ? 0 : 1 - away / longer;
};

/** A word's letters as a bit set. Words that differ in more bits than the allowed edits can explain need no closer look. */
export const lettersOf = (word: string): number => {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
};

/** Whether two words can be that similar at all. Runs for every known word, so it must cost next to nothing. */
export const mayBeAlike = (asked: Letters, word: Letters, least: number): boolean => {
  if (asked.length >= SHORTEST_PART && word.length > asked.length && (asked.letters & ~word.letters) === 0) return true;
  const most = Math.floor((1 - least) * Math.max(asked.length, word.length) + ROUNDING);
  // An edit turns one letter into another, which flips at most two bits.
  return Math.abs(asked.length - word.length) <= most && bitsIn(asked.letters ^ word.letters) <= 2 * most;
};

export type Letters = { readonly length: number; readonly letters: number };

const bitsIn = (value: number): number => {
  let rest = value >>> 0;
  let bits = 0;
  for (; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits += 1;
  return bits;
};

const SHORTEST_PART = 4;
const CONTAINED = 0.8;
/** 1 - 0.8 is slightly less than 0.2 in floating point. */
const ROUNDING = 1e-9;
