import { STOP } from '../text/lexicon/finding-words.ts';
import { formsWithStem, stemOf, wordList, wordSet } from '../text/stems.ts';

/**
 * Other forms of a word: `fails`, `failed`, `failing`, `failure` for `fail`; `configuration` for `config`. Some aren't words: the caller keeps those
 * in its vocabulary.
 */
export const formsOf = (word: string): readonly string[] => {
  if (word.length < 3 || !/^[a-z]+$/u.test(word)) return [];
  const stem = stemOf(word);
  const bases = new Set([word, stem, `${stem}e`, stem.replace(/i$/u, 'y'), `${stem}${stem.at(-1) ?? ''}`]);
  // A plural counts as one whatever the stemmer makes of it.
  const forms = new Set([...formsWithStem(stem), `${word}s`, ...(word.length > 4 && /[^su]s$/u.test(word) ? [word.slice(0, -1)] : [])]);
  for (const base of bases) {
    for (const ending of ENDINGS) {
      const form = `${base}${ending}`;
      if (form.length >= 3 && !forms.has(form) && stemOf(form) === stem) forms.add(form);
    }
  }
  forms.delete(word);
  return [...forms];
};

/** Whether a word says nothing about the subject of a question. */
export const isStopWord = (word: string): boolean => STOP.has(word) || ASKING.has(word);

const ENDINGS: readonly string[] = [
  '',
  ...wordList(`s es d ed ing ings er ers ies ied ly able ible ion ions tion tions ation ations ment ments ance ence age ated ating ates ate`),
];

/** Words that phrase a question rather than state its subject. */
const ASKING = wordSet('tell find look show give let know want wanted like need get got thing things somehow us ours much many kind sort way');
