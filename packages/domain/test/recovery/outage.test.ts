import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isQueueing, NORMAL, PROBES_UP, stepOutage, TRIED_FOR_MS, type Outage, type OutageInput } from '../../src/index.ts';

const walk = (inputs: readonly OutageInput[], from: Outage = NORMAL): Outage => inputs.reduce(stepOutage, from);

const failed = (at: number): OutageInput => ({ kind: 'write-failed', at, why: 'disk full' });
const good = (at: number): OutageInput => ({ kind: 'probed', at, why: null });
const bad = (at: number): OutageInput => ({ kind: 'probed', at, why: 'nobody answers' });

describe('how an outage is noticed', () => {
  test('[REC-50] the log is well, degraded, away or resumed to, and commands are queued in the last two', () => {
    const states = [NORMAL, walk([failed(0)]), walk([bad(0), bad(1)]), walk([bad(0), bad(1), good(2), good(3), good(4)])];
    expect(states.map((state) => [state.kind, isQueueing(state)])).toEqual([
      ['normal', false],
      ['degraded', false],
      ['emergency', true],
      ['resuming', true],
    ]);
  });

  test('[REC-51] a write that fails is tried for a second before commands are queued', () => {
    expect(walk([failed(0)]).kind).toBe('degraded');
    expect(walk([failed(0), failed(TRIED_FOR_MS - 1)]).kind).toBe('degraded');
    expect(walk([failed(0), failed(TRIED_FOR_MS)])).toEqual({ kind: 'emergency', since: 0, why: 'disk full', goodProbes: 0 });
    expect(walk([failed(0), { kind: 'written', at: 900 }])).toEqual(NORMAL);
    // What can be read cannot always be written.
    expect(walk([failed(0), good(500)]).kind).toBe('degraded');
    expect(walk([failed(0), good(500), failed(TRIED_FOR_MS)]).kind).toBe('emergency');
    expect(walk([failed(0), good(3 * TRIED_FOR_MS)])).toEqual(NORMAL);
  });

  test('[REC-51] a store that does not answer is away at once', () => {
    expect(walk([{ kind: 'no-answer', at: 5000, why: 'silence' }])).toMatchObject({ kind: 'emergency', since: 5000 });
  });

  test('[REC-51] two probes in a row that fail, or one that finds another database', () => {
    expect(walk([bad(0)]).kind).toBe('normal');
    expect(walk([bad(0), good(2000), bad(4000)]).kind).toBe('normal');
    expect(walk([bad(0), bad(2000)]).kind).toBe('emergency');
    expect(walk([{ kind: 'probed', at: 0, why: 'deleted', isExchanged: true }]).kind).toBe('emergency');
  });
});

const input: fc.Arbitrary<(at: number) => OutageInput> = fc.oneof(
  fc.constant(failed),
  fc.constant(good),
  fc.constant(bad),
  fc.constant((at: number): OutageInput => ({ kind: 'written', at })),
  fc.constant((at: number): OutageInput => ({ kind: 'no-answer', at, why: 'silence' })),
  fc.constant((at: number): OutageInput => ({ kind: 'resumed', at })),
  fc.constant((at: number): OutageInput => ({ kind: 'resume-failed', at, why: 'gone again' })),
);

describe('whatever happens', () => {
  test('[REC-51] queueing ends only by a resume, and a resume begins only after three good probes in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(input, fc.nat(1500)), { maxLength: 60 }), (steps) => {
        let state: Outage = NORMAL;
        let at = 0;
        let inRow = 0;
        for (const [make, passed] of steps) {
          at += passed;
          const next = make(at);
          const before: Outage = state;
          state = stepOutage(before, next);
          inRow = next.kind !== 'probed' ? inRow : next.why === null ? inRow + 1 : 0;
          if (before.kind !== 'emergency') inRow = 0;
          const endsQueueing = isQueueing(before) && !isQueueing(state);
          const beginsResume = before.kind !== 'resuming' && state.kind === 'resuming';
          const isLater = 'since' in before && 'since' in state && before.kind !== 'degraded' && state.since !== before.since;
          expect(!endsQueueing || (before.kind === 'resuming' && next.kind === 'resumed')).toBe(true);
          expect(!beginsResume || (before.kind === 'emergency' && inRow >= PROBES_UP)).toBe(true);
          // It is told since when, and that does not change while it lasts.
          expect(isLater).toBe(false);
        }
      }),
    );
  });

  test('[REC-51] a log that is back for good ends every outage', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 40 }), (steps) => {
        const somewhere = walk(steps.map((make, i) => make(i * 700)));
        const probed = walk([good(1e6), good(1e6 + 1), good(1e6 + 2), { kind: 'resumed', at: 1e6 + 3 }], somewhere);
        expect(probed).toEqual(NORMAL);
      }),
    );
  });
});
