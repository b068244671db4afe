import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outlineOf } from '../../../src/features/trace/outline-rows.ts';
import { NO_FILTERS, yarnAddressOf, yarnWishIn, type YarnWish } from '../../../src/features/trace/yarn-address.ts';
import {
  boardOf,
  keyOfUnfolded,
  lifted,
  looseCards,
  toggled,
  type Unfolded,
  type YarnBoard,
  type YarnFilters,
} from '../../../src/features/trace/yarn-board.ts';
import { answerTo, anyWeb, webOf, type Web } from './traces.ts';

const ROOT = 'MSG-0';
const FIRST: readonly Unfolded[] = [{ ref: ROOT, bundle: null, pages: 1 }];

const show = (web: Web, unfolded: readonly Unfolded[], filters: YarnFilters = NO_FILTERS): YarnBoard => {
  const all = [...FIRST, ...unfolded];
  return boardOf(ROOT, unfolded, new Map(all.map((one) => [keyOfUnfolded(one), answerTo(web, one)])), filters);
};

/** Unfolds and folds at random, and gives the board after each step. */
const walk = (
  web: Web,
  steps: readonly (readonly [number, number])[],
): readonly { readonly unfolded: readonly Unfolded[]; readonly board: YarnBoard }[] => {
  let unfolded = FIRST;
  const seen = [{ unfolded, board: show(web, unfolded) }];
  for (const [n, b] of steps) {
    const cards = [...(seen.at(-1)?.board.cards.values() ?? [])];
    const card = cards[n % cards.length];
    if (card === undefined) continue;
    unfolded = toggled(unfolded, card, b === 0 ? null : (card.bundles[b % Math.max(1, card.bundles.length)] ?? null));
    seen.push({ unfolded, board: show(web, unfolded) });
  }
  return seen;
};

const anySteps = fc.array(fc.tuple(fc.nat(100), fc.nat(3)), { maxLength: 8 });

describe('what is on a yarn board', () => {
  test('[PAGE-230] it opens with what the card in the middle hangs together with, and says of each card how much more there is', () => {
    const web = webOf(5, [
      [0, 1, 'cites'],
      [2, 0, 'cites'],
      [1, 3, 'rests-on'],
      [1, 4, 'rests-on'],
    ]);
    const { cards, strings } = show(web, FIRST);
    expect([...cards.keys()]).toEqual([ROOT, 'MSG-1', 'MSG-2']);
    expect(strings).toHaveLength(2);
    expect(cards.get('MSG-1')?.bundles).toEqual([{ end: 'out', kind: 'rests-on', shown: [], more: 2, isStacked: false }]);
    expect(cards.get('MSG-2')?.bundles).toEqual([]);
  });

  test('[PAGE-230] every string of every card is on the board or counted, and every card can be reached from the middle', () => {
    fc.assert(
      fc.property(anyWeb, anySteps, (web, steps) => {
        for (const { board } of walk(web, steps)) {
          for (const { node, from, bundles } of board.cards.values()) {
            expect(from === null ? node.ref : from.ref).toSatisfy((ref: string) => board.cards.has(ref));
            const all = Object.values<number | undefined>({ ...node.in }).concat(Object.values<number | undefined>({ ...node.out }));
            const told = bundles.reduce((sum, { shown, more }) => sum + shown.length + more, from === null ? 0 : 1);
            expect(told).toBe(all.reduce<number>((sum, n) => sum + (n ?? 0), 0));
          }
        }
      }),
    );
  });

  test('[PAGE-230] folding takes back what unfolding brought', () => {
    fc.assert(
      fc.property(anyWeb, anySteps, fc.nat(100), (web, steps, n) => {
        const { unfolded, board } = walk(web, steps).at(-1) ?? { unfolded: FIRST, board: show(web, FIRST) };
        const closed = [...board.cards.values()].filter(({ node, bundles }) => bundles.length > 0 && !unfolded.some(({ ref }) => ref === node.ref));
        const card = closed[n % Math.max(1, closed.length)];
        if (card === undefined) return;
        const open = toggled(unfolded, card, null);
        const again = show(web, open).cards.get(card.node.ref);
        expect(again === undefined ? [] : [...show(web, toggled(open, again, null)).cards.keys()]).toEqual([...board.cards.keys()]);
      }),
    );
  });

  test('[PAGE-232] of more than sixty of a kind sixty are laid out and the others are a stack, from which the next sixty are taken', () => {
    const web = webOf(
      151,
      Array.from({ length: 150 }, (_, n) => [0, n + 1, 'said'] as const),
    );
    const first = show(web, FIRST);
    const [stack] = first.cards.get(ROOT)?.bundles ?? [];
    expect([first.cards.size, stack?.more, stack?.isStacked]).toEqual([61, 90, true]);
    expect(looseCards(first).at(1)?.id).toBe('MSG-0 out.said');
    const unfolded = lifted(FIRST, ROOT, { end: 'out', kind: 'said' });
    const second = show(web, unfolded);
    expect([second.cards.size, second.cards.get(ROOT)?.bundles[0]?.more]).toEqual([121, 30]);
    const third = show(web, lifted(unfolded, ROOT, { end: 'out', kind: 'said' }));
    expect([third.cards.size, third.cards.get(ROOT)?.bundles[0]?.isStacked]).toEqual([151, false]);
  });

  test('[PAGE-238] filters only take away, and leave no card without its way to the middle', () => {
    const anyFilters = fc.record({
      strings: fc.subarray(['cites', 'said', 'rests-on'] as const),
      cards: fc.subarray(['message', 'record'] as const),
      person: fc.constantFrom('', 'AGENT-0', 'AGENT-1'),
      since: fc.constant(''),
      until: fc.constant(''),
    });
    fc.assert(
      fc.property(anyWeb, anySteps, anyFilters, (web, steps, filters) => {
        const { unfolded, board } = walk(web, steps).at(-1) ?? { unfolded: FIRST, board: show(web, FIRST) };
        const narrowed = show(web, unfolded, filters);
        expect(narrowed.cards.has(ROOT)).toBe(true);
        for (const [ref, { from, node }] of narrowed.cards) {
          expect(board.cards.has(ref)).toBe(true);
          if (from === null) continue;
          expect(narrowed.cards.has(from.ref)).toBe(true);
          expect(filters.cards.length === 0 || filters.cards.some((kind) => kind === node.kind)).toBe(true);
        }
        expect(narrowed.strings.every(({ kind }) => filters.strings.length === 0 || filters.strings.some((one) => one === kind))).toBe(true);
      }),
    );
  });
});

test('[PAGE-236] the outline has every card once with what hangs on it, and every line a name of its own', () => {
  fc.assert(
    fc.property(anyWeb, anySteps, (web, steps) => {
      for (const { board } of walk(web, steps)) {
        const rows = outlineOf(board);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        expect(
          rows
            .filter(({ kind }) => kind === 'card')
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual([...board.cards.keys()].toSorted());
        rows.forEach(({ level }, n) => expect(level).toBeLessThanOrEqual((rows[n - 1]?.level ?? 0) + 1));
      }
    }),
  );
});

describe('the address of a yarn board', () => {
  const anyRef = fc.oneof(
    fc.constantFrom('MSG-12', 'SCRATCH-4:FINDING-2', 'src/~a b.ts', 'https://example.org/?a=1&b=%20'),
    fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  );
  const anyUnfolded: fc.Arbitrary<Unfolded> = fc.oneof(
    anyRef.map((ref) => ({ ref, bundle: null, pages: 1 })),
    fc.record({
      ref: anyRef,
      bundle: fc.record({ end: fc.constantFrom('in' as const, 'out' as const), kind: fc.constantFrom('cites' as const, 'rests-on' as const) }),
      pages: fc.integer({ min: 1, max: 8 }),
    }),
  );

  test('[PAGE-235] what is unfolded, filtered and chosen survives a round trip through the address', () => {
    const anyWish: fc.Arbitrary<YarnWish> = fc.record({
      unfolded: fc.option(fc.array(anyUnfolded, { maxLength: 12 }), { nil: null }),
      filters: fc.record({
        strings: fc.subarray(['cites', 'rests-on'] as const),
        cards: fc.subarray(['message', 'gold'] as const),
        person: fc.constantFrom('', 'AGENT-research'),
        since: fc.constantFrom('', '2026-01-31'),
        until: fc.constantFrom('', '2026-02-01'),
      }),
      chosen: fc.uniqueArray(anyRef, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(anyWish, (wish) => {
        const sorted = { ...wish.filters, strings: KINDS.filter((kind) => wish.filters.strings.includes(kind)) };
        expect(yarnWishIn(new URLSearchParams(yarnAddressOf(wish).toString()))).toEqual({ ...wish, filters: sorted });
      }),
    );
  });

  test('[PAGE-235] an address that nobody could have made is read as far as it goes, and none becomes too long', () => {
    expect(yarnWishIn(new URLSearchParams('open=MSG-1~out.nonsense MSG-2~in.cites~999&since=yesterday&strings=cites,x&ways=A B C'))).toEqual({
      unfolded: [{ ref: 'MSG-2', bundle: { end: 'in', kind: 'cites' }, pages: 8 }],
      filters: NO_FILTERS,
      chosen: ['A', 'B'],
    });
    const many = Array.from({ length: 2000 }, (_, n): Unfolded => ({ ref: `MSG-${n}`, bundle: null, pages: 1 }));
    const address = yarnAddressOf({ unfolded: many, filters: NO_FILTERS, chosen: [] });
    expect(address.toString().length).toBeLessThan(8000);
    expect(yarnWishIn(address).unfolded?.at(-1)?.ref).toBe('MSG-1999');
  });
});

const KINDS = ['rests-on', 'cites'] as const;
