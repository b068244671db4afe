import { createEmbedding, MODEL } from '../search/meaning/embedding-file.ts';
import { askedVector, nearestAmong, type Row } from '../search/meaning/nearest.ts';
import { proseOf } from '../search/meaning/prose.ts';
import { createBits, storedPassagesOf } from '../search/meaning/vectors.ts';
import type { MeaningPort } from '../search/port.ts';
import type { Source } from '../search/source.ts';
import { StoreFault } from '../port.ts';
import { insertRows, type Column, type Db, type Run } from './database.ts';
import { payloadsAt } from './payloads.ts';
import { conditionsFor } from './search-matches.ts';

/** The index of meaning on PostgreSQL: plain tables, and in each server the bits of all passages. Whoever fills it next goes on where the last one stopped. */
export const createMeaning = (
  db: Db,
  isIndexing: boolean,
): MeaningPort & { readonly clear: (on: Run) => Promise<void>; readonly drop: (on: Run, positions: readonly number[]) => Promise<void> } => {
  const { run } = db;
  const embedding = createEmbedding();
  const bits = createBits();
  let generation = -1;

  const advance = async (on: Run, limit: number): Promise<number> => {
    const before = await progressOf(on, true);
    // Vectors of another model are of no use.
    if (before.model !== MODEL) {
      await on('DELETE FROM meaning_vectors');
      await on('DELETE FROM meaning_pieces');
      await on('UPDATE meaning_progress SET model = $1, position = 0, generation = generation + 1', [MODEL]);
    }
    const from = before.model === MODEL ? before.position : 0;
    const rows = await on<SourceRow>('SELECT position, type, note, copy_of FROM entries WHERE position > $1 ORDER BY position LIMIT $2', [
      from,
      limit,
    ]);
    const last = rows.at(-1)?.position;
    const model = last === undefined ? null : embedding();
    if (last === undefined || model === null) return 0;
    const pieces: (readonly unknown[])[] = [];
    const vectors: (readonly unknown[])[] = [];
    let id = (await on<{ readonly n: number }>('SELECT coalesce(max(id), 0)::bigint AS n FROM meaning_pieces'))[0]?.n ?? 0;
    const payloads = await payloadsAt(
      on,
      rows.filter(({ copyOf }) => copyOf === null).map(({ position }) => position),
    );
    for (const row of rows) {
      for (const one of storedPassagesOf(model, proseOf(row, payloads.get(row.position) ?? null))) {
        id += 1;
        pieces.push([id, row.position, one.from, one.length, one.bits]);
        vectors.push([id, one.row]);
      }
    }
    await insertRows(on, 'meaning_pieces', PIECE_COLUMNS, pieces);
    await insertRows(on, 'meaning_vectors', VECTOR_COLUMNS, vectors);
    await on('UPDATE meaning_progress SET position = $1', [last]);
    return rows.length;
  };

  /** As on SQLite: what is new is added; after anything was dropped, by whichever server, all are read again. */
  const refresh = async (): Promise<void> => {
    const now = (await progressOf(run, false)).generation;
    if (now !== generation) bits.clear();
    generation = now;
    for (;;) {
      const rows = await run<{ readonly id: number; readonly bits: Buffer }>(
        'SELECT id, bits FROM meaning_pieces WHERE id > $1 ORDER BY id LIMIT $2',
        [bits.last(), STEP],
      );
      for (const row of rows) bits.add(row.id, row.bits);
      if (rows.length < STEP) return;
    }
  };

  const nearest: MeaningPort['nearest'] = async (text, filters, most, corrected, turn) => {
    const model = embedding();
    if (model === null || (await progressOf(run, false)).model !== MODEL) return null;
    const vector = askedVector(model, text, corrected);
    if (vector === null) return [];
    await refresh();
    const rowsOf = async (ids: readonly number[]): Promise<readonly Row[]> => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const wanted = bind(ids);
      const { joins, wheres } = conditionsFor(filters, bind);
      const rows = await run<FoundRow>(
        `SELECT p.position, p.start, p.length, v.row, e.session, m.agent FROM meaning_pieces p JOIN meaning_vectors v ON v.id = p.id
         JOIN entries e ON e.position = p.position LEFT JOIN messages m ON m.position = p.position ${joins} WHERE p.id = ANY(${wanted}::bigint[]) ${wheres}`,
        values,
      );
      return rows.map(({ position, start, length, row, session, agent }) => ({
        position,
        sessionId: session,
        agentId: agent,
        passage: { from: start, to: start + length },
        row,
      }));
    };
    return nearestAmong(vector, bits, rowsOf, most, turn);
  };

  return {
    nearest,
    advance: (limit) =>
      isIndexing
        ? db.transaction((on) => advance(on, limit))
        : Promise.reject(new StoreFault('read-only', `${db.name}: this connection does not write the index`)),
    coverage: async () => {
      const { model, position } = await progressOf(run, false);
      if (model !== MODEL || embedding() === null) return null;
      const [row] = await run<{ readonly n: number }>('SELECT coalesce(max(position), 0)::bigint AS n FROM entries');
      return { model, position, of: row?.n ?? 0 };
    },
    // Locked first: what somebody is just filling in would be missed otherwise.
    clear: async (on) => {
      await progressOf(on, true);
      await on('DELETE FROM meaning_vectors');
      await on('DELETE FROM meaning_pieces');
      await on('UPDATE meaning_progress SET position = 0, generation = generation + 1');
    },
    drop: async (on, positions) => {
      await progressOf(on, true);
      await on('DELETE FROM meaning_vectors WHERE id IN (SELECT id FROM meaning_pieces WHERE position = ANY($1::bigint[]))', [positions]);
      await on('DELETE FROM meaning_pieces WHERE position = ANY($1::bigint[])', [positions]);
      await on('UPDATE meaning_progress SET generation = generation + 1');
    },
  };
};

type SourceRow = Source & { readonly position: number };
type FoundRow = {
  readonly position: number;
  readonly start: number;
  readonly length: number;
  readonly row: Buffer;
  readonly session: string;
  readonly agent: string | null;
};
type Progress = { readonly model: string; readonly position: number; readonly generation: number };

/** Locked by whoever fills the index: a second one waits. */
const progressOf = async (run: Run, isLocking: boolean): Promise<Progress> =>
  (await run<Progress>(`SELECT model, position, generation FROM meaning_progress ${isLocking ? 'FOR UPDATE' : ''}`))[0] ?? {
    model: '',
    position: 0,
    generation: 0,
  };

const PIECE_COLUMNS = [
  ['id', 'bigint'],
  ['position', 'bigint'],
  ['start', 'bigint'],
  ['length', 'bigint'],
  ['bits', 'bytea'],
] as const satisfies readonly Column[];
const VECTOR_COLUMNS = [
  ['id', 'bigint'],
  ['row', 'bytea'],
] as const satisfies readonly Column[];
const STEP = 20_000;
