// Trace: two levels, ways between two, and a hub's first page over the API, per string against lookups in bare SQLite: [--messages 20000,200000] [--rounds N] [--seed N] [--keep]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeOf, openBoard, type Home } from '@yarnboard/server';
import { draftOfLine, NOWHERE, openStore, type Item } from '@yarnboard/store';
import { DEFAULT_PRICES, readEntry, type JsonObject } from '@yarnboard/transcript';
import { openDatabase } from '../packages/store/src/sqlite/database.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { below, layOut, type Verdict } from './measure/table.ts';
import { createRandom, type Random } from './tree/random.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000,200000' },
    rounds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const sizes = values.messages.split(',').map(Number);
if (sizes.length !== 2 || !sizes.every((size) => size >= 2000)) throw new Error('--messages takes two sizes, such as 20000,200000');
const rounds = Number(values.rounds);

const HUB = '/srv/loom/hub.ts';

/** Sessions of 200 records: each answers one before it, every fourth edits a file, every ninth mentions another message; a twentieth edits the hub. */
const itemsOf = function* (random: Random, count: number): Generator<Item, void, void> {
  let session = '';
  let uuids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    if (n % 200 === 0) {
      session = random.uuid();
      uuids = [];
    }
    const uuid = random.uuid();
    const parent = uuids.at(-1 - (random.chance(0.1) ? 1 : 0)) ?? uuids.at(-1) ?? null;
    uuids.push(uuid);
    const text = n % 9 === 0 && n > 0 ? `As MSG-${random.between(1, n)} says.` : `Step ${n}`;
    const path = n % 20 === 4 ? HUB : `/srv/loom/${random.between(1, 500)}.ts`;
    const isCall = n % 4 === 0;
    const content = isCall
      ? [{ type: 'tool_use', id: `toolu_${n}`, name: 'Edit', input: Object.fromEntries([['file_path', path]]) }]
      : [{ type: 'text', text }];
    const message = { role: isCall ? 'assistant' : 'user', content };
    const about = { uuid, parentUuid: parent, sessionId: session, timestamp: new Date(Date.UTC(2025, 0, 6) + n * 1000).toISOString() };
    const line = JSON.stringify({ type: message.role, ...about, cwd: '/srv/loom', version: '2.1.0', isSidechain: false, message });
    const reading = readEntry(JSON.parse(line) as JsonObject, NOWHERE, false); // an object: made here
    const context = { sessionId: session, agentId: null };
    const draft = draftOfLine({ context, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: 0 });
    yield { draft, payload: Buffer.from(line), reading };
  }
};

const fill = async (home: Home, count: number, random: Random): Promise<void> => {
  const store = await openStore(home.database, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => 'bench' });
  let batch: Item[] = [];
  for (const item of itemsOf(random, count)) {
    batch.push(item);
    if (batch.length < 2000) continue;
    await store.log.append({ items: batch, files: [] });
    batch = [];
  }
  if (batch.length > 0) await store.log.append({ items: batch, files: [] });
  await store.close();
};

/** Milliseconds of this process: how busy the machine is does not count. */
const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const p95Of = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0;

type Answer = { readonly nodes: readonly { readonly ref: string }[]; readonly edges: readonly unknown[]; readonly ways: readonly unknown[] | null };
type Timed = { readonly p95: number; readonly perString: number };
type Measured = { readonly depth2: Timed; readonly ways: Timed; readonly hub: Timed; readonly baseline: number };

const measure = async (home: Home, count: number, random: Random): Promise<Measured> => {
  const board = await openBoard({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: 'bench', programs: null, readOnly: true });
  const ask = async (ref: string, query: string): Promise<Answer> => {
    const response = await board.app.request(`http://127.0.0.1:0/api/v1/trace/${encodeURIComponent(ref)}?${query}`, {
      headers: { host: '127.0.0.1:0' },
    });
    if (response.status !== 200) throw new WrongResult(`trace of ${ref}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer; // as its schema says
  };
  const time = async (refs: readonly string[], query: (at: number) => string): Promise<Timed> => {
    const times: number[] = [];
    let strings = 0;
    const before = process.cpuUsage();
    for (const [at, ref] of refs.entries()) {
      const startedAt = performance.now();
      const { edges } = await ask(ref, query(at));
      times.push(performance.now() - startedAt);
      strings += edges.length;
    }
    return { p95: p95Of(times), perString: cpuSince(before) / Math.max(1, strings) };
  };
  // A string between them must be seen from both ends.
  const first = await ask('MSG-2', 'depth=1');
  if (first.edges.length === 0 || first.nodes.length < 2) throw new WrongResult('MSG-2 hangs together with nothing');
  const hub = await ask(HUB, 'depth=1&limit=200');
  if (hub.edges.length < 100) throw new WrongResult(`the hub has ${hub.edges.length} strings on its first page`);
  const drawn = Array.from({ length: rounds }, () => random.between(1, count));
  const refs = drawn.map((n) => `MSG-${n}`);
  await time(refs.slice(0, 5), () => 'depth=2&limit=200');
  const depth2 = await time(refs, () => 'depth=2&limit=200');
  const ways = await time(
    refs.slice(0, Math.ceil(rounds / 3)),
    (at) => `to=MSG-${Math.max(1, Math.min(count, (drawn[at] ?? 1) + random.between(-5, 5)))}`,
  );
  const hubPages = await time(
    Array.from({ length: 20 }, () => HUB),
    () => 'depth=1&limit=200',
  );
  await board.close();
  return { depth2, ways, hub: hubPages, baseline: lookUp(home, drawn) };
};

/** The baseline: a record, the one it answers and those that answer it, from the same database by prepared statements; milliseconds for each row. */
const lookUp = (home: Home, positions: readonly number[]): number => {
  const db = openDatabase(home.database.slice('sqlite:'.length), { readOnly: true });
  type Row = { readonly uuid: Buffer | string; readonly parent: Buffer | string | null };
  const at = db.prepare<[number], Row>('SELECT uuid, parent_uuid AS parent FROM messages WHERE position = ?');
  const byUuid = db.prepare<[Buffer | string], Row>('SELECT uuid, parent_uuid AS parent FROM messages WHERE uuid = ?');
  const children = db.prepare<[Buffer | string], Row>('SELECT uuid, parent_uuid AS parent FROM messages WHERE parent_uuid = ?');
  const before = process.cpuUsage();
  let rows = 0;
  for (let round = 0; round < 20; round += 1)
    for (const position of positions) {
      const row = at.get(position);
      if (row === undefined) continue;
      rows += 1 + (row.parent === null ? 0 : byUuid.all(row.parent).length) + children.all(row.uuid).length;
    }
  const took = cpuSince(before);
  db.close();
  return took / Math.max(1, rows);
};

await runBench({ name: 'trace', keep: values.keep }, async (scratch) => {
  const measured: Measured[] = [];
  for (const size of sizes) {
    const folder = join(scratch, `board-${size}`);
    mkdirSync(folder, { recursive: true });
    const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
    mkdirSync(join(home.folder, 'board'), { recursive: true });
    await fill(home, size, createRandom(Number(values.seed)));
    measured.push(await measure(home, size, createRandom(Number(values.seed) + 1)));
  }
  const [small, large] = measured;
  if (small === undefined || large === undefined) throw new WrongResult('two sizes are measured');
  const row = (name: string, of: (one: Measured) => Timed): readonly string[] => [
    name,
    ...[small, large].flatMap((one) => {
      const { p95, perString } = of(one);
      return [p95.toFixed(1), (perString * 1000).toFixed(0), (perString / one.baseline).toFixed(0)];
    }),
  ];
  console.log('');
  console.log(
    layOut([
      ['', ...sizes.flatMap((size) => [`${size}: p95 ms`, 'µs a string', 'x bare SQLite'])],
      row('depth 2, 200 things', ({ depth2 }) => depth2),
      row('ways between two', ({ ways }) => ways),
      row('first page of a hub', ({ hub }) => hub),
    ]),
  );
  console.log(`bare SQLite: ${(small.baseline * 1000).toFixed(1)} and ${(large.baseline * 1000).toFixed(1)} µs a row, by prepared statements`);
  const verdicts: Verdict[] = [
    below(large.depth2.p95, 50, 'p95 of depth 2 with 200 things', 'ms'),
    below(large.ways.p95, 200, 'p95 of the ways between two', 'ms'),
    below(large.hub.p95, 50, 'p95 of the first page of a hub', 'ms'),
    below(large.depth2.perString / small.depth2.perString, 1.25, 'a string told, larger board against smaller', 'times'),
  ];
  return verdicts;
});
