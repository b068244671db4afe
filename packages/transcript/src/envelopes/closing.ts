import { everAsking } from './asking.ts';
import { askingFor, bind, isOpen, keep, orphanCall, settleAllAsked, stopCall, waitingAs, type Told } from './calls.ts';
import type { MapperInput } from './input.ts';
import { entriesIn, lookUp } from './layered.ts';
import { markedIn, NO_MARKS } from './marks.ts';
import { doAll, doNext, type Held, type RecordInput, type Work } from './state.ts';
import { closeTurn, interruptTools, judgeCut } from './turns.ts';

type Close = Extract<MapperInput, { kind: 'close' }>;

/** ENV-30: the runner of the session says that the turn is over, or the session: only the latter also ends sub-agents that nothing else ended. */
export const takeClose = (work: Work, close: Close, told: Told): void => {
  if (close.turn !== undefined && work.turn !== null && work.turn.id !== close.turn) return; // too late
  const status = close.status ?? judgeCut(work);
  const end = (): void => {
    for (const [id] of close.isEnd ? entriesIn(work.live).toReversed() : []) {
      const call = lookUp(work.calls, id);
      if (isOpen(call)) stopCall(work, id, endOf(call?.isOrphan === true, status), close.at, true);
      interruptTools(work, lookUp(work.calls, id)?.open ?? NO_MARKS, close.at);
    }
    // Without an explicit status, the end of a turn is a guess, which ends nothing else.
    if (status === 'completed' || close.status === null) closeTurn(work, status, close.at);
    else cutTurn(work, status, close.at, true);
  };
  if (close.isEnd) doNext(work, () => release(work, told), end);
  else end();
};

/** ENV-19: ends a turn that was cut off, with the sub-agents it waited for; those in the background are no longer among its open calls. */
export const cutTurn = (work: Work, status: 'failed' | 'cancelled', at: number, isAssumed = false): void => {
  for (const id of work.turn === null ? [] : markedIn(work.turn.open)) {
    if (lookUp(work.calls, id) !== undefined) stopCall(work, id, status, at, isAssumed);
  }
  closeTurn(work, status, at);
};

// The end of a sub-agent without a caller is unknown.
const endOf = (isOrphan: boolean, status: 'completed' | 'failed' | 'cancelled'): 'completed' | 'failed' | 'cancelled' =>
  isOrphan ? 'completed' : status === 'completed' ? 'cancelled' : status;

/**
 * ENV-25: nothing more will come, so everything waiting is sent. Conversations and calls with equal prompts are matched in order; what has no call
 * now never had one, and is marked.
 */
const release = (work: Work, told: Told): void => {
  // Collected once per prompt, and handed out one by one.
  const orders = new Map<string, Iterator<string>>();
  doAll(
    work,
    entriesIn(work.waiting).map(
      ([key]) =>
        () =>
          releaseOne(work, key, orders, told),
    ),
  );
};

const releaseOne = (work: Work, key: string, orders: Map<string, Iterator<string>>, told: Told): void => {
  if (work.asked.length > 0) {
    // No message can continue: all its calls are known, and what they release may make further calls.
    doNext(
      work,
      () => settleAllAsked(work, told),
      () => releaseOne(work, key, orders, told),
    );
    return;
  }
  const waiting = waitingAs(work, key);
  if (waiting === null) return; // an earlier one may have been what it waited for
  const call = waiting.prompt === null ? null : nextUnclaimed(work, waiting.prompt, orders);
  if (call === null) keep(work, orphanCall(key, firstOf(waiting.held)));
  bind(work, key, call ?? key, told);
};

const nextUnclaimed = (work: Work, prompt: string, orders: Map<string, Iterator<string>>): string | null => {
  const order = orders.get(prompt) ?? everAsking(askingFor(work, prompt)).values();
  orders.set(prompt, order);
  for (let next = order.next(); next.done !== true; next = order.next()) {
    const call = lookUp(work.calls, next.value);
    if (call?.agentId === null && call.strand === null) return call.id;
  }
  return null;
};

const firstOf = (held: Held): RecordInput => {
  let at = held;
  while (at.before !== null) at = at.before;
  return at.input;
};
