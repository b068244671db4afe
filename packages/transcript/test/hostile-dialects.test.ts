import { describe, expect, test } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../../tests/cpu-time.ts';
import { DIALECTS, gemini, jsonText, opencode, readEntry, recordsIn, type Access, type Dialect, type JsonObject } from '../src/index.ts';
import { memoryAccess } from './memory-access.ts';

const NOWHERE = { line: 1, part: 0, offset: 0, length: 0 };
const TIME = '2026-11-16T00:00:01.000Z';
const DEEP = 100_000;

const told = (dialect: Dialect, values: readonly JsonObject[]): readonly JsonObject[] => {
  const read = recordsIn(dialect.lines, { sessionId: 's', agentId: null });
  return values.map((value, i) => read(value, { line: i + 1, part: 0 }));
};

const accessTo = (files: Readonly<Record<string, string>>): Access =>
  memoryAccess((path) => files[path] ?? null, {
    names: (folder) => [
      ...new Set(
        Object.keys(files)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''),
      ),
    ],
    look: (path) => (files[path] === undefined ? null : { bytes: 1, modified: 1 }),
    now: 1e15,
  });

const chat = (changes: readonly JsonObject[]): readonly JsonObject[] => {
  const path = '/h/.gemini/tmp/p/chats/session-1.jsonl';
  const text = [{ sessionId: 's', projectHash: 'x' }, ...changes].map((line) => `${jsonText(line)}\n`).join('');
  return told(gemini, [...(gemini.store?.linesIn(path, accessTo({ [path]: text })).lines ?? [])]);
};

const tree = (parts: readonly JsonObject[]): readonly JsonObject[] => {
  const files: Record<string, string> = {
    '/d/storage/session/p/ses_1.json': JSON.stringify({ id: 'ses_1', time: { created: 1 } }),
    '/d/storage/message/ses_1/msg_1.json': JSON.stringify({ id: 'msg_1', role: 'assistant', time: { created: 2, completed: 3 } }),
  };
  parts.forEach((part, i) => (files[`/d/storage/part/msg_1/prt_${i}.json`] = JSON.stringify({ id: `prt_${String(i).padStart(7, '0')}`, ...part })));
  // Found at once, so that only what the dialect does is measured.
  const names = Object.keys(files).flatMap((path) => (path.startsWith('/d/storage/part/') ? [path.split('/').at(-1) ?? ''] : []));
  const access = accessTo(files);
  return told(opencode, [
    ...(opencode.store?.linesIn('/d/storage/ses_1', {
      ...access,
      names: (folder) => (folder === '/d/storage/part/msg_1' ? names : access.names(folder)),
    }).lines ?? []),
  ]);
};

const many = (count: number, lineOf: (i: number) => JsonObject): readonly JsonObject[] => Array.from({ length: count }, (_, i) => lineOf(i));

type Case = { readonly tool: string; readonly what: string; readonly read: (size: number) => readonly JsonObject[]; readonly small: number };

const of = (tool: string): Dialect => {
  const found = DIALECTS.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(tool);
  return found;
};

const lines = (tool: string, what: string, lineOf: (i: number, size: number) => JsonObject, small = 2000): Case => ({
  tool,
  what,
  small,
  read: (size) =>
    told(
      of(tool),
      many(size, (i) => lineOf(i, size)),
    ),
});

const text = (tool: string, what: string, lineOf: (text: string) => JsonObject, unit: string, head = ''): Case => ({
  tool,
  what,
  small: 20_000,
  read: (size) => told(of(tool), [lineOf(head + unit.repeat(size))]),
});

const event = (payload: JsonObject): JsonObject => ({ timestamp: TIME, type: 'event_msg', payload });
const item = (payload: JsonObject): JsonObject => ({ timestamp: TIME, type: 'response_item', payload });
const summed = (words: string): JsonObject => ({
  type: 'system',
  subtype: 'chat_compression',
  systemPayload: { compressedHistory: [{ parts: [{ text: words }] }] },
});
const noted = (words: string): JsonObject => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] });

const CASES: readonly Case[] = [
  lines('codex', 'calls that never return', (i) => item({ type: 'function_call', call_id: `c${i}`, name: 'exec_command', arguments: '{}' })),
  lines('codex', 'turns that are taken back, all of them each time', (i, size) =>
    event(i % 2 === 0 ? { type: 'user_message', message: `${i}`, turn_id: `t${i}` } : { type: 'thread_rolled_back', num_turns: size }),
  ),
  text('codex', 'a notice that never ends', noted, ' ', '<subagent_notification>'),
  text(
    'codex',
    'a patch of nothing but hunks',
    (words) => item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c', input: words }),
    '@@\n',
    '*** Begin Patch\n',
  ),
  lines('qwen', 'lines whose parents are nowhere', (i) => ({
    uuid: `u${i}`,
    parentUuid: 'nobody',
    type: 'user',
    message: { parts: [{ text: 'a' }] },
  })),
  lines('qwen', 'lines that all go on from the first', (i) => ({
    uuid: `u${i}`,
    parentUuid: 'u0',
    type: 'user',
    message: { parts: [{ text: 'a' }] },
  })),
  text('qwen', 'a summary of empty lines', summed, '\n'),
  lines('pi', 'entries whose parents are nowhere', (i) => ({
    id: `e${i}`,
    parentId: 'nobody',
    type: 'message',
    message: { role: 'user', content: 'a' },
  })),
  lines('pi', 'entries that all have one id', () => ({ id: 'e', parentId: 'e', type: 'message', message: { role: 'user', content: 'a' } })),
  lines('copilot', 'an agent for each line', (i) => ({ type: 'user.message', id: `e${i}`, agentId: `a${i}`, data: { content: 'a' } })),
  lines('copilot', 'commands that never end', (i) => ({ type: 'tool.execution_start', data: { toolCallId: `c${i}`, toolName: 'bash' } })),
  lines('copilot', 'agents that only begin', (i) => ({ type: 'subagent.started', agentId: `a${i}`, data: { toolCallId: `c${i}` } })),
  {
    tool: 'gemini',
    what: 'lists that are emptied again and again',
    small: 2000,
    read: (size) => chat(many(size, (i) => (i % 2 === 0 ? { $set: { messages: [] } } : { id: `m${i}`, type: 'user', content: 'a' }))),
  },
  {
    tool: 'gemini',
    what: 'going back to the last message each time',
    small: 2000,
    read: (size) => chat(many(size, (i) => (i % 2 === 0 ? { id: `m${i}`, type: 'user', content: 'a' } : { $rewindTo: `m${i - 1}` }))),
  },
  {
    tool: 'gemini',
    what: 'one reply, told again and again',
    small: 2000,
    read: (size) => chat(many(size, () => ({ id: 'm', type: 'gemini', content: 'a' }))),
  },
  {
    tool: 'opencode',
    what: 'a message of very many parts',
    small: 2000,
    read: (size) => tree(many(size, (i) => ({ type: 'text', text: `${i}`, time: { start: 2, end: 3 } }))),
  },
  {
    tool: 'opencode',
    what: 'calls that never return',
    small: 2000,
    read: (size) => tree(many(size, (i) => ({ type: 'tool', tool: 'bash', callID: `c${i}`, state: { status: 'running' } }))),
  },
];

describe('whatever other tools write', () => {
  test('every dialect but the one that takes lines as they are is tried', () => {
    expect(new Set(CASES.map(({ tool }) => tool))).toEqual(
      new Set(DIALECTS.flatMap(({ name, lines: { kind } }) => (kind === 'records' ? [] : [name]))),
    );
  });

  test.each(CASES)('[HOST-3] $tool: $what costs linear time', ({ read, small }) => {
    expect(growthOf(read, small)).toBeLessThan(MOST_GROWTH);
  });

  test('[HOST-3] a message of more parts than a function takes arguments is read', () => {
    expect(tree(many(200_000, () => ({ type: 'text', text: 'a', time: { start: 2, end: 3 } }))).length).toBeGreaterThan(200_000);
  });

  test('[HOST-3] what nests deeper than calls can is kept as text, or in a line that is quarantined', () => {
    const deep = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
    const [call] = told(of('codex'), [item({ type: 'function_call', call_id: 'c', name: 'odd', arguments: deep })]);
    expect(readEntry(call ?? {}, NOWHERE).uses).toMatchObject([{ name: 'odd' }]);
    expect(JSON.stringify(call)).toContain('{\\"a\\":');
    const path = '/h/.gemini/tmp/p/chats/session-1.jsonl';
    const written = `{"sessionId":"s","projectHash":"x"}\n{"id":"m","type":"odd","content":${deep}}\n`;
    const made = [...(gemini.store?.linesIn(path, accessTo({ [path]: written })).lines ?? [])];
    expect(made.map((line) => jsonText(line).length > DEEP)).toEqual([false, true]);
  });
});
