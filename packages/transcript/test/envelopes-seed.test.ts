import { describe, expect, test } from 'vitest';
import { isId, type JsonObject } from '../src/index.ts';
import { brief, END, inputOf, mapAll, writeRecords } from './mapping.ts';

// The five examples of the session protocol's first description, word for word where they are records.
const assistant = (content: unknown, more: JsonObject = {}): JsonObject => ({
  type: 'assistant',
  message: { role: 'assistant', content } as JsonObject,
  ...more,
});

describe('the examples of the protocol', () => {
  test('[ENV-35] example 1: a normal turn, closed by whoever runs it', () => {
    const { envelopes } = mapAll([
      assistant([{ type: 'text', text: 'I will inspect auth files.' }], { uuid: 'a' }),
      assistant([{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'rg auth src' } }], { uuid: 'b' }),
      {
        type: 'user',
        uuid: 'c',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'src/auth/index.ts' }] },
      },
      { kind: 'close', uuid: 'd', at: Number.NaN, status: 'completed', isEnd: false },
    ]);
    const [turn] = new Set(envelopes.map((envelope) => envelope.turn));
    expect(isId(turn ?? '')).toBe(true);
    expect(envelopes.map(({ role, turn: own, ev }) => ({ role, turn: own === turn ? 'tA' : own, ev }))).toEqual([
      { role: 'agent', turn: 'tA', ev: { t: 'turn-start' } },
      { role: 'agent', turn: 'tA', ev: { t: 'text', text: 'I will inspect auth files.' } },
      {
        role: 'agent',
        turn: 'tA',
        ev: { t: 'tool-call-start', call: 'toolu_1', name: 'Bash', title: 'Bash call', description: 'Bash call', args: { command: 'rg auth src' } },
      },
      { role: 'agent', turn: 'tA', ev: { t: 'tool-call-end', call: 'toolu_1', result: 'src/auth/index.ts', isError: false } },
      { role: 'agent', turn: 'tA', ev: { t: 'turn-end', status: 'completed' } },
    ]);
  });

  test('[ENV-35] example 2: a message of a sub-agent carries its cuid2, never the id of the call', () => {
    const task = assistant([{ type: 'tool_use', id: 'toolu_task_1', name: 'Task', input: { prompt: 'Find files' } }], { uuid: 'a' });
    const child = assistant([{ type: 'text', text: 'Subagent: found 3 files.' }], { uuid: 'b', parent_tool_use_id: 'toolu_task_1' });
    const { envelopes } = mapAll([task, child]);
    const said = envelopes.find(({ ev }) => ev.t === 'text');
    expect(said).toMatchObject({ role: 'agent', turn: envelopes[0]?.turn, ev: { t: 'text', text: 'Subagent: found 3 files.' } });
    expect(isId(said?.subagent ?? '')).toBe(true);
    expect(JSON.stringify(envelopes)).not.toContain('toolu_task_1');
  });

  test('[ENV-35] example 3: a child before its call waits, and is told when the call comes; the call itself is not', () => {
    const child = assistant([{ type: 'text', text: 'child before parent' }], { uuid: 'a', parent_tool_use_id: 'toolu_late' });
    const task = assistant([{ type: 'tool_use', id: 'toolu_late', name: 'Task', input: { prompt: 'Inspect auth flow' } }], { uuid: 'b' });
    const early = mapAll([child]);
    expect(early.envelopes).toEqual([]);
    const { envelopes } = mapAll([task], {}, early.state);
    expect(brief(envelopes)).toEqual(['agent t1 turn-start', 'agent t1 s1 start', 'agent t1 s1 text: child before parent']);
  });

  test('[ENV-35] example 4: a line that was read before is not told again', () => {
    const line = assistant([{ type: 'text', text: 'existing line' }], { uuid: 'a-100' });
    const first = mapAll([line]);
    expect(brief(first.envelopes)).toEqual(['agent t1 turn-start', 'agent t1 text: existing line']);
    const again = mapAll([line], {}, first.state);
    expect(again.envelopes).toEqual([]);
    expect(again.state.dropped.get('repeated')).toBe(1);
  });

  test('[ENV-35] example 5: an abort while a tool of a sub-agent runs: its result, then the end of the turn; the stop keeps that turn', () => {
    const task = assistant([{ type: 'tool_use', id: 'toolu_task_1', name: 'Task', input: { prompt: 'Work' } }], { uuid: 'a' });
    const tool = assistant([{ type: 'tool_use', id: 'toolu_sc_1', name: 'Bash', input: {} }], { uuid: 'b', parent_tool_use_id: 'toolu_task_1' });
    const interrupted: JsonObject = {
      type: 'user',
      uuid: 'c',
      isSidechain: true,
      parent_tool_use_id: 'toolu_task_1',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_sc_1', is_error: true, content: '[Request interrupted by user for tool use]' }],
      },
    };
    const result: JsonObject = {
      type: 'user',
      uuid: 'd',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_task_1', is_error: true, content: '[Request interrupted by user for tool use]' }],
      },
    };
    const { envelopes } = mapAll([task, tool, interrupted, { kind: 'close', uuid: 'e', at: Number.NaN, status: 'cancelled', isEnd: false }, result]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 tool-call-start: Bash toolu_sc_1',
      'agent t1 s1 tool-call-end: toolu_sc_1 error "[Request interrupted by user for tool use]"',
      'agent t1 s1 stop: cancelled',
      'agent t1 turn-end: cancelled',
    ]);
  });
});

describe('the mapping table', () => {
  const write = writeRecords();

  test('[ENV-13] texts, thoughts and tool calls of a reply', () => {
    const { envelopes } = mapAll([
      write.record('assistant', [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }]),
      write.said('Right.'),
      write.used('t1', 'Bash', { command: 'ls', description: 'List files' }),
      write.got('t1', 'a b'),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 text thinking: Hm.',
      'agent t1 text: Right.',
      'agent t1 tool-call-start: Bash t1',
      'agent t1 tool-call-end: t1 "a b"',
    ]);
    expect(envelopes[3]?.ev).toMatchObject({ title: 'Bash call', description: 'List files', args: { command: 'ls', description: 'List files' } });
  });

  test('[ENV-13] a thought of which only the signature is left is counted, a redacted one is shown as such', () => {
    const { envelopes, state } = mapAll([
      write.record('assistant', [{ type: 'thinking', thinking: '', signature: 'x' }]),
      write.record('assistant', [{ type: 'redacted_thinking', data: 'x' }]),
    ]);
    expect(brief(envelopes)).toEqual(['agent t1 turn-start', 'agent t1 text thinking: [redacted]']);
    expect(state.dropped.get('empty-thinking')).toBe(1);
  });

  test('[ENV-13] what the API itself runs, a search for example, is a call with a result', () => {
    const { envelopes } = mapAll([
      write.record('assistant', [
        { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'yarn' } },
        { type: 'web_search_tool_result', tool_use_id: 'srv', content: [{ type: 'web_search_result', title: 'Yarn' }] },
        { type: 'text', text: 'Found.' },
      ]),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 tool-call-start: web_search srv',
      'agent t1 tool-call-end: srv [{"type":"web_search_result","title":"Yarn"}]',
      'agent t1 text: Found.',
    ]);
  });

  test('[ENV-14] Task and Agent calls are not told; their result stops the sub-agent', () => {
    for (const name of ['Task', 'Agent']) {
      const { envelopes } = mapAll([
        write.used(`call-${name}`, name, { prompt: 'Count.', description: 'Counting', subagent_type: 'Explore' }),
        write.user('Count.', { isSidechain: true, parent_tool_use_id: `call-${name}` }),
        write.got(`call-${name}`, 'Two.'),
      ]);
      expect(brief(envelopes)).toEqual([
        'agent t1 turn-start',
        'agent t1 s1 start',
        'agent t1 s1 text prompt: Count.',
        'agent t1 s1 stop: completed',
      ]);
      expect(envelopes[1]?.ev).toEqual({ t: 'start', title: 'Counting', agent: 'Explore' });
      expect(JSON.stringify(envelopes)).not.toContain(`call-${name}`);
    }
  });

  test('[ENV-15] a prompt ends the turn, and is reported as the user’s text', () => {
    const { envelopes } = mapAll([write.user('One.'), write.said('Yes.'), write.user('Two.')]);
    expect(brief(envelopes)).toEqual([
      'user text: One.',
      'agent t1 turn-start',
      'agent t1 text: Yes.',
      'agent t1 turn-end: completed',
      'user text: Two.',
    ]);
  });

  test('[ENV-16] the migration copy is made when asked for, and only then', () => {
    const prompt = write.user('Hello');
    expect(brief(mapAll([prompt]).envelopes)).toEqual(['user text: Hello']);
    const { envelopes } = mapAll([prompt], { shadow: true });
    expect(brief(envelopes)).toEqual(['user text: Hello', 'session text: Hello']);
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(2);
  });

  test('[ENV-17] system and summary records make no envelope; they are counted, and told to whoever asks', () => {
    const records: JsonObject[] = [
      write.record('system', null, { subtype: 'informational', content: 'x' }),
      { type: 'summary', summary: 'All about yarn', leafUuid: 'r1' },
    ];
    const { envelopes, state } = mapAll(records);
    expect(envelopes).toEqual([]);
    expect(Object.fromEntries(state.dropped)).toEqual({ 'system/informational': 1, summary: 1 });
    expect(brief(mapAll(records, { everything: true }).envelopes)).toEqual([
      'agent service record: system/informational',
      'agent service record: summary',
    ]);
  });

  test('[ENV-34] a summary becomes the title of the session', () => {
    expect(mapAll([{ type: 'summary', summary: 'All about yarn', leafUuid: 'r1' }]).state.title).toMatchObject({
      by: 'summary',
      text: 'All about yarn',
    });
  });

  test('[ENV-35] a sidechain prompt starts its sub-agent once', () => {
    const { envelopes } = mapAll([
      write.used('c', 'Task', { prompt: 'Go.' }),
      write.user('Go.', { isSidechain: true, parentUuid: null }),
      write.said('Going.', { isSidechain: true, parentUuid: 'r0' }),
      END,
    ]);
    expect(envelopes.filter(({ ev }) => ev.t === 'start')).toHaveLength(1);
  });

  test('[ENV-4] a step leaves the state it was given as it was', () => {
    const first = mapAll([write.user('One.'), write.used('x', 'Bash')]);
    const before = JSON.stringify(first.state, (_, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value));
    const input = inputOf(write.got('x'));
    const [a, b] = [mapAll([input], {}, first.state), mapAll([input], {}, first.state)];
    expect(a).toEqual(b);
    expect(JSON.stringify(first.state, (_, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value))).toBe(before);
  });
});
