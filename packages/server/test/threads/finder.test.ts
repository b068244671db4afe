import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchQuery, Store } from '@yarnboard/store';
import { directImports } from '../../../../scripts/direct-imports.mjs';
import { readSettings } from '../../src/home/settings.ts';
import { search } from '../../src/operations/find.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { finderOn, openForAsking } from '../../src/threads/finder.ts';
import type { Programs } from '../../src/threads/threads.ts';
import { makeBoard, makeFolder, type TestBoard } from '../operations/boards.ts';
import { prompt, reply } from '../operations/records.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LONG = '11111111-0000-4000-8000-000000000001';
const MESSAGES = 400;

let board: TestBoard;
let programs: Programs;
beforeAll(async () => {
  const said = Array.from({ length: MESSAGES }, (_, i) =>
    i % 2 === 0
      ? prompt(`p${i}`, i === 0 ? null : `p${i - 1}`, i, `where is the needle number ${i}?`)
      : reply(`p${i}`, `p${i - 1}`, i, `needle ${i} is in the haystack`),
  );
  board = await makeBoard({ files: { [`-p/${LONG}.jsonl`]: said } });
  const folder = makeFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules')); // the database is not bundled
  symlinkSync(join(ROOT, 'packages/language/embedding/embedding.bin'), join(folder, 'embedding.bin')); // looked for beside the program
  await build({
    entryPoints: { finder: fileURLToPath(new URL('../../src/threads/finder-thread.ts', import.meta.url)) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['yarnboard-source'],
    external: ['better-sqlite3', 'pg'],
    plugins: [directImports(ROOT)],
    banner: { js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
  });
  programs = { writer: '', indexer: '', verifier: '', counter: '', finder: join(folder, 'finder.mjs') };
});

/** The store of whoever serves, and how to close it. */
const served = async (): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> => {
  const closers: (() => Promise<void>)[] = [];
  const store = await openForAsking(
    { home: board.home, settings: readSettings(board.home), programs, isFollowing: true },
    (close) => void closers.push(close),
  );
  return {
    store,
    close: async () => {
      for (const close of closers.toReversed()) await close();
    },
  };
};

const asked = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({ text, filters: {}, limit: 20, cursor: null, ...more });

describe('finding in a thread of its own', () => {
  test('[FIND-19] finds what is found in this one, by words, by meaning and among what is masked, page by page', async () => {
    const { store, close } = await served();
    const here = board.board.store.search;
    try {
      for (const query of [
        asked('needle'),
        asked('needel 17'),
        asked('needle -haystack', { filters: { sessionId: LONG } }),
        asked('where did the needle go', { mode: 'hybrid' }),
        asked('something sharp in dry grass', { mode: 'semantic' }),
        asked('nothing of the kind'),
      ]) {
        const first = await store.search.find(query);
        expect(first).toEqual(await here.find(query));
        for (const cursor of first.next === null ? [] : [first.next])
          expect(await store.search.find({ ...query, cursor })).toEqual(await here.find({ ...query, cursor }));
      }
      expect((await store.search.find(asked('needle'))).hits).toHaveLength(20);
      expect(await store.search.masked({ filters: {}, below: MESSAGES, limit: 5 })).toEqual(
        await here.masked({ filters: {}, below: MESSAGES, limit: 5 }),
      );
      expect(await store.search.meaning.coverage()).toEqual(await here.meaning.coverage());
      expect(await store.search.meaning.nearest('a needle', {}, 5, new Map())).toEqual(await here.meaning.nearest('a needle', {}, 5, new Map()));
    } finally {
      await close();
    }
  });

  test('[FIND-19] this thread has its turns while something is looked for, and a question that is given up ends in the words of its asker', async () => {
    const { store, close } = await served();
    const given = new AbortController();
    const find: Store['search']['find'] = (query) => {
      const answer = store.search.find(query);
      if (query.text === 'needle') given.abort();
      return answer;
    };
    const sessions = createSessionLoader(store);
    const needs = { store: { ...store, search: { ...store.search, find } }, engine: board.board.engine, sessions, pending: () => [] };
    const input = { q: 'needle', limit: 100, reveal: false, mode: 'words', standing: false } as const;
    try {
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const first = search(needs, input, given.signal);
      const second = search(needs, { ...input, q: 'haystack' }, new AbortController().signal);
      await expect(first).rejects.toMatchObject({ code: 'cancelled' });
      expect((await second).items).toHaveLength(100);
      isOver = true;
      expect(turns).toBeGreaterThan(10);
    } finally {
      await close();
    }
  });

  test('[FIND-19] of somebody who types only the first and the last question are looked for', async () => {
    const looked: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { search: index } = board.board.store;
    const finder = finderOn({
      close: async () => {},
      search: {
        ...index,
        find: async (query) => {
          looked.push(query.text);
          if (query.text === 'n') await held;
          return index.find(query);
        },
      },
    });
    const typed = ['n', 'ne', 'nee', 'need', 'needle'];
    const answers = typed.map((text, ticket) => finder.find(ticket, asked(text)));
    const ends = Promise.allSettled(answers);
    await expect.poll(() => looked).toEqual(['n']);
    for (const ticket of [1, 2, 3]) await finder.giveUp(ticket);
    release();
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
    expect(looked).toEqual(['n', 'needle']);
  });

  test('[FIND-19] a command that searches without a server, and a board that is only read, start no thread', async () => {
    for (const options of [{ isFollowing: false }, { isFollowing: true, readOnly: true }]) {
      const closers: unknown[] = [];
      const store = await openForAsking(
        { home: board.home, settings: readSettings(board.home), programs: { ...programs, finder: '/nowhere' }, ...options },
        (close) => void closers.push(close),
      );
      expect((await store.search.find(asked('needle'))).hits).toHaveLength(20);
      expect(closers).toHaveLength(1);
      await store.close();
    }
  });
});
