import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addFile, append, branchesOf, createSession, createShape, extendShape, type JsonObject, type Session, type Shape } from '../src/index.ts';
import { fixture, mainOf, prompt, record, reply, result, sessionOf, shapeOf, text, use } from './reading.ts';

type Found = { readonly parent: string; readonly children: readonly string[] };

const found = (session: Session): readonly Found[] =>
  branchesOf(shapeOf(session)).map(({ parent, children }) => ({ parent: parent.uuid, children: children.map(({ node }) => node.uuid) }));
const branchesIn = (...lines: readonly (string | object)[]): readonly Found[] => found(mainOf(...lines));

/** Where a reader of history goes on above each record. */
const upsIn = (...lines: readonly object[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(shapeOf(mainOf(...lines)).spots.map(({ node, up }) => [node.uuid, up?.node.uuid ?? null]));

const beside = (type: string, uuid: string, parentUuid: string | null, more: object = {}): object => record({ type, uuid, parentUuid, ...more });
const seedReply = (uuid: string, parentUuid: string | null, more: object = {}): object => ({ type: 'assistant', uuid, parentUuid, message: { content: [text(uuid)] }, ...more });
const at = (minute: number): object => ({ timestamp: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z` });

const start = [prompt('u1', null), reply('a1', 'u1', 'm1')];

describe('real branches', () => {
  test('[BRANCH-1] a rewind is a branch: a second prompt under an old reply', () => {
    expect(branchesIn(...start, prompt('u2', 'a1'), reply('a2', 'u2', 'm2'), prompt('u3', 'a1'))).toEqual([{ parent: 'a1', children: ['u2', 'u3'] }]);
  });

  test('[BRANCH-1] a prompt that was edited twice is a branch of three', () => {
    const edited = ['x', 'y', 'z'].flatMap((name) => [prompt(`u-${name}`, 'a1', name), reply(`a-${name}`, `u-${name}`, `m-${name}`)]);
    expect(branchesIn(...start, ...edited)).toEqual([{ parent: 'a1', children: ['u-x', 'u-y', 'u-z'] }]);
  });

  test('[BRANCH-1] a regenerated reply is a branch, its blocks after the first are not', () => {
    expect(branchesIn(...start, reply('b1', 'u1', 'm2'), reply('b2', 'b1', 'm2'), reply('b3', 'b2', 'm2'))).toEqual([{ parent: 'u1', children: ['a1', 'b1'] }]);
  });

  test('[BRANCH-1] the seed\'s example, replies without message id, is a branch of three', () => {
    const parent = { type: 'human', uuid: 'msg_parent', parentUuid: null, message: { content: 'go' } };
    expect(branchesIn(parent, ...['A', 'B', 'C'].map((name) => seedReply(name, 'msg_parent')))).toEqual([{ parent: 'msg_parent', children: ['A', 'B', 'C'] }]);
  });

  test('[BRANCH-1] a prompt beside the rest of its parent\'s message is a branch once a tool use of the rest has a result', () => {
    const resumedAt = [prompt('u1', null), reply('a1', 'u1', 'm1'), reply('a2', 'a1', 'm1', [use('t1')]), reply('a3', 'a2', 'm1', [use('t2')]), prompt('u2', 'a1')];
    expect(branchesIn(...resumedAt)).toEqual([]);
    expect(branchesIn(...resumedAt, result('r2', 'a3', 't2'))).toEqual([{ parent: 'a1', children: ['a2', 'u2'] }]);
  });

  test('[BRANCH-1] the SDK\'s resumeSessionAt, as it is written, is one branch', () => {
    expect(branchesIn(...fixture('resume-at/sdk-0.2.50.jsonl')).map(({ parent, children }) => [parent.slice(0, 8), children.map((uuid) => uuid.slice(0, 8))])).toEqual([['733c76c1', ['f865302f', '2b4872d6']]]);
  });

  test('[BRANCH-1] branches within branches are all found, in order of the file', () => {
    const lines = [...start, prompt('u2', 'a1'), reply('a2', 'u2', 'm2'), prompt('u3', 'a1'), reply('a3', 'u3', 'm3'), reply('b3', 'u3', 'm4'), prompt('u4', 'a2'), prompt('u5', 'a2')];
    expect(branchesIn(...lines)).toEqual([
      { parent: 'a1', children: ['u2', 'u3'] },
      { parent: 'a2', children: ['u4', 'u5'] },
      { parent: 'u3', children: ['a3', 'b3'] },
    ]);
  });

  test('[BRANCH-1] children are listed in order of the file, an orphan that goes on there among them', () => {
    expect(branchesIn(...start, prompt('lost', 'gone'), prompt('u2', 'a1'))).toEqual([{ parent: 'a1', children: ['lost', 'u2'] }]);
  });
});

describe('no branches', () => {
  const calls = [prompt('u1', null), reply('a0', 'u1', 'm1'), reply('a1', 'a0', 'm1', [use('t1')]), reply('a2', 'a1', 'm1', [use('t2')]), reply('a3', 'a2', 'm1', [use('t3')])];
  const going = (parent: string): readonly object[] => [reply('b', parent, 'm2'), prompt('u2', 'b'), reply('c', 'u2', 'm3')];
  const fan = [result('r1', 'a1', 't1'), result('r3', 'a3', 't3'), result('r2', 'a2', 't2')];

  test.each<[string, readonly object[]]>([
    ['chained one behind the other', [...calls, result('r1', 'a3', 't1'), result('r3', 'r1', 't3'), result('r2', 'r3', 't2'), ...going('r2')]],
    ['fanned out, going on from the first', [...calls, ...fan, ...going('r1')]],
    ['fanned out, going on from the middle', [...calls, ...fan, ...going('r2')]],
    ['fanned out, going on from the last', [...calls, ...fan, ...going('r3')]],
    ['fanned out, results before the later calls', [...calls.slice(0, 3), result('r1', 'a1', 't1'), ...calls.slice(3), result('r2', 'a2', 't2'), result('r3', 'a3', 't3'), ...going('r3')]],
    ['between the blocks', [...calls.slice(0, 3), result('r1', 'a1', 't1'), reply('a2', 'r1', 'm1', [use('t2')]), result('r2', 'a2', 't2'), reply('a3', 'r2', 'm1', [use('t3')]), result('r3', 'a3', 't3'), ...going('r3')]],
    ['in one record each', [prompt('u1', null), reply('a', 'u1', 'm1', [use('t1'), use('t2')]), record({ uuid: 'r', parentUuid: 'a', message: { content: [{ type: 'tool_result', tool_use_id: 't1' }, { type: 'tool_result', tool_use_id: 't2' }] } }), ...going('r')]],
    ['all under the last call', [...calls, result('r1', 'a3', 't1'), result('r2', 'a3', 't2'), result('r3', 'a3', 't3'), ...going('r3')]],
    ['missing but one', [...calls, result('r1', 'a1', 't1'), ...going('r1')]],
  ])('[BRANCH-2] parallel results make no branch: %s', (_, lines) => {
    expect(branchesIn(...lines)).toEqual([]);
  });

  test.each(['1.0.100-chained', '2.1.220-fanned-out', '2.1.220-between'])('[BRANCH-2] parallel tools as the CLI writes them make no branch: %s', (name) => {
    expect(branchesIn(...fixture(`parallel-tools/${name}.jsonl`))).toEqual([]);
  });

  test('[BRANCH-2] progress, attachments, system records, hooks and injected texts beside a reply make no branch', () => {
    const others = [
      beside('progress', 'p1', 'u1'),
      beside('attachment', 't1', 'u1'),
      beside('system', 's1', 'u1', { subtype: 'api_error' }),
      beside('system', 's2', 'u1', { subtype: 'stop_hook_summary' }),
      beside('new-kind', 'n1', 'u1'),
      prompt('i1', 'u1', 'injected', { isMeta: true }),
      prompt('i2', 'u1', '[Request interrupted by user]'),
      prompt('i3', 'u1', '<task-notification>\n<task-id>x</task-id>'),
      prompt('i4', 'u1', '<bash-input>ls</bash-input>'),
      prompt('i5', 'u1', '<user-memory-input>x</user-memory-input>'),
    ];
    expect(branchesIn(prompt('u1', null), ...others, reply('a1', 'u1', 'm1'))).toEqual([]);
  });

  test('[BRANCH-2] local commands that hang on an old caveat make no branch, even where a prompt follows them', () => {
    const caveat = prompt('c', 'a1', 'Caveat: The messages below were generated by the user while running local commands.', { isMeta: true });
    const command = (i: number): readonly object[] => [prompt(`n${i}`, 'c', '<command-name>/model</command-name>'), prompt(`o${i}`, `n${i}`, '<local-command-stdout>ok</local-command-stdout>')];
    expect(branchesIn(...start, caveat, ...command(1), prompt('u2', 'o1'), reply('a2', 'u2', 'm2'), ...command(2), ...command(3), prompt('u3', 'o3'))).toEqual([]);
  });

  test('[BRANCH-2] synthetic replies beside real ones make no branch', () => {
    const synthetic = record({ type: 'assistant', uuid: 's', parentUuid: 'u1', message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] } });
    expect(branchesIn(prompt('u1', null), reply('e', 'u1', 'm0', [text('API Error')], { isApiErrorMessage: true }), synthetic, reply('a1', 'u1', 'm1'))).toEqual([]);
  });

  test('[BRANCH-3] a prompt and its reply written again under new uuids make no branch', () => {
    const once = [prompt('u2', 'a1', 'go', at(1)), reply('a2', 'u2', 'm2', [use('t')]), result('r2', 'a2', 't'), reply('a3', 'r2', 'm3')];
    const again = [prompt('v2', 'a1', 'go', at(1)), reply('b2', 'v2', 'm2', [use('t')]), result('s2', 'b2', 't'), reply('b3', 's2', 'm3'), prompt('u4', 'b3')];
    expect(branchesIn(...start, ...once, ...again)).toEqual([]);
  });

  test('[BRANCH-3] a reply written again under its prompt, block by block, makes no branch', () => {
    expect(branchesIn(...start, reply('a2', 'a1', 'm1', [use('t')]), result('r', 'a2', 't'), reply('b1', 'u1', 'm1'), reply('b2', 'b1', 'm1', [use('t')]), result('s', 'b2', 't'))).toEqual([]);
  });

  test('[BRANCH-3] the same words at another time are a new prompt', () => {
    expect(branchesIn(...start, prompt('u2', 'a1', 'go', at(1)), prompt('v2', 'a1', 'go', at(2)))).toEqual([{ parent: 'a1', children: ['u2', 'v2'] }]);
  });

  test('[BRANCH-4] a kill in a tool, then a prompt, as the CLI writes it, is no branch', () => {
    expect(branchesIn(...fixture('kill-mid-tool/2.1.220.jsonl'))).toEqual([]);
  });

  test.each<[string, readonly object[], string]>([
    ['after a text of the same message', [...start, reply('a2', 'a1', 'm1', [use('t')])], 'a1'],
    ['alone in its message', [prompt('u1', null), reply('a2', 'u1', 'm1', [use('t')])], 'u1'],
    ['alone in its message after a result', [prompt('u1', null), reply('a0', 'u1', 'm0', [use('t0')]), result('r0', 'a0', 't0'), reply('a2', 'r0', 'm1', [use('t')])], 'r0'],
    ['behind an attachment', [prompt('u1', null), beside('attachment', 'x', 'u1'), reply('a2', 'x', 'm1', [use('t')])], 'u1'],
  ])('[BRANCH-4] a tool use without result beside a prompt is abandoned: %s', (_, lines, parent) => {
    const killed = [...lines, prompt('u2', parent), reply('b', 'u2', 'm9')];
    expect(branchesIn(...killed)).toEqual([]);
    const first = parent === 'u1' && lines.length === 3 ? 'x' : 'a2';
    expect(branchesIn(...killed, result('r', 'a2', 't'))).toEqual([{ parent, children: [first, 'u2'] }]);
  });

  test('[BRANCH-4] a tool use without result that a prompt goes on from is not abandoned', () => {
    expect(branchesIn(prompt('u1', null), reply('a1', 'u1', 'm1', [use('t')]), prompt('u2', 'a1'), prompt('u3', 'u1'))).toEqual([{ parent: 'u1', children: ['a1', 'u3'] }]);
  });

  test('[BRANCH-5] attachments, progress and system records between a parent and a prompt or reply are walked through', () => {
    const lines = [...start, beside('attachment', 'x1', 'a1'), beside('system', 'x2', 'x1'), beside('progress', 'x3', 'x2'), prompt('u2', 'x3'), beside('attachment', 'y1', 'a1'), prompt('u3', 'y1')];
    expect(branchesIn(...lines)).toEqual([{ parent: 'a1', children: ['x1', 'y1'] }]);
    expect(branchesIn(...lines.slice(0, -1))).toEqual([]);
  });

  test('[BRANCH-5] two prompts behind one attachment are a branch there and nowhere above', () => {
    expect(branchesIn(...start, beside('attachment', 'x', 'a1'), prompt('u2', 'x'), prompt('u3', 'x'))).toEqual([{ parent: 'x', children: ['u2', 'u3'] }]);
  });
});

describe('history goes on', () => {
  const boundary = (uuid: string, more: object = {}): object => beside('system', uuid, null, { subtype: 'compact_boundary', ...more });
  const summary = (uuid: string, parent: string | null): object => prompt(uuid, parent, 'This session is being continued', { isCompactSummary: true });

  test('[DAG-9] at a compaction history goes on at the logical parent, also where that is not the record before', () => {
    expect(upsIn(...start, beside('attachment', 'x', 'u1'), boundary('b', { logicalParentUuid: 'a1' }), summary('s', 'b'), prompt('u2', 's'))).toEqual({ u1: null, a1: 'u1', x: 'u1', b: 'a1', s: 'b', u2: 's' });
  });

  test.each([{}, { logicalParentUuid: null }, { logicalParentUuid: 'gone' }, { logicalParentUuid: 'b' }, { logicalParentUuid: 'u2' }])('[DAG-9] a compaction with %j goes on at the record before it in the file', (more) => {
    expect(upsIn(...start, boundary('b', more), summary('s', 'b'), prompt('u2', 's'))).toEqual({ u1: null, a1: 'u1', b: 'a1', s: 'b', u2: 's' });
  });

  test('[DAG-9] a summary without boundary goes on at the record before it', () => {
    expect(upsIn(...start, summary('s', null), prompt('u2', 's'))).toEqual({ u1: null, a1: 'u1', s: 'a1', u2: 's' });
  });

  test('[DAG-9] several compactions in the seed\'s form all go on', () => {
    const compact = (i: number): readonly object[] => [
      { type: 'compact_prelude', uuid: `p${i}`, parentUuid: null, message: { content: 'Preserved message content...' } },
      { type: 'compact_recap', uuid: `q${i}`, parentUuid: `p${i}`, message: { content: 'Summary of compacted conversation...' } },
    ];
    expect(upsIn(...start, ...compact(1), prompt('u2', 'q1'), ...compact(2), prompt('u3', 'q2'))).toEqual({ u1: null, a1: 'u1', p1: 'a1', q1: 'p1', u2: 'q1', p2: 'u2', q2: 'p2', u3: 'q2' });
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
    const session = sessionOf([{ path: 'b.jsonl', lines: [prompt('v0', null), prompt('v1', 'u1')] }, { path: 'a.jsonl', lines: [prompt('u1', null)] }]);
    expect(shapeOf(session).spots.map(({ node, up }) => [node.uuid, up?.node.uuid ?? null])).toEqual([['v0', null], ['v1', 'u1'], ['u1', null]]);
  });

  test('[DAG-10] an orphan never goes on below itself', () => {
    expect(upsIn(prompt('c', 'p'), prompt('o', 'gone'), prompt('p', 'o'), prompt('q', 'c'))).toEqual({ c: 'p', o: null, p: 'o', q: 'c' });
  });
});

describe('growing', () => {
  const kinds = ['prompt', 'prompt', 'reply', 'reply', 'reply', 'result', 'result', 'attachment', 'progress', 'system', 'boundary', 'summary', 'synthetic', 'command', 'new-kind'] as const;
  const rows = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), parent: fc.integer({ min: -2, max: 30 }), near: fc.integer({ min: 0, max: 3 }), id: fc.nat({ max: 3 }), tool: fc.nat({ max: 3 }), side: fc.nat({ max: 9 }), twin: fc.boolean() }),
    { maxLength: 30 },
  );

  /** Records of every kind that share few message ids, tool ids, words and instants, and hang on each other in any order. */
  const records = rows.map((all) =>
    all.map(({ kind, parent, near, id, tool, side, twin }, i) => {
      const above = parent === -1 ? null : parent === -2 ? 'gone' : parent > 8 ? `n${Math.max(0, i - 1 - near)}` : `n${parent}`;
      const more = { isSidechain: side === 0, uuid: twin && side === 1 ? 'n0' : `n${i}`, parentUuid: i === 0 && parent >= 0 ? null : above };
      switch (kind) {
        case 'prompt':
          return prompt('', null, `words ${id}`, { ...more, ...at(tool) });
        case 'reply':
          return reply('', null, `m${id}`, twin ? [use(`t${tool}`)] : [text('x')], id === 3 ? { ...more, message: { content: [use(`t${tool}`)] } } : more);
        case 'result':
          return result('', null, tool === 3 ? `t${id}` : `t${tool}`, twin ? 'done' : 'Async agent launched', more);
        case 'boundary':
          return record({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: `n${tool * 5}`, ...more, parentUuid: null });
        case 'summary':
          return prompt('', null, 'x', { isCompactSummary: true, ...more });
        case 'synthetic':
          return reply('', null, `m${id}`, [], { isApiErrorMessage: true, ...more });
        case 'command':
          return prompt('', null, '<command-name>/model</command-name>', more);
        default:
          return record({ type: kind, ...more });
      }
    }),
  );

  const view = (shape: Shape): object => ({
    spots: shape.spots.map(({ node, up, message, isReplay, isAnswered, carries, forks }) => ({ uuid: node.uuid, up: up?.node.uuid, message, isReplay, isAnswered, carries, forks })),
    points: [...shape.points].map(({ node }) => node.uuid).sort(),
    branches: branchesOf(shape).map(({ parent, children }) => [parent.uuid, children.map(({ node }) => node.uuid)]),
  });

  const empty = (): Session => {
    const session = createSession('S');
    addFile(session, { path: 'main.jsonl', agentId: null });
    return session;
  };
  const add = (session: Session, value: object): void => {
    append(session, 0, value as JsonObject, { line: session.revision + 1, part: 0, offset: session.revision, length: 1 });
  };

  test('[PATH-5] a shape that grows record by record is at every step the shape computed at once', () => {
    fc.assert(
      fc.property(records, (values) => {
        const session = empty();
        const shape = createShape();
        for (const value of values) {
          add(session, value);
          extendShape(shape, session);
          expect(view(shape)).toEqual(view(shapeOf(session)));
        }
      }),
      { numRuns: 600 },
    );
  });

  test('[PATH-5] a shape that grows now and then is the shape computed at once', () => {
    fc.assert(
      fc.property(records, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (values, steps) => {
        const session = empty();
        const shape = createShape();
        values.forEach((value, i) => {
          add(session, value);
          if (steps[i] === true) extendShape(shape, session);
        });
        extendShape(shape, session);
        expect(view(shape)).toEqual(view(shapeOf(session)));
      }),
      { numRuns: 300 },
    );
  });

  test('[PATH-5] a result before its tool use answers it, whether both are new or one of them', () => {
    const lines = [prompt('u1', null), reply('a1', 'u1', 'm1'), result('r', 'a1', 't'), reply('a2', 'a1', 'm1', [use('t')]), prompt('u2', 'a1')];
    expect(branchesIn(...lines)).toEqual([{ parent: 'a1', children: ['a2', 'u2'] }]);
  });

  /** How often the shape looks into the session's maps for some new records. */
  const lookups = (size: number, fresh: number): number => {
    const session = empty();
    const line = (i: number): object => (i % 3 === 0 ? prompt(`n${i}`, i === 0 ? null : `n${i - 1}`) : i % 3 === 1 ? reply(`n${i}`, `n${i - 1}`, `m${i}`, [use(`t${i}`)]) : result(`n${i}`, `n${i - 1}`, `t${i - 1}`));
    for (let i = 0; i < size; i += 1) add(session, line(i));
    const shape = shapeOf(session);
    const [first, last] = [shape.spots[0], shape.spots.at(-1)];
    for (let i = size; i < size + fresh; i += 1) add(session, line(i));
    let count = 0;
    for (const map of [session.uses, session.results, session.replies, session.prompts, session.graph.nodes]) {
      const original = map.get.bind(map) as (key: string) => unknown;
      Object.defineProperty(map, 'get', { value: (key: string) => ((count += 1), original(key)) });
    }
    extendShape(shape, session);
    expect([shape.spots.length, shape.spots[0] === first, shape.spots[size - 1] === last]).toEqual([size + fresh, true, true]);
    return count;
  };

  test('[PATH-5] growing looks at what is new and keeps what is there', () => {
    const small = lookups(300, 30);
    expect(small).toBeGreaterThan(0);
    expect(lookups(30_000, 30)).toBe(small);
  });
});
