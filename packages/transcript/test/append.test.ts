import { expect, test } from 'vitest';
import { childrenOf } from '../src/graph.ts';
import { activePath, branchesOf, type Change, type Node, type Session } from '../src/index.ts';
import { add, emptySession, grown, prompt, reply, result, shapeOf, use } from './reading.ts';

const told = ({ node, duplicateOf, adopted, paired }: Change): object => ({
  node: node?.uuid,
  duplicateOf: duplicateOf?.uuid,
  adopted: adopted.map((one) => one.uuid),
  paired,
});

test('[DAG-8] appending tells the new node, what it adopted, what it paired, or of what it is a duplicate', () => {
  const session = emptySession();
  const changes = [prompt('c', 'p'), reply('p', null, 'm', [use('t')]), result('r', 'p', 't'), prompt('p', null), { type: 'mode' }].map((value) =>
    told(add(session, value)),
  );
  expect(changes).toEqual([
    { node: 'c', duplicateOf: undefined, adopted: [], paired: [] },
    { node: 'p', duplicateOf: undefined, adopted: ['c'], paired: [] },
    { node: 'r', duplicateOf: undefined, adopted: [], paired: ['t'] },
    { node: undefined, duplicateOf: 'p', adopted: [], paired: [] },
    { node: undefined, duplicateOf: undefined, adopted: [], paired: [] },
  ]);
});

/** A chain of prompts, replies with a tool use, and results, some of which repeat a tool id. */
const line = (i: number): object => {
  const parent = i === 0 ? null : `n${i - 1}`;
  if (i % 3 === 0) return prompt(`n${i}`, parent);
  return i % 3 === 1 ? reply(`n${i}`, parent, `m${i}`, [use(`t${i % 5}`)]) : result(`n${i}`, parent, `t${i % 5}`);
};
const ofSize = (size: number): Session => grown(Array.from({ length: size }, (_, i) => line(i)));

/** How often a session looks into its maps while it takes some records. */
const lookups = (size: number, records: number): number => {
  const session = ofSize(size);
  let count = 0;
  for (const map of [...Object.values(session), ...Object.values(session.graph)]) {
    if (!(map instanceof Map)) continue;
    for (const name of ['get', 'has', 'set'] as const) {
      const original = map[name].bind(map) as (...args: readonly unknown[]) => unknown;
      Object.defineProperty(map, name, { value: (...args: readonly unknown[]) => ((count += 1), original(...args)) });
    }
    for (const name of ['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const)
      Object.defineProperty(map, name, { value: () => expect.unreachable('a walk over everything there is') });
  }
  for (let i = size; i < size + records; i += 1) add(session, line(i));
  return count;
};

test('[DAG-8] a record costs as many lookups in a session of 1,000 records as in one of 50,000', () => {
  const small = lookups(1005, 150);
  expect(small).toBeGreaterThan(150);
  expect(lookups(49_995, 150)).toBe(small);
});

const chain = Array.from({ length: 100_000 }, (_, i) =>
  i % 2 === 0 ? prompt(`n${i}`, i === 0 ? null : `n${i - 1}`) : reply(`n${i}`, `n${i - 1}`, `m${i}`),
);

test.each([
  ['in order', chain],
  ['reversed', chain.toReversed()],
] as const)('[DAG-11] a chain of 100,000 records is read and walked %s', (_, records) => {
  const session = grown(records);
  const shape = shapeOf(session);
  const path = activePath(session, shape);
  expect([
    session.graph.nodes.size,
    [...session.graph.nodes.values()].filter((node) => node.parent === null).length,
    session.graph.cycles.length,
    branchesOf(shape).length,
  ]).toEqual([100_000, 1, 0, 0]);
  expect([path.leaf?.uuid, path.nodes.length]).toEqual(['n99999', 100_000]);
});

test('[DAG-11] 10,000 children of one parent are 10,000 ways to go on, the last of them active', () => {
  const session = grown([prompt('p', null), ...Array.from({ length: 10_000 }, (_, i) => prompt(`c${i}`, 'p'))]);
  const shape = shapeOf(session);
  expect(childrenOf(session.graph.nodes.get('p') as Node)).toHaveLength(10_000);
  expect(branchesOf(shape).map(({ parent, children }) => [parent.uuid, children.length])).toEqual([['p', 10_000]]);
  expect(activePath(session, shape).nodes.map((node) => node.uuid)).toEqual(['p', 'c9999']);
});

test('[DAG-11] 10,000 children that came before their parent are adopted at once', () => {
  const session = grown(Array.from({ length: 10_000 }, (_, i) => prompt(`c${i}`, 'p')));
  expect(add(session, prompt('p', null)).adopted).toHaveLength(10_000);
});
