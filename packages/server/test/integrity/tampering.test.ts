import { copyFileSync, cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, StoreFault } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/threads/verification.ts';
import { witnessFile } from '../../src/threads/witness.ts';
import { PATIENCE } from '../../../../tests/patience.ts';
import { createStage, overwrite, type Stage } from './tampering-stage.ts';
import { tamperingsOf } from './tampering-kinds.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.dispose());
beforeEach(() => stage.reset());

/** What nothing proves, and why that does no harm. Whatever else is changed must be found. */
const UNPROVEN: readonly string[] = [
  'board.created_at is another value', // nobody reads it
  'files: a row is deleted', // the file is read again from its start, and the log knows its lines
  'media_uploads.at is another value', // only how long a leftover is kept
  'names: a row is added', // a name that nothing refers to
  'progress.is_stale is another value', // the vocabulary is then made once more
  'progress.is_stale is spelled differently',
  'sqlite_sequence.seq is another value', // ids are left out
];

/** What was found, in words: the place and, where it is not the log itself, what to do. */
const findings = async (): Promise<readonly string[]> => {
  try {
    const { broken, damages, isWhole } = await stage.verify();
    const named = [
      ...(broken === null ? [] : [`entry ${broken.position}: ${broken.why} (${broken.kind})`]),
      ...damages.map(({ part, where, what, remedy }) => `${part}: ${where}: ${what}; ${remedy}`),
    ];
    expect(isWhole).toBe(named.length === 0);
    return named;
  } catch (cause) {
    // A file that cannot even be opened: the fault names it, and says what to do.
    expect(cause).toBeInstanceOf(StoreFault);
    return [String(cause)];
  }
};

describe('a board', () => {
  test('[VERIFY-1] that nobody touched is whole', async () => {
    expect(await stage.verify()).toMatchObject({ isWhole: true, entries: 17, checkpoints: 3, broken: null, damages: [], notes: [] });
  });

  test.each(['board', 'search'] as const)(
    '[VERIFY-1] [VERIFY-3] [VERIFY-4] [VERIFY-5] [VERIFY-6] [VERIFY-7] every change of every column and row of its %s is found and named',
    async (which) => {
      const file = stage[which];
      const db = new Database(file, { readonly: true });
      const tamperings = tamperingsOf(db);
      db.close();
      const answers = answersOf(stage.search);
      rmSync(stage.meaning);
      if (which === 'board') rmSync(stage.search); // compared below; it would take most of the time
      const missed: string[] = [];
      const misnamed: string[] = [];
      let done = 0;
      for (const { name, table, apply } of tamperings) {
        stage.reset(file);
        if (!stage.execute(file, apply)) continue; // the database itself refuses it, or there is nothing to do it to
        done += 1;
        const named = await findings();
        if (named.length > 0) {
          // A row of the library is named by its table.
          if (named.every((text) => text.startsWith('library')) && !named.join().includes(table)) misnamed.push(name);
          continue;
        }
        // How FTS5 lays out an index is its own affair, as long as it answers the same.
        if (which === 'board' || answersOf(file) !== answers) missed.push(name);
      }
      expect(done).toBeGreaterThan(which === 'board' ? 250 : 50);
      expect(misnamed).toEqual([]);
      expect(missed.filter((name) => !UNPROVEN.includes(name))).toEqual([]);
    },
    300_000,
  );

  test.each(['board', 'search'] as const)(
    '[VERIFY-2] every page of its %s that is zeroed or has a flipped bit is found, or held nothing',
    async (which) => {
      const file = stage[which];
      const before = contentOf(file, which);
      rmSync(stage.meaning);
      if (which === 'board') rmSync(stage.search);
      const pages = statSync(file).size / PAGE;
      const missed: string[] = [];
      const found = { zeroed: 0, flipped: 0 };
      for (let page = 0; page < pages; page += 1) {
        for (const kind of ['zeroed', 'flipped'] as const) {
          stage.reset(file);
          const bytes = readFileSync(file).subarray(page * PAGE, (page + 1) * PAGE);
          const at = PAGE - 1 - ((page * 37) % 64); // cells are at the end of a page
          if (kind === 'zeroed') overwrite(file, page * PAGE, new Uint8Array(PAGE));
          else overwrite(file, page * PAGE + at, Uint8Array.of((bytes[at] ?? 0) ^ 4));
          if ((await findings()).length > 0) found[kind] += 1;
          else if (contentOf(file, which) !== before) missed.push(`page ${page + 1} ${kind}`);
        }
      }
      expect(missed).toEqual([]);
      expect(found.zeroed).toBeGreaterThan(pages * 0.8);
    },
    300_000,
  );
});

describe('the index of meaning', () => {
  /** It is thrown away and made again at any time, and says so itself. */
  const UNPROVEN_HERE: readonly string[] = [
    'progress.masking is another value', // an index masked by other rules answers nothing and is filled again (SEC-24)
    'progress.model is another value', // vectors of another model are never compared, and it is filled again
    'progress.model is spelled differently',
    'progress.generation is another value', // whoever has the bits in memory reads them again
    'progress.generation is spelled differently',
  ];
  // Which number the next passage gets is nobody's business.
  const isUnproven = (name: string): boolean => UNPROVEN_HERE.includes(name) || name.startsWith('sqlite_sequence');

  test(
    '[VERIFY-10] every change of every column and row of it is found and named',
    async () => {
      const db = new Database(stage.meaning, { readonly: true });
      const tamperings = tamperingsOf(db);
      const pieces = db.prepare('SELECT count(*) FROM pieces').pluck().get();
      db.close();
      expect(pieces).toBeGreaterThan(2);
      rmSync(stage.search);
      const missed: string[] = [];
      let done = 0;
      for (const { name, apply } of tamperings) {
        stage.reset(stage.meaning);
        if (!stage.execute(stage.meaning, apply)) continue;
        done += 1;
        if ((await findings()).length === 0) missed.push(name);
      }
      expect(done).toBeGreaterThan(20);
      expect(missed.filter((name) => !isUnproven(name))).toEqual([]);
    },
    PATIENCE,
  );

  test('[VERIFY-10] a page of it that is zeroed is found', async () => {
    rmSync(stage.search);
    const pages = statSync(stage.meaning).size / PAGE;
    const missed: number[] = [];
    for (let page = 0; page < pages; page += 1) {
      stage.reset(stage.meaning);
      overwrite(stage.meaning, page * PAGE, new Uint8Array(PAGE));
      if ((await findings()).length === 0) missed.push(page + 1);
    }
    expect(missed).toEqual([]);
    expect(pages).toBeGreaterThan(5);
  });
});

describe('what is kept outside of the board', () => {
  const state = (): string => join(stage.folder, 'state', 'checkpoints', 'board-under-test.jsonl');
  const lines = (): readonly string[] => readFileSync(state(), 'utf8').trimEnd().split('\n');
  const write = (texts: readonly string[]): void => writeFileSync(state(), texts.map((text) => `${text}\n`).join(''));
  const cut = (from: number): void => {
    stage.execute(stage.board, (db) => db.prepare('DELETE FROM entries WHERE position >= ?').run(from).changes > 0);
  };
  const brokenNow = async (): Promise<Verdict['broken']> => (await stage.verify()).broken;
  const fromOlder = (...path: readonly string[]): void => cpSync(join(stage.older, ...path), join(stage.folder, ...path), { recursive: true });
  const olderBoard = (): void => {
    for (const suffix of ['', '-wal']) fromOlder('home', 'board', `board.db${suffix}`);
  };

  test('[LOG-31] a tail that was cut off together with its checkpoints is found', async () => {
    cut(11);
    write(lines().slice(0, 1));
    expect(await brokenNow()).toMatchObject({
      kind: 'checkpoints-removed',
      why: expect.stringContaining('there were 3 signed checkpoints') as string,
    });
  });

  test('[LOG-31] checkpoints that were deleted are found', async () => {
    rmSync(state());
    expect(await brokenNow()).toMatchObject({ kind: 'checkpoints-removed', why: expect.stringContaining('has 0') as string });
  });

  test('[LOG-30] a checkpoint that was taken out, exchanged, changed or spelled differently is named', async () => {
    const [one = '', two = '', three = ''] = lines();
    const ways: readonly (readonly [readonly string[], number])[] = [
      [[two, three], 1],
      [[one, three], 2],
      [[two, one, three], 1],
      [[one, two.replace('"count":', '"count": '), three], 2],
      [[one, two.replace(/"count":\d+/u, '"count":1'), three], 3],
      [[one, two, three.replace(/"count":\d+/u, '"count":1')], 3],
      [[one, two, three, three], 4],
    ];
    for (const [texts, wrong] of ways) {
      write(texts);
      expect(await brokenNow()).toMatchObject({ why: expect.stringContaining(`checkpoint ${wrong} in`) as string });
    }
  });

  test('[LOG-31] a board that was replaced by another one is found', async () => {
    stage.execute(stage.board, (db) => db.prepare("UPDATE board SET id = 'another'").run().changes > 0);
    expect((await stage.verify()).broken).toMatchObject({ position: 1, kind: 'link-broken' });
    rmSync(join(stage.home.folder, 'board'), { recursive: true });
    await (await openStore(stage.home.database, { prices: DEFAULT_PRICES, now: () => 1, newId: () => 'another' })).close();
    expect(await brokenNow()).toMatchObject({ kind: 'board-replaced', why: expect.stringContaining('board-under-test') as string });
  });

  test('[LOG-31] an older copy is found by either place, whichever was put back with it', async () => {
    olderBoard();
    expect(await brokenNow()).toMatchObject({ position: 11, kind: 'tail-removed' });
    stage.reset();
    olderBoard();
    fromOlder('state');
    expect(await brokenNow()).toMatchObject({ kind: 'checkpoints-removed' });
    stage.reset();
    fromOlder('home');
    expect(await brokenNow()).toMatchObject({ position: 11, kind: 'tail-removed' });
  });

  test('[LOG-33] a chain that was written anew is named at the first checkpoint that does not fit', async () => {
    copyFileSync(join(await stage.rewritten(), 'home', 'board', 'board.db'), stage.board);
    expect(await brokenNow()).toMatchObject({
      position: 17,
      kind: 'tail-rewritten',
      why: expect.stringMatching(/\(checkpoint 2\): the log was written anew from entry 11 on/u) as string,
    });
  });

  test('[LOG-31] what the home keeps of the log is not believed when it was changed', async () => {
    const file = witnessFile(stage.home);
    const text = readFileSync(file, 'utf8');
    for (const changed of [text.replace('"count":17', '"count":16'), text.toUpperCase(), '', text.trimEnd()]) {
      writeFileSync(file, changed);
      expect(await brokenNow()).toMatchObject({ kind: 'witness-changed' });
    }
  });

  test('[VERIFY-5] a medium that the board refers to and that is gone is named', async () => {
    stage.execute(stage.board, (db) => db.prepare('DELETE FROM media_uploads WHERE sha256 IS NOT NULL').run().changes > 0);
    stage.execute(stage.board, (db) => db.prepare("DELETE FROM media_parts WHERE upload = 'upload'").run().changes > 0);
    expect((await stage.verify()).damages).toMatchObject([{ part: 'media', where: expect.stringContaining(stage.media) as string }]);
  });
});

const PAGE = 8192;

/** Every row, or for the index every answer with its rank. */
const contentOf = (file: string, which: 'board' | 'search'): string => {
  if (which === 'search') return answersOf(file);
  const db = new Database(file, { readonly: true });
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    return JSON.stringify(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).raw().all()));
  } finally {
    db.close();
  }
};

const answersOf = (file: string): string => {
  const db = new Database(file, { readonly: true });
  try {
    const terms = db.prepare<[], string>('SELECT term FROM vocabulary ORDER BY term').pluck().all();
    const hits = db.prepare<[string], readonly unknown[]>('SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rowid').raw();
    const parts = db.prepare<[string], number>('SELECT rowid FROM term_parts WHERE term_parts MATCH ? ORDER BY rowid').pluck();
    return JSON.stringify(terms.map((term) => [term, hits.all(`"${term}"`), /^\w{3}/u.test(term) ? parts.all(term.slice(0, 3)) : null]));
  } finally {
    db.close();
  }
};
