import { stemOf } from '../text/stems.ts';
import {
  DONE,
  GOOD_NEWS,
  HINTS,
  MODALS,
  NEGATORS,
  OPENERS,
  PLANS,
  PREDICATES,
  REPORTING,
  SEEING,
  TROUBLE_ASKED,
  TURNS,
} from '../text/lexicon/symptom-words.ts';
import { CLAUSE, type Word } from './words.ts';

/**
 * How far the words at a place can be trusted to report a problem, if less than 1. How-to questions, plans and good news contain the words of a
 * symptom without reporting one.
 */
export type Trust = ReadonlyMap<number, number>;

export const trustOf = (words: readonly Word[]): Trust => {
  const trust = new Map<number, number>();
  const sentences = sentencesOf(words);
  const tones = sentences.map((sentence) => toneOf(sentence));
  const message = (sentences.length <= SHORT ? trustInMessage(tones) : 1) * (words.some(isReporting) ? 1 : CALM);
  for (const [at, sentence] of sentences.entries()) {
    const { own = 1, supposedFrom = Infinity } = tones[at] ?? {};
    for (const [word, { place }] of sentence.entries()) {
      const supposed = word >= supposedFrom ? SUPPOSED : supposedFrom === Infinity ? 1 : NEAR;
      const least = Math.max(LEAST, Math.min(own, supposed) * message);
      if (least < 1) trust.set(place, least);
    }
  }
  return trust;
};

/** Nearly half of the messages that merely share words with a condition have no word of trouble; few real reports lack one. */
const isReporting = ({ shape, negated, reached }: Word): boolean =>
  !negated && !reached && (REPORTING_SET.has(shape.concept) || REPORTING_SET.has(shape.stem));

/** In a short message, one sentence also colours the others: "We moved it to the new store. Works well." */
const trustInMessage = (tones: readonly ToneOfSentence[]): number => {
  const turned = tones.some((tone) => tone.turned);
  const asked = tones.some((tone) => tone.asked);
  const cues = tones.reduce((total, tone) => total + tone.cues, 0);
  return (asked ? NEAR : 1) * (turned ? 1 : NEAR ** cues);
};

/** The trust left in a sentence that isn't a report, after a "should", and near a hint of either. */
export const NOT_REPORTED = 0.58;
const SUPPOSED = 0.68;
const NEAR = 0.84;
const CALM = 0.84;
const LEAST = 0.55;

const sentencesOf = (words: readonly Word[]): readonly (readonly Word[])[] => {
  const sentences: Word[][] = [];
  let before = -Infinity;
  for (const word of words) {
    if (word.expression) continue;
    if (word.place - before >= CLAUSE) sentences.push([word]);
    else sentences.at(-1)?.push(word);
    before = word.place;
  }
  return sentences;
};

type ToneOfSentence = {
  readonly own: number;
  readonly supposedFrom: number;
  readonly asked: boolean;
  /** The number of hints of good news. */
  readonly cues: number;
  readonly turned: boolean;
};

const toneOf = (sentence: readonly Word[]): ToneOfSentence => {
  if (sentence.length > LONGEST) return { own: 1, supposedFrom: Infinity, asked: false, cues: 0, turned: true };
  const stems = sentence.map(({ shape }) => shape.stem);
  const has = (words: ReadonlySet<string>): boolean => stems.some((stem) => words.has(stem));
  const turned = has(TURN_SET);
  if (stems.at(-1) === '?') {
    const requested = stems.some((stem, at) => stem === 'you' && MODAL_SET.has(stems[at - 1] ?? ''));
    const trouble = requested || has(TROUBLE_ASKED_SET) || POINTERS.has(stems[1] ?? '');
    const opened = OPENER_SET.has(stems[0] ?? '');
    return { own: trouble ? 1 : opened ? NOT_REPORTED : SUPPOSED, supposedFrom: Infinity, asked: !trouble, cues: 0, turned };
  }
  const told = (cues: ReadonlySet<string>): number =>
    sentence.filter(({ negated }, at) => !negated && [at, at - 1, at - 2].some((from) => from >= 0 && cues.has(stems.slice(from, at + 1).join(' '))))
      .length;
  // "It has not happened since"
  const over = sentence.some(
    ({ shape, negated }, at) => negated && HAPPENING.has(shape.stem) && stems.slice(at + 1, at + 3).some((stem) => AFTERWARDS.has(stem)),
  );
  const good = !turned && (over || told(GOOD_NEWS_SET) > 0);
  const meant =
    PLAN_SET.has(stems[0] ?? '') || (!turned && !stems.includes('now') && sentence.slice(0, 2).some(({ text }) => DONE_SET.has(text.toLowerCase())));
  const modal = sentence.findIndex(({ shape, text }, at) => isModal(shape.stem, text) && !AFTER_MODAL.has(stems[at + 1] ?? ''));
  return {
    own: good || meant ? NOT_REPORTED : 1,
    supposedFrom: modal < 0 || turned ? Infinity : modal,
    asked: false,
    cues: told(HINT_SET) + (good ? 2 : 0) + (LAST_HINTS.has(stems.at(-1) ?? '') ? 1 : 0),
    turned,
  };
};

/** "I'd", which has the same stem as "id". */
const isModal = (stem: string, text: string): boolean => MODAL_SET.has(stem) || text.endsWith("'d") || text.endsWith('\u2019d');

/** Longer than any sentence: a paste without full stops. */
const LONGEST = 60;
/** Up to this many sentences, the tone of one also counts for the others. */
const SHORT = 3;

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => stemOf(word)));
/** "Could not", and "as far as I can tell" report something. */
const AFTER_MODAL = new Set([...stemsOf(NEGATORS), ...stemsOf(SEEING)]);
const OPENER_SET = stemsOf(OPENERS);
/** Compared unstemmed: "upgrade failed" is not "upgraded". */
const DONE_SET = new Set(DONE.split(' '));
/** "Could it be that" asks about something observed. */
const POINTERS = stemsOf('it this that you');
const HAPPENING = stemsOf('happen occur see seen fire recur appear');
const AFTERWARDS = stemsOf('since again');
/** "It is automated now." */
const LAST_HINTS = stemsOf('now too');
const REPORTING_SET = new Set([
  ...stemsOf(REPORTING),
  ...stemsOf(PREDICATES),
  ...stemsOf(NEGATORS),
  ...stemsOf(TURNS),
  ...PREDICATES.split(' ').map((word) => `~${word}`),
]);
const PLAN_SET = stemsOf(PLANS);
const TURN_SET = stemsOf(TURNS);
const MODAL_SET = stemsOf(MODALS);
const TROUBLE_ASKED_SET = stemsOf(TROUBLE_ASKED);
const cuesOf = (cues: string): ReadonlySet<string> => new Set(cues.split(', ').map((cue) => [...stemsOf(cue)].join(' ')));
const GOOD_NEWS_SET = cuesOf(GOOD_NEWS);
const HINT_SET = cuesOf(HINTS);
