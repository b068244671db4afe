import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, walk, type TestBoard } from './boards.ts';
import { block, pagesOf, said, TALK, TALK_FILES, type Step } from './conversations.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

let talk: TestBoard;
beforeAll(async () => {
  talk = await makeBoard({ files: TALK_FILES });
});

const told = ({ kind, uuids, operations, branch }: Step): string => {
  const lines = operations.map(({ state, summary, agent_id: agent }) => ` [${state} ${summary}${agent === null ? '' : ` > ${agent}`}]`);
  return `${kind} ${uuids.join(' ')}${lines.join('')}${branch === null ? '' : ` (${branch.at} of ${branch.of})`}`;
};

const stepsOf = async (board: TestBoard, input: Readonly<Record<string, string>>): Promise<readonly Step[]> => (await pagesOf(board, input)).items;
const toldOf = async (board: TestBoard, input: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await stepsOf(board, input)).map(told);

const NOTHING = {
  exchange: null,
  model: null,
  text: '',
  text_length: 0,
  thinking: '',
  thinking_length: 0,
  images: 0,
  usage: null,
  cost_usd: null,
  is_error: false,
  is_copy: false,
  is_forgotten: false,
  operations: [],
  operations_total: 0,
  branch: null,
  note: null,
};

describe('steps', () => {
  test('[API-22] a session is its prompts, its replies with what they did, and markers', async () => {
    const { items, ...rest } = await talk.get('conversation', { id: TALK });
    const newest = (await walk(talk, 'log')).at(-1)?.position;
    expect(rest).toEqual({ session_id: TALK, thread: 'main', seq: newest, leaf_uuid: 'f2', is_active: true, total: 11, at: null });
    expect(items.map(told)).toEqual([
      'prompt u1',
      'reply a1 a2 a3 r1 b1 r2 [done 💻 Ran ls] [failed 📄 Read /x]',
      'reply c1 c2 r3 [done 🤖 Delegated to counter: Count > outer]',
      'reply d1',
      'prompt u2 (2 of 2)',
      'reply e1 r4 [rejected 💻 Run rm -r /]',
      'prompt stop',
      'compaction cut sum',
      'resumption ',
      'prompt u3',
      'reply f1 f2 [unanswered 💻 Run sleep 9]',
    ]);
  });

  test('[API-22] a reply has what it said, thought, cost and did; its reference is that of its words', async () => {
    const [, step] = await stepsOf(talk, { id: TALK });
    const words = await talk.get('message', { ref: 'a2' });
    const uses = [await talk.get('message', { ref: 'a3' }), await talk.get('message', { ref: 'b1' })];
    expect(step).toEqual({
      ...NOTHING,
      index: 1,
      kind: 'reply',
      uuid: 'a1',
      uuids: ['a1', 'a2', 'a3', 'r1', 'b1', 'r2'],
      ref: words.ref,
      parent_uuid: 'u1',
      role: 'reply',
      speaker: 'Claude',
      timestamp: '2025-08-06T10:00:01.000Z',
      model: 'claude-opus-4-1-20250805',
      text: 'I look',
      text_length: 6,
      thinking: 'how?',
      thinking_length: 4,
      usage: { input_tokens: 20, output_tokens: 40, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, cache_read_tokens: 0 },
      cost_usd: 0.0033,
      operations: [
        {
          uuid: 'a3_tool_0',
          ref: `${uses[0]?.ref ?? ''}#1`,
          tool_use_id: 't1',
          name: 'Bash',
          summary: '💻 Ran ls',
          started_at: '2025-08-06T10:00:03.000Z',
          duration_ms: 2000,
          state: 'done',
          result_uuid: 'a3_result_0',
          agent_id: null,
        },
        {
          uuid: 'b1_tool_0',
          ref: `${uses[1]?.ref ?? ''}#1`,
          tool_use_id: 't2',
          name: 'Read',
          summary: '📄 Read /x',
          started_at: '2025-08-06T10:00:06.000Z',
          duration_ms: 1000,
          state: 'failed',
          result_uuid: 'b1_result_0',
          agent_id: null,
        },
      ],
      operations_total: 2,
    });
  });

  test('[API-22] prompts have their exchange and their images, markers what they mark', async () => {
    const items = await stepsOf(talk, { id: TALK });
    const refs = new Map(await Promise.all(['stop', 'cut', 'u3'].map(async (ref) => [ref, await talk.get('message', { ref })] as const)));
    expect(items.slice(6, 10)).toEqual([
      {
        ...NOTHING,
        index: 6,
        kind: 'prompt',
        uuid: 'stop',
        uuids: ['stop'],
        ref: refs.get('stop')?.ref,
        parent_uuid: 'r4',
        role: 'interruption',
        speaker: 'system',
        timestamp: '2025-08-06T10:00:43.000Z',
        text: '[Request interrupted by user for tool use]',
        text_length: 42,
      },
      {
        ...NOTHING,
        index: 7,
        kind: 'compaction',
        uuid: 'cut',
        uuids: ['cut', 'sum'],
        ref: refs.get('cut')?.ref,
        parent_uuid: null,
        role: 'boundary',
        speaker: 'system',
        timestamp: '2025-08-06T10:00:50.000Z',
        text: 'what was said so far',
        text_length: 20,
        note: 'auto, 155,000 tokens before',
      },
      {
        ...NOTHING,
        index: 8,
        kind: 'resumption',
        uuid: 'u3',
        uuids: [],
        ref: null,
        parent_uuid: 'sum',
        role: 'resumption',
        speaker: 'system',
        timestamp: '2025-08-06T10:01:00.000Z',
        note: 'Claude Code 2.1.1, before 2.1.0',
      },
      {
        ...NOTHING,
        index: 9,
        kind: 'prompt',
        uuid: 'u3',
        uuids: ['u3'],
        ref: refs.get('u3')?.ref,
        exchange: refs.get('u3')?.exchange,
        parent_uuid: 'sum',
        role: 'prompt',
        speaker: 'Human',
        timestamp: '2025-08-06T10:01:00.000Z',
        text: 'and this?',
        text_length: 9,
        images: 1,
      },
    ]);
  });

  test('[API-22] commands, shell lines and notices are returned without their tags', async () => {
    const board = await makeBoard({
      files: {
        [`p/${TALK}.jsonl`]: [
          prompt('c', null, 0, '<command-message>m</command-message><command-name>/model</command-name><command-args>opus</command-args>'),
          prompt('o', 'c', 1, '<local-command-stdout>Set model</local-command-stdout>'),
          prompt('b', 'o', 2, '<bash-stdout>out</bash-stdout><bash-stderr>err</bash-stderr>'),
          prompt(
            'n',
            'b',
            3,
            '<task-notification>\n<task-id>x</task-id>\n<summary>It finished</summary>\n<result>All well</result>\n</task-notification>',
          ),
        ],
      },
    });
    expect((await stepsOf(board, { id: TALK })).map(({ kind, role, speaker, text }) => [kind, role, speaker, text])).toEqual([
      ['prompt', 'command', 'Human', '/model opus'],
      ['system', 'output', 'system', 'Set model'],
      ['prompt', 'bash', 'Human', 'out\nerr'],
      ['system', 'notice', 'system', 'It finished\nAll well'],
    ]);
  });

  test('[PAGE-172] what the CLI says in the name of the model is an error only if it is one, in steps, messages, counts and the tree', async () => {
    const id = '44444444-0000-4000-8000-000000000004';
    const cli = (uuid: string, parent: string, second: number, text: string, isApiErrorMessage: boolean): Fields => ({
      ...reply(uuid, parent, second, '', { isApiErrorMessage }),
      message: { role: 'assistant', model: '<synthetic>', content: [said(text)] },
    });
    const retry = (uuid: string, parent: string, second: number, retryAttempt: number): Fields => ({
      ...prompt(uuid, parent, second, ''),
      type: 'system',
      subtype: 'api_error',
      message: null,
      error: { cause: { code: 'FailedToOpenSocket' } },
      retryInMs: 529.87 * retryAttempt,
      retryAttempt,
      maxRetries: 10,
    });
    const lines = [
      prompt('u', null, 0, 'weave'),
      cli('n', 'u', 1, 'No response requested.', false),
      retry('e1', 'n', 2, 1),
      retry('e2', 'e1', 3, 2),
      cli('x', 'e2', 4, 'API Error: 500', true),
    ];
    const board = await makeBoard({ files: { [`-home-ada-loom/${id}.jsonl`]: lines } });
    const steps = await stepsOf(board, { id });
    expect(steps.map(({ uuid, is_error: isError, text }) => [uuid, isError, text])).toEqual([
      ['u', false, 'weave'],
      ['n', false, 'No response requested.'],
      ['e1', true, 'The API could not be reached (FailedToOpenSocket): retries 1 and 2 of 10, after 0.5 s and 1.1 s'],
      ['x', true, 'API Error: 500'],
    ]);
    expect((await board.get('session', { id })).errors).toBe(3);
    expect((await walk(board, 'tree', { id })).filter(({ is_error: isError }) => isError).map(({ uuid }) => uuid)).toEqual(['e1', 'e2', 'x']);
  });

  test('[API-22] a sub-agent’s conversation is told the same way, also inside another, with whoever called as who asks', async () => {
    expect(await toldOf(talk, { id: TALK, thread: 'outer' })).toEqual([
      'prompt o1',
      'reply o2 o3 [done 🤖 Delegated to deep: count deeper > inner]',
      'reply o4',
    ]);
    const inner = await pagesOf(talk, { id: TALK, thread: 'inner' });
    expect(inner).toMatchObject({ thread: 'inner', leaf_uuid: 'i2', is_active: true, total: 2 });
    expect(inner.items.map(({ kind, speaker, text }) => [kind, speaker, text])).toEqual([
      ['prompt', 'counter', 'count deeper'],
      ['reply', 'deep', 'one'],
    ]);
    expect((await stepsOf(talk, { id: TALK, thread: 'outer' })).map(({ speaker }) => speaker)).toEqual(['Claude', 'counter', 'counter']);
  });

  test('[API-22] the last steps come unless others are asked for; behind the end there are none', async () => {
    const all = await stepsOf(talk, { id: TALK });
    expect((await talk.get('conversation', { id: TALK, limit: 3 })).items).toEqual(all.slice(-3));
    expect((await talk.get('conversation', { id: TALK, from: 9, limit: 50 })).items).toEqual(all.slice(9));
    expect(await talk.get('conversation', { id: TALK, from: 11 })).toMatchObject({ total: 11, items: [] });
    expect(await talk.get('conversation', { id: TALK, from: 9_000_000 })).toMatchObject({ total: 11, items: [] });
  });

  test('[API-22] a session without conversation has no steps', async () => {
    const board = await makeBoard({ files: { [`p/${TALK}.jsonl`]: [{ ...prompt('m', null, 0, 'injected'), isMeta: true }] } });
    expect(await board.get('conversation', { id: TALK, quick: false })).toMatchObject({ total: 0, items: [], leaf_uuid: null });
  });
});

describe('operations', () => {
  const open = (now: number): Readonly<Record<string, readonly Fields[]>> => {
    const at = { timestamp: new Date(now).toISOString() };
    return {
      [`p/${TALK}.jsonl`]: [
        prompt('u1', null, 0, 'go', at),
        reply('a1', 'u1', 0, [said('first'), use('t1', 'Bash', { command: 'one' })], at),
        prompt('u2', 'a1', 0, 'go on', at),
        reply(
          'a2',
          'u2',
          0,
          [said('second'), use('t2', 'Bash', { command: 'two' }), use('t3', 'Task', { prompt: 'dig' }), use('t4', 'Task', { prompt: 'dug' })],
          at,
        ),
        { ...result('s3', 'a2', 0, 't3', 'Async agent launched', at), toolUseResult: { isAsync: true, agentId: 'away' } },
        { ...result('s4', 's3', 0, 't4', 'Async agent launched', at), toolUseResult: { isAsync: true, agentId: 'back' } },
        prompt('n', 's4', 0, '<task-notification>\n<task-id>back</task-id>\n<status>completed</status>\n</task-notification>', at),
      ],
    };
  };
  const statesAt = async (now: number): Promise<readonly string[]> => {
    const board = await makeBoard({ files: open(now) });
    return (await stepsOf(board, { id: TALK })).flatMap(({ operations }) => operations.map(({ state }) => state));
  };

  test('[API-23] what has no answer runs while the session is written to and nobody asked again; a background agent runs until it reports', async () => {
    expect(await statesAt(Date.now() - 60_000)).toEqual(['unanswered', 'running', 'running', 'done']);
    expect(await statesAt(Date.now() - 660_000)).toEqual(['unanswered', 'unanswered', 'unanswered', 'done']);
  });

  test('[API-23] a step tells sixty operations at a time, and how many there are', async () => {
    const uses = Array.from({ length: 130 }, (_, i) => use(`t${i}`, 'Bash', { command: `step ${i}` }));
    const board = await makeBoard({ files: { [`p/${TALK}.jsonl`]: [prompt('u', null, 0, 'go'), reply('a', 'u', 1, [said('many'), ...uses])] } });
    const names: string[] = [];
    for (const from of [0, 60, 120, 180]) {
      const [, step] = (await board.get('conversation', { id: TALK, operations_from: from })).items;
      expect(step?.operations_total).toBe(130);
      names.push(...(step?.operations ?? []).map(({ summary }) => summary));
    }
    expect(names).toEqual(uses.map((_, i) => `💻 Run step ${i}`));
  });

  test('[API-23] what an operation was given and what it returned is found under the names it has', async () => {
    const operations = (await stepsOf(talk, { id: TALK })).flatMap((step) => step.operations);
    for (const { uuid, ref, result_uuid: answer, tool_use_id: id } of operations) {
      const given = await talk.get('message', { ref: uuid, session: TALK });
      expect([given.type, given.ref, JSON.stringify(given.message_data)]).toEqual(['tool_use', ref, expect.stringContaining(`"${id}"`)]);
      const returned = answer === null ? null : await talk.get('message', { ref: answer, session: TALK });
      expect(returned?.type ?? 'none').toBe(uuid === 'f2_tool_0' ? 'none' : 'tool_result');
    }
  });
});

describe('branches', () => {
  test('[API-24] the other way is taken by giving it as through', async () => {
    const branch = (await stepsOf(talk, { id: TALK }))[4]?.branch;
    expect(branch).toEqual({ parent_uuid: 'd1', at: 2, of: 2, choices: ['old', 'u2'] });
    const other = await pagesOf(talk, { id: TALK, through: branch?.choices[0] ?? '' });
    expect(other).toMatchObject({ is_active: false, leaf_uuid: 'old1', total: 6 });
    expect(other.items.slice(4).map(told)).toEqual(['prompt old (1 of 2)', 'reply old1']);
    expect(await pagesOf(talk, { id: TALK, through: branch?.choices[1] ?? '' })).toEqual(await pagesOf(talk, { id: TALK }));
  });

  test('[API-24] a way that begins with an attachment is the way of the prompt behind it', async () => {
    const beside = (uuid: string, parent: string, second: number): Fields => ({
      ...prompt(uuid, parent, second, ''),
      type: 'attachment',
      message: null,
    });
    const board = await makeBoard({
      files: {
        [`p/${TALK}.jsonl`]: [
          prompt('u', null, 0, 'go'),
          block('a', 'u', 1, 'm1', said('x')),
          beside('x1', 'a', 2),
          prompt('v1', 'x1', 3, 'one'),
          beside('x2', 'a', 4),
          beside('y2', 'x2', 5),
          prompt('v2', 'y2', 6, 'two'),
          prompt('v3', 'a', 7, 'three'),
        ],
      },
    });
    const at = async (through: string): Promise<Step['branch']> => (await stepsOf(board, { id: TALK, through }))[2]?.branch ?? null;
    const choices = ['x1', 'x2', 'v3'];
    expect(await Promise.all(['v1', 'x2', 'v3'].map(at))).toEqual([1, 2, 3].map((n) => ({ parent_uuid: 'a', at: n, of: 3, choices })));
  });

  test('[API-24] a record of a sub-agent is on no branch, an unknown one nowhere', async () => {
    expect(await talk.problem(`/api/v1/sessions/${TALK}/conversation?through=o2`)).toMatchObject({ status: 400, code: 'bad-request' });
    expect(await talk.problem(`/api/v1/sessions/${TALK}/conversation?through=nobody`)).toMatchObject({ status: 404, code: 'not-found' });
  });
});

describe('a record', () => {
  test('[API-25] is found by any of its names, on its own branch and in its own thread', async () => {
    const find = async (at: string): Promise<readonly unknown[]> => {
      const { thread, at: index, is_active: active, items } = await talk.get('conversation', { id: TALK, at, limit: 2 });
      return [thread, index, active, items.map((step) => step.uuid).join()];
    };
    const ref = async (uuid: string): Promise<string> => (await talk.get('message', { ref: uuid })).ref ?? '';
    expect(await find('u1')).toEqual(['main', 0, true, 'u1,a1']);
    for (const name of ['b1', 'r2', 'b1_tool_0', 'b1_result_0', 'a3_result_0', await ref('a2'), await ref('r1'), `${await ref('a3')}#1`])
      expect(await find(name)).toEqual(['main', 1, true, 'u1,a1']);
    expect(await find('old1')).toEqual(['main', 5, false, 'old,old1']);
    expect(await find(await ref('i2'))).toEqual(['inner', 1, true, 'i1,i2']);
    expect(await find('o2_tool_0')).toEqual(['outer', 1, true, 'o1,o2']);
    expect(await find('f2')).toEqual(['main', 10, true, 'u3,f1']);
  });

  test('[API-25] stands in the middle of its page, where there is enough around it', async () => {
    const indexes = async (at: string, limit: number): Promise<readonly number[]> =>
      (await talk.get('conversation', { id: TALK, at, limit })).items.map(({ index }) => index);
    expect([await indexes('u2', 5), await indexes('u1', 5), await indexes('f1', 5), await indexes('u2', 200)]).toEqual([
      [2, 3, 4, 5, 6],
      [0, 1, 2, 3, 4],
      [6, 7, 8, 9, 10],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ]);
    expect((await talk.get('conversation', { id: TALK, at: 'u2', from: 0, limit: 1 })).items.map(({ index }) => index)).toEqual([0]);
  });

  test('[API-25] that is not there is not found, with a sentence that says where it is', async () => {
    const board = await makeBoard({ files: { ...TALK_FILES, 'p/other.jsonl': [prompt('x', null, 500, 'elsewhere', { sessionId: 'other' })] } });
    const ref = (await board.get('message', { ref: 'x' })).ref ?? '';
    const problem = async (query: string): Promise<readonly unknown[]> => {
      const { code, detail } = await board.problem(`/api/v1/sessions/${TALK}/conversation?${query}`);
      return [code, detail];
    };
    expect(await problem(`at=${ref}`)).toEqual(['not-found', `${ref} is in session other, not in ${TALK}`]);
    expect(await problem('at=MSG-9999')).toEqual(['not-found', 'there is no MSG-9999 on this board']);
    expect(await problem('at=x')).toEqual(['not-found', `session ${TALK} has no record "x"; give MSG-n or the UUID of one of its records`]);
    expect(await problem('thread=nobody')).toEqual(['not-found', expect.stringContaining('has no sub-agent "nobody"')]);
    expect(await board.problem('/api/v1/sessions/nobody/conversation')).toMatchObject({ code: 'not-found' });
    expect(await board.problem(`/api/v1/sessions/${TALK}/conversation?from=-1`)).toMatchObject({ code: 'bad-request' });
  });
});
