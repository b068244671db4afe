import fc from 'fast-check';
import type { EmergencyAddition } from '../../src/index.ts';
import { anyOutcome, anyWrite, uuidOfWrite } from './random-documents.ts';

export const anyAddition: fc.Arbitrary<EmergencyAddition> = fc.oneof(
  fc.integer({ min: 1, max: 6 }).chain((n) => anyWrite(n).map((write) => ({ kind: 'write' as const, write }))),
  fc.integer({ min: 101, max: 103 }).chain((n) => anyWrite(n).map((write) => ({ kind: 'archive' as const, write }))),
  fc.tuple(fc.integer({ min: 1, max: 6 }), anyOutcome).map(([n, outcome]) => ({ kind: 'outcome' as const, uuid: uuidOfWrite(n), outcome })),
);
