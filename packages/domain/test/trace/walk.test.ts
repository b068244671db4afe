import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createTieIndex,
  KINDS_OF_STRINGS,
  keyOfTie,
  leads,
  otherEnd,
  startWalk,
  startWays,
  type Strings,
  type Tie,
  type TieIndex,
  type Walked,
  type Way,
} from '../../src/index.ts';

const NODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

const anyTies = fc
  .array(fc.tuple(fc.constantFrom(...NODES), fc.constantFrom(...NODES), fc.constantFrom(...KINDS_OF_STRINGS)), { maxLength: 30 })
  .map((all) => all.map(([from, to, kind], at): Tie => ({ from, to, kind, at, by: null, entry: at, how: 'said', note: null })));

const indexOf = (ties: readonly Tie[]): TieIndex => {
  const index = createTieIndex();
  for (const tie of ties) index.add([tie]);
  return index;
};

const stringsIn = (index: TieIndex, nodes: readonly string[]): ReadonlyMap<string, Strings> =>
  new Map(nodes.map((node) => [node, { ties: index.tiesOf(node), degrees: index.degreesOf(node) }]));

const walked = (index: TieIndex, options: Partial<Parameters<typeof startWalk>[0]> = {}): Walked => {
  const walk = startWalk({ root: 'A', direction: 'both', depth: 2, limit: 500, fan: 500, ...options });
  for (let wanted = walk.wanted(); wanted.length > 0; wanted = walk.wanted()) walk.take(stringsIn(index, wanted));
  return walk.end();
};

const waysIn = (index: TieIndex, from: string, to: string, depth = 12): readonly Way[] => {
  const search = startWays(from, to, { depth, most: 10, budget: 1000 });
  for (let wanted = search.wanted(); wanted.length > 0; wanted = search.wanted()) search.take(stringsIn(index, wanted));
  return search.end();
};

/** How far everything is from a thing, found by looking at all ties again and again. */
const distances = (ties: readonly Tie[], root: string): ReadonlyMap<string, number> => {
  const found = new Map([[root, 0]]);
  for (let far = 0; far < NODES.length; far += 1)
    for (const tie of ties)
      for (const [here, there] of [
        [tie.from, tie.to],
        [tie.to, tie.from],
      ] as const)
        if (found.get(here) === far && !found.has(there)) found.set(there, far + 1);
  return found;
};

test('[TRACE-2] every string that is seen from one end is seen from the other', () => {
  fc.assert(
    fc.property(anyTies, (ties) => {
      const index = indexOf(ties);
      const keys = new Set(ties.filter(({ from, to }) => from !== to).map(keyOfTie));
      for (const node of NODES) {
        const own = index.tiesOf(node);
        expect(new Set(own.map(keyOfTie))).toEqual(new Set([...keys].filter((key) => key.split(' ').slice(1).includes(node))));
        for (const tie of own) expect(index.tiesOf(otherEnd(tie, node))).toContain(tie);
        const { in: arriving, out: leaving } = index.degreesOf(node);
        const count = [...Object.values(arriving), ...Object.values(leaving)].reduce((all, one) => all + one, 0);
        expect(count).toBe(own.length);
      }
    }),
  );
});

test('[TRACE-2] what is said again is one string, with the latest entry', () => {
  const said: Tie = { from: 'A', to: 'B', kind: 'cites', at: 1, by: 'AGENT-a', entry: 1, how: 'said', note: null };
  const index = indexOf([said, { ...said, kind: 'mentions', entry: 2 }, { ...said, at: 3, entry: 3 }]);
  expect(index.tiesOf('A').map(({ kind, entry }) => [kind, entry])).toEqual([
    ['cites', 3],
    ['mentions', 2],
  ]);
  expect(index.degreesOf('B')).toMatchObject({ in: { cites: 1, mentions: 1 }, out: {} });
});

test('[TRACE-3] a walk tells everything within its depth and nothing else, however the strings run in rings', () => {
  fc.assert(
    fc.property(anyTies, fc.integer({ min: 1, max: 6 }), (ties, depth) => {
      const { nodes, ties: told, cut } = walked(indexOf(ties), { depth });
      const far = distances(ties, 'A');
      expect(new Set(nodes)).toEqual(new Set(NODES.filter((node) => (far.get(node) ?? Infinity) <= depth)));
      const inside = ties.filter(({ from, to }) => from !== to && nodes.includes(from) && nodes.includes(to)).map(keyOfTie);
      expect(new Set(told.map(keyOfTie))).toEqual(new Set(inside));
      for (const [, more] of cut) expect(Math.min(...Object.values(more))).toBeGreaterThan(0);
    }),
  );
});

test('[TRACE-3] what is left out is counted: told and cut together are all strings of a thing', () => {
  fc.assert(
    fc.property(anyTies, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), (ties, limit, fan) => {
      const index = indexOf(ties);
      const { nodes, ties: told, cut } = walked(index, { limit, fan, depth: 3 });
      expect(nodes.length).toBeLessThanOrEqual(limit);
      for (const node of nodes) {
        const seen = told.filter(({ from, to }) => from === node || to === node).length;
        const left = Object.values(cut.get(node) ?? {}).reduce((all, one) => all + one, 0);
        expect(seen + left).toBe(index.tiesOf(node).length);
      }
    }),
  );
});

test('[TRACE-3] back and forward follow only strings that lead there', () => {
  fc.assert(
    fc.property(anyTies, fc.constantFrom('back' as const, 'forward' as const), (ties, direction) => {
      const index = indexOf(ties);
      const { nodes } = walked(index, { direction, depth: 1 });
      const led = index.tiesOf('A').filter((tie) => leads(tie, 'A', direction));
      expect(new Set(nodes)).toEqual(new Set(['A', ...led.map((tie) => otherEnd(tie, 'A'))]));
      // What leads back from one end leads forward from the other.
      for (const tie of led) expect(leads(tie, otherEnd(tie, 'A'), direction === 'back' ? 'forward' : 'back')).toBe(true);
    }),
  );
});

test('[TRACE-4] the ways that are found are the shortest, each of them real, and there is one whenever one exists', () => {
  fc.assert(
    fc.property(anyTies, fc.constantFrom(...NODES), fc.constantFrom(...NODES), (ties, from, to) => {
      const shortest = distances(ties, from).get(to);
      const ways = waysIn(indexOf(ties), from, to);
      expect(ways.length > 0).toBe(shortest !== undefined);
      for (const { nodes, ties: along } of ways) {
        expect([nodes[0], nodes.at(-1), nodes.length - 1]).toEqual([from, to, shortest]);
        const steps = nodes.slice(1).map((node, at) => [nodes[at] ?? '', node].toSorted().join());
        expect(new Set(along.map((tie) => [tie.from, tie.to].toSorted().join()))).toEqual(new Set(steps));
      }
      // Each once, however many strings there are between two things; and all of them, as long as there are few.
      const told = ways.map(({ nodes }) => nodes.join());
      expect(new Set(told).size).toBe(told.length);
      const all = shortestPaths(ties, from, to);
      expect(all).toEqual(expect.arrayContaining(told));
      expect(told).toHaveLength(Math.min(10, all.length));
    }),
  );
});

/** Every shortest path, found by going everywhere. */
const shortestPaths = (ties: readonly Tie[], from: string, to: string): readonly string[] => {
  let paths: readonly (readonly string[])[] = [[from]];
  for (let steps = 0; steps <= NODES.length && paths.length > 0; steps += 1) {
    const there = paths.filter((path) => path.at(-1) === to);
    if (there.length > 0) return [...new Set(there.map((path) => path.join()))];
    paths = [
      ...new Set(
        paths.flatMap((path) => {
          const at = path.at(-1) ?? '';
          return ties.flatMap((tie) => (tie.from === at || tie.to === at ? [[...path, otherEnd(tie, at)].join()] : []));
        }),
      ),
    ]
      .map((path) => path.split(','))
      .filter((path) => new Set(path).size === path.length);
  }
  return [];
};

test('[TRACE-4] a way that is longer than allowed is not told', () => {
  const chain = ['B', 'C', 'D', 'E'].map((to, at): Tie => {
    const from = NODES[at] ?? '';
    return { from, to, kind: 'cites', at, by: null, entry: at, how: 'said', note: null };
  });
  expect(waysIn(indexOf(chain), 'A', 'E', 4).map(({ nodes }) => nodes)).toEqual([['A', 'B', 'C', 'D', 'E']]);
  expect(waysIn(indexOf(chain), 'A', 'E', 3)).toEqual([]);
});
