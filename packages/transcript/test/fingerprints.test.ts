import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFingerprintTable, fingerprintAll } from '../src/fingerprints.ts';

describe('fingerprints', () => {
  test('[CONT-3] the table numbers ids as a map would, in the order they are first seen', () => {
    const ids = fc.array(fc.oneof(fc.uuid(), fc.constantFrom('a', 'b', 'c', '', 'msg_01', 'msg_10'), fc.string({ unit: 'binary', maxLength: 8 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(ids, ids, (added, asked) => {
        const table = createFingerprintTable();
        const model = new Map<string, number>();
        const words = fingerprintAll(added);
        added.forEach((id, i) => {
          const number = model.get(id) ?? model.size;
          model.set(id, number);
          expect(table.add(words, i)).toBe(number);
          expect(table.size()).toBe(model.size);
        });
        const questions = fingerprintAll(asked);
        expect(asked.map((_, i) => table.find(questions, i))).toEqual(asked.map((id) => model.get(id) ?? -1));
      }),
    );
  });

  test('[CONT-3] an id has the same fingerprint wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), (ids, n) => {
        const at = n % ids.length;
        expect([...fingerprintAll([ids[at] ?? ''])]).toEqual([...fingerprintAll(ids).subarray(at * 2, at * 2 + 2)]);
      }),
    );
  });

  test('[CONT-3] 200,000 ids that differ in a digit are 200,000 fingerprints, found again after the table has grown', () => {
    const ids = Array.from({ length: 200_000 }, (_, i) => `03eb5929-52b3-4b13-ada3-${String(i).padStart(12, '0')}`);
    const words = fingerprintAll(ids);
    const table = createFingerprintTable();
    for (let i = 0; i < ids.length; i += 1) table.add(words, i);
    expect(table.size()).toBe(ids.length);
    let wrong = 0;
    for (let i = 0; i < ids.length; i += 1) if (table.find(words, i) !== i) wrong += 1;
    expect(wrong).toBe(0);
    expect(table.find(fingerprintAll(['another']), 0)).toBe(-1);
  });

  test('[CONT-3] fingerprints that agree in one half are two, also in the same corner of the table', () => {
    const words = Uint32Array.from([7, 1, 7, 1 + 2048, 7 + 2048, 1]);
    const table = createFingerprintTable();
    expect([table.add(words, 0), table.add(words, 1), table.add(words, 2), table.find(words, 1)]).toEqual([0, 1, 2, 1]);
  });

  test('[CONT-3] an empty table knows nothing', () => {
    const table = createFingerprintTable();
    expect([table.size(), table.find(fingerprintAll(['x']), 0)]).toEqual([0, -1]);
  });
});
