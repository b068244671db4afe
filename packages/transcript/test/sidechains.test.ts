import { describe, expect, test } from 'vitest';
import { sidechainsOf, type Session, type Sidechain } from '../src/index.ts';
import { mainOf, prompt, record, reply, result, sessionOf, task, text, use } from './reading.ts';

const side = { isSidechain: true, userType: 'external' };

/** What a sidechain is to its reader: who it was, which records it has, which call it answers. */
const shapeOf = ({ agent, nodes, toolUseIds, linkedBy, depth, parentId, state }: Sidechain): object => ({
  agent,
  records: nodes.map((node) => node.uuid),
  calls: toolUseIds,
  linkedBy,
  depth,
  parentId,
  state,
});

const shapesOf = (session: Session): readonly object[] => sidechainsOf(session).map(shapeOf);

const taskRecord = (uuid: string, parentUuid: string | null, ...tasks: readonly unknown[]): Record<string, unknown> =>
  reply(uuid, parentUuid, `msg-${uuid}`, tasks);

const said = (isSidechain: boolean, words: string): object => ({ type: 'assistant', isSidechain, message: { content: words } });

describe('the examples of the seeds', () => {
  test('[SIDE-2] [SIDE-9] a Task and the sidechain below its record belong together', () => {
    const session = mainOf(
      prompt('u1', null),
      taskRecord('task-123', 'u1', task('toolu_01KHFXvQPSoUtUMPeVdMdXKp', 'Analyze this code for bugs', 'bug-hunter')),
      prompt('s1', 'task-123', 'Analyze this code for bugs', side),
      reply('s2', 's1', 'm-s2', [text('No bugs.')], side),
      result('r1', 'task-123', 'toolu_01KHFXvQPSoUtUMPeVdMdXKp'),
    );
    expect(shapesOf(session)).toEqual([
      {
        agent: 'bug-hunter',
        records: ['s1', 's2'],
        calls: ['toolu_01KHFXvQPSoUtUMPeVdMdXKp'],
        linkedBy: 'parent_uuid',
        depth: 1,
        parentId: null,
        state: 'complete',
      },
    ]);
  });

  test('[SIDE-2] the example as it is printed, without uuid on the sidechain and with type human, is linked by its parent', () => {
    const session = mainOf(
      {
        uuid: 'msg_task_123',
        type: 'assistant',
        message: {
          content: [
            { type: 'tool_use', name: 'Task', id: 'toolu_task_456', input: { subagent_type: 'bug-hunter', prompt: 'Find bugs in this code' } },
          ],
        },
      },
      { parentUuid: 'msg_task_123', type: 'human', isSidechain: true, userType: 'external', message: { content: 'Find bugs in this code' } },
    );
    expect(shapesOf(session)).toEqual([
      {
        agent: 'bug-hunter',
        records: ['line:2@main.jsonl'],
        calls: ['toolu_task_456'],
        linkedBy: 'parent_uuid',
        depth: 1,
        parentId: null,
        state: 'incomplete',
      },
    ]);
  });

  test('[SIDE-2] the role examples without any id make one sidechain that nobody called', () => {
    const session = mainOf(
      { type: 'user', message: { role: 'user', content: 'a human asks' } },
      { type: 'user', isSidechain: true, message: { role: 'user', content: 'Claude delegates' } },
      { type: 'assistant', isSidechain: true, message: { role: 'assistant', content: 'the agent answers' } },
      { type: 'assistant', message: { role: 'assistant', content: 'Claude answers' } },
    );
    expect(shapesOf(session)).toEqual([
      {
        agent: 'unknown',
        records: ['line:2@main.jsonl', 'line:3@main.jsonl'],
        calls: [],
        linkedBy: 'none',
        depth: 1,
        parentId: null,
        state: 'orphaned',
      },
    ]);
    expect(session.main.nodes.map((node) => node.uuid)).toEqual(['line:1@main.jsonl', 'line:4@main.jsonl']);
  });

  test('[SIDE-2] two runs of sidechain lines without ids, with a main line between them, are two sidechains', () => {
    const session = mainOf(said(true, 'a'), said(true, 'b'), said(false, 'main'), said(true, 'c'));
    expect(sidechainsOf(session).map((one) => one.nodes.map((node) => node.uuid))).toEqual([
      ['line:1@main.jsonl', 'line:2@main.jsonl'],
      ['line:4@main.jsonl'],
    ]);
  });

  test('[SIDE-4] several Tasks in one message are told apart by the exact prompt, in whatever order their sidechains come', () => {
    const session = mainOf(
      prompt('u1', null),
      taskRecord('a1', 'u1', task('t1', 'Find the bugs', 'bug-hunter'), task('t2', 'Write the tests', 'test-coverage')),
      prompt('y1', 'a1', 'Write the tests', side),
      prompt('x1', 'a1', 'Find the bugs', side),
      reply('x2', 'x1', 'm-x', [text('x')], side),
      reply('y2', 'y1', 'm-y', [text('y')], side),
      result('r2', 'a1', 't2'),
      result('r1', 'a1', 't1'),
    );
    expect(shapesOf(session)).toEqual([
      { agent: 'test-coverage', records: ['y1', 'y2'], calls: ['t2'], linkedBy: 'parent_uuid', depth: 1, parentId: null, state: 'complete' },
      { agent: 'bug-hunter', records: ['x1', 'x2'], calls: ['t1'], linkedBy: 'parent_uuid', depth: 1, parentId: null, state: 'complete' },
    ]);
  });

  test('[SIDE-2] records of parallel sidechains that alternate line by line go each with its parent', () => {
    const lines: object[] = [taskRecord('a1', null, task('t1', 'one'), task('t2', 'two'), task('t3', 'three'))];
    for (const [n, words] of ['one', 'two', 'three'].entries()) lines.push(prompt(`s${n}-0`, 'a1', words, side));
    for (let turn = 1; turn <= 5; turn += 1)
      for (let n = 2; n >= 0; n -= 1) lines.push(reply(`s${n}-${turn}`, `s${n}-${turn - 1}`, `m${n}-${turn}`, [text('x')], side));
    const session = mainOf(...lines);
    expect(sidechainsOf(session).map((one) => [one.toolUseIds, one.nodes.map((node) => node.uuid)])).toEqual(
      [0, 1, 2].map((n) => [[`t${n + 1}`], [0, 1, 2, 3, 4, 5].map((turn) => `s${n}-${turn}`)]),
    );
  });

  test('[SIDE-7] the nested example goes by nestingLevel and hangs on the agent above it', () => {
    const session = mainOf(
      record({ type: 'assistant', uuid: 'main-1', message: { role: 'assistant', content: 'x' } }),
      prompt('sc1-1', 'main-1', 'design', side),
      reply('sc1-2', 'sc1-1', 'm1', [text('build it')], side),
      prompt('sc2-1', 'sc1-2', 'build', { ...side, nestingLevel: 2 }),
      reply('sc2-2', 'sc2-1', 'm2', [text('built')], { ...side, nestingLevel: 2 }),
    );
    expect(shapesOf(session)).toEqual([
      { agent: 'unknown', records: ['sc1-1', 'sc1-2'], calls: [], linkedBy: 'none', depth: 1, parentId: null, state: 'orphaned' },
      { agent: 'unknown', records: ['sc2-1', 'sc2-2'], calls: [], linkedBy: 'none', depth: 2, parentId: 'sc1-1', state: 'orphaned' },
    ]);
  });

  test('[SIDE-7] an agent that calls an agent inline is its parent, also without nestingLevel', () => {
    const session = mainOf(
      taskRecord('a1', null, task('t1', 'design', 'zen-architect')),
      prompt('x1', 'a1', 'design', side),
      reply('x2', 'x1', 'm-x2', [task('t2', 'build', 'modular-builder')], side),
      prompt('y1', 'x2', 'build', side),
      reply('y2', 'y1', 'm-y2', [text('built')], side),
      result('x3', 'x2', 't2', 'built', side),
      reply('x4', 'x3', 'm-x4', [text('designed')], side),
      result('r1', 'a1', 't1'),
    );
    expect(shapesOf(session)).toEqual([
      {
        agent: 'zen-architect',
        records: ['x1', 'x2', 'x3', 'x4'],
        calls: ['t1'],
        linkedBy: 'parent_uuid',
        depth: 1,
        parentId: null,
        state: 'complete',
      },
      { agent: 'modular-builder', records: ['y1', 'y2'], calls: ['t2'], linkedBy: 'parent_uuid', depth: 2, parentId: 'x1', state: 'complete' },
    ]);
  });

  test('[SIDE-2] a conversation of several turns is one sidechain', () => {
    const session = mainOf(
      taskRecord('a1', null, task('t1', 'Analyze this code')),
      prompt('s1', 'a1', 'Analyze this code', side),
      reply('s2', 's1', 'm2', [text('Initial analysis')], side),
      prompt('s3', 's2', 'Look deeper at the database layer', side),
      reply('s4', 's3', 'm4', [text('Database analysis')], side),
      prompt('s5', 's4', 'Check for SQL injection vulnerabilities', side),
      reply('s6', 's5', 'm6', [text('Security scan results')], side),
      result('r1', 'a1', 't1'),
    );
    expect(sidechainsOf(session).map((one) => one.nodes.map((node) => node.uuid))).toEqual([['s1', 's2', 's3', 's4', 's5', 's6']]);
  });

  test('[SIDE-8] a sidechain that the file ends in is incomplete', () => {
    const session = mainOf(taskRecord('a1', null, task('t1', 'go')), prompt('s1', 'a1', 'go', side), reply('s2', 's1', 'm2', [use('b1')], side));
    expect(sidechainsOf(session).map(({ state, nodes }) => [state, nodes.length])).toEqual([['incomplete', 2]]);
  });

  test('[SIDE-2] the tool_use record of the seed goes with the sidechain line before it', () => {
    const session = mainOf(taskRecord('a1', null, task('t1', 'read')), prompt('s1', 'a1', 'read', side), {
      type: 'assistant',
      isSidechain: true,
      subtype: 'tool_use',
      toolName: 'Read',
      toolArguments: { file_path: '/src/main.py' },
      uuid: 'sc-tool-1',
    });
    expect(sidechainsOf(session).map((one) => one.nodes.map((node) => [node.uuid, node.entry.uses.map((used) => used.name)]))).toEqual([
      [
        ['s1', []],
        ['sc-tool-1', ['Read']],
      ],
    ]);
  });
});

describe('inline sidechains of 1.0.30 to 2.0.26', () => {
  test('[SIDE-2] a record whose parent is lost goes on with the sidechain line before it', () => {
    const session = mainOf(
      taskRecord('a1', null, task('t1', 'go')),
      prompt('s1', null, 'go', side),
      reply('s3', 'lost', 'm3', [text('after a gap')], side),
      result('r1', 'a1', 't1'),
    );
    expect(sidechainsOf(session).map(({ toolUseIds, nodes }) => [toolUseIds, nodes.map((node) => node.uuid)])).toEqual([[['t1'], ['s1', 's3']]]);
  });

  test('[SIDE-2] children written before their parents are put in the order of the file', () => {
    const session = mainOf(
      taskRecord('a1', null, task('t1', 'go')),
      reply('s3', 's2', 'm3', [text('third')], side),
      reply('s2', 's1', 'm2', [text('second')], side),
      prompt('s1', null, 'go', side),
      result('r1', 'a1', 't1'),
    );
    expect(shapesOf(session)).toEqual([
      { agent: 'general-purpose', records: ['s3', 's2', 's1'], calls: ['t1'], linkedBy: 'prompt', depth: 1, parentId: null, state: 'complete' },
    ]);
  });

  test('[SIDE-2] sidechain records in a circle are kept in a sidechain', () => {
    const session = mainOf(prompt('s1', 's2', 'a', side), prompt('s2', 's3', 'b', side), prompt('s3', 's1', 'c', side));
    expect(
      sidechainsOf(session)
        .flatMap((one) => one.nodes.map((node) => node.uuid))
        .sort(),
    ).toEqual(['s1', 's2', 's3']);
  });
});

const agent = (agentId: string, ...times: readonly (string | undefined)[]): { path: string; agentId: string; lines: object[] } => ({
  path: `agent-${agentId}.jsonl`,
  agentId,
  lines: times.map((timestamp, i) => prompt(`${agentId}${i}`, null, 'x', { timestamp })),
});

const named = (agent: string | null, agentType: string | null): string | undefined =>
  sidechainsOf(
    sessionOf([
      { path: 'main.jsonl', lines: [taskRecord('a1', null, task('t1', 'go', agent))] },
      { path: 'agent-A.jsonl', agentId: 'A', meta: { toolUseId: 't1', agentType }, lines: [prompt('s1', null, 'go', side)] },
    ]),
  )[0]?.agent;

describe('agents in files of their own', () => {
  test('[SIDE-1] an agent is one sidechain however many files it has, and every record counts once', () => {
    const lines = [prompt('s1', null, 'go', side), reply('s2', 's1', 'm2', [text('x')], side)];
    const session = sessionOf([
      { path: 'main.jsonl', lines: [taskRecord('a1', null, task('t1', 'go'))] },
      { path: 'one/agent-A.jsonl', agentId: 'A', lines },
      { path: 'two/agent-A.jsonl', agentId: 'A', lines: [...lines, reply('s3', 's2', 'm3', [text('y')], side)] },
    ]);
    expect(sidechainsOf(session).map(({ id, nodes }) => [id, nodes.map((node) => node.uuid)])).toEqual([['A', ['s1', 's2', 's3']]]);
  });

  test('[SIDE-1] sidechain records in the main file that name an agent belong to it', () => {
    const session = mainOf(
      prompt('s1', null, 'go', { ...side, agentId: 'A' }),
      reply('s2', 's1', 'm', [text('x')], { ...side, agentId: 'A' }),
      prompt('u1', null),
    );
    expect(sidechainsOf(session).map(({ id, nodes }) => [id, nodes.length])).toEqual([['A', 2]]);
  });

  test('[SIDE-1] an agent file without a single message makes no sidechain', () => {
    const session = sessionOf([
      { path: 'main.jsonl', lines: [prompt('u1', null)] },
      { path: 'agent-A.jsonl', agentId: 'A', lines: ['', { type: 'fork-context-ref', agentId: 'A' }] },
    ]);
    expect(sidechainsOf(session)).toEqual([]);
  });

  test('[SIDE-2] sidechains are listed by the time of their first record, those without a time last', () => {
    const session = sessionOf([
      agent('timeless', undefined),
      agent('second', '2026-01-01T00:00:02Z'),
      agent('first', '2026-01-01T00:00:09Z', '2026-01-01T00:00:01Z'),
      agent('third', '2026-01-01T00:00:03Z'),
    ]);
    expect(sidechainsOf(session).map((one) => one.id)).toEqual(['first', 'second', 'third', 'timeless']);
  });

  test('[SIDE-9] the name is the call’s, else the meta’s, else unknown', () => {
    expect([named('Explore', 'Plan'), named('Explore', null), named(null, 'Plan'), named(null, null)]).toEqual([
      'Explore',
      'Explore',
      'Plan',
      'unknown',
    ]);
  });

  test('[SIDE-10] a call that resumes an agent adds to its sidechain, in the order of the calls', () => {
    const session = sessionOf([
      {
        path: 'main.jsonl',
        lines: [
          taskRecord('a1', null, task('t1', 'go')),
          result('r1', 'a1', 't1', 'done', { toolUseResult: { agentId: 'A', status: 'completed' } }),
          taskRecord('a2', 'r1', task('t2', 'go on', null, { resume: 'A' })),
          result('r2', 'a2', 't2', 'done', { toolUseResult: { agentId: 'A', status: 'completed' } }),
        ],
      },
      {
        path: 'agent-A.jsonl',
        agentId: 'A',
        lines: [
          prompt('s1', null, 'go', side),
          reply('s2', 's1', 'm2', [text('x')], side),
          prompt('s3', 's2', 'go on', side),
          reply('s4', 's3', 'm4', [text('y')], side),
        ],
      },
    ]);
    expect(shapesOf(session)).toEqual([
      {
        agent: 'general-purpose',
        records: ['s1', 's2', 's3', 's4'],
        calls: ['t1', 't2'],
        linkedBy: 'agent_id',
        depth: 1,
        parentId: null,
        state: 'complete',
      },
    ]);
  });

  test('[SIDE-10] a resumed agent whose last call is open is incomplete', () => {
    const session = sessionOf([
      {
        path: 'main.jsonl',
        lines: [
          taskRecord('a1', null, task('t1', 'go')),
          result('r1', 'a1', 't1', 'done', { toolUseResult: { agentId: 'A' } }),
          taskRecord('a2', 'r1', task('t2', 'go on', null, { resume: 'A' })),
        ],
      },
      { path: 'agent-A.jsonl', agentId: 'A', meta: { toolUseId: 't1' }, lines: [prompt('s1', null, 'go', side), prompt('s3', 's1', 'go on', side)] },
    ]);
    expect(sidechainsOf(session).map(({ toolUseIds, state }) => ({ toolUseIds, state }))).toEqual([
      { toolUseIds: ['t1', 't2'], state: 'incomplete' },
    ]);
  });
});
