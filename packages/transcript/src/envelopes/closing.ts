import { asking, bind, isOpen, keep, orphanCall, settleAllAsked, stillWaiting, stopCall, waitingAs, type Told } from './calls.ts';
import type { MapperInput } from './input.ts';
import { entriesIn, lookUp } from './layered.ts';
import { doNext, NOBODY, type Held, type RecordInput, type Work } from './state.ts';
import { closeTurn, interruptTools, judgeCut } from './turns.ts';

type Close = Extract<MapperInput, { kind: 'close' }>;

/** ENV-30: whoever runs the session says that the turn is over, or that everything is: only then sub-agents that nobody ended are ended, too. */
export const takeClose = (work: Work, close: Close, told: Told): void => {
  if (close.turn !== undefined && work.turn !== null && work.turn.id !== close.turn) return; // it came too late
  const status = close.status ?? judgeCut(work);
  const end = (): void => {
    for (const [id] of close.isEnd ? entriesIn(work.live).toReversed() : []) {
      const call = lookUp(work.calls, id);
      if (isOpen(call)) stopCall(work, id, endOf(call?.isOrphan === true, status), close.at);
      interruptTools(work, lookUp(work.calls, id)?.open ?? NOBODY, close.at);
    }
    closeTurn(work, status, close.at);
  };
  if (close.isEnd) doNext(work, () => release(work, told), end);
  else end();
};

// Nobody knows how one ended that nobody called.
const endOf = (isOrphan: boolean, status: 'completed' | 'failed' | 'cancelled'): 'completed' | 'failed' | 'cancelled' =>
  isOrphan ? 'completed' : status === 'completed' ? 'cancelled' : status;

/**
 * ENV-25: nothing more will come, so what still waits is told. Equal prompts go to equal calls in their order; whoever has no call then never had
 * one, and is marked.
 */
const release = (work: Work, told: Told): void => {
  doNext(
    work,
    ...entriesIn(work.waiting).map(
      ([key]) =>
        () =>
          releaseOne(work, key, told),
    ),
  );
};

const releaseOne = (work: Work, key: string, told: Told): void => {
  if (work.asked.length > 0) {
    // No message goes on any more: its calls are all there are, and what they free may call others.
    doNext(
      work,
      () => settleAllAsked(work, told),
      () => releaseOne(work, key, told),
    );
    return;
  }
  const waiting = waitingAs(work, key);
  if (waiting === null) return; // what was told before may have been what it waited for
  const { prompt, held } = waiting;
  const unclaimed = prompt === null ? [] : asking(work, prompt).filter((id) => lookUp(work.calls, id)?.agentId === null);
  const place = prompt === null ? -1 : stillWaiting(work, prompt).indexOf(key);
  const call = place === -1 ? undefined : unclaimed[place];
  if (call !== undefined) bind(work, key, call, told);
  else {
    keep(work, orphanCall(key, firstOf(held)));
    bind(work, key, key, told);
  }
};

const firstOf = (held: Held): RecordInput => {
  let at = held;
  while (at.before !== null) at = at.before;
  return at.input;
};
