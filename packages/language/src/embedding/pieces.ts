/** The word pieces with rows in an embedding, by index; `##x` continues a word. */
export type Vocabulary = { readonly pieces: ReadonlyMap<string, number>; readonly count: number };

/**
 * The indexes of a text's pieces. A run of letters and digits that is known as a whole is one piece; otherwise it is split at capitals and digits,
 * and each part into the longest known pieces. From `count` on, an index stands for a character outside the vocabulary: its row is derived from the
 * hash.
 */
export const piecesOf = (vocabulary: Vocabulary, text: string): readonly number[] => {
  const found: number[] = [];
  const known = knownIn(vocabulary);
  const beginning = text.slice(0, MOST_READ);
  for (const typed of (ASCII.test(beginning) ? beginning : beginning.normalize('NFKC')).match(RUN) ?? []) {
    if (found.length >= MOST_PIECES) break;
    const before = known.get(typed);
    const ids = before ?? idsOf(vocabulary, typed);
    if (before === undefined && typed.length <= LONGEST_RUN) known.set(typed, ids);
    if (known.size > MOST_KNOWN) known.clear();
    for (const id of ids) found.push(id);
  }
  return found.length > MOST_PIECES ? found.slice(0, MOST_PIECES) : found;
};

/**
 * MEAN-25: whether a text has words, and the vocabulary none of them: each is neither known as a whole nor has a known part of three letters.
 */
export const knowsNoneOf = (vocabulary: Vocabulary, text: string): boolean => {
  const runs = text.slice(0, MOST_READ).normalize('NFKC').match(RUN) ?? [];
  return runs.length > 0 && !runs.some((typed) => isKnown(vocabulary, typed));
};

const isKnown = (vocabulary: Vocabulary, typed: string): boolean => {
  const { pieces, count } = vocabulary;
  const [first = count, ...others] = idsOf(vocabulary, typed);
  if (others.length === 0) return first < count && first !== pieces.get('[hex]');
  return (typed.match(PART) ?? []).map(folded).some((word) => {
    for (let from = 0; from < word.length; from += 1) {
      const known = longestAt(pieces, word, from);
      if (known !== null && known.to - from >= SHORTEST_TELLING) return true;
    }
    return false;
  });
};

/** People mostly repeat the same words: recent ones need not be split again. */
const KNOWN = new WeakMap<Vocabulary['pieces'], Map<string, readonly number[]>>();
const MOST_KNOWN = 10_000;

const knownIn = ({ pieces }: Vocabulary): Map<string, readonly number[]> => {
  const before = KNOWN.get(pieces);
  if (before !== undefined) return before;
  const made = new Map<string, readonly number[]>();
  KNOWN.set(pieces, made);
  return made;
};

const idsOf = (vocabulary: Vocabulary, typed: string): readonly number[] => {
  const { pieces } = vocabulary;
  const whole = pieces.get(folded(typed));
  const run = whole === undefined ? typed.replace(SIGNS_BEHIND, '') : typed;
  const word = folded(run);
  const id = whole ?? pieces.get(word);
  if (id !== undefined) return [id];
  if (word.length > LONGEST_RUN || (word.length >= SHORTEST_HEX && HEX.test(word) && !DIGITS.test(word))) return [pieces.get('[hex]') ?? 0];
  const found: number[] = [];
  for (const part of run.match(PART) ?? []) addPart(vocabulary, folded(part), found);
  return found;
};

const addPart = ({ pieces, count }: Vocabulary, word: string, found: number[]): void => {
  let before = 0;
  let before2 = 0;
  for (let from = 0; from < word.length;) {
    const known = longestAt(pieces, word, from);
    if (known !== null) {
      found.push(known.id);
      from = known.to;
      before = 0;
      before2 = 0;
      continue;
    }
    const code = word.codePointAt(from) ?? 0;
    from += code > 0xffff ? 2 : 1;
    // In scripts without spaces, a single character is meaningful, too.
    const isWide = code >= 0x2e80;
    if (isWide || before === 0) found.push(count + mixed(code, 0, 0));
    if (before !== 0) found.push(count + mixed(code, before, 0));
    if (before2 !== 0 && !isWide) found.push(count + mixed(code, before, before2));
    before2 = before;
    before = code;
  }
};

const longestAt = (pieces: ReadonlyMap<string, number>, word: string, from: number): { readonly id: number; readonly to: number } | null => {
  for (let to = Math.min(word.length, from + LONGEST_PIECE); to > from; to -= 1) {
    const id = pieces.get(from === 0 ? word.slice(0, to) : `##${word.slice(from, to)}`);
    if (id !== undefined) return { id, to };
  }
  return null;
};

const folded = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));

const mixed = (a: number, b: number, c: number): number => {
  let hash = Math.imul(a + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35) ^ Math.imul(c + 1, 0x27d4eb2f);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & 0x3fffffff;
};

/** Letters and digits; `c++` and `c#` stay whole. */
const RUN = /[\p{L}\p{M}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
/** `HTTPServer2` is HTTP, Server and 2. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const SIGNS_BEHIND = /[+#]+$/u;
const HEX = /^[0-9a-f]*[0-9][0-9a-f]*$/u;
const DIGITS = /^[0-9]+$/u;
const SHORTEST_TELLING = 3;
const SHORTEST_HEX = 7;
const LONGEST_RUN = 40;
const LONGEST_PIECE = 24;
/** A longer text is split into passages before it is embedded; anything beyond this is noise. */
const MOST_PIECES = 512;
/** No further (HOST-1): a prompt may be megabytes long, and a run of millions of letters is more than a regular expression has a stack for. */
const MOST_READ = 65_536;
