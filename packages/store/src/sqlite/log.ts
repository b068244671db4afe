import { statSync } from 'node:fs';
import { genesisOf, innerHashOf, mayDecide, linkOf, type ChainedEntry, type Head } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';
import { createFold, type Fold } from '../library/fold.ts';
import { wordless } from '../library/reading.ts';
import { entryAt, recordedAfter } from '../placing.ts';
import { StoreFault, type Appended, type Batch, type Item, type LoggedLine, type LogPort, type NumberedRef, type StoreOptions } from '../port.ts';
import { staleFault } from '../stale.ts';
import { storedOf, textFrom, textOrNull } from '../stored-text.ts';
import { isStretch } from '../stretch.ts';
import { faulty, isDiskError, type Db } from './database.ts';
import { fullAdvice, ROOM_TO_GO_ON, roomAt } from './disk.ts';
import { createLastDecided, TYPES_SAID, type Move } from './decided.ts';
import { createCounters, entryFrom, entryWriter, rowFrom, selectEntries, type EntryRow, type RawEntry } from './entries.ts';
import { createFiles } from './files.ts';
import type { LibraryWriter } from './library-write.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';

export type LogParts = {
  readonly db: Db;
  readonly path: string;
  readonly names: Names;
  readonly payloads: Payloads;
  readonly library: LibraryWriter | null;
  readonly options: StoreOptions;
};

/** Device and inode of the file at a path; null if there is none. */
const identityOf = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Without a payload, or once it is forgotten, `pack` is null and the last two mean nothing. */
type RawLine = readonly [
  position: number,
  uuid: string,
  type: number,
  context: number,
  note: string | null,
  pack: number | null,
  start: number,
  length: number,
];

type Known = { readonly position: number; readonly uuid: string; readonly session: number };

/** The log on SQLite. One process writes; the lock keeps every other out. */
export const createLog = ({ db, path, names, payloads, library, options }: LogParts): LogPort => {
  const boardId = boardOf(db, options);
  const opened = identityOf(path);
  const counters = createCounters(db);
  const files = createFiles(db);
  const lastDecided = createLastDecided(db);
  const write = db.readonly ? null : entryWriter(db, names);
  const last = db.prepare<[], { readonly position: number; readonly checksum: Buffer; readonly recordedAt: number }>(
    'SELECT position, checksum, recorded_at AS recordedAt FROM entries ORDER BY position DESC LIMIT 1',
  );
  const byKey = db.prepare<[number, Buffer, number], Known>(
    'SELECT position, uuid, session FROM entries WHERE context = ? AND payload_hash = ? AND occurrence = ?',
  );
  const byUuid = db.prepare<[string], Known>('SELECT position, uuid, session FROM entries WHERE uuid = ?');
  const wholeAt = db.prepare<[number], EntryRow>(selectEntries('WHERE position = ?'));
  const wholeAfter = db.prepare<[number, number], RawEntry>(selectEntries('WHERE position > ? ORDER BY position LIMIT ?')).raw();
  const wholeIn = db.prepare<[number, number], RawEntry>(selectEntries('WHERE position BETWEEN ? AND ? ORDER BY position')).raw();
  const sessionAfter = db
    .prepare<[number, number, number], RawEntry>(selectEntries('WHERE session = ? AND position > ? ORDER BY position LIMIT ?'))
    .raw();
  const sessionBefore = db
    .prepare<[number, number, number], RawEntry>(selectEntries('WHERE session = ? AND position < ? ORDER BY position DESC LIMIT ?'))
    .raw();
  const linesAfter = db
    .prepare<[number, number, number], RawLine>(
      `SELECT e.position, e.uuid, e.type, e.context, e.note, p.pack, p.start, p.length FROM entries e LEFT JOIN payloads p ON p.hash = e.payload_hash
         WHERE e.session = ? AND e.position > ? ORDER BY e.position LIMIT ?`,
    )
    .raw();
  const hashAt = db.prepare<[number], { readonly hash: Buffer | null }>('SELECT payload_hash AS hash FROM entries WHERE position = ?');
  const withHash = db.prepare<[Buffer], { readonly position: number }>('SELECT position FROM entries WHERE payload_hash = ? ORDER BY position');
  const typesSaid = db.prepare<[], { readonly type: string }>(TYPES_SAID);
  const ofType = db.prepare<[number, number], { readonly position: number }>(
    'SELECT position FROM entries WHERE type = ? AND occurrence IS NULL AND position > ? ORDER BY position',
  );
  const placesIn = db
    .prepare<[number, number], readonly [number, number, number, number]>(
      `SELECT e.position, p.pack, p.start, p.length FROM entries e JOIN payloads p ON p.hash = e.payload_hash
         WHERE e.position BETWEEN ? AND ? AND p.pack IS NOT NULL`,
    )
    .raw();
  const refAt = db.prepare<[string, number], { readonly position: number }>('SELECT position FROM refs WHERE type = ? AND number = ?');
  const repeats = db.prepare<[number, Buffer], { readonly n: number }>(
    'SELECT count(*) AS n FROM entries WHERE context = ? AND payload_hash = ? AND occurrence IS NOT NULL',
  );

  const headNow = (): Head & { readonly recordedAt: number } => {
    const row = last.get();
    return row === undefined
      ? { ...genesisOf(boardId, sha256), recordedAt: 0 }
      : { count: row.position, checksum: row.checksum, recordedAt: row.recordedAt };
  };

  const payloadAt = (position: number): Buffer | null => {
    const hash = hashAt.get(position)?.hash ?? null;
    return hash === null ? null : payloads.get(hash);
  };

  const isTaken = (uuid: string): boolean => byUuid.get(uuid) !== undefined;

  const knownOf = ({ position, uuid }: Known): Appended => {
    const row = wholeAt.get(position);
    return { status: 'known', position, uuid: textFrom(uuid), refs: row === undefined ? [] : entryFrom(row, names).refs };
  };

  const appendAll = ({ items, files: marks, decidedAt }: Batch): { readonly results: readonly Appended[]; readonly move: Move } => {
    if (write === null || library === null) throw new StoreFault('read-only', `${path} was opened read-only`);
    counters.reset(); // another process may have assigned numbers since
    let head = headNow();
    const before = head.count;
    if (decidedAt !== undefined && lastDecided.on(before) > decidedAt) throw staleFault(path, decidedAt, lastDecided.on(before));
    let newest: number | null = null;
    const recordedAt = recordedAfter(head.recordedAt, options.now());
    const fold = createFold(options.prices);
    const results = items.map((item) => {
      const added = appendOne(item, head, { recordedAt, isDecision: decidedAt !== undefined }, fold, write);
      if (added.head !== null) {
        head = added.head;
        if (item.draft.occurrence === null && mayDecide(item.draft.type)) newest = head.count;
      }
      return added.result;
    });
    payloads.flush();
    library.apply(fold);
    for (const mark of marks) files.put(mark);
    return { results, move: { before, after: head.count, last: newest } };
  };

  const appendOne = (
    { draft, payload, reading, hash: given }: Item,
    head: Head & { readonly recordedAt: number },
    { recordedAt, isDecision }: { readonly recordedAt: number; readonly isDecision: boolean },
    fold: Fold,
    insert: NonNullable<typeof write>,
  ): { readonly result: Appended; readonly head: (Head & { readonly recordedAt: number }) | null } => {
    const hash = payload === null ? null : given === undefined ? sha256(payload) : asBuffer(given);
    const isRecord = draft.occurrence !== null && hash !== null;
    const known = isRecord ? byKey.get(names.idOf(draft.contextId), hash, draft.occurrence) : undefined;
    if (known !== undefined) return { result: knownOf(known), head: null };
    const same = draft.uuid === null ? undefined : byUuid.get(storedOf(draft.uuid));
    if (same !== undefined && !isRecord) return { result: knownOf(same), head: null };
    const place = {
      position: head.count + 1,
      recordedAt,
      hash: hash?.toString('hex') ?? null,
      copyOf: same?.position ?? null,
      after: head.checksum,
      isTaken,
    };
    const entry = entryAt(draft, place, counters.next);
    const isKept = hash === null || payload === null || payloads.put(hash, payload);
    const innerHash = asBuffer(innerHashOf(entry, sha256));
    const checksum = asBuffer(linkOf(head.checksum, innerHash, sha256));
    insert(entry, hash, innerHash, checksum);
    fold.add({
      entry,
      reading: isKept ? reading : wordless(reading),
      copySessionId: same === undefined ? null : names.textOf(same.session),
      payload: isKept ? payload : null,
    });
    return {
      result: {
        status: same === undefined ? 'new' : 'copied',
        position: entry.position,
        uuid: entry.uuid,
        refs: entry.refs,
        ...(isDecision ? { checksum: checksum.toString('hex') } : {}),
      },
      head: { count: entry.position, checksum, recordedAt },
    };
  };

  // Not null once nothing is left to do but commit.
  let ready: ReturnType<typeof appendAll> | null = null;
  const transaction = db.transaction((batch: Batch) => {
    ready = appendAll(batch);
  });

  const append = (batch: Batch): readonly Appended[] => {
    refuseExchanged();
    ready = null;
    try {
      transaction.immediate(batch);
    } catch (cause) {
      // The numbers, names and packs assigned in it are gone with it.
      for (const part of [names, counters, payloads]) part.reset();
      if (!isCommitted(cause, ready)) throw cause;
    }
    const { results, move } = ready ?? NOTHING_READY;
    lastDecided.moved(move);
    return results;
  };

  /**
   * STORE-44: whether a failed commit is on the log nevertheless. If syncing the write-ahead log failed, it still holds the commit: invisible now,
   * and visible after the next start, unless another commit overwrites it. That one settles it; if it fails, too, nobody knows.
   */
  const isCommitted = (cause: unknown, attempted: ReturnType<typeof appendAll> | null): boolean => {
    if (attempted === null || !isDiskError(cause)) return false;
    try {
      commitNothing();
    } catch {
      throw unknownFault(path, cause);
    }
    const { before, after } = attempted.move;
    return after > before && headNow().count === after;
  };

  const commitNothing = (): void => void db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);

  /** REC-51: writing to a deleted file succeeds, and nobody ever sees the data again. */
  const refuseExchanged = (): void => {
    const now = identityOf(path);
    if (now === opened) return;
    throw new StoreFault(
      'exchanged',
      `${path} ${now === null ? 'was deleted' : 'is another file now'}; put back the one that was opened, or start yarnboard again`,
    );
  };

  const probe = (): void => {
    refuseExchanged();
    if (db.readonly) return void headNow();
    const room = roomAt(path);
    if (room !== null && room < ROOM_TO_GO_ON) throw new StoreFault('full', `${path}: ${fullAdvice(path)}`);
    commitNothing();
  };

  const entriesFrom = (rows: readonly RawEntry[]): readonly ChainedEntry[] => rows.map((raw) => entryFrom(rowFrom(raw), names));

  const lineFrom = ([position, uuid, type, context, note, pack, start, length]: RawLine): LoggedLine => ({
    position,
    uuid: textFrom(uuid),
    type: names.textOf(type),
    contextId: names.textOf(context),
    note: textOrNull(note),
    bytes: pack === null ? null : (payloads.at(pack, start, length) ?? payloadAt(position)),
  });

  // The list of references isn't part of the chain: a reference counts only if the entry says the same.
  const positionOf = ({ type, number }: NumberedRef): number | null => {
    const position = refAt.get(type, number)?.position ?? null;
    const entry = position === null ? null : entryOrNull(wholeAt.get(position), names);
    return entry?.refs.includes(`${type}-${number}`) === true ? position : null;
  };

  const refuseReader = (): void => {
    if (db.readonly) throw new StoreFault('read-only', `${path} was opened read-only`);
  };

  const mergePacks = db.transaction((from: number, to: number) => payloads.merge(from, to));

  const tidy = (after: number): { readonly upTo: number; readonly isDone: boolean; readonly merged: number } => {
    refuseReader();
    const { count } = headNow();
    // The newest part may stay a pack of its own: more to merge it with will follow soon.
    if (count - after < TIDY_FROM) return { upTo: after, isDone: true, merged: 0 };
    const upTo = Math.min(count, after + TIDY_STEP);
    try {
      return { upTo, isDone: count - upTo < TIDY_FROM, merged: mergePacks.immediate(after + 1, upTo) };
    } catch (cause) {
      payloads.reset();
      throw cause;
    }
  };

  const dropPayload = db.transaction((hash: Buffer) => payloads.drop(hash));

  return {
    boardId,
    head: async () => faulty(path, headNow),
    append: async (batch) => faulty(path, () => append(batch)),
    probe: async () => faulty(path, probe),
    tidy: async (after) => faulty(path, () => tidy(after)),
    entriesAfter: async (position, limit) => faulty(path, () => entriesFrom(wholeAfter.all(position, limit))),
    entryAt: async (position) => faulty(path, () => entryOrNull(wholeAt.get(position), names)),
    entriesAt: async (positions) =>
      faulty(path, () => {
        const [first, last] = [positions[0] ?? 0, positions.at(-1) ?? 0];
        if (isStretch(positions)) return entriesFrom(wholeIn.all(first, last));
        return positions.flatMap((position) => entryOrNull(wholeAt.get(position), names) ?? []);
      }),
    entriesOf: async (sessionId, after, limit) =>
      faulty(path, () => {
        const session = names.find(sessionId);
        return session === null ? [] : entriesFrom(sessionAfter.all(session, after, limit));
      }),
    entriesBefore: async (sessionId, before, limit) =>
      faulty(path, () => {
        const session = names.find(sessionId);
        return session === null ? [] : entriesFrom(sessionBefore.all(session, before, limit));
      }),
    linesOf: async (sessionId, after, limit) =>
      faulty(path, () => {
        const session = names.find(sessionId);
        return session === null ? [] : linesAfter.all(session, after, limit).map(lineFrom);
      }),
    entryByUuid: async (uuid) =>
      faulty(path, () => {
        const known = byUuid.get(storedOf(uuid));
        return known === undefined ? null : entryOrNull(wholeAt.get(known.position), names);
      }),
    positionOfRef: async (type, number) => faulty(path, () => positionOf({ type, number })),
    positionsOfRefs: async (refs) => faulty(path, () => refs.map(positionOf)),
    payloadsOf: async (positions) =>
      faulty(path, () => {
        const found = new Map<number, Uint8Array>();
        const [first, last] = [positions[0] ?? 0, positions.at(-1) ?? 0];
        if (isStretch(positions)) {
          for (const [position, pack, start, length] of placesIn.all(first, last)) {
            const bytes = payloads.at(pack, start, length) ?? payloadAt(position);
            if (bytes !== null) found.set(position, bytes);
          }
          return found;
        }
        for (const position of positions) {
          const bytes = payloadAt(position);
          if (bytes !== null) found.set(position, bytes);
        }
        return found;
      }),
    payloadByHash: async (hash) => faulty(path, () => payloads.get(Buffer.from(hash, 'hex'))),
    dropPayload: async (hash) =>
      faulty(path, () => {
        refuseReader();
        const isDropped = dropPayload.immediate(Buffer.from(hash, 'hex'));
        // The bytes must not survive in the write-ahead log either; freed pages are zeroed (secure_delete).
        if (isDropped) db.pragma('wal_checkpoint(TRUNCATE)');
        return isDropped;
      }),
    positionsWith: async (hash) => faulty(path, () => withHash.all(Buffer.from(hash, 'hex')).map(({ position }) => position)),
    positionsOfType: async (type, after = 0) =>
      faulty(path, () => {
        const id = names.find(type);
        return id === null ? [] : ofType.all(id, after).map(({ position }) => position);
      }),
    types: async () => faulty(path, () => typesSaid.all().map(({ type }) => type)),
    files: async () => faulty(path, files.all),
    forgetFile: async (file) =>
      faulty(path, () => {
        refuseReader();
        files.remove(file);
      }),
    occurrences: async (contextId, payloadHash) =>
      faulty(path, () => {
        const context = names.find(contextId);
        return context === null ? 0 : (repeats.get(context, Buffer.from(payloadHash, 'hex'))?.n ?? 0);
      }),
    size: async () =>
      faulty(path, () => ({
        bytes: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
        payloadBytes:
          db.prepare<[], { readonly n: number }>('SELECT coalesce(sum(length), 0) AS n FROM payloads WHERE pack IS NOT NULL').get()?.n ?? 0,
      })),
  };
};

const TIDY_FROM = 512;
const TIDY_STEP = 2000;
const NOTHING_READY = { results: [], move: { before: 0, after: 0, last: null } } as const;

const unknownFault = (path: string, cause: unknown): StoreFault =>
  new StoreFault(
    'io',
    `${path}: the disk failed while this was being written, so it may or may not be there (${cause instanceof Error ? cause.message : String(cause)}). ` +
      'Send it again under the same message id when the disk works: it is done once',
    cause,
    'unknown',
  );

const boardOf = (db: Db, options: StoreOptions): string => {
  const select = db.prepare<[], { readonly id: string }>('SELECT id FROM board');
  const known = select.get();
  if (known !== undefined || db.readonly) return known?.id ?? '';
  db.prepare('INSERT INTO board (id, created_at) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM board)').run(options.newId(), options.now());
  return select.get()?.id ?? '';
};

const entryOrNull = (row: EntryRow | undefined, names: Names): ReturnType<typeof entryFrom> | null =>
  row === undefined ? null : entryFrom(row, names);

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
