import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnPlaces } from '../../src/runtimes/turn-places.ts';

test('[RT-61] no more than so many turns go on, the most urgent goes first, and whoever waits for a permission makes room', () => {
  const places = createTurnPlaces(1);
  const placed: string[] = [];
  const seat = (name: string, rank: number) => places.of(name, () => rank);
  const [a, b, c] = [seat('a', 2), seat('b', 2), seat('c', 0)];
  a.ask(() => placed.push('a'));
  b.ask(() => placed.push('b'));
  c.ask(() => placed.push('c'));
  expect(placed).toEqual(['a']);
  a.away(true);
  expect(placed).toEqual(['a', 'c']);
  a.away(false);
  c.leave();
  expect(placed).toEqual(['a', 'c']);
  a.leave();
  expect(placed).toEqual(['a', 'c', 'b']);
});

test('[RT-61] whatever seats do, nobody is forgotten and nobody too many', () => {
  const deed = fc.tuple(fc.constantFrom('ask', 'leave'), fc.nat(5));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(deed, { maxLength: 60 }), (most, deeds) => {
      const places = createTurnPlaces(most);
      const seats = Array.from({ length: 6 }, (_, i) => places.of(`${i}`, () => i % 2));
      const held = new Set<number>();
      const waiting = new Set<number>();
      for (const [what, i] of deeds) {
        if (what === 'ask' && !held.has(i) && !waiting.has(i)) {
          waiting.add(i);
          seats[i]?.ask(() => {
            waiting.delete(i);
            held.add(i);
          });
        }
        if (what === 'leave') {
          held.delete(i);
          waiting.delete(i);
          seats[i]?.leave();
        }
        expect(held.size).toBeLessThanOrEqual(most);
        expect(held.size === most || waiting.size === 0).toBe(true);
      }
    }),
  );
});
