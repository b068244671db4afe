import { assertNever, endOfDay } from '@yarnboard/domain';
import type { SeatEvent, SeatLimits, SeatUsage } from '@yarnboard/protocol';
import { BUDGETS, HELD, holdOf, isOfDay, shareOf, type Budget, type Spent } from './budgets.ts';
import { effortOf, newTurn, turnLater, upToOf, withUsage, type Effort, type OpenTurn } from './open-turn.ts';
import type { SeatFact, TurnEnd } from './port.ts';

/**
 * The complete state of supervising one seat. A turn is open only while the process is ready. No event waits twice. Events of an interrupted turn
 * wait again, once.
 */
export type Supervised = {
  readonly isWanted: boolean;
  readonly process: 'none' | 'starting' | 'ready' | 'stopping';
  /** When it began to start. */
  readonly startingSince: number;
  readonly turn: OpenTurn | null;
  readonly waiting: readonly SeatEvent[];
  /** Events that were sent a second time. */
  readonly retold: ReadonlySet<number>;
  /** No new process or turn before this time. */
  readonly restUntil: number;
  /** The times of recent crashes. */
  readonly crashes: readonly number[];
  readonly hasFailed: boolean;
  readonly spent: Spent;
  readonly limits: SeatLimits;
  /** The budgets whose 80 % warning was already sent. */
  readonly warned: readonly Budget[];
  /** The budget that stopped it, if that was already reported. */
  readonly heldBy: Budget | 'row' | null;
  /** Whether its rest was reported, but not yet its return. */
  readonly isTold: boolean;
  /** Agents' turns in a row in its sidebar that led to nothing. */
  readonly row: number;
  /** Its turn slot: asked for before a turn and returned after it. `free` if slots aren't limited. */
  readonly place: 'free' | 'none' | 'asked' | 'held';
};

export type SupervisionInput =
  /** `placed`: it now has a turn slot. */
  | { readonly kind: 'wanted' | 'restart' | 'clock' | 'placed'; readonly at: number }
  | { readonly kind: 'unwanted' | 'cancel'; readonly at: number; readonly why: string }
  | { readonly kind: 'told'; readonly at: number; readonly event: SeatEvent }
  | { readonly kind: 'fact'; readonly at: number; readonly fact: SeatFact }
  | { readonly kind: 'said'; readonly at: number; readonly text: string }
  | { readonly kind: 'permitted'; readonly at: number; readonly requestId: string }
  /** The runtime's provider wants everyone to wait. */
  | { readonly kind: 'rest'; readonly at: number; readonly until: number; readonly why: string }
  /** The clock was set, or the machine was asleep. */
  | { readonly kind: 'jumped'; readonly at: number; readonly by: number }
  /** The board's current state. */
  | { readonly kind: 'folded'; readonly at: number; readonly spent: Spent; readonly limits: SeatLimits; readonly row: number };

export type SeatState = 'ready' | 'resting' | 'stopped' | 'failed';

export type SupervisionEffect =
  /** `lookAt`: when to check whether it is ready. */
  | { readonly kind: 'start'; readonly lookAt: number }
  | { readonly kind: 'ask-place' | 'leave-place' }
  | { readonly kind: 'begin-turn'; readonly id: string; readonly events: readonly SeatEvent[] }
  | { readonly kind: 'tell'; readonly id: string; readonly event: SeatEvent }
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'stop'; readonly why: string }
  /** `about`: the entry that the turn is about; it stays the same if the turn is repeated. */
  | { readonly kind: 'say'; readonly id: string; readonly about: number; readonly text: string; readonly effort: Effort }
  | { readonly kind: 'report'; readonly state: SeatState; readonly why: string | null; readonly isCrash: boolean }
  | { readonly kind: 'warn'; readonly of: Budget | 'row'; readonly share: number }
  | {
      readonly kind: 'close-turn';
      readonly id: string;
      readonly status: TurnEnd;
      readonly why: string | null;
      readonly usage: SeatUsage | null;
      readonly upTo: number;
      /** Whether its events wait again. */
      readonly isAgain: boolean;
      readonly over: Budget | null;
    }
  /** Check again at this time. */
  | { readonly kind: 'wake'; readonly at: number };

export type Supervising = { readonly seat: Supervised; readonly effects: readonly SupervisionEffect[] };

export const newSeat = (
  limits: SeatLimits,
  spent: Spent,
  crashes: readonly number[] = [],
  row = 0,
  place: Supervised['place'] = 'free',
): Supervised => ({
  isWanted: false,
  process: 'none',
  startingSince: 0,
  turn: null,
  waiting: [],
  retold: new Set(),
  restUntil: 0,
  crashes,
  hasFailed: false,
  spent,
  limits,
  warned: [],
  heldBy: null,
  isTold: false,
  row,
  place,
});

/** RT-75: whether it could be ended and restarted unnoticed. */
export const isIdle = ({ isWanted, process, turn, waiting }: Supervised): boolean =>
  isWanted && process === 'ready' && turn === null && waiting.length === 0;

/** RT-8: decides how a seat reacts to an input. It does nothing itself: the owner of the process carries out the effects. */
export const superviseSeat = (seat: Supervised, input: SupervisionInput): Supervising =>
  then(
    then(take(seat, input), (next) => pump(next, input.at)),
    (next) => leavePlace(next, input.at),
  );

const take = (seat: Supervised, input: SupervisionInput): Supervising => {
  switch (input.kind) {
    case 'wanted':
      return still({ ...seat, isWanted: true });
    case 'unwanted':
      return then(cutOff(seat, input.why, false), (next) => ({
        seat: { ...next, isWanted: false, waiting: [] },
        effects: seat.isWanted && !seat.hasFailed ? [report('stopped', input.why)] : [],
      }));
    case 'restart':
      return then(cutOff({ ...seat, hasFailed: false, crashes: [], restUntil: 0, heldBy: null, row: 0 }, 'restarted', true), (next) =>
        isUp(next) ? { seat: { ...next, process: 'stopping' }, effects: [{ kind: 'stop', why: 'restarted' }] } : still(next),
      );
    case 'cancel':
      return cancelTurn(seat, input.why, input.at, null);
    case 'told':
      return tellSeat(seat, input.event);
    case 'said':
      return inTurn(seat, (turn) => ({ ...turn, said: [...turn.said, input.text] }));
    case 'permitted':
      return permitted(seat, input.requestId, input.at);
    case 'rest':
      return rested(seat, input.until, input.why);
    case 'folded': {
      const now: Supervised = { ...seat, limits: input.limits, row: input.row, spent: input.spent };
      // On another day, or after a budget was raised, the 80 % warning may be sent again.
      const next: Supervised = { ...now, warned: seat.warned.filter((budget) => shareOf(now, budget) >= WARNED_AT) };
      return still(holdOf(next) === seat.heldBy ? next : { ...next, heldBy: null });
    }
    case 'placed':
      return still(seat.place === 'asked' ? { ...seat, place: 'held' } : seat);
    case 'jumped':
      return watch(shifted(seat, input.by), input.at);
    case 'clock':
      return watch(seat, input.at);
    case 'fact':
      return heard(seat, input.fact, input.at);
    default:
      return assertNever(input);
  }
};

/** The next step in the current state: a process for a wanted seat, a turn for one with waiting events. */
const pump = (seat: Supervised, at: number): Supervising => {
  if (!seat.isWanted || seat.hasFailed)
    return isUp(seat) && !seat.isWanted
      ? { seat: { ...seat, process: 'stopping' }, effects: [{ kind: 'stop', why: 'the seat is gone' }] }
      : still(seat);
  if (at < seat.restUntil) return { seat, effects: [wakeAt(seat.restUntil)] };
  if (seat.process === 'none')
    return { seat: { ...seat, process: 'starting', startingSince: at }, effects: [{ kind: 'start', lookAt: at + seat.limits.startTime }] };
  if (seat.process !== 'ready' || seat.waiting.length === 0) return still(seat);
  if (seat.turn !== null) return still(seat);
  const held = holdOf(seat);
  if (held !== null)
    return seat.heldBy === held
      ? still(seat)
      : {
          seat: { ...seat, heldBy: held, isTold: true },
          // Daily budgets reset tomorrow.
          effects: [{ kind: 'warn', of: held, share: 1 }, report('resting', HELD[held]), ...(isOfDay(held) ? [wakeAt(endOfDay(at))] : [])],
        };
  if (seat.place === 'none') return { seat: { ...seat, place: 'asked' }, effects: [{ kind: 'ask-place' }] };
  return seat.place === 'asked' ? still(seat) : begin(seat, at);
};

/** RT-61: returns the turn slot if there is nothing left to start, or the turn has ended. */
const leavePlace = (seat: Supervised, at: number): Supervising => {
  if (seat.turn !== null || (seat.place !== 'asked' && seat.place !== 'held')) return still(seat);
  const mayBegin =
    seat.isWanted && !seat.hasFailed && at >= seat.restUntil && seat.process === 'ready' && seat.waiting.length > 0 && holdOf(seat) === null;
  return mayBegin ? still(seat) : { seat: { ...seat, place: 'none' }, effects: [{ kind: 'leave-place' }] };
};

const begin = (seat: Supervised, at: number): Supervising => {
  const turns = seat.spent.turns + 1;
  const id = `turn-${turns}`;
  const events = seat.waiting;
  const turn = newTurn(id, events, at);
  const begun: Supervised = { ...seat, turn, waiting: [], isTold: false, spent: { ...seat.spent, turns } };
  const goesOn = seat.isTold ? [report('ready', null)] : [];
  return then({ seat: begun, effects: [{ kind: 'begin-turn', id, events }, ...goesOn, wakeAt(nextLook(begun.limits, turn))] }, warn);
};

/** RT-9: an event that arrives during a turn is sent at once; otherwise it waits for the next turn. No event is sent twice. */
const tellSeat = (seat: Supervised, event: SeatEvent): Supervising => {
  if (!seat.isWanted || isKnown(seat, event.seq)) return still(seat);
  const { turn } = seat;
  if (turn === null || turn.cancelledAt !== null) return still({ ...seat, waiting: [...seat.waiting, event] });
  return { seat: { ...seat, turn: { ...turn, events: [...turn.events, event] } }, effects: [{ kind: 'tell', id: turn.id, event }] };
};

const isKnown = ({ waiting, turn }: Supervised, seq: number): boolean =>
  waiting.some((one) => one.seq === seq) || (turn?.events.some((one) => one.seq === seq) ?? false);

const heard = (seat: Supervised, fact: SeatFact, at: number): Supervising => {
  if (fact.kind === 'died') return died(seat, fact.why, at);
  const alive =
    seat.turn === null
      ? seat
      : { ...seat, turn: { ...seat.turn, heardAt: at, nudged: seat.turn.nudged === 'asked' ? ('no' as const) : seat.turn.nudged } };
  switch (fact.kind) {
    case 'ready':
      return alive.process === 'starting' ? { seat: { ...alive, process: 'ready', isTold: false }, effects: [report('ready', null)] } : still(alive);
    case 'held-up':
      return still({ ...alive, startingSince: at });
    case 'text':
      return inTurn(alive, (turn) => ({ ...turn, words: (turn.words + fact.text).slice(-MOST_WORDS) }));
    case 'tool':
    case 'command':
      return inTurn(alive, (turn) => ({
        ...turn,
        words: '',
        tools: turn.tools.includes(fact.name) || turn.tools.length >= MOST_TOOLS ? turn.tools : [...turn.tools, fact.name],
      }));
    case 'usage':
      return used(alive, fact.usage, at);
    case 'permission':
      return inTurn(alive, (turn) => ({
        ...turn,
        asking: [...turn.asking, fact.requestId],
        askingSince: turn.asking.length === 0 ? at : turn.askingSince,
      }));
    case 'permitted':
      return permitted(alive, fact.requestId, at);
    case 'turn-ended':
      return alive.turn?.id === fact.turnId ? ended(alive, alive.turn, fact, at) : still(alive);
    case 'decline':
      return then(cutOff(alive, `declined: ${fact.reason}`, false), (next) => still({ ...next, isWanted: false, waiting: [] }));
    case 'rest':
    case 'tool-result':
    case 'fault':
      return still(alive);
    default:
      return assertNever(fact);
  }
};

const ended = (seat: Supervised, turn: OpenTurn, fact: Extract<SeatFact, { kind: 'turn-ended' }>, at: number): Supervising => {
  const isCancelled = turn.cancelledAt !== null;
  const status: TurnEnd = isCancelled && fact.status === 'failed' ? 'cancelled' : fact.status;
  // The provider's limit ended the turn, so its events are sent again later.
  const isAgain = status === 'failed' && seat.restUntil > turn.beganAt;
  const words = (fact.text ?? turn.words).trim();
  const isSaid = words === '' || turn.said.some((one) => one.trim() === words);
  const said: readonly SupervisionEffect[] =
    status === 'completed' && !isSaid ? [{ kind: 'say', id: turn.id, about: turn.events[0]?.seq ?? 0, text: words, effort: effortOf(turn, at) }] : [];
  const closed = close(isAgain ? afterRest(seat, turn) : seat, turn, status, turn.why ?? fact.why, isAgain);
  return { seat: closed.seat, effects: [...said, ...closed.effects] };
};

const close = (seat: Supervised, turn: OpenTurn, status: TurnEnd, why: string | null, isAgain: boolean): Supervising => ({
  seat: { ...seat, turn: null, place: seat.place === 'held' ? 'none' : seat.place },
  effects: [
    ...(seat.place === 'held' ? [{ kind: 'leave-place' } as const] : []),
    { kind: 'close-turn', id: turn.id, status, why, usage: turn.usage, upTo: upToOf(turn.events), isAgain, over: turn.over },
  ],
});

/** RT-13: events of an interrupted turn wait again, at the front; those already sent twice don't. */
const again = (seat: Supervised, turn: OpenTurn): Supervised => {
  const fresh = turn.events.filter(({ seq }) => !seat.retold.has(seq));
  return { ...seat, waiting: [...fresh, ...seat.waiting], retold: new Set([...seat.retold, ...fresh.map(({ seq }) => seq)]) };
};

/** RT-15: a provider may ask for a pause any number of times; the same turn is repeated until it answers. */
const afterRest = (seat: Supervised, turn: OpenTurn): Supervised => ({
  ...seat,
  waiting: [...turn.events, ...seat.waiting],
  spent: { ...seat.spent, unanswered: seat.spent.unanswered + 1 },
});

/** Ends the turn without waiting for the program. */
const cutOff = (seat: Supervised, why: string, isAgain: boolean): Supervising => {
  if (seat.turn === null) return still(seat);
  return close(isAgain ? again(seat, seat.turn) : seat, seat.turn, 'cancelled', seat.turn.why ?? why, isAgain);
};

const cancelTurn = (seat: Supervised, why: string, at: number, over: Budget | null): Supervising => {
  const { turn } = seat;
  if (turn === null || turn.cancelledAt !== null) return still(seat);
  return {
    seat: { ...seat, turn: { ...turn, cancelledAt: at, why, over } },
    effects: [{ kind: 'cancel', id: turn.id }, wakeAt(at + CANCEL_PATIENCE)],
  };
};

/** RT-14: a process that ends by itself has crashed. It is restarted after growing pauses, but not forever. */
const died = (seat: Supervised, why: string, at: number): Supervising => {
  const wasStopped = seat.process === 'stopping';
  const gone: Supervised = { ...seat, process: 'none' };
  const cut = cutOff(gone, wasStopped ? 'it was stopped' : why, true);
  return wasStopped || !seat.isWanted ? cut : then(cut, (next) => crashed(next, why, at));
};

const crashed = (seat: Supervised, why: string, at: number): Supervising => {
  const crashes = [...seat.crashes.filter((then_) => at - then_ < CRASH_WINDOW), at];
  const next: Supervised = { ...seat, crashes };
  if (crashes.length > MOST_CRASHES) return { seat: { ...next, hasFailed: true }, effects: [{ ...report('failed', why), isCrash: true }] };
  const restUntil = Math.max(seat.restUntil, at + Math.min(FIRST_PAUSE * 2 ** (crashes.length - 1), LONGEST_PAUSE));
  return { seat: { ...next, restUntil }, effects: [{ ...report('resting', why), isCrash: true }] };
};

/** RT-62: a program that never reports ready counts as crashed, even if it keeps running. */
const watchStart = (seat: Supervised, at: number): Supervising => {
  if (seat.process !== 'starting') return still(seat);
  const latest = seat.startingSince + seat.limits.startTime;
  if (at < latest) return { seat, effects: [wakeAt(latest)] };
  const why = `it was not ready within ${minutes(seat.limits.startTime)}`;
  return then(crashed({ ...seat, process: 'stopping' }, why, at), (next) => ({ seat: next, effects: [{ kind: 'stop', why }] }));
};

const used = (seat: Supervised, usage: SeatUsage, at: number): Supervising => {
  const tokens = seat.spent.tokens + usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const usd = usage.costUsd ?? 0;
  const spent: Spent = {
    ...seat.spent,
    tokens,
    usd: seat.spent.usd + usd,
    usdToday: seat.spent.usdToday + usd,
    usdBoardToday: seat.spent.usdBoardToday + usd,
  };
  const counted: Supervised = { ...seat, spent, turn: seat.turn === null ? null : { ...seat.turn, usage: withUsage(seat.turn.usage, usage) } };
  const over = BUDGETS.find((budget) => budget !== 'turns' && shareOf(counted, budget) >= 1);
  return then(then(still(counted), warn), (next) => (over === undefined ? still(next) : cancelTurn(next, HELD[over], at, over)));
};

/** RT-11: the warning at 80 % of a budget is sent once. */
const warn = (seat: Supervised): Supervising => {
  const near = BUDGETS.filter((budget) => shareOf(seat, budget) >= WARNED_AT && !seat.warned.includes(budget));
  return near.length === 0
    ? still(seat)
    : { seat: { ...seat, warned: [...seat.warned, ...near] }, effects: near.map((of) => ({ kind: 'warn', of, share: WARNED_AT })) };
};

const permitted = (seat: Supervised, requestId: string, at: number): Supervising =>
  inTurn(seat, (turn) => {
    if (!turn.asking.includes(requestId)) return turn;
    const asking = turn.asking.filter((one) => one !== requestId);
    return { ...turn, asking, heardAt: at, waited: turn.waited + (asking.length === 0 ? at - turn.askingSince : 0) };
  });

const rested = (seat: Supervised, until: number, why: string): Supervising =>
  until <= seat.restUntil
    ? still(seat)
    : { seat: { ...seat, restUntil: until, isTold: seat.isWanted }, effects: seat.isWanted ? [report('resting', why)] : [] };

/** RT-74: a jump of the clock doesn't count as time for a turn. A provider's limit is a time of day, so after a sleep it may be over. */
const shifted = (seat: Supervised, by: number): Supervised => ({
  ...seat,
  startingSince: seat.startingSince + by,
  restUntil: seat.restUntil + Math.min(0, by),
  crashes: seat.crashes.map((at) => at + by),
  turn: seat.turn === null ? null : turnLater(seat.turn, by),
});

/** RT-12: a seat that is silent for too long is asked, then cancelled, then restarted. A turn that takes too long is cancelled. */
const watch = (seat: Supervised, at: number): Supervising => {
  const { turn, limits } = seat;
  if (turn === null) return watchStart(seat, at);
  const isWaiting = turn.asking.length > 0 && turn.cancelledAt === null;
  if (isWaiting || at < nextLook(limits, turn)) return { seat, effects: [wakeAt(Math.max(nextLook(limits, turn), at + 1000))] };
  if (turn.cancelledAt !== null) {
    const closed = cutOff(seat, turn.why ?? 'it did not end its turn', turn.nudged === 'cancelled');
    return { seat: { ...closed.seat, process: 'stopping' }, effects: [...closed.effects, { kind: 'stop', why: 'it did not end its turn' }] };
  }
  if (at - turn.beganAt - turn.waited >= limits.turnTime) return cancelTurn(seat, `the turn took longer than ${minutes(limits.turnTime)}`, at, null);
  if (turn.nudged === 'no') {
    const asked: OpenTurn = { ...turn, nudged: 'asked', heardAt: at };
    const event: SeatEvent = {
      seq: 0,
      kind: 'silent',
      from: 'AGENT-system',
      text: 'Nothing has come from you for a while. Go on, or end your turn.',
      refs: [],
    };
    return { seat: { ...seat, turn: asked }, effects: [{ kind: 'tell', id: turn.id, event }, wakeAt(nextLook(limits, asked))] };
  }
  return cancelTurn({ ...seat, turn: { ...turn, nudged: 'cancelled' } }, `nothing came for ${minutes(limits.silence)}`, at, null);
};

const nextLook = ({ turnTime, silence }: SeatLimits, turn: OpenTurn): number =>
  turn.cancelledAt !== null ? turn.cancelledAt + CANCEL_PATIENCE : Math.min(turn.beganAt + turn.waited + turnTime, turn.heardAt + silence);

const isUp = ({ process }: Supervised): boolean => process === 'starting' || process === 'ready';

const inTurn = (seat: Supervised, next: (turn: OpenTurn) => OpenTurn): Supervising =>
  still(seat.turn === null ? seat : { ...seat, turn: next(seat.turn) });

const report = (state: SeatState, why: string | null): Extract<SupervisionEffect, { kind: 'report' }> => ({
  kind: 'report',
  state,
  why,
  isCrash: false,
});

const wakeAt = (at: number): SupervisionEffect => ({ kind: 'wake', at });

const still = (seat: Supervised): Supervising => ({ seat, effects: [] });

const then = ({ seat, effects }: Supervising, next: (seat: Supervised) => Supervising): Supervising => {
  const after = next(seat);
  return { seat: after.seat, effects: [...effects, ...after.effects] };
};

const minutes = (ms: number): string => (ms === 60_000 ? 'a minute' : `${Math.round(ms / 6000) / 10} minutes`);

const WARNED_AT = 0.8;
const MOST_WORDS = 200_000;
const MOST_TOOLS = 100;
const CANCEL_PATIENCE = 30_000;
const CRASH_WINDOW = 600_000;
const MOST_CRASHES = 3;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
