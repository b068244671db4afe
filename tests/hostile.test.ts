import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskJson, maskSecrets } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex, embed } from '@yarnboard/language';
import { sha256 } from '@yarnboard/store';
import { createReader, type JsonObject, jsonText, printable, printableLine, readEntry } from '@yarnboard/transcript';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderWith, yarnboard } from '../packages/cli/test/terminal.ts';
import { makeBoard, pathOf, walk, walkMessages, type TestBoard } from '../packages/server/test/operations/boards.ts';
import { createEmbedding } from '../packages/store/src/search/meaning/embedding-file.ts';
import { askedVector } from '../packages/store/src/search/meaning/nearest.ts';
import { storedPassagesOf } from '../packages/store/src/search/meaning/vectors.ts';
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

/** What stands behind the name of a secret, or behind a command that takes one, and does not end. */
const BEGUN = [
  'password is a',
  'DB_PASS=',
  'token: "',
  '--password ',
  'mysql -p',
  'curl -u a:',
  'Cookie: a=',
  '?key=',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----\n',
];

/** Of what people and agents write on the board, with the longest text that each is given. */
const embedding = createEmbedding()();
const language = () => createLanguage({ mask: (text) => maskSecrets(text).text });
const triggers = createTriggerIndex();
triggers.add({
  id: 'GOLD-1',
  keyInsight: 'lorem ipsum fails',
  reusePattern: 'restart dolor',
  triggerConditions: ['lorem ipsum fails with error 42'],
});
const BOARD_PATHS: readonly (readonly [string, number, (text: string) => unknown])[] = [
  ['claims', 50_000, (text) => language().claimsIn(text)],
  ['contradictions', 20_000, (text) => language().contradictions(text, ['the pool size is 10'])],
  ['results', 20_000, (text) => language().resultShape(text)],
  [
    'packages',
    200_000,
    (text) => language().packageNature({ task: text, tags: [], summary: text, findings: [text.slice(0, 20_000)], recommendations: text, paths: [] }),
  ],
  ['tags', 200_000, (text) => language().tagsFor({ texts: [{ text, weight: 1 }], files: [], others: [] })],
  ['summaries', 200_000, (text) => language().summarise({ task: text, findings: [], fallen: [], talk: [{ ref: 'MSG-1', text }], ending: [] })],
  ['triggers', 100_000, (text) => triggers.match(text)],
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

  test.each(BOARD_PATHS)('[HOST-1] %s of texts as long as the board takes', (_, most, path) => {
    const worse = HOSTILE_TEXTS.filter(({ text }) => growthOf((size) => path(text(size)), most / 8) > MOST_GROWTH);
    expect(worse.map(({ name }) => name)).toEqual([]);
  });

  test.each(BEGUN)('[HOST-1] masking of what goes on behind %j and never ends', (begun) => {
    const worse = HOSTILE_TEXTS.filter(({ text }) => growthOf((size) => maskSecrets(`${begun}${text(size)}!x`), SMALL) > MOST_GROWTH);
    expect(worse.map(({ name }) => name)).toEqual([]);
  });

  // A regular expression has a stack of 64 MB: a run of so many letters outside of Latin is too much for a `+` in front of anything.
  test('[HOST-1] [MEAN-24] a run of millions of letters is embedded, and asked about, like any other text', () => {
    if (embedding === null) throw new Error('the embedding is not there');
    for (const letter of ['漢', 'я']) {
      const text = letter.repeat(9_000_000);
      expect(embed(embedding, text)).toHaveLength(embedding.dims);
      expect(askedVector(embedding, text, new Map())).not.toBeNull();
      expect(storedPassagesOf(embedding, text).length).toBeGreaterThan(0);
    }
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
