import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyLedger, type Ledger } from '../src/ledger.ts';

test('[DIALECT-6] whatever is noted behind any earlier place, each place still knows what was known there', () => {
  const notes = fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2', null)), { maxLength: 30 });
  fc.assert(
    fc.property(notes, (all) => {
      const places: { readonly ledger: Ledger<string | null>; readonly known: ReadonlyMap<string, string | null> }[] = [
        { ledger: emptyLedger(), known: new Map() },
      ];
      for (const [seed, name, value] of all) {
        const from = places[seed % places.length];
        if (from !== undefined) places.push({ ledger: from.ledger.with(name, value), known: new Map(from.known).set(name, value) });
      }
      for (const { ledger, known } of places) for (const name of ['a', 'b', 'c', '__proto__']) expect(ledger.get(name)).toBe(known.get(name));
    }),
  );
});
