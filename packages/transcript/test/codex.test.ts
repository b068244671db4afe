import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codex, DEFAULT_PRICES, priceOf, readEntry, resumeCommandOf, type Base, type JsonObject } from '../src/index.ts';

const THREAD = '01a1e1ac-7610-7190-a203-844361f34fd0';
const OTHER = '01a1e1ac-8d4b-7470-b8e0-689f88e79526';
const ROLLOUT = `/home/dev/.codex/sessions/2026/11/16/rollout-2026-11-16T00-05-38-${THREAD}.jsonl`;

const { lines } = codex;
if (lines.kind !== 'ordered') throw new Error('rollouts are read in order');

const told = (values: readonly JsonObject[], { agentId = null, base = null }: { agentId?: string | null; base?: Base | null } = {}) => {
  let translation = lines.begin({ sessionId: THREAD, agentId }, base);
  return values.map((value, i) => {
    const { record, next } = translation.take(value, { sessionId: THREAD, agentId, line: i + 1, part: 0 });
    translation = next;
    return record;
  });
};

const line = (type: string, payload: JsonObject): JsonObject => ({ timestamp: '2026-11-16T00:05:38.000Z', type, payload });
const meta = (more: JsonObject = {}): JsonObject => line('session_meta', { id: THREAD, timestamp: '2026-11-16T00:05:38.000Z', cwd: '/p', ...more });
const event = (type: string, more: JsonObject = {}): JsonObject => line('event_msg', { type, ...more });
const item = (type: string, more: JsonObject = {}): JsonObject => line('response_item', { type, ...more });
const asked = (text: string): JsonObject => event('user_message', { message: text });
const said = (text: string): JsonObject => event('agent_message', { message: text });
const userItem = (text: string): JsonObject => item('message', { role: 'user', content: [{ type: 'input_text', text }] });
const counts = (input: number, total: number): JsonObject => {
  const usage = (tokens: number): JsonObject => ({ input_tokens: tokens, cached_input_tokens: 1, output_tokens: 2, reasoning_output_tokens: 1 });
  return event('token_count', { info: { total_token_usage: usage(total), last_token_usage: usage(input) } });
};

const NOWHERE = { line: 1, part: 0, offset: 0, length: 0 };
const rolesOf = (records: readonly JsonObject[]): readonly string[] => records.map((record) => readEntry(record, NOWHERE).role);
const usageOf = (records: readonly JsonObject[]) => records.flatMap((record) => readEntry(record, NOWHERE).usage ?? []);

describe('the files of Codex', () => {
  test('[CODEX-1] rollouts are its files, packed or archived, and so is the list of names; nothing else is', () => {
    const roleOf = (path: string): string => codex.classify(path).role;
    expect(
      [ROLLOUT, `${ROLLOUT}.zst`, `/c/archived_sessions/${ROLLOUT.split('/').at(-1)}`, ROLLOUT.replace('.jsonl', `_${OTHER}.jsonl`)].map(roleOf),
    ).toEqual(Array.from({ length: 4 }, () => 'main'));
    expect(['/c/session_index.jsonl', '/c/history.jsonl', `/c/projects/p/${THREAD}.jsonl`, '/c/state_5.sqlite', ''].map(roleOf)).toEqual([
      'index',
      ...Array.from({ length: 4 }, () => 'foreign'),
    ]);
  });

  test('[CODEX-1] they lie in $CODEX_HOME, else in ~/.codex, and nowhere if that is not there', () => {
    const rootsIn = (env: Record<string, string>, there: boolean) => codex.roots({ env, home: '/home/dev', exists: () => there });
    expect(rootsIn({}, true)).toEqual(['/home/dev/.codex']);
    expect(rootsIn({ CODEX_HOME: '/elsewhere' }, true)).toEqual(['/elsewhere']);
    expect(rootsIn({}, false)).toEqual([]);
    expect(codex.transcriptsIn('.codex', ['sessions', 'log'])).toEqual(['sessions', 'archived_sessions', 'session_index.jsonl']);
    expect(codex.transcriptsIn('anything', ['sessions'])).toBeNull();
    expect(resumeCommandOf('codex', THREAD, '/home/dev/a project')).toBe(`cd '/home/dev/a project' && codex resume ${THREAD}`);
    expect(resumeCommandOf('nobody', THREAD, null)).toBeNull();
  });

  test('[CODEX-2] the first line says whose a rollout is, also when it is cut, and else its name', () => {
    const first = JSON.stringify(meta({ parent_thread_id: OTHER, session_id: OTHER, base_instructions: { text: 'x'.repeat(500), id: 'no' } }));
    const agent = { agentId: THREAD, startedBy: OTHER, sessionId: OTHER };
    expect(codex.sniff(`${first}\n{"type":"session_meta","payload":{"id":"another"}}`, ROLLOUT)).toMatchObject({ agent });
    expect(codex.sniff(first.slice(0, 400), ROLLOUT)).toMatchObject({ agent });
    const spawned = JSON.stringify(meta({ source: { subagent: { thread_spawn: { parent_thread_id: OTHER, depth: 1 } } } }));
    expect(codex.sniff(spawned, ROLLOUT).agent).toEqual({ agentId: THREAD, startedBy: OTHER, sessionId: null });
    expect(codex.sniff('rubbish', ROLLOUT)).toEqual({ sessionIds: new Map([[THREAD, 1]]), isStream: false });
  });
});

describe('the lines of Codex', () => {
  test('[CODEX-4] what the CLI says in the name of the user is told as that, and what was typed is told once', () => {
    const records = told([
      meta(),
      userItem('<environment_context>\n</environment_context>'),
      userItem('Hello'),
      asked('Hello'),
      userItem(`<subagent_notification>\n{"agent_path":"${OTHER}","status":{"completed":"Two."}}\n</subagent_notification>`),
      item('message', { role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }),
    ]);
    expect(rolesOf(records)).toEqual(['state', 'meta', 'state', 'prompt', 'notice', 'state']);
    expect(readEntry(records[4] ?? {}, NOWHERE).more?.notice).toMatchObject({ agentId: OTHER, status: 'completed' });
    expect(rolesOf(told([meta(), asked('<weird_tag>typed</weird_tag>')]))).toEqual(['state', 'prompt']);
  });

  test('[CODEX-5] calls have the names that everything else knows, edits are edits, and unknown ones keep their own', () => {
    const call = (name: string, args: unknown): JsonObject => item('function_call', { call_id: 'c', name, arguments: JSON.stringify(args) });
    const patch = (text: string): JsonObject => item('custom_tool_call', { call_id: 'c', name: 'apply_patch', input: text });
    const usedBy = (value: JsonObject): unknown => {
      const message = told([meta(), value])[1]?.['message'] as { readonly content: readonly JsonObject[] } | undefined;
      return [message?.content[0]?.['name'], message?.content[0]?.['input']];
    };
    expect(usedBy(call('exec_command', { cmd: 'ls' }))).toEqual(['Bash', { command: 'ls' }]);
    expect(usedBy(call('shell', { command: ['bash', '-lc', 'ls | wc'] }))).toEqual(['Bash', { command: 'ls | wc' }]);
    expect(usedBy(call('update_plan', { plan: [{ step: 'a', status: 'completed' }] }))).toEqual([
      'TodoWrite',
      { todos: [{ content: 'a', status: 'completed' }] },
    ]);
    expect(usedBy(call('spawn_agent', { message: 'gAAAA'.repeat(40), task_name: 'count' }))).toEqual([
      'Agent',
      { prompt: '', description: 'count', subagent_type: 'count' },
    ]);
    expect(usedBy(call('knit', { wool: 1 }))).toEqual(['knit', { wool: 1 }]);
    expect(usedBy(item('function_call', { call_id: 'c', name: 'knit', arguments: '{half' }))).toEqual(['knit', { arguments: '{half' }]);
    const begin = '*** Begin Patch\n*** Update File: a.ts\n';
    expect(usedBy(patch(`${begin}@@\n one\n-two\n+2\n*** End Patch`))).toEqual([
      'Edit',
      { file_path: 'a.ts', old_string: 'one\ntwo', new_string: 'one\n2' },
    ]);
    const edits = [1, 2].map((n) => ({ old_string: `a${n}`, new_string: `b${n}` }));
    expect(usedBy(patch(`${begin}@@\n-a1\n+b1\n@@\n-a2\n+b2\n*** End Patch`))).toEqual(['MultiEdit', { file_path: 'a.ts', edits }]);
    const two = `${begin}@@\n-a\n+b\n*** Delete File: b.ts\n*** End Patch`;
    expect(usedBy(patch(two))).toEqual(['apply_patch', { patch: two }]);
  });

  test('[CODEX-6] a call has failed if its result, or an event before that, says so; what a command prints says nothing', () => {
    const failedBy = (output: unknown, ...before: readonly JsonObject[]): boolean => {
      const call = item('custom_tool_call', { call_id: 'c', name: 'exec', input: 'x' });
      const records = told([meta(), call, ...before, item('custom_tool_call_output', { call_id: 'c', output: output as JsonObject })]);
      return readEntry(records.at(-1) ?? {}, NOWHERE).results[0]?.isError === true;
    };
    expect(failedBy('Wall time: 1 seconds\nProcess exited with code 3\nOutput:\n')).toBe(true);
    expect(failedBy('Process exited with code 0\nOutput:\nProcess exited with code 3\n')).toBe(false);
    expect(failedBy(JSON.stringify({ output: 'no', metadata: { exit_code: 1 } }))).toBe(true);
    expect(failedBy('unsupported call: knit')).toBe(true);
    expect(failedBy([{ type: 'input_text', text: 'Script failed\n' }])).toBe(true);
    const ran = (exit: number): JsonObject => event('item_completed', { item: { type: 'CommandExecution', id: 'exec-1', exit_code: exit } });
    expect(failedBy([{ type: 'input_text', text: 'Script completed\n' }], ran(1))).toBe(true);
    expect(failedBy([{ type: 'input_text', text: 'Script completed\n' }], ran(0))).toBe(false);
  });

  test('[CODEX-8] each response is counted once, however often its totals are reported', () => {
    const one = [
      meta(),
      asked('a'),
      event('token_count', { info: null }),
      said('b'),
      counts(10, 10),
      counts(10, 10),
      asked('c'),
      said('d'),
      counts(20, 30),
      counts(20, 30),
    ];
    expect(usageOf(told(one)).map(({ input, cacheRead, output }) => [input, cacheRead, output])).toEqual([
      [9, 1, 2],
      [19, 1, 2],
    ]);
    const usage = { input_tokens: 10, cached_input_tokens: 1, output_tokens: 2 };
    const record = (thread: string): JsonObject => line('token_usage_record', { thread_id: thread, response_id: 'r', usage });
    expect(usageOf(told([meta(), asked('a'), said('b'), record(THREAD), record(OTHER), counts(10, 10), counts(10, 10)]))).toHaveLength(1);
  });

  test('[CODEX-8] what older versions call behind the totals of a response belongs to it', () => {
    const called = (id: string): readonly JsonObject[] => [
      item('function_call', { call_id: id, name: 'shell', arguments: '{"command":["bash","-lc","ls"]}' }),
      item('function_call_output', { call_id: id, output: 'x' }),
    ];
    const records = told([
      meta(),
      asked('a'),
      said('b'),
      counts(10, 10),
      ...called('1'),
      ...called('2'),
      counts(20, 30),
      ...called('3'),
      said('c'),
      counts(30, 60),
    ]);
    const ids = records.flatMap((record) => {
      const { messageId, role } = readEntry(record, NOWHERE);
      return role === 'reply' ? [messageId?.split('/').at(-1)] : [];
    });
    expect(ids).toEqual(['0', '0', '0', '0', '1', '1', '2', '2']);
    // Newer ones count behind what was called.
    const newer = told([meta(), asked('a'), ...called('1'), counts(10, 10), ...called('2'), counts(20, 30)]);
    expect(newer.flatMap((record) => readEntry(record, NOWHERE).messageId?.split('/').at(-1) ?? [])).toEqual(['0', '0', '1', '1']);
  });

  test('[CODEX-15] rollouts of the first versions, which have no frame around a line, are told as far as they say it', () => {
    const says = (role: string, text: string): JsonObject => ({ type: 'message', id: null, role, content: [{ type: 'input_text', text }] });
    const call = (id: string): JsonObject => ({ type: 'function_call', name: 'shell', call_id: id, arguments: '{"command":["bash","-lc","ls"]}' });
    const returned = (id: string, code: number): JsonObject => ({
      type: 'function_call_output',
      call_id: id,
      output: `{"output":"x","metadata":{"exit_code":${code},"duration_seconds":0.1}}`,
    });
    const mark = { record_type: 'state' };
    const records = told([
      { id: THREAD, timestamp: '2025-07-16T00:05:38.000Z', instructions: null, git: { branch: 'main' } },
      mark,
      says('user', '<environment_context>\n  <cwd>/p</cwd>\n</environment_context>'),
      says('user', 'Do it'),
      mark,
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'I think.' }], encrypted_content: 'gA' },
      says('assistant', 'Three.'),
      call('1'),
      returned('1', 0),
      call('2'),
      returned('2', 3),
      mark,
      says('assistant', 'Done.'),
      { type: 'future', id: 'f' },
    ]);
    expect(rolesOf(records)).toEqual([
      'state',
      'state',
      'meta',
      'prompt',
      'state',
      'reply',
      'reply',
      'reply',
      'result',
      'reply',
      'result',
      'state',
      'reply',
      'state',
    ]);
    const entries = records.map((record) => readEntry(record, NOWHERE));
    expect(entries.flatMap(({ messageId }) => messageId?.split('/').at(-1) ?? [])).toEqual(['0', '0', '0', '0', '1']);
    expect(entries.flatMap(({ results }) => results.map(({ isError }) => isError))).toEqual([false, true]);
    expect(records[0]).toMatchObject({ gitBranch: 'main' });
    expect(records[3]).toMatchObject({ cwd: '/p', message: { content: 'Do it' } });
    expect(records.at(-1)).toMatchObject({ type: 'codex/future' });
    expect(
      lines.kind === 'ordered'
        ? codex.sniff(JSON.stringify({ id: OTHER, timestamp: 'x', instructions: null }), ROLLOUT).sessionIds.has(OTHER)
        : false,
    ).toBe(true);
  });

  test('[CODEX-9] a compaction has its boundary and its summary, without the words that introduce it', () => {
    const preamble = 'Another language model started to solve this problem and so on, use it to assist with your own analysis:';
    const records = told([meta(), asked('a'), line('compacted', { message: `${preamble}\nAll went well.` }), event('context_compacted'), asked('b')]);
    expect(rolesOf(records)).toEqual(['state', 'prompt', 'summary', 'boundary', 'prompt']);
    expect(records[2]?.['message']).toEqual({ role: 'user', content: 'All went well.' });
  });

  test('[CODEX-10] a turn that is taken back stays, and the conversation goes on from before it', () => {
    const records = told([meta(), asked('a'), said('b'), asked('c'), said('d'), event('thread_rolled_back', { num_turns: 1 }), asked('e')]);
    expect(records[5]).toMatchObject({ type: 'last-prompt', leafUuid: records[2]?.['uuid'] });
    expect(records[6]?.['parentUuid']).toBe(records[2]?.['uuid']);
    expect(told([meta(), event('thread_rolled_back', { num_turns: 9 }), asked('e')])[2]?.['parentUuid']).toBeNull();
  });

  test('[CODEX-10] lines that a fork has copied are those of the other thread, as far as something proves it', () => {
    const own = meta({ id: OTHER, forked_from_id: THREAD });
    const [, first, second] = told([meta(), asked('a'), said('b')]);
    const copies = [own, meta(), asked('a'), said('b'), asked('c')];
    const need = lines.baseOf(own);
    if (need?.print == null) throw new Error('a fork is compared with its origin');
    const base: Base = { tip: null, prints: [meta(), asked('a'), said('b'), asked('other')].map(need.print), index: [] };
    const uuids = told(copies, { base }).map((record) => record['uuid']);
    expect(uuids).toEqual([undefined, undefined, first?.['uuid'], second?.['uuid'], `codex/${OTHER}/prompt/1`]);
    expect(told(copies)[2]?.['uuid']).toBe(`codex/${OTHER}/prompt/0`);
    // Turns know when they began.
    const turn = (id: string): JsonObject => event('task_started', { turn_id: id });
    const turned = told([
      own,
      meta(),
      turn('01a1e1ab-0000-7000-8000-000000000000'),
      asked('a'),
      turn('01a1e1af-0000-7000-8000-000000000000'),
      asked('c'),
    ]);
    expect(turned.map((record) => record['uuid'])).toEqual([undefined, undefined, undefined, first?.['uuid'], undefined, `codex/${OTHER}/prompt/1`]);
  });

  test('[CODEX-10] a file that goes on from a part of another hangs on the last record of that', () => {
    const need = lines.baseOf(meta({ history_base: { thread_id: THREAD, end_ordinal_exclusive: 5 } }));
    expect([need?.id, need?.holds({ ordinal: 4 }), need?.holds({ ordinal: 5 })]).toEqual([THREAD, true, false]);
    const base: Base = { tip: 'codex/before', prints: [], index: [] };
    const records = told([meta({ history_base: { thread_id: THREAD, end_ordinal_exclusive: 5 } }), asked('a')], { base });
    expect(records[0]).toMatchObject({ type: 'last-prompt', leafUuid: 'codex/before' });
    expect(records[1]?.['parentUuid']).toBe('codex/before');
    const { folders, isIt } = lines.whereIs(ROLLOUT, OTHER);
    expect(folders).toContain('/home/dev/.codex/sessions/2026/11/15');
    expect(folders).toContain('/home/dev/.codex/archived_sessions');
    expect([`rollout-x-${OTHER}.jsonl`, `rollout-x-${THREAD}_${OTHER}.jsonl.zst`, `rollout-x-${THREAD}.jsonl`].map(isIt)).toEqual([
      true,
      true,
      false,
    ]);
  });

  const anyPayload = fc.dictionary(
    fc.constantFrom('type', 'item', 'id', 'call_id', 'content', 'output', 'message', 'turn_id', 'usage', 'info', 'role', 'x'),
    fc.jsonValue(),
  );
  const anyLine = fc.oneof(
    fc.record({
      type: fc.constantFrom('session_meta', 'turn_context', 'response_item', 'event_msg', 'token_usage_record', 'compacted', 'of the future'),
      timestamp: fc.constantFrom('2026-11-16T00:05:38.000Z', 7, null),
      payload: fc.oneof(
        anyPayload,
        fc.record({
          type: fc.constantFrom(
            'message',
            'function_call',
            'function_call_output',
            'agent_message',
            'item_completed',
            'token_count',
            'thread_rolled_back',
            'user_message',
          ),
          role: fc.constantFrom('user', 'assistant', 4),
          call_id: fc.constantFrom('c1', 'c2', 3),
          item: fc.record({
            type: fc.constantFrom('UserMessage', 'AgentMessage', 'Reasoning', 'CommandExecution', 'SubAgentActivity'),
            content: fc.jsonValue(),
          }),
          content: fc.jsonValue(),
          num_turns: fc.nat({ max: 4 }),
        }),
      ),
    }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );

  test('[CODEX-13] whatever a line holds, it becomes one record, the same each time, and is counted by its kind', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), fc.boolean(), (values, isAgent) => {
        const given = values as readonly JsonObject[];
        const agentId = isAgent ? OTHER : null;
        const records = told(given, { agentId });
        expect(records).toHaveLength(given.length);
        expect(told(given, { agentId })).toEqual(records);
        for (const record of records) {
          expect(typeof record['type']).toBe('string');
          expect(() => readEntry(record, NOWHERE)).not.toThrow();
        }
        const uuids = records.flatMap((record) => (record['uuid'] === undefined ? [] : [record['uuid']]));
        const isBehind = ({ parentUuid }: JsonObject, i: number): boolean => records.slice(0, i).some(({ uuid }) => uuid === parentUuid);
        expect(records.filter((record, i) => typeof record['parentUuid'] === 'string' && !isBehind(record, i))).toEqual([]);
        expect(uuids.every((uuid) => typeof uuid === 'string' && uuid.startsWith('codex/'))).toBe(true);
      }),
    );
  });
});

test('[CODEX-14] models of OpenAI have their list prices, long prompts theirs, and a model that is not listed has none', () => {
  expect(priceOf(DEFAULT_PRICES, 'gpt-5.5')).toMatchObject({ input: 5, output: 30, cacheRead: 0.5, above: { tokens: 272_000 } });
  expect(priceOf(DEFAULT_PRICES, 'gpt-5.2-codex')).toMatchObject({ input: 1.75, output: 14, cacheRead: 0.175 });
  expect(priceOf(DEFAULT_PRICES, 'gpt-6.1-sol')).toBeNull();
});
