import { assertNever } from '@yarnboard/domain';
import { interrupt } from './convert.ts';
import { endedItem, lastTurnUuid, streamedItem, turnClosedItem } from './run-entries.ts';
import { withdrawAll } from './run-permissions.ts';
import { chained, endInput, post, still, type Ending, type Patience, type Progress, type Stepped, type Stopping } from './run-progress.ts';
import { countsOf } from './run-view.ts';

/** RUN-8: stops a run in stages. Each stage ends when its awaited event arrives or its time is up. */
export const stop = (patience: Patience, progress: Progress, how: Ending, isHurried: boolean, at: number): Stepped => {
  if (progress.stopping !== null || progress.ended !== null) return still(progress);
  const stopping: Stopping = { how, share: isHurried ? HURRY : 1, stage: 0, at: interrupting(progress, 0) };
  return chained(withdrawAll({ ...progress, stopping }, at), (next) => enter(patience, next, stopping, interrupting(next, 0)));
};

/** The turn we interrupted is over. */
export const afterTurnEnd = (patience: Patience, progress: Progress): Stepped => {
  const { stopping } = progress;
  return stopping?.at.kind === 'interrupting' && stopping.at.awaits === 'turn end' ? afterInterrupt(patience, progress, stopping) : still(progress);
};

export const afterTurnStart = (patience: Patience, progress: Progress): Stepped => {
  const { stopping } = progress;
  return stopping?.at.kind === 'quiet' ? afterQuiet(patience, progress, stopping, stopping.at.round) : still(progress);
};

export const afterInterruptHeard = (patience: Patience, progress: Progress, stage: number): Stepped => {
  const { stopping } = progress;
  if (stopping?.stage !== stage || stopping.at.kind !== 'interrupting' || stopping.at.awaits !== 'reply') return still(progress);
  return afterInterrupt(patience, progress, stopping);
};

export const afterTimeout = (patience: Patience, progress: Progress, stage: number, at: number): Stepped => {
  const { stopping } = progress;
  if (stopping?.stage !== stage || progress.ended !== null) return still(progress);
  switch (stopping.at.kind) {
    case 'interrupting':
      return afterInterrupt(patience, progress, stopping);
    case 'quiet':
      return afterQuiet(patience, progress, stopping, stopping.at.round);
    case 'without input':
      return enter(patience, progress, stopping, { kind: 'aborting' });
    case 'aborting':
      // We stop waiting for more output, log what came and close the turn.
      return finish(progress, stopping.how, at);
    default:
      return assertNever(stopping.at);
  }
};

/** Ends a run by logging, in this order: its open questions, the results of its open calls, the end of its turn, its own end. */
export const finish = (progress: Progress, how: Ending, at: number): Stepped => {
  if (progress.ended !== null) return still(progress);
  const begun: Stepped = progress.hasBegun ? still(progress) : { progress: { ...progress, hasBegun: true }, effects: [{ kind: 'begun' }] };
  return [endInput, (next: Progress) => withdrawAll(next, at), (next: Progress) => closeEverything(next, how, at)].reduce(chained, begun);
};

const closeEverything = (progress: Progress, how: Ending, at: number): Stepped => {
  const { started, sessionId, counts } = progress;
  const { runId } = started;
  const { state: converter, records } = interrupt(progress.converter, at, 'everything');
  const closed: Progress = {
    ...progress,
    converter,
    counts: { ...counts, records: counts.records + records.length },
    ended: { ...how, at },
  };
  const place = { sessionId, at };
  return {
    progress: closed,
    effects: [
      { kind: 'call-off' },
      ...records.map((record) => post(streamedItem(record, at))),
      post(turnClosedItem(place, { status: how.status, isEnd: true, by: how.by }, lastTurnUuid(runId))),
      post(endedItem(place, { runId, status: how.status, why: how.why, counts: countsOf(closed) })),
      { kind: 'write-out' },
    ],
  };
};

const interrupting = ({ isTurnOpen }: Progress, round: number): Stopping['at'] => ({
  kind: 'interrupting',
  round,
  awaits: isTurnOpen ? 'turn end' : 'reply',
});

// A turn that is still open ignored the interrupt: a second one would not help.
const afterInterrupt = (patience: Patience, progress: Progress, stopping: Stopping): Stepped =>
  progress.isTurnOpen || stopping.at.kind !== 'interrupting'
    ? enter(patience, progress, stopping, { kind: 'without input' })
    : enter(patience, progress, stopping, { kind: 'quiet', round: stopping.at.round });

const afterQuiet = (patience: Patience, progress: Progress, stopping: Stopping, round: number): Stepped =>
  progress.isTurnOpen && round + 1 < MOST_ROUNDS
    ? enter(patience, progress, stopping, interrupting(progress, round + 1))
    : enter(patience, progress, stopping, { kind: 'without input' });

const enter = (patience: Patience, progress: Progress, { how, share, stage: last }: Stopping, at: Stopping['at']): Stepped => {
  const stage = last + 1;
  const next: Progress = { ...progress, stopping: { how, share, stage, at } };
  switch (at.kind) {
    case 'interrupting':
      return { progress: next, effects: [wait(patience.interrupt * share, stage), { kind: 'interrupt', stage }] };
    case 'quiet':
      return { progress: next, effects: [wait(QUIET, stage)] };
    case 'without input':
      return chained({ progress: next, effects: [wait(patience.end * share, stage)] }, endInput);
    case 'aborting':
      return { progress: next, effects: [wait(patience.abort * share, stage), { kind: 'abort' }] };
    default:
      return assertNever(at);
  }
};

const wait = (ms: number, stage: number) => ({ kind: 'wait', ms, stage }) as const;

/** The share of its patience that a run gets when the server is shutting down. */
const HURRY = 0.4;
const QUIET = 100;
const MOST_ROUNDS = 3;
