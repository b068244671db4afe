import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAlike } from '../../src/live/likeness.ts';

const few = fc.constantFrom<unknown>(0, 1, 'x', null, undefined, Number.NaN);
// Of little, so that two of them often are the same.
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    few,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.record({ a: tie('value'), b: few }, { requiredKeys: [], noNullPrototype: true }),
    fc.array(few, { maxLength: 2 }).map((all) => new Set(all)),
  ),
})).value;

test('[PAGE-145] what is alike is equal', () => {
  fc.assert(
    fc.property(anything, anything, fc.integer({ min: 0, max: 4 }), (a, b, depth) => {
      expect(isAlike(a, b, depth) ? b : a).toStrictEqual(a);
    }),
  );
});

test('[PAGE-145] what is made anew of the same rows is alike, and of other rows is not', () => {
  const [row, other] = [{ words: ['x'] }, { words: ['x'] }];
  const made = () => ({ all: [row], count: 1, ids: new Set(['a']) });
  expect([
    isAlike(made(), made()),
    isAlike([made()], [made()], 3),
    isAlike({ ...made(), all: [other] }, made()),
    isAlike({ ...made(), ids: new Set(['b']) }, made()),
    isAlike({ ...made(), more: undefined }, made()),
    isAlike(new Map(), new Map()),
  ]).toEqual([true, true, false, false, false, false]);
});

test('[PAGE-145] a copy is alike to the depth it was made to', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true })), (rows) => {
      expect(isAlike([...rows], rows, 1)).toBe(true);
      expect(
        isAlike(
          rows.map((row) => ({ ...row })),
          rows,
          2,
        ),
      ).toBe(true);
    }),
  );
});
