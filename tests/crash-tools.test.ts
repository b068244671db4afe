import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { expect, test } from 'vitest';
import { FOREIGN_TOOLS, plantTool } from '../bench/tree/foreign.ts';
import { homeOf, openDatabase } from '../packages/server/test/dialects/homes.ts';
import { openBench } from '../packages/server/test/ingest/bench.ts';
import { ended, expectWhole, testHome, until } from './home.ts';
import { randomOf } from './live-stage.ts';
import { root } from './source-files.ts';

const ROUNDS = Number(process.env['YARNBOARD_KILLS'] ?? (process.env['YARNBOARD_RUNS'] === undefined ? '6' : '60'));

/** Records of transcripts, however they came onto the log and in which order. */
const recordsIn = async (store: Store): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let at = 0; ;) {
    const entries = await store.log.entriesAfter(at, 2000);
    const last = entries.at(-1);
    if (last === undefined) return found.sort();
    at = last.position;
    for (const { type, uuid, contextId, payloadHash } of entries)
      if (type === ENTRY_TYPES.line) found.push(JSON.stringify([contextId, uuid, payloadHash]));
  }
};

test('[DIALECT-8] SIGKILL at random moments of an import of every tool, whose documents and databases go on: everything is there once', async () => {
  const random = randomOf(11);
  const home = testHome();
  const tree = join(home.folder, 'tree');
  for (const tool of FOREIGN_TOOLS) plantTool(tree, { tool, bytes: 900_000, seed: 5, sessions: 3 });
  const documents = documentsIn(tree);
  let reached = 0;
  let killed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    documents.grow((round + 1) / (ROUNDS + 1));
    const child = home.start('import', tree);
    const wanted = reached + 400 * random();
    if (round > 0) await until(async () => (child.exitCode !== null || (await countIn(home)) > wanted ? true : null));
    child.kill('SIGKILL');
    if ((await ended(child)) === null) killed += 1;
    const store = await home.open().catch(() => null); // killed before there was a database
    if (store === null) continue;
    reached = await expectWhole(store);
    await store.close();
  }
  expect(killed).toBeGreaterThan(1);
  documents.grow(1);
  expect(home.run('import', tree)).toMatchObject({ status: 0, err: '' });
  const once = testHome();
  expect(once.run('import', tree)).toMatchObject({ status: 0, err: '' });
  const [store, fresh] = [await home.open(), await once.open()];
  const records = await recordsIn(store);
  expect(new Set(records).size).toBe(records.length);
  expect(records.length).toBeGreaterThan(1000);
  expect(records).toEqual(await recordsIn(fresh));
  // A fresh process finds nothing to add, and nothing that was written anew.
  expect(home.run('import', tree)).toMatchObject({ status: 0, err: '' });
  expect(await recordsIn(store)).toEqual(records);
  expect(home.run('verify')).toMatchObject({ status: 0 });
  await store.close();
  await fresh.close();
});

test('[DIALECT-8] documents that are cut back, replaced or deleted between imports that are killed keep what was read, once', async () => {
  const home = testHome();
  const tree = join(home.folder, 'tree');
  mkdirSync(tree, { recursive: true });
  const documents = documentsIn(tree);
  documents.grow(1);
  expect(home.run('import', tree)).toMatchObject({ status: 0 });
  const before = await withStore(home, recordsIn);
  for (const share of [0.5, 0, 1]) {
    if (share === 0) documents.remove();
    else documents.grow(share);
    const child = home.start('import', tree);
    child.kill('SIGKILL');
    await ended(child);
    expect(home.run('import', tree)).toMatchObject({ status: 0 });
    expect(await withStore(home, recordsIn)).toEqual(before);
  }
});

test('[OPEN-3] [DIALECT-8] a database is read while another process writes to it: the writer never waits, and everything comes once', async () => {
  const scenario = join(root, 'fixtures/opencode/1.18.33/plain');
  const opened = homeOf('opencode', scenario);
  const path = join(opened.folder, 'opencode.db');
  const probe = openDatabase(path);
  const { id } = probe.prepare('SELECT id FROM session').get() as { readonly id: string }; // rows are objects
  probe.close();
  const bench = await openBench();
  try {
    const writer = spawn(
      process.execPath,
      ['--conditions=yarnboard-source', '--import', 'tsx', join(root, 'tests/tool-writer.ts'), path, id, '300'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let out = '';
    writer.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const ingest = await bench.ingest({ roots: () => [opened.folder] });
    let looks = 0;
    const gone = once(writer, 'close'); // and what it printed is here
    while (writer.exitCode === null) {
      await ingest.importAll([opened.folder]);
      looks += 1;
      await setImmediate(); // where there was nothing to read, nothing else would ever hear that the writer has ended
    }
    await gone;
    expect(JSON.parse(out)).toEqual({ refused: 0 });
    expect(looks).toBeGreaterThan(3);
    await ingest.importAll([opened.folder]);
    expect(ingest.troubles()).toEqual([]);
    const texts = (await bench.entries()).flatMap(({ text }) => /"content":"((?:first|second) half of \d+)"/u.exec(text)?.[1] ?? []);
    // Both halves of a message are written in one transaction, and stand side by side whenever it was read.
    expect(texts).toEqual(Array.from({ length: 300 }, (_, nth) => [`first half of ${nth}`, `second half of ${nth}`]).flat());
  } finally {
    await bench.close();
    opened.close();
  }
});

const countIn = async (home: ReturnType<typeof testHome>): Promise<number> => {
  const store = await home.open().catch(() => null); // not there yet
  if (store === null) return 0;
  const { count } = await store.log.head();
  await store.close();
  return count;
};

const withStore = async <T>(home: ReturnType<typeof testHome>, read: (store: Store) => Promise<T>): Promise<T> => {
  const store = await home.open();
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};

type Documents = {
  /** Writes the first part of each, anew. */
  readonly grow: (share: number) => void;
  readonly remove: () => void;
};

/** Chats of Gemini that are one document each, and sessions of opencode that are a tree of files. */
const documentsIn = (tree: string): Documents => {
  const above = mkdtempSync(join(tmpdir(), 'yarnboard-documents-'));
  const chats = ['plain', 'resume', 'tools'].flatMap((scenario) => filesBelow(join(root, 'fixtures/gemini/0.20.2', scenario), /chats.*\.json$/u));
  const stored = homeOf('opencode', join(root, 'fixtures/opencode/1.1.65/tools'));
  cpSync(stored.folder, join(above, 'opencode'), { recursive: true });
  stored.close();
  const parts = filesBelow(join(above, 'opencode'), /\.json$/u);
  const remove = (): void => {
    rmSync(join(tree, 'documents'), { recursive: true, force: true });
  };
  return {
    remove,
    grow: (share) => {
      remove();
      for (const [nth, { name, text }] of chats.entries()) {
        const { messages, ...head } = JSON.parse(text) as { readonly messages: readonly unknown[] }; // as Gemini wrote it
        const some = messages.slice(0, Math.ceil(messages.length * share));
        put(join(tree, 'documents/.gemini/tmp', `p${nth}`, name), JSON.stringify({ ...head, messages: some }));
      }
      // Whole messages, in the order of their names; the session itself is always there.
      const messages = [...new Set(parts.flatMap(({ name }) => messageIn(name) ?? []))].sort();
      const kept = new Set(messages.slice(0, Math.ceil(messages.length * share)));
      for (const { name, text } of parts) if (kept.has(messageIn(name) ?? messages[0] ?? '')) put(join(tree, 'documents/opencode', name), text);
    },
  };
};

/** The message that a file is of, or is a part of. */
const messageIn = (name: string): string | null => /storage\/(?:message\/[^/]+|part)\/(msg_\w+)/u.exec(name)?.[1] ?? null;

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const filesBelow = (folder: string, wanted: RegExp): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => wanted.test(name) && !name.endsWith('expected.json') && !name.endsWith('logs.json'))
    .sort()
    .map((name) => ({ name: name.replace(/^.*chats/u, 'chats'), text: readFileSync(join(folder, name), 'utf8') }));
