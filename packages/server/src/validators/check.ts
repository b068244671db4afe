import { cutText, maskSecrets, type SeenFile, type ValidationAttempt, type ValidationType } from '@yarnboard/domain';
import type { ClaimArguments } from '@yarnboard/language';
import { nothing, type Answer, type Method, type Surroundings } from './port.ts';
import { validatorOf } from './validators.ts';

/** What a check tests: the arguments of a claim without its negation. */
export type Question = ClaimArguments & { readonly type: ValidationType };

export type Checked = { readonly attempt: ValidationAttempt; readonly files: readonly SeenFile[] };

export type CheckOptions = {
  readonly around: Omit<Surroundings, 'signal'>;
  readonly now: () => number;
  /** Milliseconds per method. */
  readonly patience?: number;
  /** Called as soon as a method has answered. */
  readonly onChecked?: (checked: readonly Checked[]) => void;
  readonly methods?: readonly Method<ClaimArguments>[];
};

/** VAL-6: runs all methods of a type at once. One that hangs, fails or is missing says nothing, and the others continue. */
export const check = async (question: Question, options: CheckOptions): Promise<readonly Checked[]> => {
  const methods = options.methods ?? validatorOf(question.type).methods;
  const all = await Promise.all(methods.map((method) => attempt(method, question, options)));
  return all.flat();
};

const attempt = async (method: Method<ClaimArguments>, question: Question, options: CheckOptions): Promise<readonly Checked[]> => {
  const { around, now, patience = PATIENCE, onChecked } = options;
  const startedAt = now();
  const began = performance.now();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      stop.abort();
      resolve(nothing('it took too long'));
    }, patience);
  });
  const surroundings = { ...around, signal: stop.signal };
  const missing = method.missing(surroundings);
  const work = missing === null ? method.run(question, surroundings).catch(failed) : Promise.resolve(nothing(missing));
  const answers = await Promise.race([work, late]);
  clearTimeout(timer);
  stop.abort();
  const duration = Math.round(performance.now() - began);
  const checked = [answers].flat().map((answer: Answer) => checkedBy(method, answer, { startedAt, duration }));
  onChecked?.(checked);
  return checked;
};

/** Errors of this machine are not reported: they may name things the reader must not know about. */
const failed = (cause: unknown): Answer => nothing(`it failed (${(cause as NodeJS.ErrnoException).code ?? 'unexpectedly'})`);

/** VAL-23: evidence is masked and cut before it is stored. */
const checkedBy = (
  { name, environment }: Method<ClaimArguments>,
  { says, isDecisive = false, evidence = '', fault, foundAt = [], files = [], environment: own }: Answer,
  times: { readonly startedAt: number; readonly duration: number },
): Checked => ({
  attempt: {
    method: name,
    environment: own ?? environment,
    ...times,
    says,
    isDecisive: isDecisive && says !== 'nothing',
    evidence: shortened(evidence),
    fault: says === 'nothing' ? (fault ?? null) : null,
    foundAt: foundAt.slice(0, MOST_PLACES).map(shortened),
  },
  files,
});

const shortened = (text: string): string => cutText(maskSecrets(text).text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '), MOST_EVIDENCE);

const PATIENCE = 5000;
const MOST_EVIDENCE = 200;
const MOST_PLACES = 10;
