import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOBODY_ELSE } from '@yarnboard/domain';
import type { Frame } from '../../../src/doors/ws/frame.ts';
import { createRing } from '../../../src/doors/ws/ring.ts';

const frameAt = (seq: number, size: number): Frame => ({
  seq,
  sessionId: 's',
  audience: NOBODY_ELSE,
  isOfBoard: false,
  isToldTo: () => false,
  envelopes: [],
  bytes: () => Buffer.alloc(0),
  size: () => size,
});

test('[WIRE-8] the ring holds the latest frames without gaps, and no more than it may', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 50 }),
      fc.nat(20),
      fc.nat(1000),
      (batches, mostFrames, frameSize, begin) => {
        const mostBytes = 300;
        const ring = createRing(mostFrames, mostBytes);
        ring.reset(begin);
        let edge = begin;
        for (const count of batches) {
          const batch = Array.from({ length: count }, (_, i) => frameAt(edge + 1 + i, frameSize));
          ring.push(batch);
          edge += count;
          expect(ring.edge()).toBe(edge);
          const held: number[] = [];
          for (let seq = begin - 2; seq <= edge + 2; seq += 1) {
            const frame = ring.at(seq);
            if (frame !== null) held.push(seq);
            expect(frame === null || frame.seq === seq).toBe(true);
          }
          // A stretch that ends at the edge, with what came last in any case.
          expect(held).toEqual(held.map((_, i) => edge - held.length + 1 + i));
          expect(held.length).toBeGreaterThanOrEqual(count);
          expect(held.length).toBeLessThanOrEqual(mostFrames + count);
          expect((held.length - count) * frameSize).toBeLessThanOrEqual(mostBytes);
        }
        ring.push([frameAt(edge + 2, 1)]);
        expect(ring.edge()).toBe(edge);
      },
    ),
  );
});
