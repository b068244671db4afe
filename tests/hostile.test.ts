import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskJson, maskSecrets } from '@yarnboard/domain';
import { sha256 } from '@yarnboard/store';
import { createReader, type JsonObject, jsonText, printable, printableLine, readEntry } from '@yarnboard/transcript';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderWith, yarnboard } from '../packages/cli/test/terminal.ts';
import { makeBoard, pathOf, walk, walkMessages, type TestBoard } from '../packages/server/test/operations/boards.ts';
import { maskedText } from '../packages/store/src/masked-text.ts';
import { DOCUMENT_FORMATS } from '../packages/server/src/sessions/session-document.ts';
import { createMarkdown } from '../packages/server/src/sessions/markdown.ts';
import { searchTextOf } from '../packages/store/src/search/text.ts';
import { eachWord, indexable } from '../packages/store/src/search/words.ts';
import { growthOf, MOST_GROWTH } from './cpu-time.ts';
import { HOSTILE_TEXTS, HOSTILE_VALUES, hostileLines } from './hostile-content.ts';

const SMALL = 20_000;
const lineOf = (content: unknown): string => JSON.stringify({ type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content } });

const parse = (line: string): JsonObject | null => {
  let found: JsonObject | null = null;
  const reader = createReader({
    decode: (bytes) => Buffer.from(bytes).toString('utf8'),
    sink: { record: (value) => void (found = value), quarantine: () => {} },
  });
  reader.feed(Buffer.from(`${line}\n`));
  reader.end();
  return found;
};

const toHtml = createMarkdown();

/** Every path that a text takes by itself. */
const TEXT_PATHS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['parsing', (text) => parse(lineOf(text))],
  ['reading', (text) => readEntry(parse(lineOf(text)) ?? {}, { line: 1, part: 0, offset: 0, length: 0 })],
  ['splitting', (text) => eachWord(text, () => {})],
  ['indexing', (text) => indexable(searchTextOf(parse(lineOf(text)) ?? {}))],
  ['masking', (text) => maskSecrets(text)],
  ['masking a record', (text) => maskedText(lineOf(text))],
  ['hashing', (text) => sha256(Buffer.from(text))],
  ['printing', (text) => [printable(text), printableLine(text)]],
  ['rendering as HTML', (text) => toHtml(text)],
];

const VALUE_PATHS: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['parsing', (value) => parse(lineOf([{ type: 'tool_use', id: 't', name: 'Odd', input: value }]))],
  [
    'indexing',
    (value) =>
      indexable(searchTextOf({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Odd', input: value }] } } as JsonObject)),
  ],
  ['masking', (value) => maskJson(value)],
  ['masking a record', (value) => maskedText(lineOf(value))],
  ['writing', (value) => jsonText(value)],
];

describe('whatever a transcript holds costs linear time', () => {
  test.each(TEXT_PATHS)('[HOST-1] %s of texts', (_, path) => {
    const worse = HOSTILE_TEXTS.filter(({ text }) => growthOf((size) => path(text(size)), SMALL) > MOST_GROWTH);
    expect(worse.map(({ name }) => name)).toEqual([]);
  });

  test.each(VALUE_PATHS)('[HOST-1] %s of values', (_, path) => {
    const worse = HOSTILE_VALUES.filter(({ value }) => growthOf((size) => path(value(size)), SMALL) > MOST_GROWTH);
    expect(worse.map(({ name }) => name)).toEqual([]);
  });
});

describe('a server that is given all of it', () => {
  const SESSION = '11111111-0000-4000-8000-00000000000b';
  const SIZE = 30_000;
  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: hostileLines(SIZE) } });
  });

  test('[HOST-2] imports it, follows it, and answers every question about it', async () => {
    const lines = hostileLines(SIZE).length;
    const file = join(board.folder, 'projects/-p', `${SESSION}.jsonl`);
    appendFileSync(
      file,
      hostileLines(SIZE / 10, 'live')
        .map((line) => `${line}\n`)
        .join(''),
    );
    await board.board.writer.importPaths([file]);
    await board.board.indexer.drain();
    const { entries, indexed, troubles } = await board.get('status');
    expect({ entries, indexed, troubles }).toEqual({ entries: 2 * lines, indexed: 2 * lines, troubles: [] });
    expect(await board.get('session', { id: SESSION })).toMatchObject({ quarantined: 2 });
    expect((await walkMessages(board, SESSION, { thread: 'all', limit: 500 })).length).toBeGreaterThan(2 * (lines - 1));
    for (const name of ['tree', 'operations', 'envelopes', 'branches'] as const) await walk(board, name, { id: SESSION });
    await board.get('conversation', { id: SESSION });
    for (const query of ['lorem', '漢', '"one two"', 'done -lorem']) expect((await board.ask(pathOf('search', { q: query }))).status).toBe(200);
    for (const format of DOCUMENT_FORMATS) {
      const response = await board.ask(`/downloads/sessions/${SESSION}?format=${format}`);
      expect([response.status, (await response.text()).length > SIZE]).toEqual([200, true]);
    }
    expect((await walk(board, 'log')).length).toBe(2 * lines);
    expect((await board.get('verify')).is_whole).toBe(true);
    expect(board.faults).toEqual([]);
  });
});

test('[HOST-2] the terminal inspects and shows all of it, and tells it as envelopes', async () => {
  const folder = folderWith({
    'projects/-p/11111111-0000-4000-8000-00000000000c.jsonl': hostileLines(3000)
      .map((line) => `${line}\n`)
      .join(''),
  });
  const file = join(folder, 'projects/-p/11111111-0000-4000-8000-00000000000c.jsonl');
  for (const args of [
    ['inspect', file],
    ['show', file],
    ['show', file, '--format', 'html'],
    ['envelopes', file],
  ]) {
    const { code, out } = await yarnboard(args);
    expect([args[0], code, out.length > 200]).toEqual([args[0], 0, true]);
  }
});
