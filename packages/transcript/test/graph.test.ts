import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childrenOf, isOrphan } from '../src/graph.ts';
import { activePath, type Node, type Session } from '../src/index.ts';
import { add, emptySession, grown, mainOf, prompt, record, reply, result, sessionOf, shapeOf, task, times, use } from './reading.ts';

const nodesOf = (session: Session): readonly Node[] => [...session.graph.nodes.values()];
const uuids = (nodes: Iterable<Node>): readonly string[] => [...nodes].map((node) => node.uuid).sort();

/** Everything about the graph that the order of lines may not change, as long as nothing goes round in a circle. */
const graphOf = (session: Session): object => ({
  nodes: uuids(nodesOf(session)),
  edges: nodesOf(session)
    .filter((node) => node.parent !== null)
    .map((node) => `${node.uuid} under ${node.parent?.uuid ?? ''}`)
    .sort(),
  roots: uuids(nodesOf(session).filter((node) => node.entry.parentUuid === null)),
  orphans: uuids(nodesOf(session).filter(isOrphan)),
  cycles: session.graph.cycles.length,
  pairs: [...session.uses.keys()].filter((id) => session.results.has(id)).sort(),
});

/** Parents and children agree, and every walk up ends at a node without parent. */
const expectSound = (session: Session): void => {
  const nodes = nodesOf(session);
  const depths = new Map<Node, number>();
  for (const node of nodes) {
    expect(childrenOf(node).every((child) => child.parent === node)).toBe(true);
    let steps = 0;
    for (let at: Node | null = node; at !== null && steps <= nodes.length; at = at.parent) steps += 1;
    depths.set(node, steps);
  }
  expect(Math.max(0, ...depths.values())).toBeLessThanOrEqual(nodes.length);
  expect(nodes.reduce((sum, node) => sum + childrenOf(node).length, 0)).toBe(nodes.filter((node) => node.parent !== null).length);
};

/** A record of some kind; tool ids come from a small pool so that some pair, some do not and some repeat. */
const recordOf = (i: number, parent: string | null, kind: number): object => {
  const tool = `t${kind % 5}`;
  if (kind % 3 === 0) return prompt(`n${i}`, parent);
  return kind % 3 === 1 ? reply(`n${i}`, parent, `m${i}`, [use(tool)]) : result(`n${i}`, parent, tool);
};

const NOWHERE = -1;
const MISSING = -2;
const parentName = (parent: number): string | null => (parent === NOWHERE ? null : parent === MISSING ? 'missing' : `n${parent}`);

/** Records whose parents are earlier ones, none or missing, and a shuffle of them. */
const shuffledForest = fc
  .array(fc.record({ pick: fc.integer({ min: MISSING, max: 1000 }), kind: fc.nat({ max: 14 }) }), { maxLength: 30 })
  .map((rows) => rows.map(({ pick, kind }, i) => recordOf(i, parentName(pick < 0 ? pick : i === 0 ? NOWHERE : pick % i), kind)))
  .chain((records) => fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })));

/** Records whose parents may be anything, themselves included. */
const anyParents = fc
  .array(fc.integer({ min: MISSING, max: 1000 }), { minLength: 1, maxLength: 25 })
  .map((picks) => picks.map((pick) => (pick < 0 ? pick : pick % picks.length)));

const cyclesAmong = (parents: readonly number[]): number => {
  const onCycle = parents.map((_, start) => {
    const seen = new Set<number>();
    let at = parents[start] ?? NOWHERE;
    while (at >= 0 && at !== start && !seen.has(at)) {
      seen.add(at);
      at = parents[at] ?? NOWHERE;
    }
    return at === start ? Math.min(start, ...seen) : null;
  });
  return new Set(onCycle.filter((least) => least !== null)).size;
};

describe('edges', () => {
  test('[DAG-1] parents make edges and a null parent makes a root', () => {
    const session = mainOf(prompt('u1', null), reply('a1', 'u1', 'm1'), prompt('u2', 'a1'), prompt('u3', 'a1'), prompt('v1', null));
    expect(graphOf(session)).toEqual({
      nodes: ['a1', 'u1', 'u2', 'u3', 'v1'],
      edges: ['a1 under u1', 'u2 under a1', 'u3 under a1'],
      roots: ['u1', 'v1'],
      orphans: [],
      cycles: 0,
      pairs: [],
    });
    expect(childrenOf(session.graph.nodes.get('a1') as Node).map((node) => node.uuid)).toEqual(['u2', 'u3']);
  });

  test('[DAG-1] state has no place in the graph, unknown kinds with uuid and parent have', () => {
    const session = mainOf(
      { type: 'summary', summary: 's', leafUuid: 'u1' },
      prompt('u1', null),
      { type: 'new', uuid: 'n1', parentUuid: 'u1' },
      prompt('u2', 'n1'),
    );
    expect(graphOf(session)).toEqual({
      nodes: ['n1', 'u1', 'u2'],
      edges: ['n1 under u1', 'u2 under n1'],
      roots: ['u1'],
      orphans: [],
      cycles: 0,
      pairs: [],
    });
  });

  test('[DAG-1] uuids that name object internals are uuids like any other', () => {
    const session = mainOf(prompt('__proto__', null), prompt('constructor', '__proto__'), prompt('toString', 'hasOwnProperty'));
    expect(graphOf(session)).toEqual({
      nodes: ['__proto__', 'constructor', 'toString'],
      edges: ['constructor under __proto__'],
      roots: ['__proto__'],
      orphans: ['toString'],
      cycles: 0,
      pairs: [],
    });
  });

  test('[DAG-2] any order of the lines gives the same nodes, edges, roots, orphans, cycles and pairs', () => {
    fc.assert(
      fc.property(shuffledForest, ([records, shuffled]) => {
        const session = grown(shuffled);
        expect(graphOf(session)).toEqual(graphOf(grown(records)));
        expectSound(session);
      }),
      times(3),
    );
  });

  test('[DAG-3] a parent that comes after its child is counted as late, once for each child', () => {
    const session = mainOf(prompt('c1', 'p'), prompt('c2', 'p'), prompt('p', null), prompt('c3', 'p'));
    expect([uuids(session.graph.late), session.graph.waiting.size, nodesOf(session).filter(isOrphan)]).toEqual([['c1', 'c2'], 0, []]);
  });

  test('[DAG-3] a parent in a file that is read later is not late', () => {
    const session = sessionOf([
      { path: 'b.jsonl', lines: [prompt('c', 'p')] },
      { path: 'a.jsonl', lines: [prompt('p', null)] },
    ]);
    expect([uuids(session.graph.late), session.graph.nodes.get('c')?.parent?.uuid]).toEqual([[], 'p']);
  });

  test('[DAG-4] a record whose parent is missing stays in the graph as an orphan with its children', () => {
    const session = mainOf(prompt('u1', null), prompt('u2', 'gone'), reply('a2', 'u2', 'm'), prompt('u3', 'gone'));
    expect(graphOf(session)).toEqual({
      nodes: ['a2', 'u1', 'u2', 'u3'],
      edges: ['a2 under u2'],
      roots: ['u1'],
      orphans: ['u2', 'u3'],
      cycles: 0,
      pairs: [],
    });
  });

  test('[DAG-4] a parent in another file of the session is not missing, whichever file is read first', () => {
    const main = { path: 'main.jsonl', lines: [prompt('u1', null)] };
    const agent = { path: 'agent-x.jsonl', agentId: 'x', lines: [prompt('s1', 'u1', 's1', { isSidechain: true })] };
    const both = [sessionOf([main, agent]), sessionOf([agent, main])];
    expect(both.map((session) => [session.graph.nodes.get('s1')?.parent?.uuid, nodesOf(session).filter(isOrphan)])).toEqual([
      ['u1', []],
      ['u1', []],
    ]);
  });
});

const paired = (...lines: readonly object[]): readonly (readonly [string, string | undefined])[] => {
  const session = mainOf(...lines);
  return [...session.uses.values()].map(({ use: used }) => [used.id, session.results.get(used.id)?.node.uuid] as const);
};

describe('tools', () => {
  test('[DAG-5] results pair with their uses delayed, batched and interleaved', () => {
    const batch = record({
      uuid: 'r23',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 't3' },
          { type: 'tool_result', tool_use_id: 't2' },
        ],
      },
    });
    expect(
      paired(
        reply('a1', null, 'm1', [use('t1'), use('t2')]),
        reply('a2', 'a1', 'm1', [use('t3')]),
        prompt('u', null),
        batch,
        result('r1', 'u', 't1'),
      ),
    ).toEqual([
      ['t1', 'r1'],
      ['t2', 'r23'],
      ['t3', 'r23'],
    ]);
  });

  test("[DAG-5] a delayed result pairs across a sidechain in the seed's forms", () => {
    const seed = [
      reply('a1', null, 'm1', [use('toolu_123', 'Read')]),
      reply('a2', 'a1', 'm2', [task('toolu_456', 'Find bugs', 'bug-hunter')]),
      { parentUuid: 'a2', type: 'human', isSidechain: true, message: { content: 'Find bugs' } },
      { type: 'assistant', isSidechain: true, subtype: 'tool_use', toolName: 'Read', toolArguments: {}, uuid: 'sc-tool-1' },
      {
        type: 'tool_result',
        uuid: 'r0',
        parentUuid: 'sc-tool-1',
        isSidechain: true,
        message: { content: [{ type: 'tool_result', tool_use_id: 'sc-tool-1' }] },
      },
      { type: 'tool_result', uuid: 'r1', parentUuid: 'a2', message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_123', content: '…' }] } },
    ];
    expect(paired(...seed)).toEqual([
      ['toolu_123', 'r1'],
      ['toolu_456', undefined],
      ['sc-tool-1', 'r0'],
    ]);
  });

  test('[DAG-5] a result before its use pairs, a result without use is kept', () => {
    const session = mainOf(result('r1', null, 't1'), reply('a1', null, 'm1', [use('t1')]), result('r9', null, 't9'));
    expect([[...session.uses.keys()], [...session.results.keys()]]).toEqual([['t1'], ['t1', 't9']]);
  });

  test('[DAG-5] of repeated results the first stays, but a stub or interruption gives way to an answer', () => {
    const stub = result('r1', 'a1', 't1', 'Async agent launched', { toolUseResult: { status: 'async_launched', agentId: 'x' } });
    const session = mainOf(
      reply('a1', null, 'm1', [task('t1', 'go'), use('t2')]),
      stub,
      result('r2', 'r1', 't1'),
      result('r3', 'r2', 't1'),
      result('r4', 'a1', 't2'),
      result('r5', 'a1', 't2'),
    );
    expect([...session.results].map(([id, { node, result: one }]) => [id, node.uuid, one.agentId])).toEqual([
      ['t1', 'r2', 'x'],
      ['t2', 'r4', null],
    ]);
  });

  test('[DAG-5] a use and a result that both lack an id are no pair', () => {
    const session = emptySession();
    add(session, record({ type: 'assistant', uuid: 'a', message: { content: [{ type: 'tool_use', name: 'Read' }] } }));
    const change = add(session, record({ uuid: 'r', message: { content: [{ type: 'tool_result', content: 'x' }] } }));
    expect([change.paired, session.results.has('')]).toEqual([[], false]);
  });
});

describe('duplicates', () => {
  test('[DAG-6] the first record with a uuid stays, later ones are counted', () => {
    const session = mainOf(prompt('u1', null, 'first'), prompt('u2', 'u1'), prompt('u1', 'u2', 'second'), prompt('u1', null, 'third'));
    expect(session.graph.duplicates.map(({ of, entry, file }) => [of.uuid, of.entry.text, entry.text, file])).toEqual([
      ['u1', 'first', 'second', 0],
      ['u1', 'first', 'third', 0],
    ]);
    expect(graphOf(session)).toEqual({ nodes: ['u1', 'u2'], edges: ['u2 under u1'], roots: ['u1'], orphans: [], cycles: 0, pairs: [] });
  });

  test('[DAG-6] reading a whole file twice changes nothing but the duplicates', () => {
    fc.assert(
      fc.property(shuffledForest, ([records, again]) => {
        const twice = grown([...records, ...again]);
        expect(graphOf(twice)).toEqual(graphOf(grown(records)));
        expect(twice.graph.duplicates).toHaveLength(records.length);
      }),
    );
  });
});

describe('cycles', () => {
  test('[DAG-7] a record that is its own parent is a cycle of one, not an orphan', () => {
    const session = mainOf(prompt('u1', 'u1'), prompt('u2', 'u1'));
    expect(graphOf(session)).toEqual({ nodes: ['u1', 'u2'], edges: ['u2 under u1'], roots: [], orphans: [], cycles: 1, pairs: [] });
  });

  test('[DAG-7] a cycle of any length, with a tail, in any order, is cut once and its records are no orphans', () => {
    const ring = fc.integer({ min: 1, max: 12 }).chain((length) =>
      fc.shuffledSubarray([...Array.from({ length }, (_, i) => prompt(`n${i}`, `n${(i + 1) % length}`)), prompt('tail', 'n0')], {
        minLength: length + 1,
      }),
    );
    fc.assert(
      fc.property(ring, (records) => {
        const session = grown(records);
        const view = {
          nodes: session.graph.nodes.size,
          edges: nodesOf(session).filter((node) => node.parent !== null).length,
          orphans: nodesOf(session).filter(isOrphan).length,
          cycles: session.graph.cycles.length,
        };
        expect(view).toEqual({ nodes: records.length, edges: records.length - 1, orphans: 0, cycles: 1 });
        expectSound(session);
      }),
    );
  });

  test('[DAG-7] whatever the parents say, cycles are counted right in any order and every walk and path ends', () => {
    const shuffled = anyParents.chain((parents) =>
      fc.tuple(
        fc.constant(parents),
        fc.shuffledSubarray(
          parents.map((_, i) => i),
          { minLength: parents.length },
        ),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([parents, order]) => {
        const session = grown(order.map((i) => recordOf(i, parentName(parents[i] ?? NOWHERE), i)));
        const known = parents.filter((parent) => parent >= 0).length;
        expect({
          edges: nodesOf(session).filter((node) => node.parent !== null).length,
          orphans: nodesOf(session).filter(isOrphan).length,
          cycles: session.graph.cycles.length,
        }).toEqual({
          edges: known - cyclesAmong(parents),
          orphans: parents.filter((parent) => parent === MISSING).length,
          cycles: cyclesAmong(parents),
        });
        expectSound(session);
        expect(activePath(session, shapeOf(session)).nodes.length).toBeLessThanOrEqual(parents.length);
      }),
      times(3),
    );
  });
});
