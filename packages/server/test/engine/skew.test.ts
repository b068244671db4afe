import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { draftOfDeed, ENTRY_TYPES } from '@yarnboard/domain';
import { uuidFor, verifyRange, type Item, type Store } from '@yarnboard/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../../tests/postgres.ts';
import { recordedIn } from '../../src/doors/ws/told-events.ts';
import { storedEvent } from '../../src/engine/stored-events.ts';
import { lines, serveBoard } from '../doors/ws/sockets.ts';
import { serveEngine } from '../doors/ws/engine-stage.ts';
import { dumpOf, NOON, openBoardStore, openEngine, openSqliteBoard, say, spawn, type EngineBench } from './bench.ts';

const BOARDS = new URL('../../../../fixtures/boards/', import.meta.url);

let postgres: Postgres | null = null;
const folders: string[] = [];
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await postgres?.stop();
});

const databaseFor = async (kind: 'sqlite' | 'postgres'): Promise<string | null> => {
  if (kind === 'sqlite') return (await openSqliteBoard()).database;
  if (postgres === null) return null;
  return `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
};

/** The board that a version of Yarnboard wrote, and the rows it folded. */
const openStored = async (
  version: string,
): Promise<{ readonly store: Store; readonly rows: { readonly position: number; readonly tables: object } }> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-skew-'));
  folders.push(folder);
  const path = join(folder, 'board.db');
  writeFileSync(path, gunzipSync(readFileSync(new URL(`${version}/board.db.gz`, BOARDS))));
  const rows = JSON.parse(readFileSync(new URL(`${version}/rows.json`, BOARDS), 'utf8')) as { readonly position: number; readonly tables: object }; // made with it
  return { store: await openBoardStore(`sqlite:${path}`, { now: NOON }), rows };
};

/** An entry as a newer version would write it: decided, and of a type or a version that this one does not have. */
const newerEntry = (bench: EngineBench, wanted: Newer): Item => newerIn(bench.sidebar('SB-1').contextId, wanted);

type Newer = { readonly type: string; readonly version: number };

const newerIn = (contextId: string, wanted: Newer): Item => {
  const payload = Buffer.from('{"pinned":true}');
  const deed = draftOfDeed({
    uuid: uuidFor(JSON.stringify(wanted)),
    type: ENTRY_TYPES.turnClosed,
    timestamp: NOON,
    sender: 'AGENT-operator',
    senderType: 'human',
    sessionId: contextId,
    contextId,
    contentLength: payload.length,
    note: null,
  });
  return { draft: { ...deed, ...wanted }, payload, reading: null };
};

const NEWER = [
  { type: 'sidebar.pinned', version: 1 },
  { type: 'chat.message', version: 2 },
] as const;

type Tables = Readonly<Record<string, readonly (readonly [string, unknown])[]>>;

describe('an old log and new code', () => {
  test.each(['0.1.0'])('[SKEW-1] the board of %s opens, verifies and folds to the rows it had', async (version) => {
    const { store, rows } = await openStored(version);
    const { count } = await store.log.head();
    expect((await verifyRange(store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
    const bench = await openEngine({ store });
    expect(bench.faults).toEqual([]);
    expect(bench.engine.position()).toBe(rows.position);
    const {
      notices,
      links,
      loads,
      requests,
      asked,
      equipment,
      seatRuns,
      turnRows,
      permissions,
      permissionRules,
      validations,
      validationConfig,
      autoMergeConfig,
      taskTypes,
      mergeRecords,
      rosters,
      confidences,
      sessionLabels,
      ...tables
    } = JSON.parse(JSON.stringify(dumpOf(bench.engine.board()))) as Tables; // a dump is such an object
    const { notices: noticesThen = [], links: linksThen = [], ...tablesThen } = rows.tables as Tables; // recorded from one
    // LOAD-5: seats and requests are made of what was there before there were any. Nobody acted by itself then.
    expect([loads, requests, asked].every((table) => Array.isArray(table))).toBe(true);
    expect(
      [equipment, seatRuns, turnRows, permissions, permissionRules, validations, validationConfig, autoMergeConfig, confidences, sessionLabels].every(
        (table) => table?.length === 0,
      ),
    ).toBe(true);
    expect([taskTypes, mergeRecords, rosters].every((table) => Array.isArray(table))).toBe(true);
    expect(Object.keys(tables)).toEqual(Object.keys(tablesThen));
    for (const [name, then] of Object.entries(tablesThen)) expect([name, tables[name]]).toMatchObject([name, then]);
    // CITE-9: files that were cited are known since. Everybody was told what they are told now, and more.
    expect(links?.filter(([key]) => !key.startsWith('file/') && !key.startsWith('merged/'))).toEqual(linksThen);
    for (const [agent, then] of noticesThen) {
      const positions = (notices?.find(([one]) => one === agent)?.[1] as readonly { readonly position: number }[] | undefined)?.map(
        ({ position }) => position,
      ); // a row of notices
      expect([agent, positions]).toEqual([
        agent,
        expect.arrayContaining((then as readonly { readonly position: number }[]).map(({ position }) => position)),
      ]);
    }
    await bench.run(say('SB-5', 'and it goes on'), { messageId: randomUUID() });
  });
});

describe.each(['sqlite', 'postgres'] as const)('a log with what only a newer version knows, on %s', (kind) => {
  test.each(NEWER)('[SKEW-2] $type of version $version makes the board read-only, and it is what it was before', async (newer) => {
    const database = await databaseFor(kind);
    if (database === null) return;
    const clock = { now: NOON };
    const bench = await openEngine({ store: await openBoardStore(database, clock), clock });
    await bench.run(spawn());
    await bench.run(say('SB-1', 'before'));
    const before = dumpOf(bench.engine.board());
    await bench.store.log.append({ items: [newerEntry(bench, newer)], files: [] });
    const position = (await bench.store.log.head()).count;
    const why = new RegExp(
      `read-only here: entry ${position} \\(${newer.type}, version ${newer.version}\\) was written by a newer Yarnboard.*Upgrade`,
      'su',
    );

    // A server that is running finds it out before it writes anything behind it.
    expect(await bench.ask(say('SB-1', 'behind'))).toMatchObject({
      kind: 'rejected',
      code: 'newer-board',
      facts: { position, type: newer.type, version: newer.version },
    });
    expect(bench.engine.readOnly()).toMatch(why);
    expect(dumpOf(bench.engine.board())).toEqual(before);

    // So does one that starts, and one that reads on; what comes behind it changes nothing.
    await bench.store.log.append({
      items: [{ ...newerEntry(bench, newer), draft: { ...newerEntry(bench, newer).draft, uuid: uuidFor('more') } }],
      files: [],
    });
    const started = await openEngine({ store: await openBoardStore(database, clock), clock });
    await started.engine.follow();
    expect(started.engine.readOnly()).toMatch(why);
    expect(dumpOf(started.engine.board())).toEqual(before);
    expect(started.faults.map(String)).toEqual([expect.stringMatching(why)]);
  });

  test('[SKEW-3] of two servers of two versions the older one stops writing, and nothing it had answered is lost', async () => {
    const database = await databaseFor(kind);
    if (database === null) return;
    const clock = { now: NOON };
    const older = await openEngine({ store: await openBoardStore(database, clock), clock });
    const newer = await openEngine({ store: await openBoardStore(database, clock), clock });
    await older.run(spawn());
    await newer.engine.follow();
    const answered = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? older : newer).run(say('SB-1', `word ${i}`))));
    await newer.store.log.append({ items: [newerEntry(older, { type: 'sidebar.pinned', version: 1 })], files: [] });
    const { count } = await newer.store.log.head();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => older.ask(say('SB-1', `late ${i}`))));
    expect(outcomes.map(({ kind: what }) => what)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
    expect((await newer.store.log.head()).count).toBe(count);
    expect(older.sidebar('SB-1').messages).toBe(answered.length);
    expect((await verifyRange(newer.store.log, 1, count, { forgotten: new Set() })).broken).toBeNull();
  });
});

test('[SKEW-4] a snapshot is not believed when it was folded from other events than this version knows', async () => {
  const { store, clock } = await openSqliteBoard();
  let kept: string | null = null;
  const snapshot = { read: () => kept, write: (text: string) => void (kept = text) };
  const bench = await openEngine({ store, clock, snapshot });
  await bench.run(spawn());
  await bench.engine.close();
  const [head = '', ...body] = String(kept).split('\n');
  const told = JSON.parse(head) as { readonly catalogue: string };
  expect(told.catalogue).toMatch(/^[0-9a-f]{64}$/u);
  await store.log.append({ items: [newerEntry(bench, { type: 'sidebar.pinned', version: 1 })], files: [] });
  // As a newer version would have left it: taken behind the entry that this one cannot read.
  const { count } = await store.log.head();
  const checksum = (await store.log.entryAt(count))?.checksum;
  kept = [JSON.stringify({ ...told, position: count, checksum, catalogue: 'f'.repeat(64) }), ...body].join('\n');
  expect((await openEngine({ store, clock, snapshot })).engine.readOnly()).toMatch(/read-only/u);
});

describe('an old client and a new server', () => {
  test('[SKEW-5] what a client of 0.1.0 sends is understood, and what it is told has every field that it was told then', async () => {
    const lines = readFileSync(new URL('0.1.0/client.jsonl', BOARDS), 'utf8').trim().split('\n');
    type Line = { readonly sent?: Frame; readonly told?: Frame };
    type Frame = Readonly<Record<string, unknown>>;
    const all = lines.map((line) => JSON.parse(line) as Line); // recorded from such a client
    const told = all.flatMap(({ told: frame }) => (frame === undefined ? [] : [frame]));
    const server = await serveBoard();
    const socket = server.connect({ token: server.token, since_seq: 0, subscribe: { records: true } });
    await socket.frame('connection_established');
    for (const { sent } of all) {
      if (sent === undefined) continue;
      socket.send(sent);
      await socket.frame((frame) => (frame['type'] === 'ack' || frame['type'] === 'rejected') && frame['message_id'] === sent['message_id']);
    }
    await socket.heard(Math.max(...told.map(({ seq }) => Number(seq ?? 0))));
    const isAnswer = ({ type }: Frame): boolean => type === 'ack' || type === 'rejected';
    const shapes = (frames: readonly Frame[]) => frames.filter(({ type }) => type !== 'caught_up').map((frame) => [frame['type'], frame]);
    // EPI-6: the end of a sidebar keeps the whole of it since; a client that does not know of it is told one more event of a kind that it knows.
    const isWhole = (event: unknown): boolean => (event as Frame)['type'] === 'memory_archived' && typeof (event as Frame)['about'] === 'string';
    const then = socket.frames
      .filter((frame) => !isWhole(frame['event'] ?? frame))
      .map((frame) => {
        const result = frame['result'] as { readonly events?: readonly unknown[] } | undefined; // of an ack
        return result?.events === undefined ? frame : { ...frame, result: { ...result, events: result.events.filter((event) => !isWhole(event)) } };
      });
    // Answers come in order, and so do events; an answer says by its `seq` which events it is about, and may come before or after them.
    for (const isOfKind of [isAnswer, (frame: Frame) => !isAnswer(frame)]) {
      const [before, now] = [shapes(told.filter(isOfKind)), shapes(then.filter(isOfKind))];
      expect(now.map(([type]) => type)).toEqual(before.map(([type]) => type));
      for (const [i, [, frame]] of before.entries()) expect(now[i]?.[1]).toMatchObject(shapeOf(corrected(frame)) as object);
    }
    await server.close();
  });
});

/** MEM-14: 0.1.0 called every merge NORMAL, however urgent the sidebar was; the one that was recorded is HIGH. */
const corrected = (frame: unknown): unknown =>
  JSON.parse(JSON.stringify(frame), (_key, value: Readonly<Record<string, unknown>> | null) =>
    value?.['type'] === 'memory_update' ? { ...value, priority: 'HIGH' } : value,
  );

/** The same fields with values of the same kind: numbers, ids and times are another day's, names and words are not. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, LISTED.has(key) ? expect.any(Array) : WORDED.has(key) ? worded(one) : shapeOf(one)]),
    );
  if (typeof value === 'number') return expect.any(Number);
  if (typeof value === 'string' && (/^\d{4}-\d\d-\d\dT/u.test(value) || /[0-9a-f]{8}-[0-9a-f]{4}-/u.test(value))) return expect.any(String);
  return value;
};

/** A sentence, or as many of them. */
const worded = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(worded) : typeof value === 'string' ? expect.any(String) : shapeOf(value);

/** More may be listed than was then, or something that says more. */
const LISTED = new Set(['tags', 'whatHappened', 'what_happened_while_paused']);

/** What people read may be said better. */
const WORDED = new Set([
  'message',
  'summary',
  'finalSummary',
  'reason',
  'conflict_description',
  'description',
  'content',
  'what',
  'text',
  'archive_reason',
  'why',
  'warnings',
]);

test('[WIRE-31] a board that cannot be read on tells what it cannot name as entries, and everything before as events', async () => {
  const stage = await serveEngine();
  const socket = await stage.join();
  await stage.bench.run(spawn('one'));
  const { seq } = await stage.bench.run(say('SB-1', 'hello'));
  await socket.heard(seq);
  await stage.bench.store.log.append({ items: [newerEntry(stage.bench, { type: 'sidebar.pinned', version: 1 })], files: [] });
  stage.hub.wake(seq + 1);
  const entry = await socket.frame((frame) => frame['type'] === 'entry' && frame['entry_type'] === 'sidebar.pinned');
  expect(entry).toMatchObject({ seq: seq + 1 });
  expect(socket.told().map(({ type }) => type)).toEqual(['sidebar_spawn', 'scratchpad_created', 'chat_message', 'entry']);
  await stage.close();
});

test('[ENGINE-41] what could not be read from the log again is not put there', async () => {
  let gold = '';
  const index = { add: () => {}, remove: () => {}, match: () => [{ gold, score: Number.NaN, condition: 'pool', words: [] }] };
  const bench = await openEngine({ createIndex: () => index });
  await bench.run(spawn());
  const [sourceRef = ''] = (await bench.run(say('SB-1', 'first'))).refs;
  await bench.run({
    type: 'gold.create',
    sidebar: 'SB-1',
    sourceRefs: [sourceRef],
    keyInsight: 'a',
    reusePattern: 'b',
    triggerConditions: ['pool full'],
  });
  await bench.run(spawn('another'));
  gold = [...bench.engine.board().golds.entries()].map(([id]) => id)[0] ?? '';
  const { count } = await bench.store.log.head();
  // A score that is not a number is null on the log, and a waypoint without a score is not one.
  await expect(bench.ask(say('SB-2', 'the pool is full'))).rejects.toThrow(/gold\.surfaced was decided in a shape that nobody could read/u);
  expect((await bench.store.log.head()).count).toBe(count);
});

test('[ENGINE-39] what is folded and what is told on are read alike', async () => {
  const { store } = await openStored('0.1.0');
  const entries = await store.log.entriesAfter(0, 1000);
  const told = await recordedIn(store.log, entries);
  const payloads = await store.log.payloadsOf(entries.map(({ position }) => position));
  expect(told.size).toBe(entries.length);
  for (const entry of entries) {
    const read = storedEvent(entry, payloads.get(entry.position) ?? new Uint8Array());
    const { payload, ...rest } = read.ok ? read.value : { payload: read.error };
    expect(told.get(entry.position)).toMatchObject(rest);
    // The bytes of a medium and the hash of a token are told to nobody.
    const untold = {
      'media.uploaded': { content: '' },
      'agent.registered': { tokenHash: '' },
      'agent.changed': 'tokenHash' in payload ? { tokenHash: '' } : {},
    };
    expect(told.get(entry.position)?.payload).toEqual({ ...payload, ...(untold as Readonly<Record<string, object>>)[entry.type] });
  }
});

test('[ENGINE-40] the status says why nothing can be decided, and transcripts are imported all the same', async () => {
  const server = await serveBoard();
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (
      await fetch(`http://127.0.0.1:${server.port}/api/v1/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      })
    ).json();
  const spawning = { method: 'POST', body: JSON.stringify({ parent_id: null, task_description: 'one' }) };
  await ask('sidebars', spawning);
  expect(await ask('status')).toMatchObject({ why: null });
  await server.append(newerIn('board', { type: 'sidebar.pinned', version: 1 }));
  expect(await ask('sidebars', spawning)).toMatchObject({
    status: 503,
    code: 'newer-board',
    detail: expect.stringMatching(/newer Yarnboard/u) as string,
  });
  expect(await ask('status')).toMatchObject({ why: expect.stringMatching(/read-only here: entry \d+ \(sidebar\.pinned/u) as string });
  expect(await server.append(...lines(3))).toMatchObject([{ status: 'new' }, { status: 'new' }, { status: 'new' }]);
  await server.close();
});
