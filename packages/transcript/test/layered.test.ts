import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entriesIn, lookUp, NOTHING_LAYERED, put, type Layered } from '../src/envelopes/layered.ts';

const anyPuts = fc.array(fc.tuple(fc.nat({ max: 60 }).map(String), fc.option(fc.nat(), { nil: null })), { maxLength: 300 });

test('[ENV-4] a layered map holds what a map would, in the order it first came, and every earlier one still holds what it held', () => {
  fc.assert(
    fc.property(anyPuts, (puts) => {
      const plain = new Map<string, number | null>();
      let layered: Layered<number | null> = NOTHING_LAYERED;
      const before: { readonly layered: Layered<number | null>; readonly entries: readonly (readonly [string, number | null])[] }[] = [];
      for (const [key, value] of puts) {
        before.push({ layered, entries: [...plain] });
        layered = put(layered, key, value);
        plain.set(key, value);
      }
      for (const { layered: old, entries } of [...before, { layered, entries: [...plain] }]) {
        const known = new Map(entries);
        for (let key = 0; key <= 60; key += 1) expect(lookUp(old, String(key))).toBe(known.get(String(key)));
        expect(entriesIn(old)).toEqual(entries.filter(([, value]) => value !== null));
      }
    }),
    { numRuns: 20 },
  );
});
