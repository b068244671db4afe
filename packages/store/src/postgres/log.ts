import { genesisOf, innerHashOf, linkOf, type ChainedEntry, type Head } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';
import { createFold } from '../library/fold.ts';
import { wordless } from '../library/reading.ts';
import { entryAt, recordedAfter, uuidOfKey } from '../placing.ts';
import { StoreFault, type Appended, type Batch, type Item, type LogPort, type NumberedRef, type StoreOptions } from '../port.ts';
import { staleFault } from '../stale.ts';
import { isStretch } from '../stretch.ts';
import { insertTogether, type Db, type Run } from './database.ts';
import { TYPES_SAID } from './decided.ts';
import { createKnownHeads, type Mark } from './known-heads.ts';
import { behind, entryFrom, inFront, refsFrom, rowsOfEntries, selectEntries, type EntryRow, type Linked } from './entries.ts';
import { allFiles, putFiles } from './files.ts';
import { applyFold } from './library-write.ts';
import { dropPayload, linesOf, payloadByHash, payloadsAt, rowsOfPayloads } from './payloads.ts';
import { knownFrom, surroundingsOf, type Known, type KnownRow, type Tip } from './surroundings.ts';

type Hashed = Omit<Item, 'hash'> & { readonly hash: string | null; readonly keyUuid: string | null };

/** The log on PostgreSQL. Any number of servers append; the one that holds the lock on the board's row writes, for one batch. */
export const createLog = (db: Db, boardId: string, options: StoreOptions): LogPort => {
  const heads = createKnownHeads(db.name);

  const appendAll = async (
    run: Run,
    { items, files, decidedAt }: Batch,
  ): Promise<{ readonly results: readonly Appended[]; readonly marks: readonly Mark[] }> => {
    const hashed = items.map(hashedOf);
    const mine = heads.last();
    const around = await surroundingsOf(run, boardId, {
      decidedAt,
      known: mine?.position ?? null,
      numbers: hashed.flatMap(({ draft }) => draft.numbers),
      uuids: hashed.flatMap(({ draft, keyUuid }) => [...(draft.uuid === null ? [] : [draft.uuid]), ...(keyUuid === null ? [] : [keyUuid])]),
      hashes: hashed.flatMap(({ hash }) => hash ?? []),
    });
    const { tip: before, nextRef, byUuid, dropped } = around;
    await heads.refuseLost(run, mine, around.knownChecksum);
    if (decidedAt !== undefined && around.decided !== null) throw staleFault(db.name, decidedAt, around.decided);
    const recordedAt = recordedAfter(before.recordedAt, options.now());
    const byKey = await knownByKey(run, hashed);
    const isTaken = (uuid: string): boolean => byUuid.has(uuid);
    const fold = createFold(options.prices);
    const linked: Linked[] = [];
    const payloads = new Map<string, Uint8Array>();
    let head: Head = before;
    // One after the other, as if each were appended alone: an item knows the ones before it in the batch.
    const results = hashed.map(({ draft, payload, reading, hash, keyUuid }): Appended => {
      const key = keyOf(draft, hash);
      const known = key === null ? undefined : byKey.get(key);
      const same = draft.uuid === null ? undefined : byUuid.get(draft.uuid);
      const answer = known ?? (key === null ? same : undefined);
      if (answer !== undefined) return { status: 'known', position: answer.position, uuid: answer.uuid, refs: answer.refs };
      const place = { position: head.count + 1, recordedAt, hash, keyUuid, copyOf: same?.position ?? null, after: head.checksum, isTaken };
      const entry = entryAt(draft, place, nextRef);
      const innerHash = Buffer.from(innerHashOf(entry, sha256));
      const checksum = Buffer.from(linkOf(head.checksum, innerHash, sha256));
      head = { count: entry.position, checksum };
      linked.push({ entry, innerHash, checksum });
      if (hash !== null && payload !== null) payloads.set(hash, payload);
      const isKept = hash === null || !dropped.has(hash);
      fold.add({
        entry,
        reading: isKept ? reading : wordless(reading),
        copySessionId: same?.session ?? null,
        payload: isKept ? payload : null,
      });
      const placed = { position: entry.position, uuid: entry.uuid, session: entry.sessionId, refs: entry.refs };
      if (key !== null) byKey.set(key, placed);
      byUuid.set(entry.uuid, placed);
      return {
        status: same === undefined ? 'new' : 'copied',
        position: entry.position,
        uuid: entry.uuid,
        refs: entry.refs,
        ...(decidedAt === undefined ? {} : { checksum: checksum.toString('hex') }),
      };
    });
    if (linked.length > 0) await insertTogether(run, 'yarnboard_append', [await rowsOfPayloads(run, payloads), ...rowsOfEntries(linked)]);
    await applyFold(run, fold);
    await putFiles(run, files);
    return { results, marks: linked.map(({ entry, checksum }) => ({ position: entry.position, checksum })) };
  };

  const entries = async (rest: string, values: readonly unknown[], name?: string): Promise<readonly ChainedEntry[]> =>
    (await db.run<EntryRow>(selectEntries(rest), values, name)).map(entryFrom);

  const refuseReader = (): void => {
    if (db.readOnly) throw new StoreFault('read-only', `${db.name} was opened read-only`);
  };

  /** REC-51: the address may lead to a different database than the one that was opened. */
  const refuseExchanged = async (): Promise<void> => {
    const [found] = await db.run<{ readonly id: string }>('SELECT id FROM board');
    if (found?.id === boardId) return;
    throw new StoreFault('exchanged', `${db.name} has ${found === undefined ? 'no board' : `another board (${found.id})`} now, not ${boardId}`);
  };

  return {
    boardId,
    head: async () => {
      const { count, checksum } = await tipOf(db.run, boardId);
      heads.note([{ position: count, checksum }]);
      return { count, checksum };
    },
    append: async (batch) => {
      refuseReader();
      const { results, marks } = await db.transaction((run) => appendAll(run, batch), LOCK);
      heads.note(marks); // only now: what was rolled back never existed
      return results;
    },
    // Each payload has a row of its own, and the server maintains its pages.
    tidy: async (after) => ({ upTo: after, isDone: true, merged: 0 }),
    // Whoever holds the lock on the board's row may be committing something whose outcome was left unknown: once the lock is ours, that has ended.
    probe: async () => {
      await refuseExchanged();
      await heads.check(db.run);
      if (!db.readOnly) await db.transaction(() => Promise.resolve(), LOCK);
    },
    entriesAfter: (position, limit) => entries('WHERE position > $1 ORDER BY position LIMIT $2', [position, limit], 'yarnboard_behind'),
    entryAt: async (position) => firstOf(await db.run<EntryRow>(selectEntries('WHERE position = $1'), [position])),
    entriesAt: async (positions) => {
      if (isStretch(positions)) return entries('WHERE position BETWEEN $1 AND $2 ORDER BY position', [positions[0], positions.at(-1)]);
      const found = new Map<number, ChainedEntry>();
      for (let at = 0; at < positions.length; at += STEP) {
        for (const entry of await entries('WHERE position = ANY($1::bigint[])', [positions.slice(at, at + STEP)])) found.set(entry.position, entry);
      }
      return positions.flatMap((position) => found.get(position) ?? []);
    },
    entriesOf: (sessionId, after, limit) => entries(`WHERE ${behind('session')} LIMIT $3`, [sessionId, after, limit]),
    entriesBefore: (sessionId, before, limit) => entries(`WHERE ${inFront('session')} LIMIT $3`, [sessionId, before, limit]),
    linesOf: (sessionId, after, limit) => linesOf(db.run, [sessionId, after, limit]),
    entryByUuid: async (uuid) => firstOf(await db.run<EntryRow>(selectEntries('WHERE uuid = $1'), [uuid], 'yarnboard_uuid')),
    positionOfRef: async (type, number) => (await positionsOfRefs(db.run, [{ type, number }]))[0] ?? null,
    positionsOfRefs: (refs) => positionsOfRefs(db.run, refs),
    payloadsOf: (positions) => payloadsAt(db.run, positions),
    payloadByHash: (hash) => payloadByHash(db.run, hash),
    dropPayload: async (hash) => {
      refuseReader();
      return dropPayload(db, hash);
    },
    positionsWith: async (hash) =>
      positionsIn(await db.run('SELECT position FROM entries WHERE payload_hash = $1 ORDER BY position', [Buffer.from(hash, 'hex')])),
    positionsOfType: async (type, after = 0) =>
      positionsIn(await db.run(`SELECT position FROM entries WHERE occurrence IS NULL AND ${behind('type')}`, [type, after])),
    types: async () => (await db.run<{ readonly type: string }>(TYPES_SAID)).map(({ type }) => type),
    files: () => allFiles(db.run),
    forgetFile: async (path) => {
      refuseReader();
      await db.run('DELETE FROM files WHERE path = $1', [path]);
    },
    occurrences: async (contextId, payloadHash) => {
      const [row] = await db.run<{ readonly n: number }>(
        'SELECT count(*) AS n FROM entries WHERE payload_hash = $1 AND context = $2 AND occurrence IS NOT NULL',
        [Buffer.from(payloadHash, 'hex'), contextId],
      );
      return row?.n ?? 0;
    },
    size: async () => {
      const [row] = await db.run<{ readonly bytes: number; readonly payloadBytes: number }>(
        `SELECT (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r') AS bytes,
           (SELECT coalesce(sum(length), 0) FROM payloads WHERE bytes IS NOT NULL) AS payload_bytes`,
        [db.schema],
      );
      return row ?? { bytes: 0, payloadBytes: 0 };
    },
  };
};

const hashedOf = ({ draft, payload, reading, hash: given }: Item): Hashed => {
  const hash = payload === null ? null : Buffer.from(given ?? sha256(payload)).toString('hex');
  return { draft, payload, reading, hash, keyUuid: hash === null ? null : uuidOfKey(draft, hash) };
};

/** The board's id, assigned when it is new. */
export const boardOf = async (db: Db, options: StoreOptions): Promise<string> => {
  const select = 'SELECT id FROM board';
  const [known] = await db.run<{ readonly id: string }>(select);
  if (known !== undefined || db.readOnly) return known?.id ?? '';
  await db.run('INSERT INTO board (id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [options.newId(), options.now()]);
  return (await db.run<{ readonly id: string }>(select))[0]?.id ?? '';
};

/** Until the transaction ends, no other process appends or rebuilds. It comes first: a head read earlier may be stale. */
export const LOCK = 'SELECT id FROM board FOR UPDATE';

const tipOf = async (run: Run, boardId: string): Promise<Tip> => {
  const [row] = await run<Pick<EntryRow, 'position' | 'checksum' | 'recordedAt'>>(
    'SELECT position, checksum, recorded_at FROM entries ORDER BY position DESC LIMIT 1',
  );
  return row === undefined
    ? { ...genesisOf(boardId, sha256), recordedAt: 0 }
    : { count: row.position, checksum: row.checksum, recordedAt: row.recordedAt };
};

// The context comes last: it may contain any character.
const keyOf = ({ contextId, occurrence }: Item['draft'], hash: string | null): string | null =>
  occurrence === null || hash === null ? null : `${hash}|${occurrence}|${contextId}`;

const knownByKey = async (run: Run, items: readonly Hashed[]): Promise<Map<string, Known>> => {
  const wanted = new Map(
    items.flatMap(({ draft, hash }) => {
      const key = keyOf(draft, hash);
      return key === null || hash === null ? [] : [[key, [draft.contextId, Buffer.from(hash, 'hex'), draft.occurrence]] as const];
    }),
  );
  if (wanted.size === 0) return new Map();
  const keys = [...wanted.values()];
  const rows = await run<KnownRow & { readonly nth: number }>(
    // Key by key, by the index: without statistics, the planner would scan the whole log for each batch.
    `SELECT k.nth, e.* FROM unnest($1::text[], $2::bytea[], $3::bigint[]) WITH ORDINALITY k (context, hash, occurrence, nth)
     CROSS JOIN LATERAL (SELECT position, uuid, session, msg, other_refs FROM entries WHERE payload_hash = k.hash AND occurrence = k.occurrence
       AND occurrence IS NOT NULL AND md5(context) = md5(k.context) AND context = k.context LIMIT 1) e`,
    [0, 1, 2].map((at) => keys.map((key) => key[at])),
  );
  const names = [...wanted.keys()];
  return new Map(rows.map((row) => [names[row.nth - 1] ?? '', knownFrom(row)]));
};

// The list of references isn't part of the chain: a reference counts only if the entry says the same.
const positionsOfRefs = async (run: Run, refs: readonly NumberedRef[]): Promise<readonly (number | null)[]> => {
  const rows = await run<Pick<EntryRow, 'position' | 'msg' | 'otherRefs'> & { readonly nth: number }>(
    `SELECT w.nth, e.position, e.msg, e.other_refs FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY w (type, number, nth)
     JOIN refs r ON r.type = w.type AND r.number = w.number JOIN entries e ON e.position = r.position`,
    [refs.map(({ type }) => type), refs.map(({ number }) => number)],
  );
  const found = new Map(rows.map((row) => [row.nth, row]));
  return refs.map(({ type, number }, at) => {
    const row = found.get(at + 1);
    return row !== undefined && refsFrom(row).includes(`${type}-${number}`) ? row.position : null;
  });
};

const positionsIn = (rows: readonly { readonly position: number }[]): readonly number[] => rows.map(({ position }) => position);

const firstOf = ([row]: readonly EntryRow[]): ChainedEntry | null => (row === undefined ? null : entryFrom(row));

const STEP = 2000;
