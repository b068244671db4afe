import { setImmediate as breathe } from 'node:timers/promises';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { itemOfDeed } from '../../src/launches/deeds.ts';
import { openRuns, type RunsBench } from '../launches/runs-bench.ts';
import { makeBoard, type Files, type TestBoard } from './boards.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

const ONE = '11111111-0000-4000-8000-000000000001';
const TWO = '22222222-0000-4000-8000-000000000002';

/** A record that was written so many minutes ago. */
const ago = (minutes: number, record: Fields): Fields => ({ ...record, timestamp: new Date(Date.now() - minutes * 60_000).toISOString() });

const inAgent = (agentId: string): Fields => ({ isSidechain: true, agentId, sessionId: ONE });

/** A reply that says why it ended. */
const ended = (record: Fields, reason: string): Fields => ({ ...record, message: { ...(record['message'] as Fields), ['stop_reason']: reason } });

const activityOf = async (files: Files): Promise<OutputOf<'activity'>> => (await makeBoard({ files })).get('activity');

const only = ({ sessions }: OutputOf<'activity'>): OutputOf<'activity'>['sessions'][number] => {
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error(`there are ${sessions.length} sessions`);
  return session;
};

describe('which sessions', () => {
  let board: TestBoard;
  test('[API-33] sessions that were written to lately are returned, the latest first, with what they do', async () => {
    board = await makeBoard({
      files: {
        [`-p/${ONE}.jsonl`]: [
          ago(30, prompt('p1', null, 0, 'weave a basket')),
          ago(25, reply('r1', 'p1', 0, [use('t1', 'Bash', { command: 'npm test' })])),
        ],
        [`-p/${TWO}.jsonl`]: [ago(3, prompt('p2', null, 0, 'weave\na carpet')), ago(2, ended(reply('r2', 'p2', 0, 'It is\n\nwoven.'), 'end_turn'))],
      },
    });
    const { sessions, permissions } = await board.get('activity', { minutes: 60 });
    expect(permissions).toEqual([]);
    expect(sessions).toEqual([
      {
        session_id: TWO,
        tool: 'claude-code',
        title: 'weave\na carpet',
        project: '/home/ada/loom',
        last_at: expect.any(String),
        is_working: false,
        is_your_turn: true,
        doing: 'It is woven.',
        agents: [],
        run_id: null,
        launch_id: null,
      },
      {
        session_id: ONE,
        tool: 'claude-code',
        title: 'weave a basket',
        project: '/home/ada/loom',
        last_at: expect.any(String),
        is_working: true,
        is_your_turn: false,
        doing: '💻 Running npm test',
        agents: [],
        run_id: null,
        launch_id: null,
      },
    ]);
  });

  test('[API-33] how long ago still counts as now is the asker’s to say, ten minutes unless he does', async () => {
    expect((await board.get('activity')).sessions.map(({ session_id: id }) => id)).toEqual([TWO]);
    expect((await board.get('activity', { minutes: 1 })).sessions).toEqual([]);
    expect(await board.problem('/api/v1/activity?minutes=0')).toMatchObject({ code: 'bad-request' });
  });

  test('[API-33] a session that waits to be imported is described by what its file says', async () => {
    const older = Array.from({ length: 200 }, (_, n): readonly [string, readonly Fields[]] => [
      `-p/33333333-0000-4000-8000-${String(n).padStart(12, '0')}.jsonl`,
      [prompt(`o${n}`, null, n, 'long ago')],
    ]);
    const files = { ...Object.fromEntries(older), [`-p/${ONE}.jsonl`]: [ago(2, prompt('p1', null, 0, 'weave a basket'))] };
    const waiting = await makeBoard({ files, isImported: false });
    const importing = waiting.board.writer.importPaths([`${waiting.folder}/projects`]);
    while ((await waiting.get('status')).pending_sessions === 0) await breathe();
    await waiting.board.writer.stopImport();
    await importing;
    expect(only(await waiting.get('activity'))).toMatchObject({ session_id: ONE, title: 'weave a basket', is_working: false, doing: null });
    await waiting.board.writer.importPaths([`${waiting.folder}/projects`]);
    expect(only(await waiting.get('activity'))).toMatchObject({
      session_id: ONE,
      title: 'weave a basket',
      is_working: true,
      doing: 'weave a basket',
    });
  });
});

describe('whether a turn is open', () => {
  const asked = ago(5, prompt('p', null, 0, 'go'));
  const using = ago(4, reply('u', 'p', 0, [use('t1', 'Read', { ['file_path']: '/reed' })]));
  const answered = ago(3, result('a', 'u', 0, 't1', 'twelve'));
  const beside = (type: string, more: Fields): Fields => ({ ...ago(1, prompt(`x-${type}`, 'u', 0, '')), type, ...more });
  const cases: readonly (readonly [string, readonly Fields[], boolean, string])[] = [
    ['a prompt that nobody has answered', [asked], true, 'go'],
    ['a tool that has not returned', [asked, using], true, '📄 Reading /reed'],
    ['a tool that has returned, and the model has to go on', [asked, using, answered], true, '📄 Reading /reed'],
    [
      'two tools, of which the later one has returned',
      [asked, using, ago(3, reply('v', 'u', 0, [use('t2', 'Bash', { command: 'ls' })])), ago(2, result('b', 'v', 0, 't2', 'x'))],
      true,
      '📄 Reading /reed',
    ],
    ['a text that says it is the last', [asked, ago(2, ended(reply('r', 'p', 0, 'done'), 'end_turn'))], false, 'done'],
    ['a text without any reason', [asked, ago(2, reply('r', 'p', 0, 'done'))], false, 'done'],
    ['a text that goes on with a tool', [asked, ago(2, ended(reply('r', 'p', 0, 'let me see'), 'tool_use'))], true, 'let me see'],
    ['a thought', [asked, ago(2, reply('r', 'p', 0, [{ type: 'thinking', thinking: 'hm' }]))], true, 'go'],
    ['an interruption', [asked, using, ago(2, prompt('i', 'u', 0, '[Request interrupted by user]'))], false, '[Request interrupted by user]'],
    [
      'an error of the API',
      [
        asked,
        {
          ...ago(2, reply('e', 'p', 0, 'API Error: 500')),
          isApiErrorMessage: true,
          message: { model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 500' }] },
        },
      ],
      false,
      'API Error: 500',
    ],
    ['the progress of a tool', [asked, using, beside('progress', { data: { type: 'bash_progress' } })], true, '📄 Reading /reed'],
    [
      'a title that comes late',
      [asked, ago(2, ended(reply('r', 'p', 0, 'done'), 'end_turn')), { type: 'ai-title', aiTitle: 'Reeds', sessionId: ONE }],
      false,
      'done',
    ],
  ];
  test.each(cases)('[API-33] %s says it', async (_, records, isWorking, doing) => {
    expect(only(await activityOf({ [`-p/${ONE}.jsonl`]: records }))).toMatchObject({ is_working: isWorking, doing });
  });

  const done = ago(2, ended(reply('r', 'p', 0, 'done'), 'end_turn'));
  const typed = (text: string): Fields => ago(1, prompt('c', 'r', 0, text));
  const turns: readonly (readonly [string, readonly Fields[], boolean])[] = [
    ['the last word of the model', [asked, done], true],
    ['an error in its stead', [asked, { ...done, isApiErrorMessage: true }], true],
    ['a tool that has not returned', [asked, using], false],
    ['what was asked next', [asked, done, typed('and now?')], false],
    ['a command', [asked, done, typed('<command-name>/exit</command-name>')], false],
    ['an interruption', [asked, using, ago(2, prompt('i', 'u', 0, '[Request interrupted by user]'))], false],
  ];
  test.each(turns)('[API-38] after %s it is known whether it is somebody’s turn', async (_, records, isYourTurn) => {
    expect(only(await activityOf({ [`-p/${ONE}.jsonl`]: records })).is_your_turn).toBe(isYourTurn);
  });

  test('[API-33] a turn that was closed by whoever looks after it is closed', async () => {
    const { board, get } = await makeBoard({ files: { [`-p/${ONE}.jsonl`]: [asked, using] } });
    expect(only(await get('activity')).is_working).toBe(true);
    const payload = { status: 'cancelled', isEnd: true, by: 'launch' };
    await board.writer.append([itemOfDeed({ uuid: 'closing', type: ENTRY_TYPES.turnClosed, at: Date.now(), sessionId: ONE, payload })]);
    expect(only(await get('activity')).is_working).toBe(false);
  });

  test('[API-33] secrets are masked before a line is cut', async () => {
    const secret = `sk-ant-api03-${'q7wm2kx9lp4vt8r'.repeat(6)}`;
    const told = async (text: string): Promise<string | null> =>
      only(await activityOf({ [`-p/${ONE}.jsonl`]: [ago(1, prompt('p', null, 0, text))] })).doing;
    for (const text of [`the key is ${secret}`, `${'x '.repeat(75)}${secret}`, `${'x '.repeat(995)}${secret}`])
      expect(await told(text)).not.toContain('sk-ant');
    const using2 = ago(1, reply('u', 'p', 0, [use('t1', 'Bash', { command: `${'x '.repeat(70)}${secret}` })]));
    expect(only(await activityOf({ [`-p/${ONE}.jsonl`]: [asked, using2] })).doing).not.toContain('sk-ant');
  });
});

describe('sub-agents', () => {
  const call = (id: string, agent: string, text: string): Fields => use(id, 'Task', { ['subagent_type']: agent, description: text, prompt: text });
  const asked = ago(9, prompt('p', null, 0, 'go'));
  const calling = ago(8, reply('u', 'p', 0, [call('t1', 'Explore', 'count  the reeds')]));
  const agentFile = `-p/${ONE}/subagents/agent-a1.jsonl`;
  const working = [
    ago(7, prompt('x1', null, 0, 'count the reeds', inAgent('a1'))),
    ago(6, reply('x2', 'x1', 0, [use('t9', 'Grep', { pattern: 'reed' })], inAgent('a1'))),
  ];
  const done = [
    ...working,
    ago(5, result('x3', 'x2', 0, 't9', '12', inAgent('a1'))),
    ago(4, ended(reply('x4', 'x3', 0, 'twelve', inAgent('a1')), 'end_turn')),
  ];

  test('[API-34] a sub-agent at work is told with its kind and what it does', async () => {
    const { is_working: isWorking, doing, agents } = only(await activityOf({ [`-p/${ONE}.jsonl`]: [asked, calling], [agentFile]: working }));
    expect([isWorking, doing]).toEqual([true, '🤖 Delegating to Explore: count the reeds']);
    expect(agents).toEqual([
      {
        agent_id: 'a1',
        agent: 'Explore',
        started_at: expect.any(String),
        last_at: expect.any(String),
        operations: 1,
        doing: '🔎 Searching for reed',
      },
    ]);
  });

  const answer = (text: string, more: Fields = {}): Fields => ago(3, result('r', 'u', 0, 't1', [{ type: 'text', text }], more));
  const stub = answer('Async agent launched successfully', { toolUseResult: { isAsync: true, agentId: 'a1', status: 'async_launched' } });
  const over = ago(2, ended(reply('z', 'r', 0, 'it runs behind us'), 'end_turn'));
  const cases: readonly (readonly [string, readonly Fields[], readonly Fields[], readonly string[]])[] = [
    ['one that has said its last word', [asked, calling], done, []],
    ['one whose call was answered', [asked, calling, answer('twelve')], working, []],
    ['one in the background, also when the turn is over', [asked, calling, stub, over], working, ['a1']],
    ['one in the background that is done', [asked, calling, stub, over], done, []],
    [
      'one that was cut off with the turn that waited for it',
      [asked, calling, ago(2, prompt('i', 'u', 0, '[Request interrupted by user]'))],
      working,
      [],
    ],
    ['one whose call nobody finds', [asked, ago(1, reply('y', 'p', 0, 'hm'))], working, ['a1']],
  ];
  test.each(cases)('[API-34] %s', async (_, main, agent, expected) => {
    const { agents } = only(await activityOf({ [`-p/${ONE}.jsonl`]: main, [agentFile]: agent }));
    expect(agents.map(({ agent_id: id }) => id)).toEqual(expected);
  });

  test('[API-34] one that has said nothing for longer than was asked for is not at work', async () => {
    const { get } = await makeBoard({ files: { [`-p/${ONE}.jsonl`]: [asked, calling, ago(1, prompt('q', 'u', 0, 'and?'))], [agentFile]: working } });
    expect(only(await get('activity', { minutes: 10 })).agents).toHaveLength(1);
    expect(only(await get('activity', { minutes: 3 })).agents).toEqual([]);
  });
});

describe('runs', () => {
  const said = (type: string, more: Fields): Fields => ({ type, ['parent_tool_use_id']: null, ...more });
  let bench: RunsBench | null = null;
  afterEach(async () => bench?.close());
  test('[API-33] what runs ask leave for is returned, and the session they are in is at work, however long ago it said something', async () => {
    bench = await openRuns([
      { hear: true },
      { say: said('assistant', { uuid: 'a', message: { role: 'assistant', content: [use('t1', 'Bash', {})] } }) },
      { ask: { tool: 'Bash', input: { command: 'rm -rf reeds' }, toolUseID: 't1', requestId: 'q1' } },
      { say: said('user', { uuid: 'b', message: { role: 'user', content: [{ type: 'tool_result', ['tool_use_id']: 't1', content: 'no' }] } }) },
      { say: said('result', { subtype: 'success' }) },
    ]);
    const { run_id: id, session_id: sessionId } = await bench.startRun();
    await bench.reach(id, 'waiting');
    const { sessions, permissions } = await bench.get('activity');
    expect(permissions).toEqual([
      {
        run_id: id,
        session_id: sessionId,
        request_id: 'q1',
        tool: 'Bash',
        title: null,
        summary: '💻 Running rm -rf reeds',
        asked_at: expect.any(String),
      },
    ]);
    expect(sessions).toMatchObject([{ session_id: sessionId, is_working: true, run_id: id, title: 'go', project: bench.cwd }]);
    await bench.post(`/runs/${id}/permissions`, { ['request_id']: 'q1', decision: 'deny' });
    await bench.reach(id, 'idle');
    expect(await bench.get('activity')).toMatchObject({ sessions: [], permissions: [] });
  });
});
