import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTree } from '../../../src/features/graph/folding.ts';
import { linkNodes } from '../../../src/features/graph/linking.ts';
import { anyTree, chain, node, sidechain, tree } from './trees.ts';

test('[PAGE-70] every record is in exactly one run, and a run is in at most one stretch', () => {
  fc.assert(
    fc.property(anyTree, (session) => {
      const { runs, runOf, stretches, stretchOf } = foldTree(session);
      const members = runs.flatMap((run) => run.members);
      expect(members.toSorted((a, b) => a - b)).toEqual(session.nodes.map((_, i) => i));
      expect(members.map((member) => runOf[member])).toEqual(runs.flatMap((run) => run.members.map(() => run.index)));
      expect(runs.map(({ index }) => stretches.findIndex((stretch) => stretch.runs.includes(index)))).toEqual([...stretchOf]);
      expect(stretches.flatMap((stretch) => stretch.runs)).toHaveLength(runs.filter(({ index }) => (stretchOf[index] ?? -1) >= 0).length);
    }),
  );
});

test('[PAGE-70] parents are kept: a record hangs on its parent wherever that is in its thread and closes no circle', () => {
  fc.assert(
    fc.property(anyTree, (session) => {
      const { up, how, threadOf, indexOf, order } = linkNodes(session);
      const kept = session.nodes.map(({ parentUuid }, i) => how[i] !== 'own' || up[i] === indexOf.get(parentUuid ?? ''));
      const inThread = [...up].map((parent, i) => parent < 0 || threadOf[parent] === threadOf[i]);
      const place = new Map([...order].map((at, n) => [at, n]));
      const parentsFirst = [...up].map((parent, i) => parent < 0 || (place.get(parent) ?? 0) < (place.get(i) ?? 0));
      expect([...kept, ...inThread, ...parentsFirst].every(Boolean)).toBe(true);
      expect([...order].toSorted((a, b) => a - b)).toEqual(session.nodes.map((_, i) => i));
    }),
  );
});

test('[PAGE-70] runs hang on one another as their records do, and what goes on is one of them', () => {
  fc.assert(
    fc.property(anyTree, (session) => {
      const { runs, runOf, linked } = foldTree(session);
      expect(runs.map(({ up }) => up)).toEqual(
        runs.map(({ members: [first = -1] }) => ((linked.up[first] ?? -1) < 0 ? -1 : runOf[linked.up[first] ?? -1])),
      );
      expect(runs.map(({ downs }) => downs)).toEqual(runs.map(({ index }) => runs.filter(({ up }) => up === index).map((run) => run.index)));
      expect(runs.every(({ downs, next }) => (downs.length === 0 ? next === -1 : downs.includes(next)))).toBe(true);
    }),
  );
});

test('[PAGE-70] every sub-agent has one place: the record that called it, or none', () => {
  fc.assert(
    fc.property(anyTree, (session) => {
      const { runs, looseAgents } = foldTree(session);
      const called = runs.flatMap(({ agents }) => agents.map(({ agentId }) => agentId));
      expect([...called, ...looseAgents].toSorted()).toEqual(session.sidechains.map(({ agentId }) => agentId).toSorted());
    }),
  );
});

test('[PAGE-71] a turn is a prompt and everything until the next one; results of parallel tools do not branch', () => {
  const session = tree(
    [
      node('p1', null, { role: 'prompt' }),
      node('a1', 'p1'),
      node('a2', 'a1'),
      node('r1', 'a1', { role: 'result', isError: true }),
      node('r2', 'a2', { role: 'result' }),
      node('a3', 'r2'),
      node('p2', 'a3', { role: 'prompt' }),
      node('a4', 'p2'),
      node('p3', 'a3', { role: 'prompt' }),
      node('b', 'p3', { role: 'boundary', parentUuid: null }),
      node('s', 'b', { role: 'summary' }),
      node('a5', 's'),
      node('x', 'gone'),
    ],
    {
      branches: [
        {
          parentUuid: 'a3',
          children: [
            { uuid: 'p2', active: false, messages: 2 },
            { uuid: 'p3', active: true, messages: 3 },
          ],
        },
      ],
      leafUuid: 'a5',
    },
  );
  const { runs, linked } = foldTree(session);
  expect(
    runs.map(({ members, kind, up, isLost, isByOrder, isActive, branch, next }) => ({
      uuids: members.map((i) => linked.nodes[i]?.uuid).join(' '),
      kind,
      up,
      next,
      is: [...(isLost ? ['lost'] : []), ...(isByOrder ? ['by order'] : []), ...(isActive ? ['active'] : [])].join(', '),
      branch,
    })),
  ).toEqual([
    { uuids: 'p1 a1 a2 r2 a3 r1', kind: 'turn', up: -1, next: 2, is: 'active', branch: null },
    { uuids: 'p2 a4', kind: 'turn', up: 0, next: -1, is: '', branch: { at: 1, of: 2 } },
    { uuids: 'p3', kind: 'turn', up: 0, next: 3, is: 'active', branch: { at: 2, of: 2 } },
    { uuids: 'b s', kind: 'compaction', up: 2, next: 4, is: 'by order, active', branch: null },
    { uuids: 'a5', kind: 'turn', up: 3, next: 5, is: 'active', branch: null },
    { uuids: 'x', kind: 'turn', up: 4, next: -1, is: 'lost, by order', branch: null },
  ]);
  expect(runs[0]?.counts).toEqual({ messages: 6, turns: 1, operations: 2, errors: 1, agents: 0 });
  expect(runs[0]?.total).toEqual({ messages: 12, turns: 6, operations: 2, errors: 1, agents: 0 });
});

test('[PAGE-71] sub-agents of old files, which have no id, are told apart by the records they begin with', () => {
  const aside = { isSidechain: true } as const;
  const session = tree(
    [
      node('p', null, { role: 'prompt' }),
      node('call', 'p'),
      node('s1', null, { ...aside, role: 'prompt' }),
      node('s2', 's1', aside),
      node('t1', 's2', { ...aside, role: 'prompt' }),
      node('s3', 's2', aside),
      node('after', 'call', { role: 'result' }),
      node('after_tool_0', 'after', { ...aside, type: 'tool_use' }),
    ],
    { sidechains: [sidechain('s1', ['use']), sidechain('t1')], calls: new Map([['use', 'call']]) },
  );
  const { runs, topsOf, looseAgents } = foldTree(session);
  expect(linkNodes(session).threadOf).toEqual(['main', 'main', 's1', 's1', 't1', 's1', 'main', 'main']);
  expect(runs.flatMap(({ agents }) => agents)).toEqual([
    { agentId: 's1', node: 1 },
    { agentId: 't1', node: 3 },
  ]);
  expect({ tops: Object.fromEntries(topsOf), looseAgents }).toEqual({ tops: { main: [0], s1: [1], t1: [2] }, looseAgents: [] });
});

test('[PAGE-71] turns in a row are one stretch of 25 at most; the first, the last and what branches stay', () => {
  const { runs, stretches } = foldTree(chain(7 * 60));
  expect(runs).toHaveLength(60);
  expect(stretches.map(({ runs: [first], runs: all }) => ({ first, length: all.length }))).toEqual([
    { first: 1, length: 25 },
    { first: 26, length: 25 },
    { first: 51, length: 8 },
  ]);
});

test('[PAGE-72] folding takes steps in proportion to the session, and none of them is recursive', () => {
  const steps = (length: number): number => {
    let count = 0;
    foldTree(chain(length), () => {
      count += 1;
    });
    return count;
  };
  const [small, large] = [steps(10_000), steps(100_000)];
  expect(large / small).toBeLessThan(10.5);
});

test('[PAGE-70] a record of the main thread whose parent stands with a sub-agent goes on after the one before it', () => {
  const nodes = [
    node('u', null, { role: 'prompt' }),
    node('a', 'u'),
    node('x', null, { agentId: 'helper', isSidechain: true }),
    node('p', 'x', { role: 'progress' }),
    node('b', 'p'),
  ];
  const { linked, runs } = foldTree(tree(nodes, { sidechains: [sidechain('helper')], trail: { joins: new Map([['p', 'a']]), turns: new Set() } }));
  expect(linked.up[3]).toBe(1);
  expect(foldTree(tree(nodes, { sidechains: [sidechain('helper')] })).linked.up[3]).toBe(1);
  expect(runs.filter(({ thread }) => thread === 'main')).toHaveLength(1);
});

test('[PAGE-70] a conversation that ends with commands goes on after them', () => {
  const nodes = [
    node('u', null, { role: 'prompt' }),
    node('a', 'u'),
    node('c', 'a', { role: 'command' }),
    node('o', 'c', { role: 'output' }),
    node('s', 'o', { role: 'system' }),
  ];
  const { linked, leaf } = foldTree(tree(nodes, { leafUuid: 'a', trail: { joins: new Map(), turns: new Set() } }));
  expect([linked.nodes[leaf]?.uuid, [...linked.isActive], [...linked.isSpine]]).toEqual(['o', [1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]);
});

test('[PAGE-70] results beside the way are on the active path where the conversation shows them', () => {
  const nodes = [node('u', null, { role: 'prompt' }), node('a', 'u'), node('r1', 'a', { role: 'result' }), node('b', 'a'), node('dead', 'a')];
  const { linked } = foldTree(tree(nodes, { leafUuid: 'b', trail: { joins: new Map(), turns: new Set(['dead']) } }));
  expect([[...linked.isActive], [...linked.isSpine]]).toEqual([
    [1, 1, 1, 1, 0],
    [1, 1, 0, 1, 0],
  ]);
});
