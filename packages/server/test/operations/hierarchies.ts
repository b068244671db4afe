import type { Files } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

export const MODEL = 'claude-opus-4-1-20250805';
export const ID = (n: string): string => `00000000-0000-4000-8000-00000000000${n}`;

/** The examples of the seed on message hierarchy, as transcripts. */
export const SEED: Files = {
  // Example 1 of the seed.
  'p/00000000-0000-4000-8000-000000000001.jsonl': [
    prompt('a1', null, 0, "What's in README.md?"),
    reply('a2', 'a1', 1, "I'll read that for you"),
    reply('a3', 'a2', 2, [use('t1', 'Read', { ['file_path']: 'README.md' })]),
    result('a4', 'a3', 3, 't1', '# Project Title...'),
    prompt('a5', 'a3', 4, 'Can you summarize it?'),
    reply('a6', 'a5', 5, 'The README contains...'),
  ],
  // Example 2.
  'p/00000000-0000-4000-8000-000000000002.jsonl': [
    prompt('b1', null, 0, 'Compare config.json and package.json'),
    reply('b2', 'b1', 1, "I'll read both files"),
    reply('b3', 'b2', 2, [use('t2', 'Read', { ['file_path']: 'config.json' })]),
    result('b4', 'b3', 3, 't2', '{config content}'),
    reply('b5', 'b3', 4, [use('t3', 'Read', { ['file_path']: 'package.json' })]),
    result('b6', 'b5', 5, 't3', '{package content}'),
    reply('b7', 'b5', 6, "Here's the comparison..."),
    prompt('b8', 'b7', 7, 'Thanks!'),
  ],
  // Example 3.
  'p/00000000-0000-4000-8000-000000000003.jsonl': [
    prompt('c1', null, 0, 'Update all test files to use the new API'),
    reply('c2', 'c1', 1, "I'll update the test files"),
    reply('c3', 'c2', 2, [use('u1', 'Glob', { pattern: '*.test.js' })]),
    result('c4', 'c3', 3, 'u1', '["test1.js", "test2.js"]'),
    reply('c5', 'c3', 4, [use('u2', 'Read', { ['file_path']: 'test1.js' })]),
    result('c6', 'c5', 5, 'u2', '{content}'),
    reply('c7', 'c5', 6, [use('u3', 'Edit', { ['file_path']: 'test1.js' })]),
    result('c8', 'c7', 7, 'u3', 'Success'),
    reply('c9', 'c7', 8, [use('u4', 'Read', { ['file_path']: 'test2.js' })]),
    result('c10', 'c9', 9, 'u4', '{content}'),
    reply('c11', 'c9', 10, [use('u5', 'Edit', { ['file_path']: 'test2.js' })]),
    result('c12', 'c11', 11, 'u5', 'Success'),
    reply('c13', 'c11', 12, 'All test files have been updated'),
  ],
  // Example 4, literally; the model stands beside the message.
  'p/test-session-001.jsonl': [
    { ...prompt('msg-2', null, 0, 'analyze project'), sessionId: 'test-session-001' },
    {
      type: 'assistant',
      uuid: 'msg-3',
      parentUuid: 'msg-2',
      sessionId: 'test-session-001',
      timestamp: '2025-08-06T10:00:08Z',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 'tool-001', name: 'LS', input: { path: '/home/user/project' } }] },
      model: MODEL,
      isSidechain: false,
    },
    { ...result('msg-3r', 'msg-3', 10, 'tool-001', 'src/\nconfig.json\npackage.json\nREADME.md\ntests/'), sessionId: 'test-session-001' },
    { ...reply('msg-4', 'msg-3', 12, 'It is a small project.'), sessionId: 'test-session-001' },
  ],
};

const tool = (uuid: string, parent: string | null, second: number, type: string, content: string, isSidechain?: boolean) => ({
  ...prompt(uuid, parent, second, ''),
  type,
  message: undefined,
  content,
  isSidechain,
});

/** What is not as it should be. */
export const ODD: Files = {
  // The old structure: tool messages as siblings of the assistant, or without a parent; some flagged, some not.
  'p/00000000-0000-4000-8000-00000000000a.jsonl': [
    prompt('o1', null, 0, 'list it'),
    { ...prompt('o2', 'o1', 1, ''), type: 'assistant', message: undefined, content: '📁 Listing directory: /x' },
    tool('o2_tool_0', 'o1', 2, 'tool_use', '{"type":"tool_use","name":"LS","input":{"path":"/x"}}'),
    tool('o2_result_0', 'o1', 3, 'tool_result', 'a\nb'),
    tool('o2_tool_1', null, 4, 'tool_use', '{"type":"tool_use","name":"Read","input":{}}'),
    tool('o2_result_1', null, 5, 'tool_result', 'c', false),
    tool('stray', null, 6, 'tool_use', '{}'),
    tool('stray_result', null, 7, 'tool_result', 'nobody asked'),
    prompt('o3', 'o2', 8, 'thanks'),
  ],
  // Both at once: the blocks are in the record, and beside it as records.
  'p/00000000-0000-4000-8000-00000000000b.jsonl': [
    prompt('m1', null, 0, 'list it'),
    reply('m2', 'm1', 1, [use('t1', 'LS', { path: '/x' })]),
    tool('m2_tool_0', 'm1', 2, 'tool_use', '{"type":"tool_use","name":"LS","input":{"path":"/x"}}'),
    result('m3', 'm2', 3, 't1', 'a'),
  ],
  // Results: of nobody, of the same use twice, a stub before the answer, several in one record, an error.
  'p/00000000-0000-4000-8000-00000000000c.jsonl': [
    prompt('r1', null, 0, 'go'),
    reply('r2', 'r1', 1, [use('t1', 'Bash', { command: 'ls' }), { type: 'text', text: 'Both at once.' }, use('t2', 'Task', { prompt: 'dig' })]),
    result('r3', 'r2', 2, 'nobody', 'lost'),
    { ...result('r4', 'r2', 3, 't2', 'Async agent launched successfully.'), toolUseResult: { isAsync: true } },
    result(
      'r5',
      'r4',
      4,
      't1',
      [
        { type: 'text', text: 'one' },
        { type: 'image', source: {} },
        { type: 'text', text: 'two' },
      ],
      { isError: true },
    ),
    result('r6', 'r5', 5, 't2', 'dug'),
    result('r7', 'r6', 6, 't1', 'again'),
    {
      ...prompt('r8', 'r7', 7, ''),
      message: {
        content: [
          { type: 'tool_result', content: 'no id' },
          { type: 'tool_result', ['tool_use_id']: '', content: 'empty id' },
          { type: 'text', text: 'x' },
        ],
      },
    },
    reply('r9', 'r8', 8, [
      { type: 'tool_use', name: 'Nameless', input: {} },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      use('t3', 'Read', {}),
    ]),
  ],
};
