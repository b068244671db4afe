import { assertNever } from '@yarnboard/domain';
import { stepSchedule, UNSCHEDULED, type Failure, type ScheduleEffect, type ScheduleInput, type Timing } from './schedule.ts';

/**
 * Something that follows the log: its name, its timing, and its pass. Its position is stored with what it makes (an index, a board), or by a
 * `createLogCursor`; either way, it advances only after a successful pass.
 */
export type Follower = {
  readonly name: string;
  /**
   * One pass, at most one batch: 0 if there is more, null if nothing is left, otherwise the milliseconds until the next look. The signal is aborted
   * on close.
   */
  readonly pass: (signal: AbortSignal) => Promise<number | null>;
  /** Whether this server may do it now, checked before every pass; left out if every server may. */
  readonly lease?: () => Promise<boolean>;
  readonly timing?: Partial<Timing>;
};

/** The public state of a follower. */
export type FollowerState = { readonly name: string; readonly passes: number; readonly failure: Failure | null };

export type Runner = {
  /** There may be something new; urgent if it should be processed now, without waiting for more. */
  readonly wake: (isUrgent?: boolean) => void;
  /** Resolves when everything present now is done; fails if that fails. */
  readonly drain: () => Promise<void>;
  /** Resolves when the current pass is over, however it ends. */
  readonly rest: () => Promise<void>;
  readonly state: () => FollowerState;
  /** Resolves when the last pass is over. */
  readonly close: () => Promise<void>;
};

export type RunnerOptions = {
  readonly onFault: (cause: unknown) => void;
  /** A monotonic clock for pauses; its absolute value doesn't matter. */
  readonly now?: () => number;
  /** Calls back after a while; returns how to cancel that. */
  readonly after?: (ms: number, work: () => void) => () => void;
  /** The wall clock, for the start of failures. */
  readonly wallClock?: () => number;
};

type Drain = { readonly from: number; readonly resolve: () => void; readonly reject: (cause: unknown) => void };

/** Runs a follower: on wake-ups, never twice at once, with retries after failures, until it is closed. `stepSchedule` decides all of that. */
export const createRunner = (follower: Follower, options: RunnerOptions): Runner => {
  const { onFault, now = () => performance.now(), after = afterTimeout } = options;
  const timing: Timing = { ...TIMING, ...follower.timing };
  const closing = new AbortController();
  let schedule = UNSCHEDULED;
  let passes = 0;
  let begun = 0;
  let working: Promise<void> = Promise.resolve();
  let cause: unknown = null;
  let failingSince = 0;
  let stopTimer = (): void => {};
  let drains: readonly Drain[] = [];
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });

  const feed = (input: ScheduleInput): void => {
    const wasFailing = schedule.failure !== null;
    const next = stepSchedule(timing, schedule, input);
    ({ schedule } = next);
    if (!wasFailing && schedule.failure !== null) failingSince = (options.wallClock ?? now)();
    for (const effect of next.effects) perform(effect);
  };

  const perform = (effect: ScheduleEffect): void => {
    switch (effect.kind) {
      case 'pass':
        begun += 1;
        working = pass();
        break;
      case 'timer':
        stopTimer();
        stopTimer = after(effect.in, () => feed({ kind: 'rung', at: now() }));
        break;
      case 'no-timer':
        stopTimer();
        stopTimer = () => {};
        break;
      case 'tell':
        onFault(cause);
        break;
      case 'closed':
        settle(Number.POSITIVE_INFINITY, ({ resolve }) => resolve());
        onClosed();
        break;
      default:
        assertNever(effect);
    }
  };

  const pass = async (): Promise<void> => {
    const mine = begun;
    try {
      const isOurs = follower.lease === undefined || (await follower.lease());
      const next = isOurs ? await follower.pass(closing.signal) : null;
      passes += 1;
      feed({ kind: 'done', at: now(), next });
      if (next !== 0) settle(mine, ({ resolve }) => resolve());
    } catch (thrown) {
      cause = thrown;
      feed({ kind: 'failed', at: now(), why: thrown instanceof Error ? thrown.message : String(thrown) });
      settle(mine, ({ reject }) => reject(thrown));
    }
  };

  const settle = (pass: number, how: (drain: Drain) => void): void => {
    const over = drains.filter(({ from }) => from <= pass);
    drains = drains.filter(({ from }) => from > pass);
    for (const drain of over) how(drain);
  };

  feed({ kind: 'started', at: now() });
  return {
    wake: (isUrgent = false) => feed({ kind: 'woken', at: now(), isUrgent }),
    drain: () =>
      schedule.phase === 'closed'
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            // The current pass may have looked already: the next one counts.
            drains = [...drains, { from: begun + 1, resolve, reject }];
            feed({ kind: 'woken', at: now(), isUrgent: true });
          }),
    rest: () => working,
    state: () => {
      const { failure } = schedule;
      return { name: follower.name, passes, failure: failure === null ? null : { ...failure, since: failingSince } };
    },
    close: () => {
      closing.abort();
      feed({ kind: 'close' });
      return closed;
    },
  };
};

/** All followers of a server. */
export type Followers = {
  readonly add: (follower: Follower) => Runner;
  readonly states: () => readonly FollowerState[];
  readonly close: () => Promise<void>;
};

export const createFollowers = (options: RunnerOptions): Followers => {
  const runners: Runner[] = [];
  return {
    add: (follower) => {
      const runner = createRunner(follower, options);
      runners.push(runner);
      return runner;
    },
    states: () => runners.map((runner) => runner.state()),
    close: async () => {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
};

const afterTimeout = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  // Followers keep no process alive.
  timer.unref();
  return () => clearTimeout(timer);
};

const TIMING: Timing = { settle: 0, every: null, retry: { first: 250, most: 5000 } };
