import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maskSecrets } from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { openStore, uuidFor, type Item, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { createEngine } from '../../packages/server/src/engine/engine.ts';
import { line, prompt, reply } from '../../packages/store/src/testing/records.ts';
import { beginning } from '../../packages/domain/test/board/histories.ts';
import { SESSION } from './wishes.ts';

export const NOON = Date.UTC(2026, 2, 14, 12);

/** Boards that begin alike: each is a copy of one that has a session, a few agents and a sidebar on it already. */
export type Boards = {
  /** How many entries each of them has when it is made. */
  readonly begun: number;
  readonly make: () => string;
  readonly open: (path: string, now: () => number) => Promise<Store>;
  readonly drop: (path: string) => void;
  readonly close: () => void;
};

export const makeBoards = async (): Promise<Boards> => {
  // Every commit is synced. Where there is memory that looks like a disk, that costs nothing.
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'yarnboard-simulation-'));
  const template = join(folder, 'template.db');
  const open: Boards['open'] = (path, now) => openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now, newId: () => uuidFor('simulated board') });
  const store = await open(template, () => NOON);
  await store.log.append({ items: [0, 1, 2, 3].map(lineOfSession), files: [] });
  await settle(store);
  const { count: begun } = await store.log.head();
  await store.close();
  let made = 0;
  return {
    begun,
    make: () => {
      made += 1;
      const path = join(folder, `board-${made}.db`);
      copyFileSync(template, path);
      return path;
    },
    open,
    drop: (path) => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const settle = async (store: Store): Promise<void> => {
  const engine = await createEngine({
    store,
    append: (items, decidedAt) => store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) }),
    now: () => NOON,
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    onFault: (cause) => {
      throw cause;
    },
  });
  for (const [n, { actor, command }] of beginning().entries()) await engine.execute({ command, actor, messageId: uuidFor(`first ${n}`) });
};

/** The n-th record of the session that is on every board, one after the other. */
export const lineOfSession = (n: number): Item => {
  const place = { uuid: uuidFor(`line ${n}`), parent: n === 0 ? null : uuidFor(`line ${n - 1}`), minute: n };
  const record =
    n % 2 === 0 ? prompt(`Question ${n}: why is login slow?`, place) : reply(`Answer ${n}: the pool is exhausted.`, { ...place, id: `m${n}` });
  return line(SESSION, record);
};

export const FIRST_LINES = 4;

const IN_MEMORY = '/dev/shm';
