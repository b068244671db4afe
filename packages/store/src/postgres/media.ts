import type { MediaPort, StoredMedia } from '../media.ts';
import { StoreFault } from '../port.ts';
import type { Db, Run } from './database.ts';

/** STORE-30: media beside the log, each part a row of its own: no more than one part is ever in memory, and every server of the board has access. */
export const createMedia = (db: Db, now: () => number): MediaPort => {
  const writing = <T>(work: (run: Run) => Promise<T>): Promise<T> => {
    if (db.readOnly) return Promise.reject(new StoreFault('read-only', `${db.name} was opened for reading; nothing can be uploaded`));
    return db.transaction(work);
  };
  return {
    put: (upload, part, bytes) =>
      writing(async (run) => {
        if (part === 0) await run('INSERT INTO media_uploads (id, size, parts, at) VALUES ($1, 0, 0, $2)', [upload, now()]);
        await run('INSERT INTO media_parts (upload, part, bytes) VALUES ($1, $2, $3)', [upload, part, asBuffer(bytes)]);
        const grown = await run(
          'UPDATE media_uploads SET size = size + $1, parts = parts + 1, at = $2 WHERE id = $3 AND parts = $4 AND sha256 IS NULL RETURNING 1',
          [bytes.length, now(), upload, part],
        );
        if (grown.length !== 1) throw new StoreFault('failed', `${db.name}: part ${part} of an upload came out of turn`);
      }),
    finish: (upload, sha256) =>
      writing(async (run) => {
        // Two servers may finish the same bytes at once; the lock puts them in turn.
        await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`yarnboard media ${db.schema} ${sha256}`]);
        const known = await touched(run, sha256, now());
        if (known !== null) {
          await remove(run, [upload]);
          return known;
        }
        const [row] = await run<StoredMedia>(
          'UPDATE media_uploads SET sha256 = $1, at = $2 WHERE id = $3 AND sha256 IS NULL RETURNING sha256, size, parts, at',
          [sha256, now(), upload],
        );
        if (row === undefined) throw new StoreFault('failed', `${db.name}: there is no such upload to finish`);
        return row;
      }),
    abandon: (upload) =>
      writing(async (run) => {
        const open = await run('SELECT 1 FROM media_uploads WHERE id = $1 AND sha256 IS NULL FOR UPDATE', [upload]);
        if (open.length > 0) await remove(run, [upload]);
      }),
    find: async (sha256) => (await db.run<StoredMedia>('SELECT sha256, size, parts, at FROM media_uploads WHERE sha256 = $1', [sha256]))[0] ?? null,
    claim: (sha256) => writing((run) => touched(run, sha256, now())),
    part: async (sha256, part) => {
      const [row] = await db.run<{ readonly bytes: Buffer }>(
        'SELECT p.bytes FROM media_uploads u JOIN media_parts p ON p.upload = u.id WHERE u.sha256 = $1 AND p.part = $2',
        [sha256, part],
      );
      return row?.bytes ?? null;
    },
    sweep: (before, kept) =>
      writing(async (run) => {
        const old = await run<{ readonly id: string; readonly sha256: string | null; readonly size: number }>(
          'SELECT id, sha256, size FROM media_uploads WHERE at < $1 AND (sha256 IS NULL OR NOT sha256 = ANY($2::text[])) FOR UPDATE',
          [before, kept],
        );
        await remove(
          run,
          old.map(({ id }) => id),
        );
        return {
          uploads: old.filter(({ sha256 }) => sha256 === null).length,
          files: old.filter(({ sha256 }) => sha256 !== null).length,
          bytes: old.reduce((sum, { size }) => sum + size, 0),
        };
      }),
    drop: async (sha256) => {
      const isDropped = await writing(async (run) => {
        const found = await run<{ readonly id: string }>('SELECT id FROM media_uploads WHERE sha256 = $1 FOR UPDATE', [sha256]);
        await remove(
          run,
          found.map(({ id }) => id),
        );
        return found.length > 0;
      });
      // Until then, the bytes are still in the table's file.
      if (isDropped) await db.run('VACUUM media_parts');
      return isDropped;
    },
    usage: async () => {
      const [row] = await db.run<{ readonly files: number; readonly bytes: number; readonly unfinished: number }>(
        'SELECT count(sha256) AS files, coalesce(sum(size), 0)::bigint AS bytes, count(*) - count(sha256) AS unfinished FROM media_uploads',
      );
      return row ?? { files: 0, bytes: 0, unfinished: 0 };
    },
  };
};

const touched = async (run: Run, sha256: string, at: number): Promise<StoredMedia | null> =>
  (await run<StoredMedia>('UPDATE media_uploads SET at = $1 WHERE sha256 = $2 RETURNING sha256, size, parts, at', [at, sha256]))[0] ?? null;

const remove = async (run: Run, ids: readonly string[]): Promise<void> => {
  await run('DELETE FROM media_parts WHERE upload = ANY($1::text[])', [ids]);
  await run('DELETE FROM media_uploads WHERE id = ANY($1::text[])', [ids]);
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
