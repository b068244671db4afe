import { assertNever } from '@yarnboard/domain';
import { stepSchedule, UNSCHEDULED, type Failure, type ScheduleEffect, type ScheduleInput, type Timing } from './schedule.ts';

/**
 * Something that follows the log: what it is called, how often it passes, and what a pass does. Where it stands on the log is kept with what it makes (an
 * index, a board), or by a `createLogCursor`; either way it moves on only when a pass has done its work.
 */
export type Follower = {
  readonly name: string;
  /** One pass, a batch at most: 0 when there is more, null when nothing is left, else the milliseconds after which it wants to look again. The signal says that it is being closed. */
  readonly pass: (signal: AbortSignal) => Promise<number | null>;
  /** Whether this server may do it now, asked before every pass; left out where every server may. */
  readonly lease?: () => Promise<boolean>;
  readonly timing?: Partial<Timing>;
};

/** What is known of a follower from outside. */
export type FollowerState = { readonly name: string; readonly passes: number; readonly failure: Failure | null };

export type Runner = {
  /** There may be something new; urgent when it shall be looked at now, not when more has come. */
  readonly wake: (isUrgent?: boolean) => void;
  /** Resolves when everything that is there now is done; fails when that fails. */
  readonly drain: () => Promise<void>;
  /** Resolves when the pass that is under way is over, however it ends. */
  readonly rest: () => Promise<void>;
  readonly state: () => FollowerState;
  /** Resolves when the last pass is over. */
  readonly close: () => Promise<void>;
};

export type RunnerOptions = {
  readonly onFault: (cause: unknown) => void;
  /** A clock for pauses; what it shows does not matter, only that it goes on. */
  readonly now?: () => number;
  /** Calls back after a while; returns how to take that back. */
  readonly after?: (ms: number, work: () => void) => () => void;
  /** When the wall clock says a failure began. */
  readonly wallClock?: () => number;
};

type Drain = { readonly from: number; readonly resolve: () => void; readonly reject: (cause: unknown) => void };

/** Runs a follower: wakes it, never twice at once, again where it failed, until it is closed. All of that is decided by `stepSchedule`. */
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
            // A pass that is under way may have looked already: the one after it counts.
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
  // Whoever follows keeps no process alive.
  timer.unref();
  return () => clearTimeout(timer);
};

const TIMING: Timing = { settle: 0, every: null, retry: { first: 250, most: 5000 } };
