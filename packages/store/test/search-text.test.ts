import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf, type JsonObject } from '@yarnboard/transcript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchTextOf } from '../src/search/text.ts';
import { wordsOf } from '../src/search/words.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/claude-code');

const recordsOf = (): readonly JsonObject[] =>
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => readFileSync(join(FIXTURES, path), 'utf8').split('\n'))
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as JsonObject] : [];
      } catch {
        return []; // some fixtures are broken on purpose
      }
    });

const lines = (value: JsonObject): readonly string[] => searchTextOf(value).split('\n');

test('[FIND-13] everything that is said in a message is found: text, thoughts, calls with their keys and numbers, results', () => {
  const message = {
    role: 'assistant',
    id: 'msg_1',
    model: 'claude-opus',
    content: [
      { type: 'thinking', thinking: 'a thought', signature: 'c2lnbmF0dXJl' },
      { type: 'text', text: 'a reply' },
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'Bash',
        input: { command: 'ls -la', timeout: 5000, deep: [{ id: 'JIRA-7', type: 'bug' }], flag: true },
      },
    ],
    usage: { input_tokens: 4, service_tier: 'standard' },
  };
  expect(lines({ type: 'assistant', uuid: 'u1', cwd: '/home', gitBranch: 'main', message })).toEqual(
    ['a thought', 'a reply', 'Bash', 'command', 'ls -la', 'timeout', '5000', 'deep', 'id', 'JIRA-7', 'type', 'bug', 'flag'], // prettier-ignore
  );
});

test('[FIND-13] titles, queued prompts, notices, hook output, errors and attachments are found, and so is text of a kind nobody knows yet', () => {
  expect(lines({ type: 'summary', summary: 'Fix login', leafUuid: 'x' })).toEqual(['Fix login']);
  expect(lines({ type: 'ai-title', aiTitle: 'Title A', sessionId: 's' })).toEqual(['Title A']);
  expect(lines({ type: 'custom-title', customTitle: 'Title B', sessionId: 's' })).toEqual(['Title B']);
  expect(lines({ type: 'queue-operation', operation: 'enqueue', content: 'do this next', sessionId: 's' })).toEqual(['do this next']);
  expect(lines({ type: 'system', subtype: 'local_command', content: '<command-name>/compact</command-name>', level: 'info', uuid: 'u' })).toEqual([
    '<command-name>/compact</command-name>',
  ]);
  expect(lines({ type: 'system', subtype: 'stop_hook_summary', uuid: 'u', hookInfos: [{ command: 'lint.sh' }], hookErrors: ['exit 2'] })).toEqual([
    'lint.sh',
    'exit 2',
  ]);
  expect(lines({ type: 'system', subtype: 'api_error', uuid: 'u', error: { formatted: '529 Overloaded', requestId: 'req_1' } })).toEqual([
    '529 Overloaded',
  ]);
  expect(
    lines({ type: 'attachment', uuid: 'u', attachment: { type: 'hook_success', hookName: 'Stop', stdout: 'all green', toolUseID: 't' } }),
  ).toEqual(['Stop', 'all green']);
  expect(lines({ type: 'kind-of-2031', uuid: 'u', payload: { hint: ['new text'] } })).toEqual(['new text']);
});

test('[FIND-13] of every real record all that a reader is shown is found', () => {
  const records = recordsOf();
  expect(records.length).toBeGreaterThan(8000);
  let shown = 0;
  for (const value of records.filter(({ type }) => type === 'user' || type === 'assistant' || type === 'system' || type === 'queue-operation')) {
    const text = searchTextOf(value);
    for (const part of partsOf(value)) {
      const pieces =
        part.kind === 'text' ? [part.text] : part.kind === 'tool-use' ? [part.name] : part.kind === 'tool-result' ? part.text.split('\n') : [];
      if (part.kind === 'thinking' && part.text !== '[redacted]') pieces.push(part.text);
      for (const piece of pieces) expect(text).toContain(piece);
      shown += pieces.length;
    }
  }
  expect(shown).toBeGreaterThan(5000);
});

test('[FIND-13] a word planted anywhere in a tool call is found, however deep', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (input) => {
      const found = new Set(
        wordsOf(searchTextOf({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'T', input: input as JsonObject }] } })),
      );
      const strings = Array.from(JSON.stringify(input).matchAll(/"(?:[^"\\]|\\.)*"/gu), ([text]) => String(JSON.parse(text)));
      expect(strings.flatMap((text) => wordsOf(text)).filter((word) => !found.has(word))).toEqual([]);
    }),
  );
});

test('[FIND-14] ids, signatures, images, labels and numbers of use are left out', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg';
  const content = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'redacted_thinking', data },
    { type: 'document', title: 'Report', source: { type: 'base64', data } },
  ];
  const record = { type: 'user', uuid: 'u', parentUuid: 'p', requestId: 'r', promptId: 'q', version: '2.1.0', timestamp: 't', userType: 'external' };
  expect(lines({ ...record, message: { role: 'user', content }, toolUseResult: { file: { base64: data } } })).toEqual(['Report']);
});

test('[FIND-14] of all real records no signature, no id of the record and no image is in the text', () => {
  for (const value of recordsOf()) {
    const text = searchTextOf(value);
    const json = JSON.stringify(value);
    const hidden = [
      value['uuid'],
      value['requestId'],
      ...Array.from(json.matchAll(/"(?:signature|data|base64)":"([\w+/=]{24,})"/gu), ([, found]) => found),
    ];
    expect(hidden.filter((secret) => typeof secret === 'string' && secret !== '' && lines(value).includes(secret))).toEqual([]);
    expect(text.includes('iVBORw0KGgo')).toBe(false);
  }
});

test('[FIND-14] a result that is kept twice counts once, and its copy counts where the result is empty, cut short or absent', () => {
  const result = (content: JsonObject[string]): JsonObject => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', ...(content === undefined ? {} : { content }) }] },
    toolUseResult: { stdout: 'whole output' },
  });
  expect(lines(result('shown output'))).toEqual(['shown output']);
  expect(lines(result([{ type: 'text', text: 'shown output' }]))).toEqual(['shown output']);
  expect(lines(result(''))).toEqual(['whole output']);
  expect(lines(result(undefined))).toEqual(['whole output']);
  expect(lines(result('<persisted-output>beginning'))).toEqual(['<persisted-output>beginning', 'whole output']);
  expect(lines({ type: 'user', message: { role: 'user', content: 'text' }, toolUseResult: 'Error: denied' })).toEqual(['text', 'Error: denied']);
});

test('[FIND-14] what is only sent again to the API, or came in pieces, is not found a second time', () => {
  const message = { role: 'user', content: 'hello' };
  expect(searchTextOf({ type: 'api-request-blob', hash: 'h', message })).toBe('');
  expect(searchTextOf({ type: 'stream_event', event: { delta: { text: 'hel' } } })).toBe('');
});

test('[FIND-14] neither depth nor width of a record is too much', () => {
  let deep: JsonObject = { text: 'bottom' };
  for (let i = 0; i < 200_000; i += 1) deep = { inner: [deep] };
  expect(searchTextOf(deep)).toBe('bottom');
  expect(searchTextOf({ list: Array.from({ length: 300_000 }, (_, at) => `item ${at}`) }).length).toBeGreaterThan(3_000_000);
});
