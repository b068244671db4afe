import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOutgoing, type Outgoing, type OutgoingOptions } from '../../src/launches/outgoing.ts';
import { runs } from '../ingest/bench.ts';
import { createClock, settle, type Clock } from './clock.ts';

type Bench = {
  readonly clock: Clock;
  readonly outgoing: Outgoing<string>;
  readonly sent: string[];
  readonly faults: unknown[];
  readonly attempts: number[];
};

const make = (fails: () => boolean = () => false, options: Partial<OutgoingOptions<string>> = {}): Bench => {
  const clock = createClock();
  const sent: string[] = [];
  const faults: unknown[] = [];
  const attempts: number[] = [];
  const outgoing = createOutgoing<string>({
    send: async (items) => {
      attempts.push(clock.now());
      if (fails()) throw new Error('the disk is full');
      sent.push(...items);
    },
    after: clock.after,
    onFault: (cause) => faults.push(cause),
    ...options,
  });
  return { clock, outgoing, sent, faults, attempts };
};

describe('what is on its way', () => {
  test('[RUN-6] what is not held back goes at once, in order', async () => {
    const { outgoing, sent } = make();
    for (const item of ['a', 'b', 'c']) await outgoing.add(item);
    await settle();
    expect(sent).toEqual(['a', 'b', 'c']);
    expect(outgoing.waiting()).toBe(0);
  });

  test('[RUN-6] a call that is held back holds what is behind it, and goes by the clock', async () => {
    const { outgoing, sent, clock } = make();
    await outgoing.add('a');
    await outgoing.add('call', { calls: ['t'] });
    await outgoing.add('b');
    await clock.pass(249);
    expect(sent).toEqual(['a']);
    await clock.pass(1);
    expect(sent).toEqual(['a', 'call', 'b']);
    expect(clock.waiting()).toBe(0);
  });

  test('[RUN-6] a call is let go by its name, one of several in a record by either, and never out of turn', async () => {
    const { outgoing, sent, clock } = make();
    await outgoing.add('one', { calls: ['t1', 't2'] });
    await outgoing.add('two', { calls: ['t3'] });
    outgoing.release('t3');
    outgoing.release('nobody');
    await settle();
    expect(sent).toEqual([]);
    outgoing.release('t2');
    await settle();
    expect(sent).toEqual(['one', 'two']);
    expect(clock.waiting()).toBe(0);
  });

  test('[RUN-6] flushing lets everything go and waits for what was added before, not for what comes after', async () => {
    const { outgoing, sent } = make();
    await outgoing.add('call', { calls: ['t'] });
    const flushed = outgoing.flush();
    await outgoing.add('later', { calls: ['u'] });
    await flushed;
    expect(sent).toEqual(['call']);
    await make().outgoing.flush();
  });

  test('[RUN-17] what could not be sent is tried again after growing pauses, and then all at once', async () => {
    let isFull = true;
    const { outgoing, sent, clock, faults, attempts } = make(() => isFull);
    for (const item of ['a', 'b', 'c']) await outgoing.add(item);
    await clock.pass(3_000);
    expect(attempts).toEqual([0, 100, 300, 700, 1500]);
    await clock.pass(60_000);
    expect(attempts.at(-1)).toBeGreaterThan(50_000);
    expect(attempts.length).toBeLessThan(20);
    expect(faults.length).toBe(attempts.length);
    isFull = false;
    await clock.pass(10_000);
    expect(sent).toEqual(['a', 'b', 'c']);
    await outgoing.add('d');
    await settle();
    expect(sent).toEqual(['a', 'b', 'c', 'd']);
  });

  test('[RUN-17] one that cannot send keeps nobody else waiting', async () => {
    const stuck = make(() => true);
    const well = make();
    await stuck.outgoing.add('a');
    await well.outgoing.add('b');
    await settle();
    expect(well.sent).toEqual(['b']);
  });

  test('[RUN-17] whoever adds waits while there is no room, by number or by bytes', async () => {
    for (const [room, item, fits] of [
      [{ items: 3, bytes: 1e9 }, 'x', 3],
      [{ items: 1e9, bytes: 100 }, 'x'.repeat(40), 2],
    ] as const) {
      let isFull = true;
      const { outgoing, clock, sent } = make(() => isFull, { room, bytesOf: (text) => text.length });
      let added = 0;
      const adding = (async () => {
        for (let i = 0; i < 10; i += 1) {
          await outgoing.add(item);
          added += 1;
        }
      })();
      await clock.pass(1_000);
      expect({ added, waiting: outgoing.waiting() }).toEqual({ added: fits, waiting: fits + 1 });
      isFull = false;
      await clock.pass(20_000);
      await adding;
      expect(sent.length).toBe(10);
    }
  });

  test('[RUN-17] at the end it is tried at once, for so long, and told what is left', async () => {
    let isFull = true;
    const { outgoing, clock, sent, attempts } = make(() => isFull);
    await outgoing.add('a');
    await outgoing.add('call', { calls: ['t'] });
    await clock.pass(60_000);
    const before = attempts.length;
    const closing = outgoing.close(500);
    await settle();
    expect(attempts.length).toBe(before + 1);
    await clock.pass(500);
    expect(await closing).toEqual({ unsent: 2 });
    expect(clock.waiting()).toBe(0);
    await clock.pass(60_000);
    isFull = false;
    expect(sent).toEqual([]);
    await expect(outgoing.add('b')).rejects.toThrow('ended');
    const well = make();
    await well.outgoing.add('call', { calls: ['t'] });
    expect(await well.outgoing.close(500)).toEqual({ unsent: 0 });
    expect(well.sent).toEqual(['call']);
    expect(well.clock.waiting()).toBe(0);
  });
});

describe('whatever happens', () => {
  const anyStep = fc.oneof(
    fc.record({ what: fc.constant('add' as const), calls: fc.array(fc.constantFrom('t1', 't2', 't3'), { maxLength: 2 }) }),
    fc.record({ what: fc.constant('release' as const), call: fc.constantFrom('t1', 't2', 't3', 't4') }),
    fc.record({ what: fc.constant('pass' as const), ms: fc.nat(400) }),
    fc.record({ what: fc.constant('flush' as const) }),
    fc.record({ what: fc.constant('fail' as const), isFailing: fc.boolean() }),
  );

  test('[RUN-6] the order is kept, nothing is lost and nothing is sent twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        let isFailing = false;
        const { outgoing, clock, sent } = make(() => isFailing, { room: { items: 5, bytes: 1e9 } });
        const added: string[] = [];
        const flushes: Promise<void>[] = [];
        for (const step of steps) {
          if (step.what === 'add') {
            added.push(`i${added.length}`);
            void outgoing.add(added.at(-1) ?? '', { calls: step.calls });
          } else if (step.what === 'release') outgoing.release(step.call);
          else if (step.what === 'pass') await clock.pass(step.ms);
          else if (step.what === 'flush') flushes.push(outgoing.flush());
          else isFailing = step.isFailing;
          await settle();
          expect(sent).toEqual(added.slice(0, sent.length));
        }
        isFailing = false;
        const closing = outgoing.close(60_000);
        await clock.pass(60_000);
        expect(await closing).toEqual({ unsent: 0 });
        expect(sent).toEqual(added);
        await Promise.all(flushes);
        expect(clock.waiting()).toBe(0);
      }),
      runs(0.5),
    );
  });
});
