import { assertNever, maskSecrets } from '@yarnboard/domain';
import { convert, convertPrompt, interrupt, type Fact } from './convert.ts';
import { afterInterruptHeard, afterTimeout, afterTurnEnd, afterTurnStart, finish, stop } from './run-ending.ts';
import { movedItem, moveUuid, turnClosedItem, turnUuid } from './run-entries.ts';
import type { PromptWords } from './prompt-content.ts';
import { answered, asked, settle, withdraw } from './run-permissions.ts';
import {
  endInput,
  post,
  still,
  takesPrompts,
  tell,
  chained,
  type AfterFlush,
  type Ending,
  type Patience,
  type Progress,
  type ProgressInput,
  type QueuedPrompt,
  type Stepped,
  type TurnOutcome,
} from './run-progress.ts';
import { isObject, spentWith } from './sdk-message.ts';

/**
 * Handles everything that happens to a run. Its messages are logged in order, every turn gets closed, every question gets one answer, and nothing
 * follows its end.
 */
export const stepRun = (patience: Patience, progress: Progress, input: ProgressInput): Stepped =>
  stepOnce(patience, { ...progress, revision: progress.revision + 1 }, input);

const stepOnce = (patience: Patience, progress: Progress, input: ProgressInput): Stepped => {
  switch (input.kind) {
    case 'message':
      return progress.ended === null ? take(patience, progress, input.value, input.at) : still(progress);
    case 'complained':
      return still({ ...progress, complaints: (progress.complaints + input.text).slice(-MOST_KEPT) });
    case 'consumed':
      return finish(progress, progress.stopping?.how ?? endingOf(progress, input.reason), input.at);
    case 'prompt':
      return takesPrompts(progress) ? prompted(progress, input) : still(progress);
    case 'queued':
      if (!takesPrompts(progress)) return still(progress);
      return progress.isTurnOpen
        ? still({ ...progress, queued: [...progress.queued, { ...wordsOf(input), uuid: input.uuid, at: input.at }] })
        : prompted(progress, input);
    case 'changed':
      return still({ ...progress, queued: progress.queued.map((one) => (one.uuid === input.uuid ? { ...one, text: input.text } : one)) });
    case 'unsent':
      return still({ ...progress, queued: progress.queued.filter(({ uuid }) => uuid !== input.uuid) });
    case 'asked':
      return asked(progress, input.question);
    case 'answered':
      return answered(progress, input.requestId, input.answer, input.by, input.at);
    case 'taken-back':
      return withdraw(progress, input.requestId, input.at);
    case 'end': {
      const ending: Progress = { ...progress, isEnding: true };
      return progress.isTurnOpen ? still(ending) : endInput(ending);
    }
    case 'stop':
      return stop(patience, progress, { status: 'cancelled', why: input.why, by: input.by }, input.isHurried, input.at);
    case 'flushed':
      return flushed(patience, progress, input);
    case 'history-told':
      return still({ ...progress, isHistoryPending: false });
    case 'interrupt-heard':
      return progress.ended === null ? afterInterruptHeard(patience, progress, input.stage) : still(progress);
    case 'timeout':
      return afterTimeout(patience, progress, input.stage, input.at);
    case 'written':
      return over(progress, input.unsent);
    default:
      return assertNever(input);
  }
};

const take = (patience: Patience, before: Progress, value: unknown, at: number): Stepped => {
  const counted: Progress = {
    ...before,
    isStarting: false,
    counts: { ...before.counts, messages: before.counts.messages + 1 },
    spent: spentWith(before.spent, value),
  };
  const isBeginning = !before.hasBegun && isObject(value) && value['type'] !== 'command_lifecycle';
  const begun: Stepped = isBeginning ? { progress: { ...counted, hasBegun: true }, effects: [{ kind: 'begun' }] } : still(counted);
  const converted = convert(before.converter, value, at);
  const ofSession = converted.facts.filter((fact) => fact.kind === 'session');
  const ofTurn = converted.facts.filter((fact) => fact.kind !== 'session');
  return [
    // The session first: the records that follow belong to it.
    ...ofSession.map(
      ({ id }) =>
        (next: Progress) =>
          moveTo(next, id, at),
    ),
    (next: Progress) => tell(next, converted, at),
    ...ofTurn.map((fact) => (next: Progress) => turnTo(patience, next, fact, at)),
  ].reduce(chained, begun);
};

const moveTo = (progress: Progress, to: string, at: number): Stepped => {
  const { started, counts, sessionId: from } = progress;
  const { runId } = started;
  const moves = counts.moves + 1;
  return {
    progress: { ...progress, sessionId: to, counts: { ...counts, moves } },
    effects: [{ kind: 'moved', sessionId: to }, post(movedItem({ sessionId: to, at }, { runId, from, to }, moveUuid(runId, moves)))],
  };
};

const turnTo = (patience: Patience, progress: Progress, fact: Exclude<Fact, { readonly kind: 'session' }>, at: number): Stepped => {
  switch (fact.kind) {
    case 'working':
      return afterTurnStart(patience, { ...progress, isTurnOpen: true });
    case 'ready':
    case 'cancelled':
    case 'failed': {
      const { counts } = progress;
      const counted: Progress = { ...progress, lastOutcome: fact, counts: { ...counts, turns: counts.turns + 1 } };
      // RUN-7: everything in the turn goes on the log before its end.
      return chained(tell(counted, interrupt(counted.converter, at, 'turn'), at), (next) => ({
        progress: next,
        effects: [{ kind: 'flush', behind: { kind: 'close-turn', turn: next.counts.turns, outcome: fact } }],
      }));
    }
    default:
      return assertNever(fact);
  }
};

const flushed = (patience: Patience, progress: Progress, { behind: next, at }: Extract<ProgressInput, { kind: 'flushed' }>): Stepped => {
  switch (next.kind) {
    case 'close-turn':
      return progress.ended === null ? closeTurn(patience, progress, next, at) : still(progress);
    case 'say':
      return progress.isInputEnded ? still(progress) : { progress, effects: [next] };
    case 'settle':
      return settle(progress, next.requestId, next.result);
    default:
      return assertNever(next);
  }
};

const closeTurn = (patience: Patience, progress: Progress, { turn, outcome }: Extract<AfterFlush, { kind: 'close-turn' }>, at: number): Stepped => {
  const { stopping, sessionId, started } = progress;
  const status = stopping !== null && outcome.kind !== 'ready' ? 'cancelled' : STATUS[outcome.kind];
  const item = turnClosedItem({ sessionId, at }, { status, isEnd: false, by: stopping?.how.by ?? 'run' }, turnUuid(started.runId, turn));
  const closed: Stepped = { progress: { ...progress, isTurnOpen: false }, effects: [post(item)] };
  const ended = chained(progress.isEnding ? chained(closed, endInput) : closed, (next) => afterTurnEnd(patience, next));
  return chained(ended, (next) => sayNext(next, at));
};

/** RUN-23: sends the next queued message, one per turn. A run that is about to end never gets the rest. */
const sayNext = (progress: Progress, at: number): Stepped => {
  const [first, ...queued] = progress.queued;
  return first === undefined || progress.isTurnOpen || !takesPrompts(progress)
    ? still(progress)
    : prompted({ ...progress, queued }, { ...first, at });
};

const wordsOf = ({ text, images }: PromptWords): PromptWords => ({ text, ...(images === undefined ? {} : { images }) });

const prompted = (progress: Progress, { uuid, at, ...said }: QueuedPrompt): Stepped => {
  const words = wordsOf(said);
  const { isTurnOpen, isHistoryPending, converter } = progress;
  const told = tell({ ...progress, isTurnOpen: true }, convertPrompt(converter, { ...words, uuid, at, isQueued: isTurnOpen }), at);
  // Claude gets a prompt only once it is on the log. A fork is the exception: its history isn't written until Claude starts to work.
  const kind = isHistoryPending ? 'make-room' : 'flush';
  return { progress: told.progress, effects: [...told.effects, { kind, behind: { ...words, kind: 'say', uuid } }] };
};

const endingOf = ({ isTurnOpen, lastOutcome, complaints }: Progress, reason: string | null): Ending => {
  // An error thrown after the result of a failed turn repeats what the result said.
  if (!isTurnOpen && lastOutcome !== null && (reason === null || lastOutcome.kind !== 'ready'))
    return { status: STATUS[lastOutcome.kind], why: lastOutcome.kind === 'failed' ? lastOutcome.why : null, by: 'run' };
  if (reason !== null) return { status: 'failed', why: reasonOf(reason, complaints), by: 'run' };
  return isTurnOpen
    ? { status: 'failed', why: 'Claude Code ended in the middle of a turn', by: 'run' }
    : { status: 'completed', why: null, by: 'run' };
};

const reasonOf = (message: string, complaints: string): string => {
  const last = endOf(complaints);
  return last === '' || message.includes(last) ? message : `${message}; it said: ${last}`;
};

// Mask before cutting: half a secret is unrecognisable. For the same reason, drop a line whose beginning is missing.
const endOf = (complaints: string): string => {
  const whole = complaints.length < MOST_KEPT ? complaints : complaints.slice(complaints.indexOf('\n') + 1);
  return maskSecrets(whole).text.trim().slice(-MOST_COMPLAINTS);
};

const over = (progress: Progress, unsent: number): Stepped => {
  const { runId } = progress.started;
  const message = `${unsent} entries of run ${runId} could not be written to the log; the next start closes what they left open`;
  return { progress: { ...progress, isOver: true }, effects: [...(unsent > 0 ? [{ kind: 'fault', message } as const] : []), { kind: 'over' }] };
};

const STATUS = { ready: 'completed', cancelled: 'cancelled', failed: 'failed' } as const satisfies Record<TurnOutcome['kind'], string>;
const MOST_COMPLAINTS = 2000;
const MOST_KEPT = 65_536;
