import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorsIn, isConversation, isMessage, readEntry, ROLES, type Entry, type JsonObject, type Role, withoutCutWord } from '../src/index.ts';
import { prompt, record, reply, result, text, times } from './reading.ts';

const PLACE = { line: 3, part: 0, offset: 40, length: 7 };

const entryOf = (value: object, inAgentFile = false): Entry => readEntry(value as JsonObject, PLACE, inAgentFile);
const roleOf = (value: object): Role => entryOf(value).role;
const said = (words: string, more: object = {}): object => ({ ...prompt('u', null, words), ...more });

/** What a record says when it says nothing. */
const NOTHING: Entry = {
  place: PLACE,
  type: '',
  kind: '',
  role: 'state',
  uuid: null,
  parentUuid: undefined,
  logicalParentUuid: null,
  sessionId: null,
  at: Number.NaN,
  isSidechain: false,
  agentId: null,
  version: null,
  cwd: null,
  messageId: null,
  requestId: null,
  model: null,
  usage: null,
  billing: null,
  costUsd: null,
  uses: [],
  results: [],
  text: null,
  tone: null,
  says: false,
  isApiError: false,
  more: null,
};
const NO_MORE = {
  compaction: null,
  notice: null,
  title: null,
  lastPromptLeaf: null,
  takesBack: false,
  forkedFrom: null,
  writtenBy: null,
  parentToolUseId: null,
  isActive: null,
  nestingLevel: null,
  isFreshStart: false,
  injected: null,
  isOfTeam: false,
  durationMs: null,
  mentions: [],
  told: null,
};

describe('reading is total', () => {
  test('[ENTRY-1] an empty object is state without a place in the graph', () => {
    expect(entryOf({})).toEqual(NOTHING);
  });

  test('[ENTRY-1] fields of unexpected types count as absent', () => {
    const odd = {
      type: 'assistant',
      subtype: 7,
      uuid: 12,
      parentUuid: {},
      logicalParentUuid: [],
      sessionId: null,
      timestamp: 1_700_000_000_000,
      isSidechain: 'yes',
      agentId: 1,
      version: 2,
      cwd: [],
      requestId: {},
      costUSD: 'much',
      is_active: 'true',
      nestingLevel: '2',
      message: { id: 5, model: [], usage: 'many', content: { type: 'tool_use', id: 'no list' } },
    };
    expect(entryOf(odd)).toEqual({ ...NOTHING, type: 'assistant', kind: 'assistant', role: 'reply', uuid: 'line:3', parentUuid: null });
  });

  test.each([null, 'text', 5, [], [null, 'a', 5, [], {}, { type: 5 }, { type: 'tool_use' }, { type: 'tool_result' }]])(
    '[ENTRY-1] a message or content of %j is read',
    (odd) => {
      for (const type of ['user', 'assistant', 'human', 'tool_result', 'system']) {
        expect(ROLES).toContain(roleOf({ type, message: odd }));
        expect(ROLES).toContain(roleOf({ type, message: { content: odd } }));
      }
    },
  );

  test('[ENTRY-1] an unknown type is state: in the graph only when it has a uuid', () => {
    const future = { type: 'from-the-future', uuid: 'x', parentUuid: null };
    expect(entryOf(future)).toEqual({ ...NOTHING, type: 'from-the-future', kind: 'from-the-future', uuid: 'x', parentUuid: null });
    expect(entryOf({ type: 'from-the-future', uuid: 'x' }).uuid).toBe('x');
    expect(entryOf({ type: 'file-history-snapshot', messageId: 'x' }).uuid).toBe(null);
    expect(entryOf({ type: 'file-history-snapshot', uuid: '' }).uuid).toBe(null);
  });

  test('[ENTRY-1] any JSON object gives an entry, and a place in the graph unless it is state', () => {
    const types = fc.constantFrom(
      'user',
      'human',
      'assistant',
      'system',
      'tool_result',
      'attachment',
      'progress',
      'queue-operation',
      'summary',
      'last-prompt',
      'fork-context-ref',
      'x',
    );
    const json = fc.jsonValue({ maxDepth: 3 });
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking'),
        id: json,
        name: fc.oneof(fc.constantFrom('Task', 'Agent', 'Bash'), json),
        input: json,
        text: json,
        content: json,
        tool_use_id: json,
      },
      { requiredKeys: ['type'] },
    );
    const message = fc.record({ content: fc.oneof(json, fc.array(block)), id: json, model: json, usage: json }, { requiredKeys: [] });
    const anyRecord = fc.record(
      {
        type: fc.oneof(types, json),
        message: fc.oneof(message, json),
        subtype: fc.oneof(fc.constantFrom('tool_use', 'compact_boundary'), json),
        toolName: json,
        toolArguments: json,
        uuid: json,
        parentUuid: json,
        timestamp: json,
        toolUseResult: json,
        data: json,
        attachment: json,
        compactMetadata: json,
        origin: json,
        forkedFrom: json,
        content: json,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anyRecord, fc.dictionary(fc.string(), json)), fc.boolean(), (value, inAgentFile) => {
        const entry = entryOf(value, inAgentFile);
        expect(ROLES).toContain(entry.role);
        expect(entry.role === 'state' || entry.uuid !== null).toBe(true);
        expect(Object.keys(entry)).toEqual(Object.keys(NOTHING));
      }),
      times(10),
    );
  });

  test('[ENTRY-1] keys that name object internals are data like any other', () => {
    const value = JSON.parse('{"__proto__":{"type":"user","uuid":"evil"},"constructor":{"type":"assistant"}}') as object;
    expect(entryOf(value)).toEqual(NOTHING);
  });

  test('[ENTRY-1] everything a real reply says is kept', () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 5,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    };
    const value = {
      parentUuid: 'p',
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/proj',
      sessionId: 'S',
      version: '2.1.220',
      type: 'assistant',
      uuid: 'a',
      requestId: 'req_1',
      costUSD: 0.25,
      timestamp: '2026-11-15T02:35:39.377Z',
      message: { id: 'msg_1', model: 'claude-opus-5', role: 'assistant', content: [text('hi')], usage },
    };
    expect(entryOf(value)).toEqual({
      ...NOTHING,
      type: 'assistant',
      kind: 'assistant',
      role: 'reply',
      uuid: 'a',
      parentUuid: 'p',
      sessionId: 'S',
      at: Date.parse('2026-11-15T02:35:39.377Z'),
      version: '2.1.220',
      cwd: '/home/dev/proj',
      messageId: 'msg_1',
      requestId: 'req_1',
      model: 'claude-opus-5',
      usage: { input: 3, output: 5, cacheWrite5m: 10, cacheWrite1h: 20, cacheRead: 7 },
      costUsd: 0.25,
      says: true,
    });
  });
});

describe('roles', () => {
  test.each<[Role, object]>([
    ['prompt', said('hello')],
    ['prompt', said('<b>not a command</b>')],
    ['prompt', said('')],
    ['prompt', record({ uuid: 'u', message: { content: [{ type: 'image' }, text('look')] } })],
    ['prompt', record({ type: 'human', uuid: 'u', message: { content: 'the seed calls it human' } })],
    ['reply', reply('a', null, 'm')],
    ['reply', record({ type: 'assistant', uuid: 'a', subtype: 'tool_use', toolName: 'Read' })],
    ['result', result('r', null, 't')],
    ['result', { ...result('r', null, 't'), type: 'human' }],
    ['result', record({ type: 'tool_result', uuid: 'r', message: {} })],
    ['boundary', record({ type: 'system', subtype: 'compact_boundary' })],
    ['boundary', record({ type: 'compact_prelude' })],
    ['summary', said('This session is being continued', { isCompactSummary: true })],
    ['summary', record({ type: 'compact_recap' })],
    ['synthetic', reply('a', null, 'm', [text('API Error')], { isApiErrorMessage: true })],
    ['synthetic', record({ type: 'assistant', message: { model: '<synthetic>', content: [text('No response requested.')] } })],
    ['meta', said('injected', { isMeta: true })],
    ['meta', said('Caveat: The messages below were generated by the user while running local commands. DO NOT respond')],
    ['meta', said('<local-command-caveat>Caveat: …</local-command-caveat>', { isMeta: true })],
    ['command', said('<command-name>/clear</command-name>')],
    ['command', said('<command-message>init is running…</command-message>\n<command-name>/init</command-name>')],
    ['output', said('<local-command-stdout>Bye!</local-command-stdout>')],
    ['output', said('<local-command-stderr>oh</local-command-stderr>')],
    ['output', said('(no content)')],
    ['bash', said('<bash-input>ls</bash-input>')],
    ['bash', said('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>')],
    ['bash', said('<bash-stderr>b</bash-stderr>')],
    ['memory', said('<user-memory-input>remember</user-memory-input>')],
    ['notice', said('<task-notification>\n<task-id>a1</task-id>')],
    ['notice', said('<agent-notification>\n<agent-id>a1</agent-id>')],
    ['notice', said('An agent is done', { origin: { kind: 'task-notification' } })],
    ['interruption', said('[Request interrupted by user]')],
    ['interruption', record({ message: { content: [text('[Request interrupted by user for tool use]')] } })],
    ['attachment', record({ type: 'attachment' })],
    ['progress', record({ type: 'progress' })],
    ['system', record({ type: 'system', subtype: 'api_error' })],
    ['system', record({ type: 'system', subtype: 'local_command' })],
    ['system', record({ type: 'system', subtype: 'microcompact_boundary' })],
    ['state', record({ type: 'summary' })],
    ['state', record({ type: 'api-request-blob' })],
    ['state', {}],
  ])('[ENTRY-2] a record is a %s: %j', (role, value) => {
    expect(roleOf(value)).toBe(role);
  });

  const cli = (words: string, more: object = {}): object =>
    record({ type: 'assistant', uuid: 'a', message: { model: '<synthetic>', content: [text(words)] }, ...more });
  test.each([
    ['none is requested', 0, cli('No response requested.', { isApiErrorMessage: false })],
    ['none is requested, without a flag', 0, cli('No response requested.')],
    ['an interruption', 0, cli('[Request interrupted by user]')],
    ['nothing', 0, cli('(no content)')],
    ['flagged', 1, cli("You've hit your limit", { isApiErrorMessage: true })],
    ['named by its kind', 1, cli('Too much', { error: 'max_output_tokens' })],
    ['streamed, without a flag', 1, cli('API Error: 400')],
    ['flagged in the name of a model', 1, reply('a', null, 'm', [text('API Error')], { isApiErrorMessage: true })],
    ['a retry', 1, record({ type: 'system', subtype: 'api_error', uuid: 's' })],
    ['another system record', 0, record({ type: 'system', subtype: 'local_command', uuid: 's' })],
    ['a reply', 0, reply('a', null, 'm', [text('API Error: 400')])],
    ['a result', 0, result('r', null, 't')],
    ['a tool that failed', 1, record({ message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true }] } })],
  ])('[ENTRY-6] what is an error: %s', (_, errors, value) => {
    expect(errorsIn(entryOf(value))).toBe(errors);
  });

  test('[ENTRY-6] each tool that failed is an error of its own', () => {
    const failed = ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, is_error: true }));
    expect(errorsIn(entryOf(record({ message: { content: [...failed, { type: 'tool_result', tool_use_id: 't3' }] } })))).toBe(2);
  });

  test('[ENTRY-2] only prompts, replies and results are conversation', () => {
    expect(ROLES.filter(isConversation)).toEqual(['prompt', 'reply', 'result']);
  });

  test("[ENTRY-2] user, assistant and system records and the seed's kinds are messages, the rest is not", () => {
    const types = [
      'user',
      'assistant',
      'system',
      'human',
      'tool_result',
      'compact_prelude',
      'compact_recap',
      'attachment',
      'progress',
      'summary',
      'mode',
    ];
    expect(types.filter((type) => isMessage(entryOf({ type })))).toEqual(types.slice(0, 7));
  });

  test('[ENTRY-2] a human record reads like a user record but for its type', () => {
    const value = prompt('u', 'p', 'hello', { timestamp: '2026-01-01T00:00:00Z', isSidechain: true });
    expect(entryOf({ ...value, type: 'human' })).toEqual({ ...entryOf(value), type: 'human', kind: 'human' });
  });

  test('[ENTRY-2] a synthetic reply has no message id, model or usage, for it is no API response', () => {
    const { messageId, requestId, model, usage } = entryOf(reply('a', null, 'm', [], { isApiErrorMessage: true, requestId: 'r' }));
    expect({ messageId, requestId, model, usage }).toEqual({ messageId: null, requestId: null, model: null, usage: null });
  });

  test('[ENTRY-2] a long prompt is kept by its start in the main thread and whole in a sidechain', () => {
    const words = 'x'.repeat(500);
    expect(entryOf(said(words)).text).toBe(`${'x'.repeat(200)}…`);
    expect(entryOf(said(words, { isSidechain: true })).text).toBe(words);
    expect(entryOf(said(words), true).text).toBe(words);
  });

  test('[SEC-37] a title that was cut ends before the word it was cut in, unless that is all there is', () => {
    const titleOf = (text: string): string => withoutCutWord(entryOf(said(text)).text ?? '');
    const before = `${'word '.repeat(38)}password=`;
    expect(titleOf(`${before}hunter2hunter2`)).toBe(`${'word '.repeat(38).trimEnd()}…`);
    expect(titleOf(`${'一'.repeat(190)}password=hunter2`)).toBe(`${'一'.repeat(190)}…`);
    expect(titleOf('一'.repeat(300))).toBe(`${'一'.repeat(200)}…`);
    expect(titleOf('x'.repeat(500))).toBe(`${'x'.repeat(200)}…`);
    expect(titleOf('short, and it goes on…')).toBe('short, and it goes on…');
  });

  test('[ENTRY-2] a long prompt is never cut between the halves of a character', () => {
    expect(entryOf(said(`${'x'.repeat(199)}😀tail`)).text).toBe(`${'x'.repeat(199)}…`);
    expect(entryOf(said(`${'x'.repeat(198)}😀tail`)).text).toBe(`${'x'.repeat(198)}😀…`);
  });

  test('[ENTRY-2] records of the graph without uuid are known by where they stand', () => {
    const seed = { type: 'human', parentUuid: 'msg_task_123', isSidechain: true, message: { content: 'Find bugs' } };
    expect(entryOf(seed).uuid).toBe('line:3');
    expect(readEntry(seed as JsonObject, { ...PLACE, part: 2 }).uuid).toBe('line:3.2');
  });

  test("[ENTRY-2] the seed's nestingLevel and is_active are read", () => {
    expect(entryOf(said('x', { nestingLevel: 2, is_active: false })).more).toEqual({ ...NO_MORE, nestingLevel: 2, isActive: false });
  });

  test('[ENTRY-2] a boundary says what triggered it, how large it was and where history goes on', () => {
    const entry = entryOf(
      record({
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        logicalParentUuid: 'l',
        compactMetadata: { trigger: 'manual', preTokens: 9 },
      }),
    );
    expect([entry.kind, entry.logicalParentUuid, entry.more]).toEqual([
      'system/compact_boundary',
      'l',
      { ...NO_MORE, compaction: { trigger: 'manual', preTokens: 9 } },
    ]);
  });

  test.each([
    [{ type: 'summary', summary: 'A', leafUuid: 'l' }, { title: { by: 'summary', text: 'A', leafUuid: 'l' } }],
    [{ type: 'ai-title', aiTitle: 'A' }, { title: { by: 'ai', text: 'A', leafUuid: null } }],
    [{ type: 'custom-title', customTitle: 'A' }, { title: { by: 'custom', text: 'A', leafUuid: null } }],
    [{ type: 'last-prompt', leafUuid: 'l' }, { lastPromptLeaf: 'l' }],
    [{ type: 'user', forkedFrom: { sessionId: 'T', messageUuid: 'm' } }, { forkedFrom: 'T' }],
    [{ type: 'fork-context-ref', parentSessionId: 'T' }, { forkedFrom: 'T' }],
    [{ type: 'user', parent_tool_use_id: 't' }, { parentToolUseId: 't' }],
  ])('[ENTRY-2] what few records say is read: %j', (value, more) => {
    expect(entryOf(value).more).toEqual({ ...NO_MORE, ...more });
  });
});
