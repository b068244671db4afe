import { StoreFault, type Store, type StoreOptions } from '../port.ts';
import { auditBoard } from './audit.ts';
import { openDatabase } from './database.ts';
import { createLibrary } from './library-read.ts';
import { boardOf, createLog } from './log.ts';
import { createMedia } from './media.ts';
import { createRebuild } from './rebuild.ts';
import { migrate } from './schema.ts';
import { createSearch } from './search.ts';

/** A board in a schema of its own, named by `?board=` in the address, otherwise `yarnboard`. Any number of servers share it. */
export const openPostgres = async (url: string, options: StoreOptions): Promise<Store> => {
  const db = await openDatabase(url, options.readOnly === true, options.isIndexing === true);
  try {
    await migrate(db, 'board');
    await migrate(db, 'search');
    const log = createLog(db, await boardOf(db, options), options);
    const rebuild = createRebuild(db, options.prices);
    // A library that was lost, or created by a migration, is folded from the log before anyone reads it. Only records of transcripts have an
    // occurrence: a board with nothing but discussions has no library, and nothing to fold.
    const [state] = await db.run<{ readonly isLost: boolean }>(
      'SELECT NOT EXISTS (SELECT 1 FROM sessions) AND EXISTS (SELECT 1 FROM entries WHERE occurrence IS NOT NULL) AS is_lost',
    );
    if (state?.isLost === true && !db.readOnly) await rebuild();
    return {
      capabilities: { isSharedByServers: true, hasFileBackup: false },
      log,
      library: createLibrary(db, rebuild),
      search: createSearch(db, options.isIndexing === true, options.embedder ?? null),
      media: createMedia(db, options.now),
      audit: () => auditBoard(db, options.prices),
      backup: () =>
        Promise.reject(new StoreFault('failed', `back up ${db.name} with PostgreSQL's own tools: pg_dump --format=custom --schema=${db.schema}`)),
      close: db.close,
    };
  } catch (cause) {
    await db.close();
    throw cause;
  }
};
