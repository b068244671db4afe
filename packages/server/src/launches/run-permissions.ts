import { operationOf } from '../sessions/thread-now.ts';
import { grantsIn, updatesOf, type Grant } from './permission-grants.ts';
import { answeredItem, askedItem, type By, type PermissionAnswered } from './run-entries.ts';
import { chained, post, still, type Answer, type AnsweredRequest, type Pending, type Progress, type Stepped } from './run-progress.ts';
import type { PermissionResult } from './sdk.ts';

/** The result of an answer: `withdrawn` if the question was withdrawn before the answer arrived. */
export type Answered = 'done' | 'unknown' | 'answered' | 'withdrawn';

/** RUN-10: the status of a question: open, or why an answer comes too late. */
export const standingOf = ({ pending, settled }: Progress, requestId: string): 'open' | Exclude<Answered, 'done'> =>
  pending.has(requestId) ? 'open' : (settled.get(requestId) ?? 'unknown');

/** Asks for permission to use a tool. A run that is stopping gets a refusal at once. */
export const asked = (progress: Progress, question: Pending): Stepped => {
  const { requestId, askedAt, ...rest } = question;
  if (progress.ended !== null) return { progress, effects: [{ kind: 'settle', requestId, result: NOBODY_ANSWERED }] };
  const { runId } = progress.started;
  const item = askedItem({ sessionId: progress.sessionId, at: askedAt }, { runId, requestId, ...rest });
  const waiting: Stepped = {
    progress: {
      ...progress,
      isStarting: false,
      counts: { ...progress.counts, permissions: progress.counts.permissions + 1 },
      pending: new Map(progress.pending).set(requestId, question),
    },
    effects: [...(question.toolUseId === null ? [] : [{ kind: 'release', call: question.toolUseId } as const]), post(item)],
  };
  return progress.stopping === null ? waiting : chained(waiting, (next) => withdraw(next, requestId, askedAt));
};

export const answered = (progress: Progress, requestId: string, answer: Answer, by: By, at: number): Stepped => {
  const question = progress.pending.get(requestId);
  if (question === undefined) return still(progress);
  const result = resultOf(answer, question);
  // Log who allowed it before it happens.
  return chained(conclude(progress, requestId, 'answered', toldOf(answer, question), at, by), (next) => ({
    progress: next,
    effects: [{ kind: 'flush', behind: { kind: 'settle', requestId, result } }],
  }));
};

/** The answer is on the log, so pass it on. If the run has ended meanwhile, deny. */
export const settle = (progress: Progress, requestId: string, result: PermissionResult): Stepped => ({
  progress,
  effects: [{ kind: 'settle', requestId, result: progress.ended === null ? result : NOBODY_ANSWERED }],
});

export const withdraw = (progress: Progress, requestId: string, at: number): Stepped =>
  progress.pending.has(requestId)
    ? chained(conclude(progress, requestId, 'withdrawn', WITHDRAWN, at), (next) => ({
        progress: next,
        effects: [{ kind: 'settle', requestId, result: NOBODY_ANSWERED }],
      }))
    : still(progress);

export const withdrawAll = (progress: Progress, at: number): Stepped =>
  [...progress.pending.keys()].reduce((sofar, requestId) => chained(sofar, (next) => withdraw(next, requestId, at)), still(progress));

const conclude = (
  progress: Progress,
  requestId: string,
  how: 'answered' | 'withdrawn',
  told: Omit<PermissionAnswered, 'runId' | 'requestId'>,
  at: number,
  by?: By,
): Stepped => {
  const { sessionId, started, settled, answers } = progress;
  const pending = new Map(progress.pending);
  const question = pending.get(requestId);
  pending.delete(requestId);
  const item = answeredItem({ sessionId, at, ...(by === undefined ? {} : { by }) }, { runId: started.runId, requestId, ...told });
  const latest = question === undefined ? [] : [answeredRequest(question, told, started.cwd, at, by)];
  return {
    progress: {
      ...progress,
      isStarting: false,
      pending,
      settled: new Map(settled).set(requestId, how),
      answers: [...answers, ...latest].slice(-MOST_ANSWERS),
      lasting: withLasting(progress.lasting, told.granted),
    },
    effects: [post(item)],
  };
};

/** Edits are allowed in the session even where the rest is kept in the project. */
const withLasting = (before: readonly Grant[], granted: PermissionAnswered['granted']): readonly Grant[] => {
  if (granted === undefined) return before;
  const added = granted.scope === 'session' ? granted.grants : granted.grants.filter(({ kind }) => kind === 'edits');
  return [...new Map([...before, ...added].map((grant) => [JSON.stringify(grant), grant])).values()];
};

const answeredRequest = (
  { requestId, tool, title, input, askedAt }: Pending,
  { decision, message, updatedInput, granted }: Omit<PermissionAnswered, 'runId' | 'requestId'>,
  cwd: string,
  at: number,
  by: By | undefined,
): AnsweredRequest => ({
  requestId,
  tool,
  title,
  askedAt,
  summary: operationOf(tool, input, cwd),
  decision,
  message,
  isChanged: updatedInput !== null,
  scope: granted?.scope ?? null,
  by: by?.name ?? null,
  at,
});

const toldOf = (answer: Answer, { suggestions }: Pending): Omit<PermissionAnswered, 'runId' | 'requestId'> => {
  if (answer.decision === 'deny') return { decision: 'deny', message: answer.message, updatedInput: null, interrupt: answer.interrupt };
  const { updatedInput, scope } = answer;
  const granted = scope === undefined ? {} : { granted: { scope, grants: grantsIn(suggestions) } };
  return { decision: 'allow', message: null, updatedInput, interrupt: false, ...granted };
};

const resultOf = (answer: Answer, { input, suggestions }: Pending): PermissionResult => {
  if (answer.decision === 'allow') {
    const { updatedInput, scope } = answer;
    const updates = scope === undefined ? {} : { updatedPermissions: updatesOf(grantsIn(suggestions), scope) };
    return { behavior: 'allow', updatedInput: updatedInput ?? input, ...updates };
  }
  const message = answer.message ?? 'the operator said no';
  return answer.interrupt ? { behavior: 'deny', message, interrupt: true } : { behavior: 'deny', message };
};

export const WITHDRAWN = { decision: 'withdrawn', message: null, updatedInput: null, interrupt: false } as const;

const NOBODY_ANSWERED: PermissionResult = { behavior: 'deny', message: 'the run was stopped before anyone answered', interrupt: true };

/** How many answered requests a run keeps for display. */
const MOST_ANSWERS = 10;
