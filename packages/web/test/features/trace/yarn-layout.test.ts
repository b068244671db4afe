import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pinCards, spotOf, YARN_CARD, type LooseCard, type Pinned, type Spot } from '../../../src/features/trace/yarn-layout.ts';

const ROOT: LooseCard = { id: 'root', at: 500, from: null, side: 'after' };

/** Boards as they grow: every card hangs on one that is there, times are close enough to be equal now and then. */
const anyBoard = fc
  .array(
    fc.record({
      on: fc.nat(),
      at: fc.option(fc.integer({ min: 0, max: 1000 }), { freq: 8, nil: null }),
      side: fc.constantFrom('before' as const, 'after' as const),
    }),
    { maxLength: 120 },
  )
  .map((parts) => [
    ROOT,
    ...parts.map(({ on, at, side }, n): LooseCard => ({ id: `c${n}`, at, side, from: on % (n + 1) === 0 ? 'root' : `c${(on % (n + 1)) - 1}` })),
  ]);

const cellsOf = (pinned: Pinned): readonly string[] => [...pinned.values()].map(({ column, row }) => `${column} ${row}`);

const isOrdered = (cards: readonly LooseCard[], pinned: Pinned): boolean => {
  const timed = cards
    .flatMap(({ id, at }) => (at === null ? [] : [{ at, column: pinned.get(id)?.column ?? Number.NaN }]))
    .toSorted((a, b) => a.at - b.at);
  let rightmost = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < timed.length;) {
    const { at } = timed[n] ?? { at: 0 };
    const same = timed.filter((one) => one.at === at);
    if (same.some(({ column }) => column < rightmost)) return false;
    rightmost = Math.max(rightmost, ...same.map(({ column }) => column));
    n += same.length;
  }
  return true;
};

describe('how the cards of a yarn board are pinned', () => {
  test('[PAGE-231] no two cards overlap, and the card asked for is in the middle', () => {
    fc.assert(
      fc.property(anyBoard, (cards) => {
        const pinned = pinCards(new Map(), cards);
        expect(pinned.size).toBe(cards.length);
        expect(new Set(cellsOf(pinned)).size).toBe(cards.length);
        expect(pinned.get('root')).toEqual({ column: 0, row: 0 });
      }),
    );
    const [here, right, below] = [spotOf({ column: 0, row: 0 }), spotOf({ column: 1, row: 0 }), spotOf({ column: 0, row: 1 })];
    expect(right.x - here.x).toBeGreaterThan(YARN_CARD.width);
    expect(below.y - here.y).toBeGreaterThan(YARN_CARD.height);
  });

  test('[PAGE-231] what is earlier is never to the right of what is later; earlier than the middle is left of it', () => {
    fc.assert(
      fc.property(anyBoard, (cards) => {
        const pinned = pinCards(new Map(), cards);
        expect(isOrdered(cards, pinned)).toBe(true);
        for (const { id, at } of cards) {
          const column = pinned.get(id)?.column ?? Number.NaN;
          expect(at === null || at === 500 || Math.sign(column) === Math.sign(at - 500)).toBe(true);
        }
      }),
    );
  });

  test('[PAGE-231] what is added or folded moves nothing, in however many steps', () => {
    fc.assert(
      fc.property(anyBoard, fc.array(fc.nat(120), { maxLength: 4 }), fc.nat(200), (cards, cuts, gone) => {
        let pinned: Pinned = new Map();
        for (const cut of [...cuts.toSorted((a, b) => a - b), cards.length]) {
          const shown = cards.slice(0, cut + 1);
          const next = pinCards(pinned, shown);
          for (const [id, cell] of pinned) expect(next.get(id)).toEqual(cell);
          pinned = next;
        }
        const left = cards.filter(({ id }) => id === 'root' || id !== `c${gone}`);
        const folded = pinCards(pinned, left);
        for (const { id } of left) expect(folded.get(id)).toEqual(pinned.get(id));
        const again = pinCards(folded, cards);
        expect(isOrdered(cards, again)).toBe(true);
        expect(new Set(cellsOf(again)).size).toBe(cards.length);
      }),
    );
  });

  test('[PAGE-231] nothing is pinned under a card that somebody has moved', () => {
    const anySpot = fc.record({ x: fc.integer({ min: -2000, max: 2000 }), y: fc.integer({ min: -2000, max: 2000 }) });
    fc.assert(
      fc.property(anyBoard, anySpot, (cards, moved) => {
        const pinned = pinCards(new Map([['root', { column: 0, row: 0 }]]), cards, new Map([['elsewhere', moved]]));
        expect([...pinned].filter(([id, cell]) => id !== 'root' && overlaps(spotOf(cell), moved))).toEqual([]);
      }),
    );
  });

  test('[PAGE-231] a hub of 2,000 cards is pinned in columns around the middle', () => {
    const cards = [ROOT, ...Array.from({ length: 2000 }, (_, n): LooseCard => ({ id: `c${n}`, at: n, from: 'root', side: 'after' }))];
    const pinned = pinCards(new Map(), cards);
    expect(isOrdered(cards, pinned)).toBe(true);
    expect(Math.max(...[...pinned.values()].map(({ row }) => Math.abs(row)))).toBeLessThan(20);
  });
});

const overlaps = (a: Spot, b: Spot): boolean => Math.abs(a.x - b.x) < YARN_CARD.width && Math.abs(a.y - b.y) < YARN_CARD.height;
