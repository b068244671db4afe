import { setImmediate as breathe } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMeters } from '../../src/doors/http/metrics.ts';
import { createShared, type Count, type Shared } from '../../src/operations/request/questions.ts';

type Run = { readonly key: string; readonly at: number; readonly finish: (answer: number) => void; readonly signal: AbortSignal };

/** Work that ends when the test says so. */
const makeBench = (): {
  readonly shared: Shared;
  readonly runs: Run[];
  readonly log: { count: number };
  readonly ask: (key: string, isKept?: boolean) => Asked;
} => {
  const log = { count: 0 };
  const runs: Run[] = [];
  const shared = createShared(async () => log.count);
  const ask = (key: string, isKept = true): Asked => {
    const leaving = new AbortController();
    const askedAt = log.count;
    const answer = shared.ask(key, (signal) => new Promise<number>((finish) => runs.push({ key, at: log.count, finish, signal })), {
      signal: leaving.signal,
      isKept,
    });
    answer.catch(() => {}); // looked at by those who care
    return { answer, askedAt, leave: () => leaving.abort() };
  };
  return { shared, runs, log, ask };
};

type Asked = { readonly answer: Promise<number>; readonly askedAt: number; readonly leave: () => void };

const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i += 1) await breathe();
};

describe('what goes through a whole board', () => {
  test('[API-52] is done once for all who ask, and its answer holds until the log grows', async () => {
    const { runs, log, ask } = makeBench();
    const all = Array.from({ length: 20 }, () => ask('stats').answer);
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.finish(7);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, () => 7));
    expect(await ask('stats').answer).toBe(7);
    log.count += 1;
    const later = ask('stats').answer;
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]?.finish(8);
    expect(await later).toBe(8);
  });

  test('[API-52] is stopped when all who asked have left, and never begun when they leave before', async () => {
    const { runs, ask } = makeBench();
    const [first, second, waiting] = [ask('verify', false), ask('verify', false), ask('integrity')];
    await settle();
    first.leave();
    await expect(first.answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs[0]?.signal.aborted).toBe(false);
    waiting.leave();
    second.leave();
    expect(runs[0]?.signal.aborted).toBe(true);
    runs[0]?.finish(0);
    const next = ask('verify', false);
    await settle();
    expect(runs.map(({ key }) => key)).toEqual(['verify', 'verify']);
    runs[1]?.finish(1);
    expect(await next.answer).toBe(1);
  });

  test('[API-52] runs one piece at a time, tells nobody less than was there when they asked, and leaves nobody waiting', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ kind: fc.constant('ask' as const), key: fc.constantFrom('a', 'b', 'c') }),
            fc.record({ kind: fc.constantFrom('append' as const, 'finish' as const, 'breathe' as const) }),
            fc.record({ kind: fc.constant('leave' as const), which: fc.nat(20) }),
          ),
          { maxLength: 40 },
        ),
        async (acts) => {
          const { runs, log, ask } = makeBench();
          const asked: (Asked & { hasLeft?: boolean })[] = [];
          let finished = 0;
          const finish = (): void => {
            const run = runs[finished];
            if (run === undefined) return;
            finished += 1;
            run.finish(run.at);
          };
          for (const act of acts) {
            if (act.kind === 'ask') asked.push(ask(act.key));
            else if (act.kind === 'append') log.count += 1;
            else if (act.kind === 'finish') finish();
            else if (act.kind === 'leave') {
              const one = asked[act.which];
              one?.leave();
              if (one !== undefined) one.hasLeft = true;
            } else await settle();
            expect(runs.length - finished).toBeLessThanOrEqual(1);
          }
          for (let i = 0; i < asked.length + runs.length + 1; i += 1) {
            await settle();
            finish();
          }
          await settle();
          for (const { answer, askedAt, hasLeft } of asked) {
            const told = await Promise.race([answer.catch(() => 'left' as const), settle().then(() => 'waiting' as const)]);
            expect(hasLeft === true || (typeof told === 'number' && told >= askedAt)).toBe(true);
            expect(told).not.toBe('waiting');
          }
        },
      ),
    ));
});

test('[API-53] integrity is counted at most every minute, and whoever asks then is told what was found last', async () => {
  let [at, counted] = [0, 0];
  const meters = createMeters(() => at);
  const count = (async () => {
    counted += 1;
    return { messages: 0, operations: 0, findings: [{ rule: 'circular-parents', severity: 'error', count: counted, examples: [] }] };
  }) as unknown as Count; // it is only asked about integrity
  const told = async (): Promise<number | undefined> => (await meters.integrity(count)).get('circular-parents');
  expect([await told(), await told(), counted]).toEqual([1, 1, 1]);
  at = 60_000;
  expect([await told(), await told(), await told()]).toEqual([1, 2, 2]);
  expect(counted).toBe(2);
});
