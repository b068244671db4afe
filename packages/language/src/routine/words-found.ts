/**
 * A pattern of whole words, for text in lower case. What is to be found is sorted by its first letter: at a word only those are tried that begin as it does, which
 * makes hundreds of them cost as much as a few.
 */
export const wholeWords = (...lines: readonly string[]): RegExp => {
  const groups = new Map<string, string[]>();
  for (const one of lines.flatMap(alternativesIn)) {
    const first = /^[a-z](?![?*])/u.test(one) ? (one[0] ?? '') : '';
    groups.set(first, [...(groups.get(first) ?? []), one]);
  }
  const sorted = [...groups].map(([first, all]) => (first === '' ? all.join('|') : `(?=${first})(?:${all.join('|')})`));
  return new RegExp(String.raw`\b(?:${sorted.join('|')})(?![\w-])`, 'gu');
};

/** The parts of a pattern between bars that are in no brackets. */
const alternativesIn = (pattern: string): readonly string[] => {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at];
    if (sign === '\\') at += 1;
    else if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    else if (sign === '|' && depth === 0) {
      found.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, pattern.slice(from)];
};

/** The words of a text that a pattern fits, each once and in the order they come; no more than somebody would read. */
export const wordsFound = (text: string, patterns: readonly RegExp[]): readonly string[] => {
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const [words] of text.matchAll(pattern)) {
      if (found.size >= MOST_NAMED) return [...found];
      found.add(words.trim().slice(0, LONGEST).toLowerCase());
    }
  }
  return [...found];
};

const MOST_NAMED = 5;
const LONGEST = 60;
