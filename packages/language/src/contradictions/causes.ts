import { conceptOf } from '../text/lexicon/antonyms.ts';
import type { Token } from './tokens.ts';
import { stemOf, wordSet } from '../text/stems.ts';
import { isGeneric, STOP } from '../text/lexicon/finding-words.ts';

/** "X because of Y": the symptom, the blamed cause, and whether the blame is denied. */
export type Cause = {
  readonly effect: ReadonlySet<string>;
  readonly cause: ReadonlySet<string>;
  readonly denied: boolean;
  readonly causeText: string;
  /** Counts as a cause only if the other text names one for the same symptom: "X: Y", "X since Y". */
  readonly weak: boolean;
  /** Which of several things or causes the sentence is about: "the first run", "another cause". */
  readonly which: string;
};
type Blame = Omit<Cause, 'which'>;

type Marker = { readonly words: readonly string[]; readonly side: 'after' | 'before' };
const UNRELATED = wordSet('unrelated');
const markers = (side: Marker['side'], phrases: readonly string[]): readonly Marker[] =>
  phrases.map((phrase) => ({ words: phrase.split(' '), side }));
/** `after`: the cause follows the marker; `before`: it precedes the marker. The longest phrase wins. */
const MARKERS: readonly Marker[] = [
  ...markers('after', [
    'because of',
    'because',
    'due to',
    'caused by',
    'triggered by',
    'produced by',
    'introduced by',
    'provoked by',
    'explained by',
    'driven by',
    'comes from',
    'come from',
    'came from',
    'results from',
    'result from',
    'resulted from',
    'stems from',
    'stem from',
    'originates in',
    'originates from',
    'as a result of',
    'owing to',
    'thanks to',
    'comes down to',
    'is down to',
    'are down to',
    'was down to',
    'were down to',
    'a consequence of',
    'a result of',
    'introduced in',
    'traced back to',
    'traced to',
    'traces back to',
    'trace back to',
    'traces to',
    'blamed on',
    'goes back to',
    'the result of',
    'on account of',
    'is from',
    'are from',
    'was from',
    'not from',
    'are because of',
    'attributable to',
    'the fault of',
    'the consequence of',
    'boils down to',
    'rooted in',
    'result of',
    'down to',
    'induced by',
    'brought on by',
    'has its origin in',
    'unrelated with',
    'unrelated to',
    'owed to',
    'arises from',
    'arise from',
    'in response to',
  ]),
  ...markers('before', [
    'causes',
    'cause',
    'caused',
    'triggers',
    'trigger',
    'triggered',
    'leads to',
    'lead to',
    'led to',
    'results in',
    'resulted in',
    'to blame for',
    'responsible for',
    'behind',
    'explains',
    'explain',
    'is why',
    'are why',
    'not why',
    'was why',
    'the cause of',
    'the root cause of',
    'the reason for',
    'the reason why',
    'the reason',
    'the culprit for',
    'the culprit behind',
    'the source of',
    'makes',
    'that gives',
    'that breaks',
    'that makes',
    'what makes',
    'what breaks',
    'what triggers',
    'provokes',
    'brings about',
    'contributes to',
    'accounts for',
    'is the cause',
    'the reason that',
    'the trigger for',
    'the trigger of',
    'the culprit of',
    'is what makes',
    'is what causes',
    'is what breaks',
    'is what drives',
    'is what stops',
    'is what stopped',
    'is what broke',
    'is what slows',
    'is what kills',
    'is what triggers',
    'are what causes',
    'is how',
    'brought down',
    'took down',
    'takes down',
    'knocked out',
    'to blame',
    'at fault for',
    'is to blame for',
  ]),
].toSorted((a, b) => b.words.length - a.words.length);
const BY_FIRST: ReadonlyMap<string, readonly Marker[]> = new Map(
  [...new Set(MARKERS.map((marker) => marker.words[0] ?? ''))].map((first) => [first, MARKERS.filter((marker) => marker.words[0] === first)]),
);
const NOT = wordSet('not never no nor neither nothing rule rules ruled exclude excluded innocent exonerated unrelated');
const PRONOUNS = wordSet('it they this that these those them');
const UNKNOWN = wordSet('unknown unclear open found investigated');
const TITLES = wordSet('cause reason culprit source trigger explanation');
const SINCE = wordSet('it they the a an we our no there its their this every all one');

export const causesOf = (sentences: readonly (readonly Token[])[]): readonly Cause[] => {
  const causes: Cause[] = [];
  let before: ReadonlySet<string> = new Set();
  for (const sentence of sentences) {
    const cause = causeOf(sentence, before) ?? weakCauseOf(sentence);
    if (cause !== null) causes.push({ ...cause, which: whichOf(sentence) });
    before = nounsOf(sentence);
  }
  return causes;
};

const WHICH = wordSet('first second 2nd third other another also partly partially additionally');
const whichOf = (sentence: readonly Token[]): string => {
  const at = sentence.findIndex(
    ({ word }, i) => WHICH.has(word) || (word === 'one' && (sentence[i + 1]?.word === 'of' || (i === 0 && sentence[i + 1]?.mark === ''))),
  );
  return sentence[at]?.word ?? '';
};

const causeOf = (sentence: readonly Token[], earlier: ReadonlySet<string>): Blame | null => {
  const titled = titledCause(sentence);
  if (titled !== null) return titled;
  const asked = askedCause(sentence);
  if (asked !== null) return asked;
  const attributed = attributedCause(sentence);
  if (attributed !== null) return attributed;
  for (let at = 0; at < sentence.length; at += 1) {
    const marker = (BY_FIRST.get(sentence[at]?.word ?? '') ?? []).find(({ words }) => words.every((word, i) => sentence[at + i]?.word === word));
    if (marker === undefined) continue;
    const head = sentence.slice(0, at);
    const tail = sentence.slice(at + marker.words.length);
    const lastBreak = Math.max(
      head.findLastIndex((token) => token.mark === 'clause'),
      -1,
    );
    const front = head.slice(lastBreak + 1);
    const back = firstClause(tail);
    if (marker.side === 'after') {
      const fronted = front.length === 0 ? tail.slice(back.length + 1) : front;
      return finish(fronted, back, earlier, deniedNear(front) || marker.words[0] === 'not' || UNRELATED.has(marker.words[0] ?? ''));
    }
    const last = front.findLastIndex((token) => token.mark !== '');
    const near = front.slice(last + 1);
    // "Y happened, that is why X": the previous clause is the cause.
    const clause =
      last > 0 && nounsOf(near).size === 0 ? front.slice(front.slice(0, last).findLastIndex((token) => token.mark !== '') + 1, last) : near;
    const denied = deniedNear(near) || marker.words[0] === 'not';
    // "X: Y makes Z": the label is the symptom.
    const label = sentence.findIndex((token) => token.mark === 'label');
    if (label > 0 && label < LONGEST_LABEL && label < at) return finish(sentence.slice(0, label), clause, earlier, denied);
    // "the job is killed by Y, that is the reason it dies": "it" stands for the beginning of the clause.
    return finish(back, clause, earlier.size > 0 ? earlier : nounsOf(clause.slice(0, 2)), denied);
  }
  return null;
};

const LONGEST_LABEL = 7;
const PRONOUN_SUBJECTS = wordSet('it they we he she');
const weakCauseOf = (sentence: readonly Token[]): Blame | null => {
  const since = sentence.findIndex(
    (token, at) => at > 1 && (token.word === 'since' || (token.word === 'as' && SINCE.has(sentence[at + 1]?.word ?? ''))),
  );
  const label = sentence.findIndex((token, at) => at > 0 && at < LONGEST_LABEL && (token.mark === 'label' || token.word === '='));
  const at = since > 0 ? since : label;
  if (at < 0) return null;
  const cause = finish(sentence.slice(0, at), firstClause(sentence.slice(at + 1)), new Set(), false);
  return cause === null ? null : { ...cause, weak: !(since > 0 && PRONOUN_SUBJECTS.has(sentence[since + 1]?.word ?? '')) };
};

/** "Root cause of X: Y", "the reason X is Y". */
const titledCause = (sentence: readonly Token[]): Blame | null => {
  const title = sentence.findIndex((token) => TITLES.has(token.word));
  if (title < 0) return null;
  const label = sentence.findIndex((token) => token.mark === 'label');
  if (label > 0 && label < title && title - label < 5 && /^(?:is|was|:)$/u.test(sentence[title + 1]?.word ?? ''))
    return finish(sentence.slice(0, label), firstClause(sentence.slice(title + 2)), new Set(), sentence[title + 2]?.word === 'not');
  if (title > 0 && label === title + 1 && nounsOf(sentence.slice(0, title)).size > 0)
    return finish(sentence.slice(0, title), firstClause(sentence.slice(label + 1)), new Set(), sentence[label + 1]?.word === 'not');
  if (title > 4) return null;
  const of = sentence[title + 1]?.word ?? '';
  const start = of === 'of' || of === 'for' || of === 'why' || of === 'behind' ? title + 2 : title + 1;
  const colon = sentence.findIndex((token, i) => i > start && token.mark === 'label');
  const copula = sentence.findIndex((token, i) => i > start && (token.word === 'is' || token.word === 'was' || token.word === 'are'));
  const split = colon > 0 && (copula < 0 || colon < copula) ? colon : copula;
  if (
    split < 0 ||
    sentence.slice(0, title).some((token) => token.word === 'is' || token.word === 'are' || token.word === 'was' || token.word === 'not')
  )
    return null;
  const rest = sentence.slice(split + 1);
  const denied = rest[0]?.word === 'not';
  return finish(sentence.slice(start, split), firstClause(rest), new Set(), denied);
};

const HARMS = wordSet(
  'stopped stops broke breaks caused causes triggered triggers killed kills slowed slows blocked blocks drives drove filled fills crashed crashes',
);
/** "What stopped X was Y". */
const askedCause = (sentence: readonly Token[]): Blame | null => {
  if (sentence[0]?.word !== 'what' || !HARMS.has(sentence[1]?.word ?? '')) return null;
  const copula = sentence.findIndex((token, at) => at > 2 && (token.word === 'is' || token.word === 'was'));
  return copula < 0
    ? null
    : finish(sentence.slice(1, copula), firstClause(sentence.slice(copula + 1)), new Set(), sentence[copula + 1]?.word === 'not');
};

/** "the profiler attributes X to Y". */
const attributedCause = (sentence: readonly Token[]): Blame | null => {
  const verb = sentence.findIndex((token) => token.word.startsWith('attribute') || token.word.startsWith('traced'));
  if (verb < 0) return null;
  const to = sentence.findIndex((token, i) => i > verb + 1 && token.word === 'to');
  return to < 0 ? null : finish(sentence.slice(verb + 1, to), firstClause(sentence.slice(to + 1)), new Set(), deniedNear(sentence.slice(0, verb)));
};

const firstClause = (tokens: readonly Token[]): readonly Token[] => {
  const end = tokens.findIndex((token) => token.mark !== '');
  return end < 0 ? tokens : tokens.slice(0, end);
};
const deniedNear = (tokens: readonly Token[]): boolean => {
  const last = tokens.slice(tokens.findLastIndex((token) => token.mark !== '') + 1);
  return last.some((token) => NOT.has(token.word));
};

const finish = (effect: readonly Token[], cause: readonly Token[], earlier: ReadonlySet<string>, denied: boolean): Blame | null => {
  const own = nounsOf(effect);
  const pointing = effect.some((token) => PRONOUNS.has(token.word));
  const effects = pointing || own.size === 0 ? new Set([...own, ...earlier]) : own;
  const causes = nounsOf(cause);
  if (
    effects.size === 0 ||
    causes.size === 0 ||
    (causes.size < 3 && cause.some((token) => UNKNOWN.has(token.word))) ||
    /^\d/u.test(cause[0]?.word ?? '')
  )
    return null;
  return { effect: effects, cause: causes, denied, causeText: phraseOf(cause), weak: false };
};
const phraseOf = (tokens: readonly Token[]): string => {
  const words = tokens.map((token) => token.word);
  const start = words.findIndex((word) => !STOP.has(word));
  const end = words.findLastIndex((word) => !STOP.has(word)) + 1;
  return words.slice(Math.max(start, 0), Math.min(Math.max(start, 0) + 8, end)).join(' ');
};

const nounsOf = (tokens: readonly Token[]): ReadonlySet<string> =>
  new Set(
    tokens.flatMap((token) => {
      if (token.mark !== '' || STOP.has(token.word)) return [];
      if (token.pieces.length > 0) return [token.name, ...token.pieces.map((piece) => conceptOf(piece).name).filter((piece) => !isGeneric(piece))];
      return isGeneric(token.name) || isGeneric(stemOf(token.word)) ? [] : [token.name];
    }),
  );
