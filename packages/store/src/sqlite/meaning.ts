import { existsSync, rmSync } from 'node:fs';
import { MASKING_RULES } from '@yarnboard/domain';
import type { Embedder } from '../search/meaning/embedder.ts';
import { createEmbedding, MODEL } from '../search/meaning/embedding-file.ts';
import { coverageOf, createAskers, embeddedBy, ENTRIES_AT_ONCE } from '../search/meaning/model.ts';
import { lookedAt, nearestAmong, type Row } from '../search/meaning/nearest.ts';
import { createBits } from '../search/meaning/vectors.ts';
import type { MeaningPort, SearchQuery } from '../search/port.ts';
import { StoreFault } from '../port.ts';
import { faulty, openDatabase, versionIn, type Db } from './database.ts';
import { createFilling } from './meaning-fill.ts';
import { MEANING_MIGRATIONS } from './meaning-schema.ts';
import { conditionsFor } from './search-matches.ts';
import type { SearchParts } from './search-parts.ts';

/** The index of meaning on SQLite: in a file of its own that can be deleted at any time. */
export const createMeaning = (
  parts: SearchParts,
): MeaningPort & { readonly clear: () => void; readonly drop: (positions: readonly number[]) => void; readonly close: () => void } => {
  const { path, board, names, embedder } = parts;
  const embedding = createEmbedding();
  const askers = createAskers(embedding, embedder);
  const bits = createBits();
  let generation = -1;
  let db: Db | null = null;
  let reader: Db | null = null;
  const opened = (): Db => (db ??= openIndex(parts));
  // As for words: never on the writer's connection.
  const finding = (): Db | null => {
    if (parts.isIndexing) opened();
    if (reader === null && !isReadable(path)) return null;
    return (reader ??= openFinder(parts));
  };
  const filling = createFilling(parts);
  const highest = board.prepare<[], number | null>('SELECT max(position) FROM entries').pluck();

  const advance = (limit: number): number => {
    const index = opened();
    keepTo(index, MODEL);
    const from = progressOf(index).position;
    if ((highest.get() ?? 0) <= from) return 0;
    const model = embedding();
    if (model === null) return 0;
    return index
      .transaction(() => {
        const { count, last } = filling.fill(index, model, from, limit);
        index.prepare<[number]>('UPDATE progress SET position = ?').run(last);
        return count;
      })
      .immediate();
  };

  /** MEAN-20, MEAN-21: with a remote model, a few entries at a time, so that hardly any is embedded twice, however this ends. */
  const advanceElsewhere = async (model: Embedder, limit: number, signal?: AbortSignal): Promise<number> => {
    const index = opened();
    const card = model.card() ?? (await model.setUp(signal));
    const rowLength = index.prepare<[], number>('SELECT length(row) FROM vectors LIMIT 1').pluck().get();
    keepTo(index, model.model, rowLength === undefined || rowLength === card.dims);
    const { position, generation: before } = progressOf(index);
    const { count, last, passages } = filling.read(position, Math.min(limit, ENTRIES_AT_ONCE));
    if (count === 0) return 0;
    const embedded = await embeddedBy(model, passages, signal);
    index
      .transaction(() => {
        const now = progressOf(index);
        // Something was dropped in the meantime, perhaps one of these: they are read again.
        if (now.generation !== before || now.position !== position) return;
        filling.put(index, embedded);
        index.prepare<[number]>('UPDATE progress SET position = ?').run(last);
      })
      .immediate();
    return count;
  };

  /** Brings the bits in memory up to date: new ones are added; after anything was dropped, all are read again. */
  const refresh = async (index: Db, turn: SearchQuery['turn']): Promise<void> => {
    const rows = index.prepare<[number], { readonly id: number; readonly bits: Buffer }>(
      `SELECT id, bits FROM pieces WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    );
    for (;;) {
      // Entries may have been dropped or added during the turns of others.
      const now = progressOf(index).generation;
      if (now !== generation) {
        bits.clear();
        if (generation !== -1) askers.forget();
      }
      generation = now;
      const some = rows.all(bits.last());
      for (const row of some) bits.add(row.id, row.bits);
      if (some.length < STEP) return;
      await turn?.();
    }
  };

  const nearest: MeaningPort['nearest'] = async (text, filters, most, corrected, turn) => {
    const index = finding();
    if (index === null) return null;
    const { model, masking } = progressOf(index);
    const asker = askers.of(model);
    // SEC-24: an index made by other rules isn't queried; it is rebuilt.
    if (asker === null || masking !== MASKING_RULES) return null;
    const vector = await asker.vectorOf(text, corrected);
    if (vector === null) return [];
    await refresh(index, turn);
    const { joins, wheres, values } = conditionsFor(filters, names);
    const rows = index.prepare<unknown[], FoundRow>(
      `SELECT p.position, p.start, p.length, p.weight, p.prompt, v.row, e.session, m.agent FROM json_each(?) j JOIN pieces p ON p.id = j.value JOIN vectors v ON v.id = p.id
       JOIN board.entries e ON e.position = p.position LEFT JOIN board.messages m ON m.position = p.position ${joins} WHERE true ${wheres}`,
    );
    const rowsOf = (ids: readonly number[]): readonly Row[] =>
      rows.all(JSON.stringify(ids), ...values).map(({ position, start, length, weight, prompt, row, session, agent }) => ({
        position,
        sessionId: names.textOf(session),
        agentId: agent === null ? null : names.textOf(agent),
        passage: { from: start, to: start + length },
        row,
        pieces: weight,
        prompt,
      }));
    const near = await nearestAmong(vector, asker.curve, bits, rowsOf, most, turn);
    await turn?.();
    const closeness = asker.closenessOf(text, corrected);
    return lookedAt(near, { closeness, curve: asker.curve }, (positions) => Promise.resolve(filling.proseAt(positions)));
  };

  const run = <T>(work: () => T): Promise<T> => Promise.resolve().then(() => faulty(path, work));

  return {
    nearest: (text, filters, most, corrected, turn) => run(() => nearest(text, filters, most, corrected, turn)).then((found) => found),
    isElsewhere: embedder !== null,
    advance: (limit, signal) =>
      embedder === null ? run(() => advance(limit)) : run(() => advanceElsewhere(embedder, limit, signal)).then((count) => count),
    coverage: (text = '') =>
      run(() => {
        const index = finding();
        if (index === null) return null;
        const { model, position, masking } = progressOf(index);
        const asker = askers.of(model);
        if (asker === null) return null;
        return coverageOf(asker, text, { model, position: masking === MASKING_RULES ? position : 0, of: highest.get() ?? 0 });
      }),
    clear: () => {
      const index = opened();
      embedder?.forget();
      empty(index);
    },
    drop: (positions) => {
      const index = opened();
      index
        .transaction(() => {
          filling.drop(index, progressOf(index).model === MODEL ? embedding() : null, positions);
          index.exec('UPDATE progress SET generation = generation + 1');
        })
        .immediate();
      index.pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => {
      db?.close();
      reader?.close();
      db = null;
      reader = null;
    },
  };
};

/** As many as take a few milliseconds to read. */
const STEP = 2000;

type FoundRow = {
  readonly position: number;
  readonly start: number;
  readonly length: number;
  readonly weight: number;
  readonly prompt: number | null;
  readonly row: Buffer;
  readonly session: number;
  readonly agent: number | null;
};
type Progress = { readonly board: string; readonly model: string; readonly position: number; readonly generation: number; readonly masking: number };

const progressOf = (index: Db): Progress =>
  index.prepare<[], Progress>('SELECT board, model, position, generation, masking FROM progress').get() ?? {
    board: '',
    model: '',
    position: 0,
    generation: 0,
    masking: MASKING_RULES,
  };

/** MEAN-15: whether there is an index of this version. Any other doesn't count until it is rebuilt: search by words works without it. */
const isReadable = (path: string): boolean => existsSync(path) && versionIn(path) === VERSION;

const VERSION = MEANING_MIGRATIONS.at(-1)?.version ?? 0;

const openFinder = ({ path, boardPath }: SearchParts): Db => {
  const index = openDatabase(path, { readOnly: true, migrations: MEANING_MIGRATIONS });
  index.prepare('ATTACH ? AS board').run(boardPath);
  return index;
};

/** MEAN-21: vectors of another model, or of a former length, are useless to the process that fills the index. */
const keepTo = (index: Db, model: string, isOneLength = true): void => {
  if (isOneLength && progressOf(index).model === model) return;
  index
    .transaction(() => {
      index.exec('DELETE FROM pieces; DELETE FROM vectors');
      index.prepare<[string]>('UPDATE progress SET model = ?, position = 0, generation = generation + 1').run(model);
    })
    .immediate();
};

/** Emptied, not deleted: other connections keep reading this file. */
const empty = (index: Db): void => {
  index
    .transaction(() => {
      index.exec('DELETE FROM pieces; DELETE FROM vectors');
      index.prepare<[number]>('UPDATE progress SET position = 0, generation = generation + 1, masking = ?').run(MASKING_RULES);
    })
    .immediate();
};

/** For the process that fills it. An index that is damaged, belongs to another board or version, or is ahead of the log is rebuilt. */
const openIndex = ({ path, board, boardId, isIndexing }: SearchParts): Db => {
  if (!isIndexing) throw new StoreFault('read-only', `${path}: this connection does not write the index`);
  const open = (): Db => openDatabase(path, { migrations: MEANING_MIGRATIONS });
  const remake = (): Db => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    return open();
  };
  let index: Db;
  try {
    index = existsSync(path) && versionIn(path) > VERSION ? remake() : open();
  } catch (cause) {
    if (!(cause instanceof StoreFault) || cause.kind !== 'corrupt') throw cause;
    index = remake();
  }
  const known = progressOf(index);
  const highest = board.prepare<[], number | null>('SELECT max(position) FROM entries').pluck().get() ?? 0;
  if (known.board !== '' && (known.board !== boardId || known.position > highest)) {
    index.close();
    index = remake();
  }
  index.pragma('synchronous = NORMAL'); // it can be filled again
  index
    .prepare<[string, string, number]>('INSERT OR IGNORE INTO progress (only, board, model, position, generation, masking) VALUES (1, ?, ?, 0, 0, ?)')
    .run(boardId, MODEL, MASKING_RULES);
  if (progressOf(index).masking !== MASKING_RULES) empty(index);
  return index;
};
