import { randomUUID } from 'node:crypto';
import { REGISTRY, type OperationName } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, pathOf, type Input, type TestBoard } from '../boards.ts';
import { prompt, reply } from '../records.ts';
import { furnish } from './furniture.ts';

const SESSION = '22222222-0000-4000-8000-000000000001';
const KEY = `sk-ant-api03-${'Ab1'.repeat(31)}AA`;

let board: TestBoard;
let research: string;
beforeAll(async () => {
  board = await makeBoard({
    files: { [`p/${SESSION}.jsonl`]: [prompt('u1', null, 0, 'hello'), reply('u2', 'u1', 1, [{ type: 'text', text: 'good day' }])] },
  });
  ({ token: research } = await furnish(board));
});

const send = (name: OperationName, input: Input, token: string | null = board.token): Promise<Response> =>
  board.ask(pathOf(name, input), {
    method: 'POST',
    body: JSON.stringify(Object.fromEntries(Object.entries(input).filter(([key]) => !REGISTRY[name].path.includes(`{${key}}`)))),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });

const refusal = async (
  name: OperationName,
  input: Input,
  token?: string | null,
): Promise<{ readonly status: number; readonly code: string; readonly detail: string }> => (await send(name, input, token)).json() as never;

const entries = async (): Promise<number> => (await board.board.store.log.head()).count;

describe('what is refused changes nothing, and says why', () => {
  const sb = { sidebar_id: 'SB-2' };
  const cases: readonly (readonly [string, OperationName, Input, number, string])[] = [
    ['an unknown sidebar', 'chat_message', { sidebar_id: 'SB-99', content: 'x' }, 404, 'not-found'],
    ['an unknown finding', 'scratchpad_entry_validated', { ...sb, entry_id: 'FINDING-9', status: 'confirmed' }, 404, 'not-found'],
    ['an unknown GOLD', 'gold_validated', { gold_id: 'GOLD-9', status: 'confirmed' }, 404, 'not-found'],
    ['an unknown agent', 'agent_recruited', { ...sb, agent_id: 'nobody' }, 404, 'not-found'],
    ['an unknown participant', 'sidebar_spawn', { parent_id: null, task_description: 'x', participants: ['nobody'] }, 404, 'not-found'],
    ['an unknown message to branch off from', 'sidebar_spawn', { parent_id: 'MSG-999', task_description: 'x' }, 404, 'not-found'],
    ['an unknown session to branch off from', 'sidebar_spawn', { parent_id: 'zzz', task_description: 'x' }, 404, 'not-found'],
    ['no parent at all', 'sidebar_spawn', { task_description: 'x' }, 400, 'bad-request'],
    ['no task', 'sidebar_spawn', { parent_id: null, task_description: '  ' }, 400, 'bad-request'],
    ['an empty text', 'chat_message', { ...sb, content: '' }, 400, 'bad-request'],
    ['a text of 300,000 characters', 'chat_message', { ...sb, content: 'x'.repeat(300_000) }, 413, 'too-large'],
    ['a text of 10 MB', 'chat_message', { ...sb, content: 'x'.repeat(10_000_000) }, 413, 'too-large'],
    ['a reference that is none', 'scratchpad_entry_submitted', { ...sb, content: 'x', source_refs: ['MSG-x'] }, 400, 'bad-reference'],
    ['a reference to nothing', 'scratchpad_entry_submitted', { ...sb, content: 'x', source_refs: ['MSG-999'] }, 400, 'bad-reference'],
    ['a citation of nothing', 'citation_created', { source: 'CITE-99' }, 400, 'bad-reference'],
    ['a citation of two things', 'citation_created', { source: 'MSG-1', url: 'https://example.org' }, 400, 'bad-request'],
    ['lines that end before they begin', 'citation_created', { path: 'a.ts', lines: '20-10' }, 400, 'bad-request'],
    ['a reply to nothing', 'chat_message', { ...sb, content: 'x', in_reply_to: 'MSG-999' }, 400, 'bad-reference'],
    ['waiting for oneself', 'sidebar_waiting_update', { ...sb, waiting_for: 'me', dependency_refs: ['SB-2'] }, 400, 'bad-reference'],
    ['a state that does not follow', 'sidebar_status_update', { ...sb, new_status: 'MERGED' }, 409, 'wrong-status'],
    ['a state that there is not', 'sidebar_status_update', { ...sb, new_status: 'HAPPY' }, 400, 'bad-request'],
    ['failing without a reason', 'sidebar_status_update', { ...sb, new_status: 'FAILED' }, 400, 'bad-request'],
    ['talking in an archive', 'chat_message', { sidebar_id: 'SB-1', content: 'x' }, 409, 'wrong-status'],
    ['a child of an archive', 'sidebar_child_spawn', { parent_sidebar_id: 'SB-1', sub_task_description: 'x' }, 409, 'parent-ended'],
    ['forking what is at work', 'sidebar_fork', { original_sidebar_id: 'SB-2', fork_reason: 'x' }, 409, 'not-archived'],
    ['merging what was not consolidated', 'sidebar_merge', sb, 409, 'wrong-status'],
    ['resuming what is not paused', 'sidebar_resume', sb, 409, 'wrong-status'],
    ['a test result of what is no test', 'sidebar_test_result', { ...sb, test_description: 'x', result: 'y' }, 409, 'wrong-status'],
    [
      'GOLD without a source',
      'gold_created',
      { source_refs: [], key_insight: 'x', reuse_pattern: 'y', trigger_conditions: ['z'] },
      400,
      'bad-request',
    ],
    [
      'GOLD without a condition',
      'gold_created',
      { source_refs: ['MSG-1'], key_insight: 'x', reuse_pattern: 'y', trigger_conditions: [] },
      400,
      'bad-request',
    ],
    ['a score of what was not inherited', 'relevance_score', { ...sb, scores: { 'EXCH-1': 'HIGH' } }, 400, 'bad-reference'],
    ['a score beyond 1', 'relevance_score', { ...sb, scores: { 'EXCH-1': 7 } }, 400, 'bad-request'],
    ['a field that there is not', 'sidebar_pause', { ...sb, reason: 'x', colour: 'blue' }, 400, 'bad-request'],
    ['a name that is taken', 'agent_register', { agent_id: 'research' }, 409, 'already-there'],
    ['the name of the operator', 'agent_register', { agent_id: 'operator' }, 409, 'already-there'],
    ['a name that is none', 'agent_register', { agent_id: 'a b/c' }, 400, 'bad-request'],
    ['being somebody else', 'chat_message', { ...sb, content: 'x', sender_agent_id: 'AGENT-research' }, 403, 'forged-sender'],
    ['an older state of it', 'chat_message', { ...sb, content: 'x', if_seq: 1 }, 409, 'changed-since'],
    ['leaving what one is not in', 'agent_left', { ...sb, agent_id: 'research' }, 404, 'not-found'],
  ];

  test.each(cases)('[API-14] %s', async (_what, name, input, status, code) => {
    const before = await entries();
    const problem = await refusal(name, input);
    expect({ status: problem.status, code: problem.code }).toEqual({ status, code });
    expect(problem.detail.length).toBeGreaterThan(10);
    expect(await entries()).toBe(before);
  });

  test('[API-14] media that cannot be read is kept, and said to be broken', async () => {
    const answer = (await (await send('media_uploaded', { ...sb, media_type: 'image', file_path: 'x.png', content: '%%%' })).json()) as {
      readonly events: readonly { readonly type: string }[];
      readonly ref: string;
    };
    expect(answer.events.map(({ type }) => type)).toEqual(['media_uploaded', 'media_error']);
    expect(await board.get('media', { media_id: answer.ref })).toMatchObject({ processing_status: 'failed', error: 'its content is no base64' });
  });
});

describe('who somebody is', () => {
  test('[SEC-14] without a token nobody acts, and nobody is taken for the human', async () => {
    const before = await entries();
    expect(await refusal('chat_message', { sidebar_id: 'SB-2', content: 'x' }, null)).toMatchObject({ status: 401, code: 'token-needed' });
    expect(await refusal('chat_message', { sidebar_id: 'SB-2', content: 'x', sender_agent_id: 'AGENT-operator' }, null)).toMatchObject({
      status: 401,
      code: 'token-needed',
    });
    expect(await entries()).toBe(before);
  });

  test('[SEC-14] an agent is who its token says, whatever it claims', async () => {
    expect(await refusal('sidebar_spawn', { parent_id: null, task_description: 'x', sender_agent_id: 'AGENT-operator' }, research)).toMatchObject({
      status: 403,
      code: 'forged-sender',
    });
    const answer = (await (await send('sidebar_spawn', { parent_id: SESSION, task_description: 'of an agent' }, research)).json()) as {
      readonly ref: string;
    };
    expect(await board.get('sidebar', { sidebar_id: answer.ref })).toMatchObject({
      created_by: 'AGENT-research',
      participants: ['AGENT-research'],
      coordinator_agent: 'AGENT-operator',
      curator_agent: 'AGENT-operator',
      parent_context_id: SESSION,
    });
  });

  test('[SEC-14] tokens, runs and data are for the operator only', async () => {
    for (const [name, input] of [
      ['agent_register', { agent_id: 'friend' }],
      ['agent_token', { agent_id: 'research' }],
      ['stop', {}],
      ['forget', { ref: 'MSG-1' }],
    ] as const)
      expect([name, await refusal(name, input, research)]).toMatchObject([name, { status: 403, code: 'operator-only' }]);
  });

  test('[AGT-2] of a token only its hash is on the log', async () => {
    const { log } = board.board.store;
    const { count } = await log.head();
    const payloads = await log.payloadsOf(Array.from({ length: count }, (_, i) => i + 1));
    const all = [...payloads.values()].map((bytes) => Buffer.from(bytes).toString('utf8')).join('\n');
    expect(all).toContain('AGENT-research');
    expect(all).not.toContain(research);
  });

  test('[AGT-3] a new token takes the place of the old one; a retired agent has none', async () => {
    const { token: old } = await board.command('agent_register', { agent_id: 'guest' });
    const { token } = await board.command('agent_token', { agent_id: 'guest' });
    expect(await refusal('agent_presence', { status: 'busy' }, old)).toMatchObject({ status: 401, code: 'bad-token' });
    expect((await send('agent_presence', { status: 'busy' }, token)).status).toBe(200);
    await board.command('agent_retire', { agent_id: 'guest' });
    expect(await refusal('agent_presence', { status: 'busy' }, token)).toMatchObject({ status: 401, code: 'bad-token' });
  });

  test('[SEC-11] what is said with a secret in it is kept, and shown without it', async () => {
    await board.command('chat_message', { sidebar_id: 'SB-2', content: `use ${KEY} for it` });
    const shown = JSON.stringify(await board.get('sidebar_memory', { sidebar_id: 'SB-2' }));
    expect(shown).toContain('for it');
    expect(shown).not.toContain(KEY);
  });
});

describe('once', () => {
  test('[API-15] a command that is sent again under its message_id is done once, and answered as before', async () => {
    const input = { sidebar_id: 'SB-2', content: 'said once', message_id: randomUUID() };
    const first = await board.command('chat_message', input);
    const before = await entries();
    const again = await board.command('chat_message', input);
    expect(again).toEqual({ ...first, duplicate: true, warnings: [], events: [] });
    expect(await entries()).toBe(before);
  });

  test('[API-15] two who act at once get one outcome each: the second is refused with a reason', async () => {
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content: 'The cache is cold after a deploy.' });
    const [first, second] = await Promise.all([
      send('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: 'FINDING-1', status: 'confirmed' }),
      send('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: 'FINDING-1', status: 'confirmed' }),
    ]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('forgetting', () => {
  test('[ENGINE-13] what somebody wrote can be forgotten, with whatever repeats it; what was decided cannot', async () => {
    const word = 'xylophone';
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content: `The ${word} is broken.` });
    const { pending_findings: pending } = await board.get('scratchpad', { sidebar_id: 'SB-2' });
    const finding = pending.at(-1);
    await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: finding?.entry_id ?? '', status: 'confirmed' });
    await board.command('scratchpad_checkpoint', { sidebar_id: 'SB-2', summary: 'so far' });
    expect(await refusal('forget', { ref: (await board.get('sidebar', { sidebar_id: 'SB-2' })).uuid })).toMatchObject({
      status: 400,
      code: 'bad-request',
    });
    await board.command('forget', { ref: finding?.uuid ?? '' });
    const shown = JSON.stringify([await board.get('scratchpad', { sidebar_id: 'SB-2' }), await board.get('episodes', { sidebar_id: 'SB-2' })]);
    expect(shown).toContain('(forgotten)');
    expect(shown).not.toContain(word);
    const { log } = board.board.store;
    const all = await log.payloadsOf(Array.from({ length: (await log.head()).count }, (_, i) => i + 1));
    expect([...all.values()].filter((bytes) => Buffer.from(bytes).includes(word))).toEqual([]);
    expect((await board.get('verify')).broken).toBeNull();
  });
});

describe('message ids and positions', () => {
  test('[ENGINE-42] a message id that was used for another command is refused, at once and after a restart of what remembers it', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const spawned = await board.command('sidebar_spawn', { message_id: id, parent_id: null, task_description: 'one' });
    expect(await board.command('sidebar_spawn', { task_description: 'one', parent_id: null, message_id: id })).toMatchObject({
      duplicate: true,
      ref: spawned.refs[0],
    });
    for (const [name, input] of [
      ['sidebar_spawn', { parent_id: null, task_description: 'another' }],
      ['chat_message', { sidebar_id: 'SB-2', content: 'hello' }],
    ] as const) {
      expect(await refusal(name, { message_id: id, ...input })).toMatchObject({ status: 409, code: 'message-id-reused' });
    }
  });

  test('[ENGINE-43] an if_seq beyond the end of the log is refused', async () => {
    const {
      seq,
      refs: [sidebar],
    } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'one' });
    expect(await refusal('chat_message', { sidebar_id: sidebar, content: 'hello', if_seq: seq + 1000 })).toMatchObject({ code: 'bad-request' });
    expect(await board.command('chat_message', { sidebar_id: sidebar, content: 'hello', if_seq: seq })).toMatchObject({ duplicate: false });
  });

  test('[CITE-9] a file that nobody cited or attached is no reference, wherever one is taken', async () => {
    const {
      refs: [sidebar],
    } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'one' });
    const takers = [
      ['chat_message', { content: 'look', citations: ['FILE-ffff'] }],
      ['scratchpad_entry_submitted', { content: 'a finding', source_refs: ['FILE-ffff:1-2'] }],
      ['citation_created', { source: 'FILE-ffff' }],
      ['gold_created', { source_refs: ['FILE-ffff'], key_insight: 'k', reuse_pattern: 'r', trigger_conditions: ['t'] }],
      ['sidebar_waiting_update', { waiting_for: 'it', dependency_refs: ['FILE-ffff'] }],
      ['sidebar_update', { cross_sidebar_refs: ['FILE-ffff'] }],
      ['mention_route', { target_agents: ['operator'], message: 'm', context_refs: ['FILE-ffff'] }],
    ] as const;
    for (const [name, input] of takers)
      expect([name, await refusal(name, { sidebar_id: sidebar, ...input })]).toMatchObject([name, { code: 'bad-reference' }]);
    await board.command('citation_created', { sidebar_id: sidebar, path: 'a.ts', lines: '1-2', hash: 'f'.repeat(64) });
    for (const [name, input] of takers.slice(0, 3)) await board.command(name, { sidebar_id: sidebar, ...input });
  });
});
