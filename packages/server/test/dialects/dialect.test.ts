import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { claudeCode, classifyFile, DIALECTS, pricesOf, reconstruct, renderText, type Dialects } from '@yarnboard/transcript';
import { lineOf } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/ingest/discover.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { exportSessions } from '../../src/recovery/export.ts';
import { fileRecords } from '../../src/sessions/file-records.ts';
import { readPending } from '../../src/sessions/session-loader.ts';
import { openBench } from '../ingest/bench.ts';
import { makeBoard, makeFolder, walk, walkMessages, type TestBoard } from '../operations/boards.ts';
import { LATER, THREAD } from './tidings/thread.ts';
import { tidings } from './tidings/tidings.ts';

const BOTH: Dialects = [tidings, claudeCode];

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** A folder with a thread of tidings and a session of Claude Code. */
const makeHome = (): { readonly root: string; readonly thread: string } => {
  const root = join(makeFolder(), '.tidings');
  const threads = join(root, 'threads');
  mkdirSync(threads, { recursive: true });
  writeFileSync(join(root, 'settings.txt'), 'not a thread');
  const thread = join(threads, 'pond.tid');
  writeFileSync(thread, textOf(THREAD));
  const record = { type: 'user', uuid: 'c1', parentUuid: null, sessionId: 'plain', timestamp: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(threads, 'plain.jsonl'), textOf([{ ...record, message: { role: 'user', content: 'hello from Claude Code' } }]));
  return { root, thread };
};

const told = async (board: TestBoard) => {
  const id = 'pond';
  const conversation = await board.get('conversation', { id });
  return {
    messages: (await walkMessages(board, id, { limit: 500 })).map((message) => ({ ...message, ref: null, exchange: null, position: null })),
    operations: (await walk(board, 'operations', { id, limit: 500 })).map((operation) => ({ ...operation, ref: null })),
    tree: (await walk(board, 'tree', { id, limit: 500 })).map((row) => ({ ...row, ref: null })),
    steps: conversation.items.length,
    leaf: conversation.leaf_uuid,
    // Only the log knows numbers, and when a turn was over.
    envelopes: (await walk(board, 'envelopes', { id, limit: 500 }))
      .map((envelope) => JSON.stringify(envelope, (key, value: unknown) => (key === 'seq' || key === 'source' ? undefined : value)))
      .filter((envelope) => !envelope.includes('"t":"turn-end"')),
  };
};

const WORDS = ['Why does the pond leak?', 'Let me measure the kingfisher level.', 'The liner is torn at the north end.'];

describe('a second dialect', () => {
  test('[DIALECT-1] a file belongs to the first dialect that knows it, and carries its name', () => {
    const { root, thread } = makeHome();
    const found = discover([root], BOTH);
    expect(found.files.map(({ path, dialect }) => [path.slice(root.length), dialect])).toEqual([
      ['/threads/plain.jsonl', 'claude-code'],
      ['/threads/pond.tid', 'tidings'],
    ]);
    expect(found.skipped).toEqual([{ file: join(root, 'settings.txt'), reason: 'outside threads/' }]);
    expect(planGroups(found, BOTH).groups.map(({ sessionId, files }) => [sessionId, files.map(({ dialect }) => dialect)])).toEqual([
      ['plain', ['claude-code']],
      ['pond', ['tidings']],
    ]);
    expect(classifyFile(DIALECTS, thread)).toEqual({ dialect: null, role: { role: 'foreign', reason: 'not a transcript: .tid file' } });
    expect(tidings.roots({ env: {}, home: root.slice(0, -'/.tidings'.length), exists: () => true })).toEqual([join(root, 'threads')]);
  });

  test('[DIALECT-2] is imported, listed, shown, searched and told in envelopes like Claude Code', async () => {
    const { root } = makeHome();
    const board = await makeBoard({ roots: [root], dialects: BOTH });
    expect((await walk(board, 'sessions')).map(({ session_id: id }) => id).sort()).toEqual(['plain', 'pond']);
    const session = await board.get('session', { id: 'pond' });
    expect(session).toMatchObject({ title: 'The leaking pond', project: '/home/dev/pond', messages: 5 });
    expect(session.active_path).toEqual({ leaf_uuid: 'tidings/pond/7', messages: 5 });
    expect(session.cost_usd).toBeCloseTo((3 * (10 * 1 + 5 * 2)) / 1e6, 12);
    const { messages, operations, steps, envelopes } = await told(board);
    expect(messages.map(({ content }) => content).filter((content) => WORDS.includes(content))).toEqual(WORDS);
    expect(operations.map(({ name, is_error: isError, result_uuid: result }) => [name, isError, result !== null])).toEqual([['Bash', false, true]]);
    expect(steps).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(envelopes)).toContain('kingfisher');
    const hits = await walk(board, 'search', { q: 'kingfisher' });
    expect(hits.map((hit) => hit.session_id)).toEqual(['pond']);
    expect(board.faults).toEqual([]);
  });

  test('[DIALECT-2] is the same before it is imported and after', async () => {
    const { root } = makeHome();
    const board = await makeBoard({ roots: [root], dialects: BOTH, isImported: false });
    const importing = board.board.writer.importPaths([root]);
    while ((await board.get('status')).pending_sessions === 0) await breathe();
    await board.board.writer.stopImport();
    await importing;
    expect(await board.get('session', { id: 'pond' })).toMatchObject({ state: 'pending', title: 'The leaking pond' });
    const before = await told(board);
    await board.board.writer.importPaths([root]);
    expect(await told(board)).toEqual(before);
  });

  test('[DIALECT-2] is shown in words from its file', async () => {
    const { root } = makeHome();
    const [, group] = planGroups(discover([root], BOTH), BOTH).groups;
    if (group === undefined) throw new Error('the thread is not planned');
    const outline = { firstAt: Number.NaN, lastAt: Number.NaN, stateAt: Number.NaN, title: null, project: null, version: null, isCopy: false };
    const { session } = await readPending({ group, outline }, BOTH);
    const { recordOf, close } = fileRecords(group, { dialects: BOTH });
    const text = [...renderText({ session, title: null, project: null, recordOf, outputOf: () => null }, reconstruct(session))].join('');
    close();
    for (const words of WORDS) expect(text).toContain(words);
    expect(text).toContain('cat level.txt');
  });

  test('[DIALECT-3] its own lines stay on the log byte for byte, and come out of it again', async () => {
    const { root, thread } = makeHome();
    const { board } = await makeBoard({ roots: [root], dialects: BOTH });
    const folder = makeFolder();
    await exportSessions(board.store, { folder, sessions: ['pond'], reveal: true });
    const exported = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.jsonl'));
    expect(readFileSync(join(folder, exported ?? ''), 'utf8')).toBe(readFileSync(thread, 'utf8'));
  });

  test('[DIALECT-4] its entries name it, and a file that grows is read on from where it was left', async () => {
    const { root, thread } = makeHome();
    const { board } = await makeBoard({ roots: [root], dialects: BOTH });
    const { count } = await board.store.log.head();
    appendFileSync(thread, textOf(LATER));
    await board.writer.importPaths([root]);
    const entries = await board.store.log.entriesAfter(0, 100);
    expect(entries.slice(count).map(({ timestamp }) => timestamp)).toEqual([1_767_225_607_000, 1_767_225_608_000]);
    const payloads = await board.store.log.payloadsOf(entries.map(({ position }) => position));
    const lines = entries.map((entry) => {
      const line = Buffer.from(lineOf(entry, payloads.get(entry.position) ?? Buffer.alloc(0))).toString('utf8');
      return { client: entry.originatingClient, sender: entry.sender, line };
    });
    expect(lines.filter(({ client }) => client === 'tidings').map(({ line }) => line)).toEqual(
      [...THREAD, ...LATER].map((line) => JSON.stringify(line)),
    );
    expect(lines.filter(({ client }) => client !== 'tidings').map(({ client, sender }) => [client, sender])).toEqual([['claude-code', 'human']]);
    expect(new Set(lines.map(({ sender }) => sender))).toEqual(new Set(['human', 'system', 'AGENT-tidings']));
  });

  test('[DIALECT-4] a file is read on in the dialect that its mark names, also when another claims its path by then', async () => {
    const { root, thread } = makeHome();
    const bench = await openBench();
    try {
      const read = async (dialects: Dialects) => (await bench.ingest({ dialects })).importAll([root]);
      await read(BOTH);
      const marks = (await bench.store.log.files()).map(({ path, dialect }) => [path, dialect]);
      expect(marks).toEqual([
        [join(root, 'threads', 'plain.jsonl'), 'claude-code'],
        [thread, 'tidings'],
      ]);
      const { count } = await bench.store.log.head();
      appendFileSync(thread, textOf(LATER));
      await read([{ ...tidings, name: 'gossip' }, ...BOTH]);
      expect((await bench.store.log.entriesAfter(count, 100)).map(({ originatingClient }) => originatingClient)).toEqual(LATER.map(() => 'tidings'));
      expect((await bench.store.log.files()).map(({ path, dialect }) => [path, dialect])).toEqual(marks);
    } finally {
      await bench.close();
    }
  });
});

test('[DIALECT-5] where nobody says otherwise all dialects are read, Claude Code last, at the prices of each', () => {
  expect(DIALECTS.map(({ name }) => name)).toEqual(['codex', 'opencode', 'gemini', 'qwen', 'pi', 'copilot', 'claude-code']);
  for (const { prices } of DIALECTS)
    for (const [model, price] of Object.entries(prices.models)) expect(pricesOf(DIALECTS).models[model]).toEqual(price);
  expect(pricesOf(BOTH).models['tidings-1']).toEqual(tidings.prices.models['tidings-1']);
  expect(pricesOf(BOTH).models['claude-opus-5']).toEqual(claudeCode.prices.models['claude-opus-5']);
});
