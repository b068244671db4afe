import { expect, test } from 'vitest';
import { readEntry, type Entry, type JsonObject } from '../src/index.ts';
import { prompt, record, reply, text } from './reading.ts';

const PLACE = { line: 3, part: 0, offset: 40, length: 7 };

const entryOf = (value: object): Entry => readEntry(value as JsonObject, PLACE);
const said = (words: string, more: object = {}): object => ({ ...prompt('u', null, words), ...more });

const words = '<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n</task-notification>';
const notice = { source: 'notification', agentId: 'a1', toolUseId: 't1', status: 'completed' };

test.each<[string, object, object | null]>([
  ['a user text', said(words), notice],
  ['a text block', record({ message: { content: [text(words)] } }), notice],
  ['a human record', said(words, { type: 'human' }), notice],
  ['a queue operation', { type: 'queue-operation', operation: 'enqueue', content: words }, notice],
  ['a queued attachment', { type: 'attachment', attachment: { type: 'queued_command', prompt: words } }, notice],
  [
    'an old notification',
    { type: 'queue-operation', content: '<agent-notification><agent-id>a1</agent-id><status>failed</status>' },
    { ...notice, toolUseId: null, status: 'failed' },
  ],
  [
    'a queued start',
    { type: 'queue-operation', content: '{"task_id":"a1","tool_use_id":"t1","task_type":"local_agent"}' },
    { ...notice, status: null },
  ],
  [
    'progress',
    { type: 'progress', data: { type: 'agent_progress', agentId: 'a1' }, parentToolUseID: 't1' },
    { source: 'progress', agentId: 'a1', toolUseId: 't1', status: null },
  ],
  ['other progress', { type: 'progress', data: { type: 'bash_progress', agentId: 'a1' } }, null],
  ['another attachment', { type: 'attachment', attachment: { type: 'file', prompt: words } }, null],
  ['a prompt that quotes one', said(`look: ${words}`), null],
  ['a reply', reply('a', null, 'm', [text(words)]), null],
  ['a notification without agent', said('<task-notification><status>completed</status></task-notification>'), null],
  ['an unclosed tag', said('<task-notification><task-id>a1'), null],
  ['broken JSON', { type: 'queue-operation', content: '{"task_id":' }, null],
])('[ENTRY-5] %s', (_, value, wanted) => {
  expect(entryOf(value).more?.notice ?? null).toEqual(wanted);
});
