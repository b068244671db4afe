import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogCursor } from '../../src/followers/log-cursor.ts';
import { createRunner, type Follower } from '../../src/followers/runner.ts';
import type { Entry } from '@yarnboard/domain';

/** Time that goes on when it is told to. */
const createClock = () => {
  let at = 0;
  let timers: readonly { readonly at: number; readonly work: () => void }[] = [];
  return {
    now: () => at,
    after: (ms: number, work: () => void) => {
      const timer = { at: at + ms, work };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    pass: async (ms: number) => {
      at += ms;
      const due = timers.filter((timer) => timer.at <= at);
      timers = timers.filter((timer) => timer.at > at);
      for (const { work } of due) work();
      await setImmediate();
    },
  };
};

const runnerOf = (follower: Partial<Follower>, faults: unknown[] = []) => {
  const clock = createClock();
  const runner = createRunner(
    { name: 'probe', pass: async () => null, ...follower },
    { onFault: (cause) => faults.push(cause), now: clock.now, after: clock.after, wallClock: () => 1000 + clock.now() },
  );
  return { clock, runner, faults };
};

/** A log that holds positions and nothing else. */
const createPositions = () => {
  let count = 0;
  return {
    grow: (by: number) => {
      count += by;
    },
    count: () => count,
    head: async () => ({ count }),
    entriesAfter: async (after: number, limit: number) =>
      Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (_, i) => ({ position: after + 1 + i }) as Entry), // a cursor looks at nothing else of an entry
  };
};

describe('the runner of followers', () => {
  test('[FOLLOW-3] every entry is taken, in order, whatever fails on the way; one whose taking failed comes again', async () => {
    const anyStep = fc.oneof(
      fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 0, max: 7 }) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(0, 100, 6000) }),
      fc.constant({ kind: 'break' as const }),
      fc.constant({ kind: 'mend' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
        const log = createPositions();
        const taken: number[] = [];
        let isBroken = false;
        const cursor = createLogCursor({
          log,
          batch: 3,
          take: async (entries) => {
            await Promise.resolve();
            if (isBroken) throw new Error('full');
            taken.push(...entries.map(({ position }) => position));
          },
        });
        const { clock, runner } = runnerOf({ pass: cursor.advance });
        await runner.drain();
        for (const step of steps) {
          if (step.kind === 'grow') {
            log.grow(step.by);
            runner.wake();
          } else if (step.kind === 'wait') await clock.pass(step.ms);
          else isBroken = step.kind === 'break';
        }
        isBroken = false;
        // Nobody wakes it again: it gets over a failure by itself.
        for (let i = 0; i < 40; i += 1) await clock.pass(5000);
        expect(taken).toEqual(Array.from({ length: log.count() }, (_, i) => i + 1));
        await runner.close();
      }),
    );
  });

  test('[FOLLOW-3] what was there before it began is left out, and what is skipped as well', async () => {
    const log = createPositions();
    const taken: number[] = [];
    const cursor = createLogCursor({ log, batch: 10, take: (entries) => void taken.push(...entries.map(({ position }) => position)) });
    log.grow(5);
    await cursor.advance();
    log.grow(2);
    await cursor.advance();
    log.grow(3);
    await cursor.skip();
    log.grow(1);
    await cursor.advance();
    expect(taken).toEqual([6, 7, 11]);
  });

  test('[FOLLOW-7] a follower that fails says so by name, with the reason and since when, until it succeeds', async () => {
    let isBroken = true;
    const { clock, runner, faults } = runnerOf({
      pass: async () => {
        if (isBroken) throw new Error('the disk is full');
        return null;
      },
    });
    expect(runner.state()).toEqual({ name: 'probe', passes: 0, failure: null });
    await clock.pass(50);
    runner.wake();
    await setImmediate();
    await clock.pass(250);
    expect(runner.state()).toEqual({ name: 'probe', passes: 0, failure: { why: 'the disk is full', since: 1050, times: 2 } });
    expect(faults).toEqual([new Error('the disk is full')]);
    await expect(runner.drain()).rejects.toThrow('the disk is full');
    isBroken = false;
    await runner.drain();
    expect(runner.state()).toEqual({ name: 'probe', passes: 1, failure: null });
  });

  test('[FOLLOW-2] whoever drains it waits for a pass that began afterwards, and for all of its batches', async () => {
    let left = 0;
    const seen: number[] = [];
    const { runner } = runnerOf({
      pass: async () => {
        const found = left;
        await setImmediate();
        seen.push(found);
        left = Math.max(0, left - 1);
        return left === 0 ? null : 0;
      },
    });
    runner.wake();
    left = 3;
    await runner.drain();
    expect(seen).toEqual([0, 2, 1]);
  });

  test('[FOLLOW-5] closing waits for the pass under way and lets go of whoever drains it', async () => {
    let finish = (): void => {};
    const { runner } = runnerOf({ pass: () => new Promise((resolve) => (finish = () => resolve(null))) });
    runner.wake();
    const drained = runner.drain();
    let isClosed = false;
    const closing = runner.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    finish();
    await closing;
    await drained;
    runner.wake();
    await runner.drain();
    expect(runner.state().passes).toBe(1);
  });

  test('[FOLLOW-8] with a lease only the server that has it passes', async () => {
    let hasLease = false;
    const { clock, runner } = runnerOf({ lease: async () => hasLease, pass: async () => ((passed += 1), null), timing: { every: 1000 } });
    let passed = 0;
    await clock.pass(1000);
    await clock.pass(1000);
    expect(passed).toBe(0);
    hasLease = true;
    await clock.pass(1000);
    expect(passed).toBe(1);
    await runner.close();
  });
});
