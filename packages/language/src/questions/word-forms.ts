import { STOP } from '../text/lexicon/finding-words.ts';
import { formsWithStem, stemOf, wordList, wordSet } from '../text/stems.ts';

/**
 * The other forms that a word may have in a text: `fails`, `failed`, `failing`, `failure` for `fail`; `configuration` for `config`. Some of them are no
 * words: whoever asks knows a vocabulary, and takes those that are in it.
 */
export const formsOf = (word: string): readonly string[] => {
  if (word.length < 3 || !/^[a-z]+$/u.test(word)) return [];
  const stem = stemOf(word);
  const bases = new Set([word, stem, `${stem}e`, stem.replace(/i$/u, 'y'), `${stem}${stem.at(-1) ?? ''}`]);
  // A plural is one whatever the stemmer makes of it.
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

/** Whether a word says nothing about what a question is about. */
export const isStopWord = (word: string): boolean => STOP.has(word) || ASKING.has(word);

const ENDINGS: readonly string[] = [
  '',
  ...wordList(`s es d ed ing ings er ers ies ied ly able ible ion ions tion tions ation ations ment ments ance ence age ated ating ates ate`),
];

/** How a question is put, not what it asks for. */
const ASKING = wordSet('tell find look show give let know want wanted like need get got thing things somehow us ours much many kind sort way');
