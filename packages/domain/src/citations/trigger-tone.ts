import { stemOf } from './trigger-stems.ts';
import { GOOD_NEWS, MODALS, NEGATORS, PLANS, SEEING, TROUBLE_ASKED, TURNS } from './trigger-vocabulary.ts';
import { CLAUSE, type Word } from './trigger-words.ts';

/**
 * The places of sentences that sound like something else than a report of trouble. A question of how to do it, a plan and good news
 * have the words of a symptom and show none.
 */
export const doubtfulPlaces = (words: readonly Word[]): ReadonlySet<number> => {
  const doubtful = new Set<number>();
  let sentence: Word[] = [];
  const close = (): void => {
    for (const { place } of sentence.slice(doubtfulFrom(sentence))) doubtful.add(place);
    sentence = [];
  };
  for (const word of words) {
    if (word.expression) continue;
    if (word.place - (sentence.at(-1)?.place ?? word.place) >= CLAUSE) close();
    sentence.push(word);
  }
  close();
  return doubtful;
};

/** From which word on a sentence is doubtful. */
const doubtfulFrom = (sentence: readonly Word[]): number => {
  if (sentence.length > LONGEST) return sentence.length;
  const stems = sentence.map(({ shape }) => shape.stem);
  const has = (words: ReadonlySet<string>): boolean => stems.some((stem) => words.has(stem));
  if (sentence.at(-1)?.shape.stem === '?') return has(TROUBLE_ASKED_SET) ? sentence.length : 0;
  if (PLAN_SET.has(stems[0] ?? '')) return 0;
  if (has(TURN_SET)) return sentence.length;
  const isGood = sentence.some(
    ({ shape: { stem }, negated }, at) => !negated && (GOOD_NEWS_SET.has(stem) || GOOD_NEWS_SET.has(`${stems[at - 1] ?? ''} ${stem}`)),
  );
  if (isGood) return 0;
  const modal = sentence.findIndex(({ shape, text }, at) => isModal(shape.stem, text) && !AFTER_MODAL.has(stems[at + 1] ?? ''));
  return modal < 0 ? sentence.length : modal;
};

/** "I'd", which has the stem of "id". */
const isModal = (stem: string, text: string): boolean => MODAL_SET.has(stem) || text.endsWith("'d") || text.endsWith('\u2019d');

/** A paste without full stops is no sentence. */
const LONGEST = 60;

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => stemOf(word)));
/** "Could not", and "as far as I can tell". */
const AFTER_MODAL = new Set([...stemsOf(NEGATORS), ...stemsOf(SEEING)]);
const PLAN_SET = stemsOf(PLANS);
const TURN_SET = stemsOf(TURNS);
const MODAL_SET = stemsOf(MODALS);
const TROUBLE_ASKED_SET = stemsOf(TROUBLE_ASKED);
const GOOD_NEWS_SET = new Set(
  GOOD_NEWS.map((cue) =>
    cue
      .split(' ')
      .map((word) => stemOf(word))
      .join(' '),
  ),
);
