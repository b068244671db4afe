import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepSchedule, UNSCHEDULED, type Schedule, type ScheduleInput, type Timing } from '../../src/followers/schedule.ts';

const TIMING: Timing = { settle: 10, every: null, retry: { first: 100, most: 350 } };

/** What happens to a follower in the world around it: time goes on, somebody wakes it, its pass ends one way or another, it is closed. */
type Act =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'wake'; readonly isUrgent: boolean }
  | { readonly kind: 'done'; readonly next: number | null }
  | { readonly kind: 'fail'; readonly why: string }
  | { readonly kind: 'close' };

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 200 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wake' as const), isUrgent: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('done' as const), next: fc.constantFrom(null, 0, 25) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fail' as const), why: fc.constantFrom('full', 'locked') }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
);

const anyTiming: fc.Arbitrary<Timing> = fc.record({
  settle: fc.constantFrom(0, 10, 450),
  every: fc.constantFrom(null, 50, 1000),
  retry: fc.constantFrom({ first: 100, most: 350 }, { first: 5000, most: 5000 }),
});

/** Plays a world; the timer rings by itself when its time has come. */
const createWorld = (timing: Timing) => {
  let schedule: Schedule = UNSCHEDULED;
  let now = 0;
  let timer: number | null = null;
  const begun: number[] = [];
  const told: string[] = [];
  let ends = 0;
  let closed = 0;

  const feed = (input: ScheduleInput): void => {
    const next = stepSchedule(timing, schedule, input);
    ({ schedule } = next);
    for (const effect of next.effects) {
      if (effect.kind === 'pass') {
        expect(begun).toHaveLength(ends); // FOLLOW-2
        expect(closed).toBe(0); // FOLLOW-5
        begun.push(now);
      } else if (effect.kind === 'timer') {
        expect(effect.in).toBeGreaterThan(0);
        timer = now + effect.in;
      } else if (effect.kind === 'no-timer') timer = null;
      else if (effect.kind === 'tell') told.push(schedule.failure?.why ?? '');
      else {
        expect(begun).toHaveLength(ends);
        closed += 1;
      }
    }
  };
  const ring = (): void => {
    timer = null;
    feed({ kind: 'rung', at: now });
  };
  const wait = (ms: number): void => {
    const until = now + ms;
    for (let steps = 0; timer !== null && timer <= until; steps += 1) {
      expect(steps).toBeLessThan(1000);
      now = timer;
      ring();
    }
    now = until;
  };
  const isWorking = (): boolean => begun.length > ends;
  const end = (how: (at: number) => ScheduleInput): void => {
    if (!isWorking()) return;
    ends += 1;
    feed(how(now));
  };
  const act = (one: Act): void => {
    if (one.kind === 'wait') wait(one.ms);
    else if (one.kind === 'wake') feed({ kind: 'woken', at: now, isUrgent: one.isUrgent });
    else if (one.kind === 'done') end((at) => ({ kind: 'done', at, next: one.next }));
    else if (one.kind === 'fail') end((at) => ({ kind: 'failed', at, why: one.why }));
    else feed({ kind: 'close' });
  };
  feed({ kind: 'started', at: now });
  return {
    act,
    acts: (...all: readonly Act[]) => all.forEach(act),
    now: () => now,
    begun,
    told,
    isWorking,
    isClosed: () => closed > 0,
    closings: () => closed,
    schedule: () => schedule,
    /** Everything succeeds from here on. */
    calmDown: () => {
      for (let steps = 0; steps < 20; steps += 1) {
        wait(6000);
        end((at) => ({ kind: 'done', at, next: null }));
      }
    },
  };
};

const wake: Act = { kind: 'wake', isUrgent: false };
const done: Act = { kind: 'done', next: null };
const fail = (why: string): Act => ({ kind: 'fail', why });
const wait = (ms: number): Act => ({ kind: 'wait', ms });

describe('the schedule of a follower', () => {
  test('[FOLLOW-1] whatever it is woken for is followed by a pass that begins then or later, come what may', () => {
    fc.assert(
      fc.property(anyTiming, fc.array(anyAct, { maxLength: 60 }), (timing, acts) => {
        const world = createWorld(timing);
        let woken: number | null = null;
        for (const act of acts) {
          const wasWorking = world.isWorking();
          world.act(act);
          if (act.kind === 'wake' && !world.isClosed() && world.schedule().phase !== 'closing') woken = world.now();
          // A pass that failed has not done what it was called for.
          if (act.kind === 'fail' && wasWorking) woken = world.now();
        }
        const isOver = world.isClosed() || world.schedule().phase === 'closing';
        world.calmDown();
        const isFollowed = isOver || woken === null || (world.begun.at(-1) ?? -1) >= woken;
        expect(isFollowed).toBe(true);
      }),
    );
  });

  test('[FOLLOW-2] never two passes at once, and [FOLLOW-5] none after the close, which is reported once and when the last is over', () => {
    fc.assert(
      fc.property(anyTiming, fc.array(anyAct, { maxLength: 60 }), fc.array(anyAct, { maxLength: 20 }), (timing, acts, after) => {
        const world = createWorld(timing);
        world.acts(...acts, { kind: 'close' });
        const passes = world.begun.length;
        expect(world.closings()).toBe(world.isWorking() ? 0 : 1);
        world.acts(...after);
        world.calmDown();
        expect(world.begun).toHaveLength(passes);
        expect(world.closings()).toBe(1);
      }),
    );
  });

  test('[FOLLOW-1] wakes that come close together make one pass; those that come during a pass make one more', () => {
    const world = createWorld(TIMING);
    world.acts(wake, wait(5), wake, wait(4), wake);
    expect(world.begun).toEqual([]);
    world.acts(wait(1));
    expect(world.begun).toEqual([10]);
    world.acts(wake, wait(3), wake, done, wait(100));
    expect(world.begun).toEqual([10, 20]);
    world.acts({ kind: 'done', next: 0 });
    expect(world.begun).toEqual([10, 20, 113]);
  });

  test('[FOLLOW-4] a failed pass is tried again, later each time, whoever wakes it; success forgets it', () => {
    const world = createWorld(TIMING);
    world.acts(wake, wait(10), fail('full'), wake, wait(99));
    expect(world.begun).toEqual([10]);
    world.acts(wait(1), fail('full'), wait(200), fail('locked'), wait(350), fail('locked'), wait(350));
    expect(world.begun).toEqual([10, 110, 310, 660, 1010]);
    expect(world.told).toEqual(['full', 'locked']);
    expect(world.schedule().failure).toEqual({ why: 'locked', since: 10, times: 4 });
    world.acts(done);
    expect(world.schedule().failure).toBeNull();
    world.acts(wake, wait(10), fail('locked'), wait(100));
    expect(world.told).toEqual(['full', 'locked', 'locked']);
    expect(world.begun.slice(-2)).toEqual([1020, 1120]);
  });

  test('[FOLLOW-4] whoever waits for it is not made to wait for the next try', () => {
    const world = createWorld(TIMING);
    world.acts(wake, wait(10), fail('full'), wait(5), { kind: 'wake', isUrgent: true });
    expect(world.begun).toEqual([10, 15]);
  });

  test('[FOLLOW-6] it passes as often as it says, also when nobody wakes it', () => {
    const world = createWorld({ ...TIMING, every: 1000 });
    world.acts(wait(1000), done, wait(1000), done, wait(500), wake, wait(10), done, wait(999));
    expect(world.begun).toEqual([1000, 2000, 2510]);
  });
});
