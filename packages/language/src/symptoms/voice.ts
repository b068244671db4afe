import { ASKING, CALM, TROUBLED } from '../text/lexicon/voice-words.ts';
import { stemOf } from '../text/stems.ts';
import { trustOf } from './tone.ts';
import type { Word } from './words.ts';

/** TRIG-19: how a message is phrased, whatever it is about. */
export type Voice = {
  /** The words of trouble that aren't denied, and whether there are none. */
  readonly troubled: number;
  readonly quiet: number;
  /** The words of satisfaction, plus denied trouble. */
  readonly calm: number;
  /** Whether it begins like a task or a how-to question. */
  readonly asks: number;
  readonly denials: number;
  /** The share of words in questions, plans and good news. */
  readonly distrust: number;
};

export const voiceOf = (words: readonly Word[]): Voice => {
  const said = words.filter(({ expression }) => !expression);
  const isTrouble = ({ shape }: Word): boolean => TROUBLED_SET.has(shape.stem) || TROUBLED_SET.has(shape.concept);
  const isDenied = ({ negated, denied }: Word): boolean => negated || denied;
  const troubled = said.filter((word) => isTrouble(word) && !isDenied(word)).length;
  const eased = said.filter((word) => isTrouble(word) && isDenied(word) && !NEGATING.has(word.shape.stem)).length;
  const content = said.filter((word) => CALM_SET.has(word.shape.stem) && !isDenied(word)).length;
  const distrusted = [...trustOf(words).values()].filter((trust) => trust < DISTRUSTED).length;
  return {
    troubled: Math.min(troubled, MOST_CUES),
    quiet: troubled === 0 ? 1 : 0,
    calm: Math.min(content + eased, MOST_CUES),
    asks: ASKING_SET.has(said[0]?.shape.stem ?? '') ? 1 : 0,
    denials: Math.min(said.filter(isDenied).length, MOST_CUES),
    distrust: distrusted / Math.max(1, said.length),
  };
};

const MOST_CUES = 4;
const DISTRUSTED = 0.7;
const stemsOf = (list: string): ReadonlySet<string> => new Set(list.split(' ').map((word) => stemOf(word)));
const TROUBLED_SET = stemsOf(TROUBLED);
const CALM_SET = stemsOf(CALM);
const ASKING_SET = stemsOf(ASKING);
export const NEGATING = stemsOf('no not never nothing none without');
