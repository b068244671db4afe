import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginClock, HELD_FOR, readClock, resumeClock, SLACK, stepToTell, type Reading } from '../../src/followers/steady-clock.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 14, 12);

/** Both clocks go on by `passes`, then the wall clock is set by `jump`; a `restart` of the server or of the machine takes what was saved. */
type Step = { readonly passes: number; readonly jump: number; readonly restart: 'none' | 'server' | 'machine' };

const span = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 3 * DAY }));
const jump = fc.oneof(fc.constant(0), fc.integer({ min: -400 * DAY, max: 400 * DAY }), fc.integer({ min: -2 * SLACK, max: 2 * SLACK }));
const step: fc.Arbitrary<Step> = fc.record({
  passes: span,
  jump,
  restart: fc.constantFrom('none', 'none', 'none', 'server', 'machine'),
});

describe('the clock of deadlines', () => {
  test('[LIFE-80] shows no more time than has passed by the clock that cannot be set, however often the other is set', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let wall = NOON;
        let uptime = 1000;
        let boots = 0;
        let passed = 0;
        const reading = (): Reading => ({ wall, uptime, boot: `boot ${boots}` });
        let clock = beginClock(reading(), wall);
        let shown = clock.last.steady;
        let slack = SLACK;
        for (const { passes, jump: by, restart } of steps) {
          wall += passes + by;
          uptime += passes;
          passed += passes;
          if (Math.abs(by) > 0) slack += SLACK;
          if (restart === 'machine') {
            boots += 1;
            uptime = 1;
          }
          const read = restart === 'none' ? readClock(clock, reading()) : resumeClock(clock, reading());
          ({ clock } = read);
          // Nobody but the wall clock knows how long a machine was off: what it claims counts when it has held, and only for what began before.
          passed += read.gained;
          expect(clock.last.steady).toBeGreaterThanOrEqual(shown);
          shown = clock.last.steady;
          expect(shown - NOON).toBeLessThanOrEqual(passed + slack);
        }
      }),
    );
  });

  test('[LIFE-80] loses no time while both clocks go on together', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 30 }),
        (steps, calm) => {
          let wall = NOON;
          let uptime = 1000;
          let clock = beginClock({ wall, uptime, boot: null }, wall);
          for (const { passes, jump: by } of steps) {
            wall += passes + by;
            uptime += passes;
            ({ clock } = readClock(clock, { wall, uptime, boot: null }));
          }
          const before = clock.last.steady;
          for (const passes of calm) {
            wall += passes;
            uptime += passes;
            ({ clock } = readClock(clock, { wall, uptime, boot: null }));
          }
          const all = calm.reduce((sum, passes) => sum + passes, 0);
          expect(clock.last.steady - before).toBeGreaterThanOrEqual(all - 2 * SLACK);
        },
      ),
    );
  });

  test('[LIFE-81] a machine that was off: what the wall clock says counts when it has held, not before', () => {
    let clock = beginClock({ wall: NOON, uptime: 5 * DAY, boot: 'a' }, NOON);
    ({ clock } = resumeClock(clock, { wall: NOON + 2 * DAY, uptime: 20_000, boot: 'b' }));
    expect(clock.last.steady).toBe(NOON);
    const early = readClock(clock, { wall: NOON + 2 * DAY + HELD_FOR - 1, uptime: 20_000 + HELD_FOR - 1, boot: 'b' });
    expect([early.gained, early.clock.last.steady - NOON]).toEqual([0, HELD_FOR - 1]);
    const late = readClock(early.clock, { wall: NOON + 2 * DAY + HELD_FOR, uptime: 20_000 + HELD_FOR, boot: 'b' });
    expect([late.gained, late.clock.last.steady - NOON]).toEqual([2 * DAY, 2 * DAY + HELD_FOR]);
  });

  test('[LIFE-81] a machine whose clock comes right after its start: only what is left of the claim counts', () => {
    // Off for an hour; it starts 400 days ahead, and is set right after a minute.
    const hour = 3_600_000;
    let clock = beginClock({ wall: NOON, uptime: 5 * DAY, boot: 'a' }, NOON);
    ({ clock } = resumeClock(clock, { wall: NOON + hour + 400 * DAY, uptime: 20_000, boot: 'b' }));
    ({ clock } = readClock(clock, { wall: NOON + hour + 60_000, uptime: 80_000, boot: 'b' }));
    const held = readClock(clock, { wall: NOON + hour + 60_000 + HELD_FOR, uptime: 80_000 + HELD_FOR, boot: 'b' });
    expect(held.gained).toBe(hour);
  });

  test('[LIFE-81] a server that is started again on a machine that went on knows at once how long it was away', () => {
    let clock = beginClock({ wall: NOON, uptime: DAY, boot: 'a' }, NOON);
    ({ clock } = resumeClock(clock, { wall: NOON + 3 * DAY, uptime: 4 * DAY, boot: 'a' }));
    expect(clock.last.steady).toBe(NOON + 3 * DAY);
    // And when the clock was set meanwhile, that it was.
    ({ clock } = resumeClock(clock, { wall: NOON + 500 * DAY, uptime: 4 * DAY + 1000, boot: 'a' }));
    expect([clock.last.steady - NOON, stepToTell(clock)?.by]).toEqual([3 * DAY + 1000, 497 * DAY - 1000]);
  });

  test('[LIFE-82] a clock that was set is reported until it is back, or a day has passed', () => {
    const read = (wall: number, uptime: number, before = clock) => readClock(before, { wall: NOON + wall, uptime, boot: null }).clock;
    let clock = beginClock({ wall: NOON, uptime: 0, boot: null }, NOON);
    clock = read(1000, 1000);
    expect(stepToTell(clock)).toBeNull();
    clock = read(400 * DAY, 2000);
    expect(stepToTell(clock)).toEqual({ by: 400 * DAY - 2000, since: NOON + 1000 });
    expect(stepToTell(read(3000, 3000))).toBeNull();
    expect(stepToTell(read(402 * DAY, 2000 + 2 * DAY))).toBeNull();
  });
});
