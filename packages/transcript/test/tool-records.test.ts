import { expect, test } from 'vitest';
import { readEntry, type Entry, type JsonObject } from '../src/index.ts';
import { record, reply, result, task, text, use } from './reading.ts';

const PLACE = { line: 3, part: 0, offset: 40, length: 7 };

const entryOf = (value: object): Entry => readEntry(value as JsonObject, PLACE);

const call = { agent: 'bug-hunter', prompt: 'Find bugs', description: 'd', resume: null };

test('[ENTRY-3] tool_use blocks of an assistant record are its uses; Task and Agent are calls', () => {
  const value = reply('a', null, 'm', [
    text('x'),
    use('t1', 'Read'),
    task('t2', 'Find bugs', 'bug-hunter', { description: 'd' }),
    use('t3', 'Agent', { prompt: 'go', resume: 'a1' }),
  ]);
  expect(entryOf(value).uses).toEqual([
    { id: 't1', name: 'Read', call: null },
    { id: 't2', name: 'Task', call },
    { id: 't3', name: 'Agent', call: { agent: null, prompt: 'go', description: null, resume: 'a1' } },
  ]);
});

test.each([
  [
    { toolName: 'Read', toolArguments: { file_path: '/src/main.py' } },
    [{ id: 'sc-tool-1', name: 'Read', call: null, file: { kind: 'read', path: '/src/main.py', lines: null } }],
  ],
  [
    { toolName: 'Task', toolUseId: 't', toolArguments: { subagent_type: 'bug-hunter', prompt: 'Find bugs', description: 'd' } },
    [{ id: 't', name: 'Task', call }],
  ],
  [{ toolName: 'Read', toolUseID: 't' }, [{ id: 't', name: 'Read', call: null }]],
])("[ENTRY-3] the seed's subtype tool_use is a use, known by its tool id or else its uuid: %j", (fields, uses) => {
  expect(entryOf({ type: 'assistant', isSidechain: true, subtype: 'tool_use', uuid: 'sc-tool-1', ...fields }).uses).toEqual(uses);
});

test('[ENTRY-3] results are read in user, human and tool_result records, several in one record', () => {
  const message = {
    content: [
      { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
      { type: 'tool_result', tool_use_id: 't2', content: [text('no')], is_error: true },
    ],
  };
  const results = [
    { toolUseId: 't1', isError: false, answer: 'answer', agentId: null },
    { toolUseId: 't2', isError: true, answer: 'answer', agentId: null },
  ];
  expect(['user', 'human', 'tool_result'].map((type) => entryOf({ type, message }).results)).toEqual([results, results, results]);
});

test.each([
  ['stub', result('r', null, 't', 'Async agent launched successfully.')],
  ['stub', result('r', null, 't', 'x', { toolUseResult: { status: 'async_launched', agentId: 'a1' } })],
  ['stub', result('r', null, 't', 'x', { toolUseResult: { isAsync: true } })],
  ['answer', result('r', null, 't', 'x', { toolUseResult: { status: 'completed' } })],
  ['answer', result('r', null, 't', '[Request interrupted by user')],
  [
    'void',
    record({ message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: "The user doesn't want to proceed" }] } }),
  ],
  [
    'void',
    record({
      message: {
        content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: [text('[Request interrupted by user for tool use]')] }],
      },
    }),
  ],
  ['answer', record({ message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'exit 1' }] } })],
])('[ENTRY-3] a result is a %s: %j', (answer, value) => {
  expect(entryOf(value).results.map((one) => one.answer)).toEqual([answer]);
});

test('[ENTRY-3] a result names its agent in toolUseResult or at the end of its text', () => {
  const values = [
    result('r', null, 't', 'x', { toolUseResult: { agentId: 'a1' } }),
    result('r', null, 't', [text('done'), text('agentId: a2 (for resuming)')]),
    result('r', null, 't', [text('agentId: a3'), text('done')]),
  ];
  expect(values.map((value) => entryOf(value).results[0]?.agentId)).toEqual(['a1', 'a2', null]);
});
