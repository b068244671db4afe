import { expect, test } from 'vitest';
import { beside, mainOf, prompt, reply, sessionOf, shapeOf } from './reading.ts';

/** Where a reader of history goes on above each record. */
const upsIn = (...lines: readonly object[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(shapeOf(mainOf(...lines)).spots.map(({ node, up }) => [node.uuid, up?.node.uuid ?? null]));

const boundary = (uuid: string, more: object = {}): object => beside('system', uuid, null, { subtype: 'compact_boundary', ...more });
const summary = (uuid: string, parent: string | null): object => prompt(uuid, parent, 'This session is being continued', { isCompactSummary: true });

const start = [prompt('u1', null), reply('a1', 'u1', 'm1')];

const compact = (i: number): readonly object[] => [
  { type: 'compact_prelude', uuid: `p${i}`, parentUuid: null, message: { content: 'Preserved message content...' } },
  { type: 'compact_recap', uuid: `q${i}`, parentUuid: `p${i}`, message: { content: 'Summary of compacted conversation...' } },
];

test('[DAG-9] at a compaction history goes on at the logical parent, also where that is not the record before', () => {
  expect(upsIn(...start, beside('attachment', 'x', 'u1'), boundary('b', { logicalParentUuid: 'a1' }), summary('s', 'b'), prompt('u2', 's'))).toEqual({
    u1: null,
    a1: 'u1',
    x: 'u1',
    b: 'a1',
    s: 'b',
    u2: 's',
  });
});

test.each([{}, { logicalParentUuid: null }, { logicalParentUuid: 'gone' }, { logicalParentUuid: 'b' }, { logicalParentUuid: 'u2' }])(
  '[DAG-9] a compaction with %j goes on at the record before it in the file',
  (more) => {
    expect(upsIn(...start, boundary('b', more), summary('s', 'b'), prompt('u2', 's'))).toEqual({ u1: null, a1: 'u1', b: 'a1', s: 'b', u2: 's' });
  },
);

test('[DAG-9] a summary without boundary goes on at the record before it', () => {
  expect(upsIn(...start, summary('s', null), prompt('u2', 's'))).toEqual({ u1: null, a1: 'u1', s: 'a1', u2: 's' });
});

test("[DAG-9] several compactions in the seed's form all go on", () => {
  expect(upsIn(...start, ...compact(1), prompt('u2', 'q1'), ...compact(2), prompt('u3', 'q2'))).toEqual({
    u1: null,
    a1: 'u1',
    p1: 'a1',
    q1: 'p1',
    u2: 'q1',
    p2: 'u2',
    q2: 'p2',
    u3: 'q2',
  });
});

test('[DAG-9] a compaction that is the first record has nothing before it', () => {
  expect(upsIn(boundary('b', { logicalParentUuid: 'elsewhere' }), summary('s', 'b'))).toEqual({ b: null, s: 'b' });
});

test('[DAG-10] an orphan goes on after the record before it and keeps its own parent', () => {
  const lines = [...start, prompt('o1', 'gone'), reply('o2', 'o1', 'm2'), prompt('o3', 'gone')];
  expect(upsIn(...lines)).toEqual({ u1: null, a1: 'u1', o1: 'a1', o2: 'o1', o3: 'o2' });
  const node = mainOf(...lines).graph.nodes.get('o1');
  expect([node?.parent, node?.entry.parentUuid]).toEqual([null, 'gone']);
});

test('[DAG-10] an orphan that is the first record has nothing before it', () => {
  expect(upsIn(prompt('o1', 'gone'), reply('a1', 'o1', 'm'))).toEqual({ o1: null, a1: 'o1' });
});

test('[DAG-10] a second root is no orphan and goes on nowhere', () => {
  expect(upsIn(...start, prompt('v1', null))).toEqual({ u1: null, a1: 'u1', v1: null });
});

test('[DAG-10] a record whose parent is in a sidechain goes on in its own thread', () => {
  expect(upsIn(...start, prompt('s1', 'a1', 's', { isSidechain: true }), prompt('u2', 's1'))).toEqual({ u1: null, a1: 'u1', u2: 'a1' });
});

test('[DAG-10] an orphan in a file goes on in that file once its parent is read elsewhere', () => {
  const session = sessionOf([
    { path: 'b.jsonl', lines: [prompt('v0', null), prompt('v1', 'u1')] },
    { path: 'a.jsonl', lines: [prompt('u1', null)] },
  ]);
  expect(shapeOf(session).spots.map(({ node, up }) => [node.uuid, up?.node.uuid ?? null])).toEqual([
    ['v0', null],
    ['v1', 'u1'],
    ['u1', null],
  ]);
});

test('[DAG-10] an orphan never goes on below itself', () => {
  expect(upsIn(prompt('c', 'p'), prompt('o', 'gone'), prompt('p', 'o'), prompt('q', 'c'))).toEqual({ c: 'p', o: null, p: 'o', q: 'c' });
});
