import type { SeenFile, ValidationAttempt, ValidationOutcome, ValidationType } from '../messages/validation.ts';
import { classOf } from './classes.ts';

/** The result of all attempts. */
export type Conclusion = {
  readonly outcome: ValidationOutcome;
  /** The resulting confidence in the claim; null if inconclusive. */
  readonly confidence: number | null;
  /** Which methods disagree, one sentence per pair. */
  readonly conflicts: readonly string[];
  readonly foundAt: readonly string[];
  readonly needsReview: boolean;
};

/** A run of all methods on one claim, with its conclusion. */
export type Validation = Conclusion & {
  readonly id: string;
  readonly type: ValidationType;
  readonly isDenied: boolean;
  readonly attempts: readonly ValidationAttempt[];
  readonly files: readonly SeenFile[];
  readonly by: string;
  readonly isAuto: boolean;
  readonly duration: number;
  readonly at: number;
  readonly position: number;
  /** A file that it rests on has changed since. */
  readonly isOutdated: boolean;
};

/** The same for a sentence of a finding. */
export type FindingCheck = Validation & { readonly words: string };

type About = { readonly type: ValidationType; readonly isDenied: boolean };

/**
 * VAL-3: one decisive answer, or two by different methods, and none against it. Answers on both sides are a conflict that somebody has to look at.
 * Attempts answer the claim without its "not", so what refutes "Redis is running" confirms "Redis is not running". Their order doesn't matter.
 */
export const conclude = (attempts: readonly ValidationAttempt[], { type, isDenied }: About): Conclusion => {
  const counted = countedAmong(attempts);
  const yes = counted.filter(({ says }) => says === 'supports');
  const no = counted.filter(({ says }) => says === 'refutes');
  const foundAt = sorted(attempts.flatMap((one) => one.foundAt)).slice(0, MOST_PLACES);
  const open: Conclusion = { outcome: 'inconclusive', confidence: null, conflicts: [], foundAt, needsReview: false };
  if (yes.length > 0 && no.length > 0) return { ...open, conflicts: conflictsBetween(yes, no), needsReview: true };
  const isTrue = isEnough(yes);
  // VAL-5: something missing here but found elsewhere may be what was meant.
  if (!isTrue && !(isEnough(no) && foundAt.length === 0)) return open;
  const outcome = isTrue === isDenied ? 'contradicted' : 'confirmed';
  return { ...open, outcome, confidence: SURENESS[classOf(type) === 'system_state' ? 'state' : 'fact'][outcome] };
};

/** VAL-4: if the project itself answers, the machine's own versions and programs are only listed. */
const countedAmong = (attempts: readonly ValidationAttempt[]): readonly ValidationAttempt[] => {
  const speaking = attempts.filter(({ says }) => says !== 'nothing');
  const own = speaking.filter(({ environment }) => environment === 'project');
  return own.length > 0 ? own : speaking;
};

const isEnough = (attempts: readonly ValidationAttempt[]): boolean =>
  attempts.some(({ isDecisive }) => isDecisive) || new Set(attempts.map(({ method }) => method)).size >= 2;

const conflictsBetween = (yes: readonly ValidationAttempt[], no: readonly ValidationAttempt[]): readonly string[] =>
  sorted(yes.flatMap((one) => no.map((other) => `${toldOf(one)} supports it, ${toldOf(other)} refutes it`))).slice(0, MOST_CONFLICTS);

const toldOf = ({ method, evidence }: ValidationAttempt): string => `${method.replaceAll('_', ' ')}${evidence === '' ? '' : ` (${evidence})`}`;

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted((a, b) => (a < b ? -1 : 1));

/** The seed's values, by class. */
const SURENESS = { fact: { confirmed: 0.95, contradicted: 0.1 }, state: { confirmed: 0.9, contradicted: 0.2 } } as const;

/** The seed's text for an inconclusive check. */
export const INCONCLUSIVE = 'Could not conclusively verify - needs manual check';

const MOST_PLACES = 10;
const MOST_CONFLICTS = 10;
