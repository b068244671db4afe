import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeeper, type Keeper } from '../../src/followers/duties.ts';
import { createDutyClock, type ClockPlace } from '../../src/followers/duty-clock.ts';
import { HELD_FOR, SLACK } from '../../src/followers/steady-clock.ts';
import { DAY, NOON, openEngine, spawn, type EngineBench } from '../engine/bench.ts';

const HOUR = 3_600_000;

type Machine = { readonly wall: { now: number }; uptime: number; boot: string; kept: string | null };

const keeperOn = ({ engine }: EngineBench, machine: Machine): Keeper => {
  const place: ClockPlace = {
    read: () => machine.kept,
    write: (text) => {
      machine.kept = text;
    },
  };
  const read = () => ({ wall: machine.wall.now, uptime: machine.uptime, boot: machine.boot });
  return createKeeper({ engine, now: () => machine.wall.now, clock: createDutyClock({ read, place, recordedAt: NOON }) });
};

const machineOf = (bench: EngineBench): Machine => ({ wall: bench.clock, uptime: 10 * DAY, boot: 'a', kept: null });

const pass = (machine: Machine, ms: number): void => {
  machine.wall.now += ms;
  machine.uptime += ms;
};

const statusOf = (bench: EngineBench, ref = 'SB-1') => bench.sidebar(ref).status;
const wait = (timeoutMs: number, sidebar = 'SB-1') => ({ type: 'sidebar.wait', sidebar, waitingFor: 'a review', timeoutMs }) as const;

describe('the keeper and a clock that is set', () => {
  test('[LIFE-80] a clock that jumps a year ahead ends and archives nothing; what is due by both clocks is done, and what was said meanwhile too', async () => {
    const bench = await openEngine();
    const machine = machineOf(bench);
    for (const task of ['a', 'b', 'c']) await bench.run(spawn(task));
    const keeper = keeperOn(bench, machine);
    await bench.run(wait(3 * HOUR));
    await bench.run({ type: 'sidebar.pause', sidebar: 'SB-2', reason: 'holidays' });
    machine.wall.now += 400 * DAY;
    await keeper.tick();
    expect([statusOf(bench, 'SB-1'), statusOf(bench, 'SB-2')]).toEqual(['WAITING', 'PAUSED']);
    expect(keeper.clock().failure?.why).toBe('the system clock was set forward by 400 days while Yarnboard was running');
    // Said in the wrong year: its deadline is there, too.
    await bench.run(wait(2 * HOUR, 'SB-3'));
    pass(machine, HOUR);
    await keeper.tick();
    machine.wall.now -= 400 * DAY;
    await keeper.tick();
    expect(keeper.clock().failure).toBeNull();
    pass(machine, HOUR + SLACK);
    await keeper.tick();
    expect([statusOf(bench, 'SB-1'), statusOf(bench, 'SB-3')]).toEqual(['WAITING', 'FAILED']);
    pass(machine, HOUR);
    await keeper.tick();
    expect([statusOf(bench, 'SB-1'), statusOf(bench, 'SB-2')]).toEqual(['FAILED', 'PAUSED']);
  });

  test('[LIFE-81] across a restart: what nobody kept is taken from the log, and a clock that was set meanwhile ends nothing', async () => {
    const bench = await openEngine();
    const machine = machineOf(bench);
    await bench.run(spawn());
    await bench.run(wait(3 * HOUR));
    machine.wall.now += 400 * DAY; // while no server ran, and nothing was kept
    const first = keeperOn(bench, machine);
    await first.tick();
    expect(statusOf(bench)).toBe('WAITING');
    first.close();
    machine.wall.now -= 400 * DAY;
    pass(machine, HOUR);
    const second = keeperOn(bench, machine);
    await second.tick();
    expect(statusOf(bench)).toBe('WAITING');
    // How much of the hour passed nobody can tell who sees a clock that was set back: none of it counts.
    pass(machine, 3 * HOUR - 1);
    await second.tick();
    expect(statusOf(bench)).toBe('WAITING');
    pass(machine, 1 + HELD_FOR);
    await second.tick();
    expect(statusOf(bench)).toBe('FAILED');
  });

  test('[LIFE-81] what began after the start of a machine has stood for none of the time before it', async () => {
    const bench = await openEngine();
    const machine = machineOf(bench);
    for (const task of ['a', 'b']) await bench.run(spawn(task));
    const first = keeperOn(bench, machine);
    await bench.run(wait(3 * HOUR));
    await first.tick();
    first.close();
    Object.assign(machine, { uptime: 30_000, boot: 'b' });
    machine.wall.now += 8 * HOUR;
    const second = keeperOn(bench, machine);
    await bench.run(wait(3 * HOUR, 'SB-2'));
    await second.tick();
    expect([statusOf(bench, 'SB-1'), statusOf(bench, 'SB-2')]).toEqual(['WAITING', 'WAITING']);
    pass(machine, HELD_FOR);
    await second.tick();
    await second.tick();
    expect([statusOf(bench, 'SB-1'), statusOf(bench, 'SB-2')]).toEqual(['FAILED', 'WAITING']);
    pass(machine, 3 * HOUR - HELD_FOR);
    await second.tick();
    expect(statusOf(bench, 'SB-2')).toBe('FAILED');
  });

  test('[LIFE-80] whatever is done to the clock: no deadline passes before its time has, and none is lost', async () => {
    const bench = await openEngine();
    const machine = machineOf(bench);
    const move = fc.record({
      passes: fc.integer({ min: 0, max: HOUR }),
      jump: fc.oneof(fc.constant(0), fc.integer({ min: -400 * DAY, max: 400 * DAY })),
      isRestarted: fc.boolean(),
    });
    let made = 0;
    let keeper = keeperOn(bench, machine);
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 8 }), fc.integer({ min: 1000, max: 6 * HOUR }), async (moves, timeout) => {
        made += 1;
        const ref = `SB-${made}`;
        await bench.run(spawn(`task ${made}`));
        await bench.run(wait(timeout, ref));
        const began = machine.uptime;
        let jumps = 1;
        for (const { passes, jump, isRestarted } of moves) {
          pass(machine, passes);
          if (jump !== 0) jumps += 1;
          machine.wall.now += jump;
          if (isRestarted) {
            keeper.close();
            keeper = keeperOn(bench, machine);
          }
          await keeper.tick();
          const isEarly = machine.uptime - began < timeout - jumps * SLACK;
          expect([ref, isEarly && statusOf(bench, ref) !== 'WAITING']).toEqual([ref, false]);
        }
        // A step back costs what passed since the clock was last read.
        for (let left = timeout + jumps * (HOUR + SLACK); left > 0; left -= HOUR) {
          pass(machine, HOUR);
          await keeper.tick();
        }
        expect(statusOf(bench, ref)).toBe('FAILED');
      }),
      { numRuns: 40 },
    );
  });
});
