import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreFault, type Store, type StoreOptions } from '../port.ts';
import { faulty, makePrivateFile, openDatabase } from './database.ts';
import { auditBoard } from './audit.ts';
import { createLibrary } from './library-read.ts';
import { createLibraryWriter } from './library-write.ts';
import { createLog } from './log.ts';
import { createMedia } from './media.ts';
import { createNames } from './names.ts';
import { createPayloads } from './payloads.ts';
import { createRebuild } from './rebuild.ts';
import { createSearch } from './search.ts';

/** A board in a folder of its own: `board.db` is the log with its library; `search.db` beside it can be deleted at any time. */
export const openSqlite = (path: string, options: StoreOptions): Promise<Store> => faultyAsync(path, () => openFiles(path, options));

const openFiles = async (path: string, options: StoreOptions): Promise<Store> => {
  const readOnly = options.readOnly === true;
  if (!readOnly) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = openDatabase(path, { readOnly });
  const names = createNames(db);
  const payloads = createPayloads(db);
  const writer = readOnly ? null : createLibraryWriter(db, names);
  const rebuild = writer === null ? refuseRebuild : createRebuild({ db, path, names, payloads, library: writer, prices: options.prices });
  const log = createLog({ db, path, names, payloads, library: writer, options });
  const library = createLibrary(db, path, names, rebuild);
  const searchPath = join(dirname(path), 'search.db');
  const search = createSearch({
    path: searchPath,
    boardPath: path,
    boardId: log.boardId,
    board: db,
    names,
    payloads,
    isIndexing: options.isIndexing === true,
    embedder: options.embedder ?? null,
  });
  // A library that was lost, or created by a migration, is folded from the log before anyone reads it. Only records of transcripts have an
  // occurrence: a board with nothing but discussions has no library, and nothing to fold.
  const isEmpty =
    db.prepare('SELECT 1 FROM sessions LIMIT 1').get() === undefined &&
    db.prepare('SELECT 1 FROM entries WHERE occurrence IS NOT NULL LIMIT 1').get() !== undefined;
  if (isEmpty && !readOnly) await rebuild();
  return {
    capabilities: { isSharedByServers: false, hasFileBackup: true },
    log,
    library,
    search,
    media: createMedia(db, path, options.now),
    audit: async () =>
      faulty(path, () =>
        auditBoard({ path, searchPath, meaningPath: join(dirname(path), 'meaning.db'), boardId: log.boardId, prices: options.prices }),
      ),
    backup: async (to) => {
      const isNew = !existsSync(to);
      makePrivateFile(to);
      try {
        await faultyAsync(path, () => db.backup(to));
      } catch (cause) {
        if (isNew) rmSync(to, { force: true }); // half a backup is no backup
        throw cause;
      }
    },
    close: async () => {
      search.close();
      db.close();
    },
  };
};

const refuseRebuild = (): Promise<never> => Promise.reject(new StoreFault('read-only', 'a board opened read-only cannot be rebuilt'));

const faultyAsync = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    return faulty(path, () => {
      throw cause;
    });
  }
};
