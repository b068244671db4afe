import { IRREGULAR_FORMS } from './vocabulary.ts';

/**
 * A light stemmer: enough that plural, past and -ing forms meet. It need not give real words, only the same one for the forms of a word.
 * It takes off endings only, in one pass each, so it is linear in the word.
 */
export const stemOf = (word: string): string => {
  if (word.length < 4 || hasDigit(word)) return word;
  let stem = IRREGULAR.get(word) ?? word;
  if (stem.endsWith('ies') || stem.endsWith('ied')) stem = stem.length > 4 ? `${stem.slice(0, -3)}y` : stem.slice(0, -1);
  else if (stem.endsWith('sses') || stem.endsWith('shes') || stem.endsWith('xes')) stem = stem.slice(0, -2);
  else if (stem.endsWith('ie') && stem.length > 4) stem = `${stem.slice(0, -2)}y`;
  else if (stem.endsWith('s') && !['ss', 'us', 'is'].includes(stem.slice(-2))) stem = stem.slice(0, -1);
  if (stem.endsWith('ly') && stem.length > 5) stem = stem.slice(0, -2);
  if (stem.endsWith('ical')) stem = stem.slice(0, -2);
  if (stem.endsWith('ing') && hasVowel(stem.slice(0, -3)) && stem.length > 5) stem = undoubled(stem.slice(0, -3));
  else if (stem.endsWith('ed') && !stem.endsWith('eed') && hasVowel(stem.slice(0, -2)) && stem.length > 4) stem = undoubled(stem.slice(0, -2));
  if ((stem.endsWith('val') || stem.endsWith('wal')) && stem.length > 6) stem = stem.slice(0, -2);
  if (stem.endsWith('ment') && stem.length > 9) stem = stem.slice(0, -4);
  if ((stem.endsWith('tion') && stem.length > 6) || (stem.endsWith('sion') && stem.length > 7)) stem = stem.slice(0, -3);
  if (stem.endsWith('e') && stem.length > 3) stem = stem.slice(0, -1);
  if (stem.endsWith('at') && stem.length > 7) stem = stem.slice(0, -2);
  if (stem.endsWith('y') && stem.length > 4) stem = stem.slice(0, -1);
  return stem;
};

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  IRREGULAR_FORMS.split(', ').flatMap((line) => {
    const [word = '', ...forms] = line.split(' ');
    return forms.map((form) => [form, word] as const);
  }),
);

/** running, logged; but not missing, installed */
const undoubled = (stem: string): string => {
  const last = stem.at(-1) ?? '';
  return stem.length > 3 && last === stem.at(-2) && !'lsz'.includes(last) ? stem.slice(0, -1) : stem;
};

const hasVowel = (text: string): boolean => ['a', 'e', 'i', 'o', 'u', 'y'].some((vowel) => text.includes(vowel));

const hasDigit = (word: string): boolean => {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
};
