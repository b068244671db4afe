import { assertNever } from '@yarnboard/domain';

/** The timing of a follower; all in milliseconds. */
export type Timing = {
  /** The pause between a wake-up and its pass: whatever arrives in it is processed together. */
  readonly settle: number;
  /** How often it passes without a wake-up; null if only on a wake-up, or when a pass asks for it. */
  readonly every: number | null;
  /** After a failed pass, doubled with each further failure up to `most`. */
  readonly retry: { readonly first: number; readonly most: number };
};

/** Why it makes no progress, for as long as it doesn't. */
export type Failure = { readonly why: string; readonly since: number; readonly times: number };

/**
 * The state of a follower. At most one pass is running (`working`, or `closing` for the last one). `dueAt` is the start of the next: never null while
 * there are requests that no pass has started to serve.
 */
export type Schedule = {
  readonly phase: 'idle' | 'working' | 'closing' | 'closed';
  readonly dueAt: number | null;
  readonly failure: Failure | null;
};

export type ScheduleInput =
  | { readonly kind: 'started'; readonly at: number }
  /** There may be something to do. An urgent wake-up waits neither for more to arrive nor for the next retry. */
  | { readonly kind: 'woken'; readonly at: number; readonly isUrgent: boolean }
  | { readonly kind: 'rung'; readonly at: number }
  /** A pass succeeded and wants the next after `next` milliseconds: 0 if there is more, null if it can wait for a wake-up. */
  | { readonly kind: 'done'; readonly at: number; readonly next: number | null }
  | { readonly kind: 'failed'; readonly at: number; readonly why: string }
  | { readonly kind: 'close' };

export type ScheduleEffect =
  | { readonly kind: 'pass' }
  /** Fires once, replacing any other timer. */
  | { readonly kind: 'timer'; readonly in: number }
  | { readonly kind: 'no-timer' }
  /** It fails, for a reason that wasn't reported before. */
  | { readonly kind: 'tell' }
  /** No pass is running, and none ever will be. */
  | { readonly kind: 'closed' };

export type Scheduled = { readonly schedule: Schedule; readonly effects: readonly ScheduleEffect[] };

export const UNSCHEDULED: Schedule = { phase: 'idle', dueAt: null, failure: null };

/** The next state: FOLLOW-1 to FOLLOW-5 are about this function. */
export const stepSchedule = (timing: Timing, schedule: Schedule, input: ScheduleInput): Scheduled => {
  const { phase, failure } = schedule;
  switch (input.kind) {
    case 'started':
      return phase === 'idle' ? arranged({ ...schedule, dueAt: earlier(schedule.dueAt, later(input.at, timing.every)) }, input.at) : still(schedule);
    case 'woken': {
      if (phase === 'closing' || phase === 'closed') return still(schedule);
      // After a failure, the retry time stands: a busy log must not add load to a failing store.
      const wanted = failure === null || input.isUrgent ? input.at + (input.isUrgent ? 0 : timing.settle) : null;
      const dueAt = earlier(schedule.dueAt, wanted ?? (schedule.dueAt === null ? input.at + timing.settle : null));
      return phase === 'working' ? still({ ...schedule, dueAt }) : arranged({ ...schedule, dueAt }, input.at);
    }
    case 'rung':
      return phase === 'idle' ? arranged(schedule, input.at) : still(schedule);
    case 'done': {
      if (phase === 'closing') return ended(schedule);
      const dueAt = earlier(earlier(schedule.dueAt, later(input.at, input.next)), later(input.at, timing.every));
      return arranged({ phase: 'idle', dueAt, failure: null }, input.at);
    }
    case 'failed': {
      const times = (failure?.times ?? 0) + 1;
      const next: Failure = { why: input.why, since: failure?.since ?? input.at, times };
      const tell: readonly ScheduleEffect[] = failure?.why === input.why ? [] : [{ kind: 'tell' }];
      if (phase === 'closing') return { ...ended({ ...schedule, failure: next }), effects: [...tell, { kind: 'closed' }] };
      const pause = Math.min(timing.retry.first * 2 ** Math.min(times - 1, MOST_DOUBLED), timing.retry.most);
      const { schedule: after, effects } = arranged({ phase: 'idle', dueAt: input.at + pause, failure: next }, input.at);
      return { schedule: after, effects: [...tell, ...effects] };
    }
    case 'close':
      if (phase === 'idle') return { schedule: { ...schedule, phase: 'closed', dueAt: null }, effects: [{ kind: 'no-timer' }, { kind: 'closed' }] };
      return still(phase === 'working' ? { ...schedule, phase: 'closing' } : schedule);
    default:
      return assertNever(input);
  }
};

const still = (schedule: Schedule): Scheduled => ({ schedule, effects: [] });

const ended = (schedule: Schedule): Scheduled => ({ schedule: { ...schedule, phase: 'closed', dueAt: null }, effects: [{ kind: 'closed' }] });

/** An idle follower starts its pass if it is due; otherwise a timer is set. */
const arranged = (schedule: Schedule, at: number): Scheduled => {
  const { dueAt } = schedule;
  if (dueAt === null) return { schedule, effects: [{ kind: 'no-timer' }] };
  if (dueAt > at) return { schedule, effects: [{ kind: 'timer', in: dueAt - at }] };
  // Requests from here on are for the next pass, since this one may have looked already.
  return { schedule: { ...schedule, phase: 'working', dueAt: null }, effects: [{ kind: 'no-timer' }, { kind: 'pass' }] };
};

const later = (at: number, span: number | null): number | null => (span === null ? null : at + span);

const earlier = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** Further doubling would exceed any pause anyway. */
const MOST_DOUBLED = 30;
