import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, verifyRange, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES, DIALECTS } from '@yarnboard/transcript';
import { createRecordReader } from '../packages/server/src/ingest/record-reader.ts';
import { createSessionLoader } from '../packages/server/src/sessions/session-loader.ts';
import { headOf } from '../packages/server/src/sessions/session-outline.ts';
import { A, openBench } from '../packages/server/test/ingest/bench.ts';
import { makeBoard, type TestBoard } from '../packages/server/test/operations/boards.ts';
import { prompt, reply, result, use } from '../packages/server/test/operations/records.ts';

const SMALL = 200;
const GROWTH = 10;
/** Per unit: what is linear costs the same, what is quadratic ten times as much. */
const MOST = 1.3;
const ROUNDS = 3;
const MOST_ROUNDS = 12;

const WORDS = 'the loom weaves a warp of threads while shuttle and weft go on through heddle reed batten comb selvage pick shed beam'.split(' ');

/** Said at this turn: no two are alike, common words are common, and one is rare. */
const textAt = (turn: number, length: number): string =>
  `${Array.from({ length }, (_, i) => WORDS[(turn * 7 + i * i) % WORDS.length] ?? '').join(' ')} number${turn}${turn === RARE_AT ? ' gossamer' : ''}`;
const RARE_AT = 17;

/** A session of so many turns: a prompt, a call, its result and an answer each. */
const sessionOf = (turns: number): readonly object[] =>
  Array.from({ length: turns }, (_, i) => [
    prompt(`p${i}`, i === 0 ? null : `a${i - 1}`, i, textAt(i, 30)),
    reply(`u${i}`, `p${i}`, i, [use(`t${i}`, 'Read', { ['file_path']: `/home/ada/loom/f${i}.ts` })]),
    result(`r${i}`, `u${i}`, i, `t${i}`, textAt(i, 150)),
    reply(`a${i}`, `r${i}`, i, textAt(i + 1, 60)),
  ]).flat();

const LINES = 4;
const linesOf = (turns: number): Buffer =>
  Buffer.from(
    sessionOf(turns)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  );

/** What is to be measured, ready to run, and how to put it away. */
type Ready = { readonly run: () => Promise<unknown>; readonly close?: () => Promise<void> };

const cpuOf = async ({ run, close }: Ready): Promise<number> => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  await close?.();
  return user + system;
};

/**
 * How many times as long it takes where there is ten times as much. The least of a few rounds by turns, whatever else uses the caches only adds; where the
 * first rounds were disturbed, more follow.
 */
const growthOf = async (prepare: (turns: number) => Promise<Ready>, most: number, turns = SMALL): Promise<number> => {
  await cpuOf(await prepare(turns)); // warms the compiler
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && large / small >= most); round += 1) {
    small = Math.min(small, await cpuOf(await prepare(turns)));
    large = Math.min(large, await cpuOf(await prepare(turns * GROWTH)));
  }
  return large / small;
};

const imported = async (turns: number) => {
  const bench = await openBench();
  bench.write(`p/${A}.jsonl`, linesOf(turns));
  return bench;
};

/** The same board for whoever makes the index. */
const indexing = async (turns: number) => {
  const bench = await imported(turns);
  await bench.importAll();
  const store = await openStore(`sqlite:${join(dirname(bench.root), 'board', 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => 0,
    newId: randomUUID,
    readOnly: true,
    isIndexing: true,
  });
  return { store, close: () => store.close().then(bench.close) };
};

const GROWING: readonly (readonly [string, (turns: number) => Promise<Ready>])[] = [
  [
    'reading lines',
    async (turns) => {
      const bytes = linesOf(turns);
      const sink = { record: () => {}, quarantine: () => {} };
      const reader = createRecordReader(DIALECTS, { sessionId: A, agentId: null, dialect: 'claude-code' }, sink);
      return { run: async () => reader.feed(bytes) };
    },
  ],
  [
    'importing',
    async (turns) => {
      const bench = await imported(turns);
      return { run: bench.importAll, close: bench.close };
    },
  ],
  [
    'indexing words',
    async (turns) => {
      const { store, close } = await indexing(turns);
      const run = async (): Promise<void> => {
        while ((await store.search.advance(500)) > 0);
        await store.search.settle();
      };
      return { run, close };
    },
  ],
  [
    'indexing meaning',
    async (turns) => {
      const { store, close } = await indexing(turns);
      const run = async (): Promise<void> => {
        while ((await store.search.meaning.advance(500)) > 0);
      };
      return { run, close };
    },
  ],
];

describe('whatever there is more of costs no more for each', () => {
  test.each(GROWING)('[GATE-8] %s', async (_, prepare) => {
    expect((await growthOf(prepare, MOST * GROWTH)) / GROWTH).toBeLessThan(MOST);
  });
});

/** Reading changes nothing: one board of each size is enough. Fewer records are read before the first garbage is collected, and would seem cheaper. */
const READ_FROM = 1000;
/** What stays in memory is moved by the collector of garbage, and there is nothing to move of what is small. */
const MOST_WHERE_KEPT = 2;
const READING: readonly (readonly [string, number, (store: Store, turns: number) => Promise<unknown>])[] = [
  ['reading a session as a whole', MOST_WHERE_KEPT, async (store) => headOf((await createSessionLoader(store).load(A)).outline())],
  ['verifying', MOST, (store, turns) => verifyRange(store.log, 1, turns * LINES, { forgotten: new Set() })],
];

describe('whatever is read of more costs no more for each', () => {
  const boards = new Map<number, Awaited<ReturnType<typeof indexing>>>();
  beforeAll(async () => {
    for (const turns of [READ_FROM, READ_FROM * GROWTH]) boards.set(turns, await indexing(turns));
  });
  afterAll(async () => {
    for (const { close } of boards.values()) await close();
  });

  test.each(READING)('[GATE-8] %s', async (_, most, read) => {
    const growth = await growthOf(
      async (turns) => {
        const { store } = boards.get(turns) ?? (await indexing(turns));
        return { run: () => read(store, turns) };
      },
      most * GROWTH,
      READ_FROM,
    );
    expect(growth / GROWTH).toBeLessThan(most);
  });
});

type Asking = (board: TestBoard) => Promise<unknown>;

/** Answers that hold as much in a long session as in a short one. */
const PAGES: readonly (readonly [string, Asking])[] = [
  ['a page of messages', (board) => board.get('messages', { id: A, limit: 50 })],
  ['a page of a tree', (board) => board.get('tree', { id: A, limit: 50 })],
  ['a page of a conversation', (board) => board.get('conversation', { id: A, limit: 20 })],
  ['the head of a session', (board) => board.get('session', { id: A })],
  ['the list of sessions', (board) => board.get('sessions')],
  ['finding a rare word in a session', (board) => board.get('search', { q: 'gossamer', session: A, mode: 'words' })],
];
const TIMES = 20;

/** What a page asks for of the session that it shows, whenever a line has come. */
const afterEachLine = async (board: TestBoard, turns: number): Promise<void> => {
  const folder = join(board.folder, 'projects');
  const read = async (): Promise<void> => {
    await board.get('session', { id: A });
    for (const name of ['sidechains', 'conversation'] as const) await board.get(name, { id: A, limit: 20 });
  };
  await read();
  for (let time = 0; time < TIMES; time += 1) {
    const uuid = randomUUID();
    const after = lastOf.get(board) ?? `a${turns - 1}`;
    appendFileSync(join(folder, `-p/${A}.jsonl`), `${JSON.stringify(reply(uuid, after, turns, textAt(turns, 60)))}\n`);
    lastOf.set(board, uuid);
    await board.board.writer.importPaths([folder]);
    await read();
  }
};
const lastOf = new WeakMap<TestBoard, string>();

describe('what holds as much costs as much, however long its session is', () => {
  test.each(PAGES)('[GATE-8] %s', async (_, ask) => {
    const [short, long] = [
      await makeBoard({ files: { [`-p/${A}.jsonl`]: sessionOf(SMALL) } }),
      await makeBoard({ files: { [`-p/${A}.jsonl`]: sessionOf(SMALL * GROWTH) } }),
    ];
    const ready = (board: TestBoard): Ready => ({
      run: async () => {
        for (let time = 0; time < TIMES; time += 1) await ask(board);
      },
    });
    for (const board of [short, long]) await ready(board).run(); // reads what is kept from then on
    const growth = await growthOf(async (turns) => ready(turns === SMALL ? short : long), MOST);
    await short.close();
    await long.close();
    expect(growth).toBeLessThan(MOST);
  });

  test('[GATE-8] what a page asks for when a line has come', async () => {
    const [short, long] = [
      await makeBoard({ files: { [`-p/${A}.jsonl`]: sessionOf(SMALL) } }),
      await makeBoard({ files: { [`-p/${A}.jsonl`]: sessionOf(SMALL * GROWTH) } }),
    ];
    const growth = await growthOf(async (turns) => ({ run: () => afterEachLine(turns === SMALL ? short : long, turns) }), MOST);
    await short.close();
    await long.close();
    expect(growth).toBeLessThan(MOST);
  });
});
