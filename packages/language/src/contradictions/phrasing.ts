import { conceptOf } from '../text/lexicon/antonyms.ts';
import { MONTH_NAMES } from './dates.ts';
import { wordSet } from '../text/stems.ts';
import { STOP } from '../text/lexicon/finding-words.ts';

const MORE = wordSet('more less fewer longer higher over above exceeds exceed below under');
/** "never more than 800 MB" gives a limit and denies nothing. */
export const isBound = (words: readonly string[], at: number): boolean => {
  const more = words.slice(at + 1, at + 5).findIndex((word) => MORE.has(word));
  return more >= 0 && words.slice(at + more + 2, at + more + 5).some((word) => /^\d/u.test(word));
};
const ATTACHING = wordSet('for by of on in at from with between under to');
const COUNTED = wordSet(
  'worker node replica shard partition tenant customer order phase step pod server instance host job ticket issue migration pr build version release android ios',
);
/** Words for which of several is meant: "the first run", "another cause", "yesterday's partition". */
const WHICH: ReadonlyMap<string, string> = new Map([
  ...['first', 'second', '2nd', 'third', 'last', 'previous', 'next', 'old', 'new', 'yesterday', 'today', 'tomorrow'].map(
    (word) => [word, word] as const,
  ),
  ...['another', 'other'].map((word) => [word, 'other'] as const),
  ['one', 'one'],
  ['older', 'old'],
  ['newer', 'new'],
  ['2nd', 'second'],
]);
/** "Run 88123 loaded 10,000 rows", "2.8 s on the Pixel 4a": if there is another number, the one after a noun is part of its name. */
const isNumbered = (words: readonly string[], at: number): boolean =>
  /^\d[\w.]*$/u.test(words[at] ?? '') &&
  at > 0 &&
  /^[a-z]{3,}$/u.test(words[at - 1] ?? '') &&
  !STOP.has(words[at - 1] ?? '') &&
  (at === 1 || ON.has(words[at - 2] ?? '')) &&
  words.some((word, other) => other !== at && /^\d/u.test(word));
const ON = wordSet('on in for with the a an of');
const isDay = (word: string): boolean => /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/u.test(word) || MONTH_NAMES.includes(word);
export const attachedOf = (words: readonly string[]): ReadonlyMap<string, string> => {
  const attached = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const head = words[at - 1] ?? '';
    if (/^[a-z]$/u.test(word) || (/^\d+$/u.test(word) && COUNTED.has(head)) || isNumbered(words, at)) attached.set(`${conceptOf(head).name} #`, word);
    if (WHICH.has(word)) {
      const noun = words[at + 1] ?? '';
      if (noun !== '' && !STOP.has(noun) && !/^\d/u.test(noun)) attached.set(`${conceptOf(noun).name} which`, WHICH.get(word) ?? word);
    }
    if (!ATTACHING.has(word) || head === '' || STOP.has(head) || /^\d/u.test(head)) continue;
    const object = words.slice(at + 1, at + 4).find((next) => !STOP.has(next));
    if (object !== undefined && !/^\d/u.test(object) && !isDay(object)) attached.set(`${conceptOf(head).name} ${word}`, conceptOf(object).name);
  }
  return attached;
};
const SAYS = wordSet('says say shows show reports prints lists confirms claims states tells indicates suggests reveals');
/** How many words at the start merely name the source. */
export const toldUntil = (words: readonly string[]): number => {
  if (words[0] === 'according' && words[1] === 'to') return 5;
  const says = words.slice(0, 6).findIndex((word) => SAYS.has(word));
  return says > 0 && words.length - says > 3 ? says + 1 : 0;
};
const TIMES = wordSet('second minute hour day week month year cent s ms');
export const perOf = (words: readonly string[]): string | null => {
  const at = words.indexOf('per');
  const noun = words[at + 1];
  return at < 1 || noun === undefined || (TIMES.has(noun) && words.some((word) => /^\d/u.test(word))) ? null : conceptOf(noun).name;
};
export const thanOf = (words: readonly string[], numbers: ReadonlySet<number>): string => {
  const at = words.indexOf('than');
  return at < 0 || numbers.has(at + 1)
    ? ''
    : words
        .slice(at + 1, at + 5)
        .filter((word) => !STOP.has(word))
        .join(' ');
};

/** `HTTP/2`, `http-2` and `http2` are the same name. */
export const squashed = (word: string): string => word.replaceAll(/[-_./:]/gu, '');
