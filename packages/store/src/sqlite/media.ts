import type { MediaPort, StoredMedia, SweptMedia } from '../media.ts';
import { StoreFault } from '../port.ts';
import { faulty, type Db } from './database.ts';

type Row = { readonly id: string; readonly sha256: string; readonly size: number; readonly parts: number; readonly at: number };

/** STORE-30: media beside the log, each part a row of its own: no more than one part is ever in memory. */
export const createMedia = (db: Db, path: string, now: () => number): MediaPort => {
  const findRow = db.prepare<[string], Row>('SELECT id, sha256, size, parts, at FROM media_uploads WHERE sha256 = ?');
  const readPart = db.prepare<[string, number], { readonly bytes: Buffer }>(
    'SELECT p.bytes FROM media_uploads u JOIN media_parts p ON p.upload = u.id WHERE u.sha256 = ? AND p.part = ?',
  );
  const write = db.readonly ? null : writersFor(db);
  const writing = <T>(work: (writers: NonNullable<typeof write>) => T): Promise<T> =>
    attempt(() => {
      if (write === null) throw new StoreFault('read-only', `${path} was opened for reading; nothing can be uploaded`);
      return db.transaction(() => work(write)).immediate();
    });
  const attempt = async <T>(work: () => T): Promise<T> => faulty(path, work);
  const remove = (writers: NonNullable<typeof write>, id: string): void => {
    writers.dropParts.run(id);
    writers.dropUpload.run(id);
  };

  return {
    put: (upload, part, bytes) =>
      writing((writers) => {
        if (part === 0) writers.begin.run(upload, now());
        writers.put.run(upload, part, bytes);
        if (writers.grow.run(bytes.length, now(), upload, part).changes !== 1)
          throw new StoreFault('failed', `${path}: part ${part} of an upload came out of turn`);
      }),
    finish: (upload, sha256) =>
      writing((writers) => {
        const known = findRow.get(sha256);
        if (known !== undefined) {
          remove(writers, upload);
          writers.touch.run(now(), sha256);
          return stored({ ...known, at: now() });
        }
        if (writers.finish.run(sha256, now(), upload).changes !== 1) throw new StoreFault('failed', `${path}: there is no such upload to finish`);
        const row = findRow.get(sha256);
        if (row === undefined) throw new StoreFault('failed', `${path}: an upload was lost`);
        return stored(row);
      }),
    abandon: (upload) =>
      writing((writers) => {
        if (writers.isOpen.get(upload) !== undefined) remove(writers, upload);
      }),
    find: (sha256) =>
      attempt(() => {
        const row = findRow.get(sha256);
        return row === undefined ? null : stored(row);
      }),
    claim: (sha256) =>
      writing((writers) => {
        writers.touch.run(now(), sha256);
        const row = findRow.get(sha256);
        return row === undefined ? null : stored(row);
      }),
    part: (sha256, part) => attempt(() => readPart.get(sha256, part)?.bytes ?? null),
    sweep: (before, kept) =>
      writing((writers): SweptMedia => {
        const isKept = new Set(kept);
        const old = writers.old.all(before).filter(({ sha256 }) => sha256 === null || !isKept.has(sha256));
        for (const { id } of old) remove(writers, id);
        return {
          uploads: old.filter(({ sha256 }) => sha256 === null).length,
          files: old.filter(({ sha256 }) => sha256 !== null).length,
          bytes: old.reduce((sum, { size }) => sum + size, 0),
        };
      }),
    drop: (sha256) =>
      writing((writers) => {
        const row = findRow.get(sha256);
        if (row !== undefined) remove(writers, row.id);
        return row !== undefined;
      }),
    usage: () =>
      attempt(
        () =>
          db
            .prepare<[], { readonly files: number; readonly bytes: number; readonly unfinished: number }>(
              'SELECT count(sha256) AS files, coalesce(sum(size), 0) AS bytes, count(*) - count(sha256) AS unfinished FROM media_uploads',
            )
            .get() ?? { files: 0, bytes: 0, unfinished: 0 },
      ),
  };
};

const stored = ({ sha256, size, parts, at }: Row): StoredMedia => ({ sha256, size, parts, at });

const writersFor = (db: Db) => ({
  begin: db.prepare<[string, number]>('INSERT INTO media_uploads (id, size, parts, at) VALUES (?, 0, 0, ?)'),
  put: db.prepare<[string, number, Uint8Array]>('INSERT INTO media_parts (upload, part, bytes) VALUES (?, ?, ?)'),
  grow: db.prepare<[number, number, string, number]>(
    'UPDATE media_uploads SET size = size + ?, parts = parts + 1, at = ? WHERE id = ? AND parts = ? AND sha256 IS NULL',
  ),
  finish: db.prepare<[string, number, string]>('UPDATE media_uploads SET sha256 = ?, at = ? WHERE id = ? AND sha256 IS NULL'),
  isOpen: db.prepare<[string], { readonly id: string }>('SELECT id FROM media_uploads WHERE id = ? AND sha256 IS NULL'),
  touch: db.prepare<[number, string]>('UPDATE media_uploads SET at = ? WHERE sha256 = ?'),
  old: db.prepare<[number], { readonly id: string; readonly sha256: string | null; readonly size: number }>(
    'SELECT id, sha256, size FROM media_uploads WHERE at < ?',
  ),
  dropParts: db.prepare<[string]>('DELETE FROM media_parts WHERE upload = ?'),
  dropUpload: db.prepare<[string]>('DELETE FROM media_uploads WHERE id = ?'),
});
