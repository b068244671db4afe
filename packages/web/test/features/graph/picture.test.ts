import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTree } from '../../../src/features/graph/folding.ts';
import { CARD, layoutOf } from '../../../src/features/graph/layout.ts';
import { familyOf } from '../../../src/ui/tree-family.ts';
import { DETAILS, pictureOf, type Openness } from '../../../src/features/graph/picture.ts';
import { surroundingsOf } from '../../../src/features/graph/surroundings.ts';
import { anyTree, chain, node, sidechain, tree } from './trees.ts';

const anyOpenness: fc.Arbitrary<Openness> = fc.record({
  detail: fc.constantFrom(...DETAILS),
  toggled: fc
    .array(
      fc.tuple(
        fc.constantFrom('stretch', 'turn', 'branch', 'agent'),
        fc.constantFrom('u0', 'u1', 'u2', 'u3', 'u5', 'u8', 'a', 'b', 'c'),
        fc.boolean(),
      ),
    )
    .map((all) => new Map(all.map(([kind, id, isOpen]) => [`${kind}:${id}`, isOpen]))),
});
/** Everything that can be opened is. */
const ALL_OPEN: Openness = { detail: 'messages', toggled: new Map(['a', 'b', 'c', 'd', 'u3'].map((id) => [`agent:${id}`, true])) };

const anyDrawing = fc.tuple(anyTree, fc.oneof(anyOpenness, fc.constant(ALL_OPEN))).map(([session, openness]) => {
  const picture = pictureOf(foldTree(session), openness);
  return { session, picture, layout: layoutOf(picture) };
});

test('[PAGE-70] every record is in one card, however much is open: what all cards count together is the session', () => {
  fc.assert(
    fc.property(anyTree, (session) => {
      const { items } = pictureOf(foldTree(session), ALL_OPEN);
      const inCards = items.filter(({ isCard, kind }) => isCard && kind !== 'agent').reduce((sum, { records }) => sum + records, 0);
      const known = new Set(session.sidechains.map(({ agentId }) => agentId));
      const threads = foldTree(session).linked.threadOf;
      expect(inCards).toBe(threads.filter((thread) => thread === 'main' || known.has(thread)).length);
    }),
  );
});

test('[PAGE-70] a card has at most one line to it, from a card that stands before it in the outline', () => {
  fc.assert(
    fc.property(anyDrawing, ({ picture: { items, lines } }) => {
      expect(new Set(lines.map(({ to }) => to)).size).toBe(lines.length);
      expect(lines.every(({ from, to }) => from < to && items[from]?.isCard === true && items[to]?.isCard === true)).toBe(true);
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    }),
  );
});

test('[PAGE-72] no two cards overlap, and what goes on stands below or to the right of what it goes on from', () => {
  fc.assert(
    fc.property(anyDrawing, ({ picture: { items, lines }, layout: { x, y, isBeside, width, height } }) => {
      const cards = items.flatMap(({ isCard }, i) => (isCard ? [{ left: x[i] ?? 0, top: y[i] ?? 0 }] : []));
      const overlaps = cards.filter((a, n) =>
        cards.some((b, m) => m > n && Math.abs(a.left - b.left) < CARD.width && Math.abs(a.top - b.top) < CARD.height),
      );
      expect(overlaps).toEqual([]);
      expect(cards.every(({ left, top }) => left >= 0 && top >= 0 && left + CARD.width <= width + 1 && top + CARD.height <= height + 1)).toBe(true);
      const away = lines.filter(({ from, to }) =>
        isBeside[to] === 1 ? (x[to] ?? 0) < (x[from] ?? 0) + CARD.width : (y[to] ?? 0) < (y[from] ?? 0) + CARD.height,
      );
      expect(away).toEqual([]);
    }),
  );
});

test('[PAGE-72] the way that is read is straight past sub-agents, parallel results and folded branches', () => {
  const session = tree(
    [
      node('p1', null, { role: 'prompt' }),
      node('a1', 'p1'),
      node('a2', 'a1'),
      node('r1', 'a1', { role: 'result' }),
      node('r2', 'a2', { role: 'result' }),
      node('old', 'r2', { role: 'prompt' }),
      node('p2', 'r2', { role: 'prompt' }),
      node('a3', 'p2'),
    ],
    { sidechains: [sidechain('x', ['use'])], calls: new Map([['use', 'a2']]), leafUuid: 'a3' },
  );
  const picture = pictureOf(foldTree(session), { detail: 'messages', toggled: new Map([['branch:old', false]]) });
  const { x, isBeside } = layoutOf(picture);
  const cards = picture.items.flatMap(({ id, isCard, isActive }, i) => (isCard ? [{ id, isActive, x: x[i], isBeside: isBeside[i] === 1 }] : []));
  expect(cards.filter(({ isActive }) => isActive).map((card) => card.x)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(cards.filter((card) => card.isBeside).map(({ id }) => id)).toEqual(['agent:x', 'message:r1', 'branch:old']);
});

test('[PAGE-72] a conversation of 100,000 records is folded, pictured and laid out in proportion, and overflows no stack', () => {
  const steps = (length: number): number => {
    let count = 0;
    const tick = (): void => {
      count += 1;
    };
    const picture = pictureOf(foldTree(chain(length), tick), { detail: 'messages', toggled: new Map() }, tick);
    const { height } = layoutOf(picture, tick);
    expect(height).toBeGreaterThan(length * CARD.height);
    return count;
  };
  const [small, large] = [steps(10_000), steps(100_000)];
  expect(large / small).toBeLessThan(10.5);
});

test('[PAGE-72] a record with thousands of answers is laid out in proportion, too', () => {
  const steps = (width: number): number => {
    let count = 0;
    const tick = (): void => {
      count += 1;
    };
    const star = tree([node('top', null, { role: 'prompt' }), ...Array.from({ length: width }, (_, i) => node(`p${i}`, 'top', { role: 'prompt' }))]);
    layoutOf(pictureOf(foldTree(star, tick), { detail: 'turns', toggled: new Map() }, tick), tick);
    return count;
  };
  expect(steps(8000) / steps(800)).toBeLessThan(11);
});

test('[PAGE-75] the outline says of every line how deep it stands, and which of how many it is', () => {
  fc.assert(
    fc.property(anyDrawing, ({ picture: { items } }) => {
      const family = familyOf(items);
      const groups = new Map<number | undefined, { readonly i: number; readonly position: number; readonly setSize: number }[]>();
      family.forEach(({ parent, ...relative }, i) => groups.set(parent, [...(groups.get(parent) ?? []), { ...relative, i }]));
      for (const [parent, members] of groups) {
        expect(members.map(({ position, setSize }) => [position, setSize])).toEqual(members.map((_, n) => [n + 1, members.length]));
        expect(members.every(({ i }) => items[i]?.level === (parent === undefined ? 0 : (items[parent]?.level ?? 0)) + 1)).toBe(true);
      }
    }),
  );
});

test('[PAGE-75] whatever is open is told so, and what is folded is one line', () => {
  const session = tree(
    [
      node('p', null, { role: 'prompt' }),
      node('a', 'p'),
      node('s', null, { role: 'prompt', agentId: 'x', isSidechain: true }),
      node('t', 's', { agentId: 'x', isSidechain: true }),
    ],
    { sidechains: [sidechain('x', ['use'])], calls: new Map([['use', 'a']]), leafUuid: 'a' },
  );
  const outline = (openness: Openness): readonly string[] =>
    pictureOf(foldTree(session), openness).items.map(({ id, level, isOpen, isCard, folds }) =>
      [
        `${level} ${id}`,
        ...(isOpen === null ? [] : [isOpen ? 'open' : 'folded']),
        ...(isCard ? ['card'] : []),
        ...folds.map((fold) => `folds ${fold}`),
      ].join(', '),
    );
  expect(outline({ detail: 'turns', toggled: new Map() })).toEqual(['1 turn:p, folded, card', '1 agent:x, folded, card']);
  expect(outline({ detail: 'messages', toggled: new Map([['agent:x', true]]) })).toEqual([
    '1 turn:p, open',
    '2 message:p, card, folds turn:p',
    '2 message:a, card',
    '2 agent:x, open, card',
    '3 turn:s, open',
    '4 message:s, card, folds turn:s',
    '4 message:t, card',
  ]);
});

test('[PAGE-78] what is near a place is found without looking at the rest, and nothing that is to be seen there is missed', () => {
  const place = fc.integer({ min: -500, max: 6000 });
  fc.assert(
    fc.property(anyDrawing, place, place, ({ picture: { items, lines }, layout }, left, top) => {
      const drawn = items.map((item, i) => ({ ...item, x: layout.x[i] ?? 0, y: layout.y[i] ?? 0, isBeside: layout.isBeside[i] === 1 }));
      const [right, bottom] = [left + 900, top + 700];
      const near = surroundingsOf(drawn, lines, CARD)({ left, top, right, bottom });
      const seen = drawn.flatMap(({ isCard, x, y }, i) =>
        isCard && x <= right && x + CARD.width >= left && y <= bottom && y + CARD.height >= top ? [i] : [],
      );
      expect(seen.filter((i) => !near.cards.includes(i))).toEqual([]);
      expect(near.lines.flatMap((n) => [lines[n]?.from, lines[n]?.to]).filter((i) => !near.cards.includes(i ?? -1))).toEqual([]);
      const passing = lines.flatMap(({ from, to }, n) => {
        const [a, b] = [drawn[from], drawn[to]];
        return a !== undefined && b !== undefined && a.x === b.x && a.x <= right && a.x + CARD.width >= left && a.y <= bottom && b.y >= top
          ? [n]
          : [];
      });
      expect(passing.filter((n) => !near.lines.includes(n))).toEqual([]);
    }),
  );
});
