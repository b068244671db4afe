import { MASKING_RULES } from '@yarnboard/domain';
import { embed, type Embedding } from '@yarnboard/language';
import type { Embedder } from '../search/meaning/embedder.ts';
import { createEmbedding, MODEL } from '../search/meaning/embedding-file.ts';
import { coverageOf, createAskers, embeddedBy, ENTRIES_AT_ONCE } from '../search/meaning/model.ts';
import { lookedAt, nearestAmong, type Row } from '../search/meaning/nearest.ts';
import { openThreads, PROMPT, promptsOf } from '../search/meaning/prompts.ts';
import { proseOf, proseWithin } from '../search/meaning/prose.ts';
import { createBits, sayingPassagesOf, storedPassagesOf, type StoredPassage } from '../search/meaning/vectors.ts';
import { MeaningFault, type MeaningPort } from '../search/port.ts';
import type { Source } from '../search/source.ts';
import { StoreFault } from '../port.ts';
import { insertRows, type Column, type Db, type Run } from './database.ts';
import { payloadsAt } from './payloads.ts';
import { conditionsFor } from './search-matches.ts';

/**
 * The index of meaning on PostgreSQL: plain tables, and in each server's memory the bits of all passages. Whoever fills it next continues where the
 * last one stopped.
 */
export const createMeaning = (
  db: Db,
  isIndexing: boolean,
  embedder: Embedder | null,
): MeaningPort & { readonly clear: (on: Run) => Promise<void>; readonly drop: (on: Run, positions: readonly number[]) => Promise<void> } => {
  const { run } = db;
  const embedding = createEmbedding();
  const askers = createAskers(embedding, embedder);
  const wanted = embedder?.model ?? MODEL;
  /** MEAN-23: a server changes the model of a board once, when it starts; servers that disagree would refill the index forever. */
  let hasBegun = false;
  const bits = createBits();
  let generation = -1;

  /** Whether this server may fill the index: with its own model, to which it may switch once. */
  const begins = async (on: Run, before: Progress, isOneLength = true): Promise<boolean> => {
    if (before.model !== wanted && hasBegun) return false;
    if (before.model === wanted && isOneLength && before.masking === MASKING_RULES) return true;
    await on('DELETE FROM meaning_vectors');
    await on('DELETE FROM meaning_pieces');
    await on('UPDATE meaning_progress SET model = $1, masking = $2, position = 0, generation = generation + 1', [wanted, MASKING_RULES]);
    return true;
  };

  const advance = async (on: Run, limit: number): Promise<number> => {
    const known = await progressOf(on, true);
    // SEC-24: a newer server of this board recognizes more secrets. What it left out must not come back through an older one.
    if (known.masking > MASKING_RULES || !(await begins(on, known))) return 0;
    const { position: from } = await progressOf(on, false);
    const rows = await on<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${SOURCES} WHERE e.position > $1 ORDER BY e.position LIMIT $2`, [from, limit]);
    const last = rows.at(-1)?.position;
    const model = last === undefined ? null : embedding();
    if (last === undefined || model === null) return 0;
    await write(on, model, rows, await promptsIn(on, rows));
    await on('UPDATE meaning_progress SET position = $1', [last]);
    return rows.length;
  };

  /** As on SQLite: nobody waits for the endpoint while the index is locked, and work done by another server in the meantime isn't repeated. */
  const advanceElsewhere = async (model: Embedder, limit: number, signal?: AbortSignal): Promise<number> => {
    const card = model.card() ?? (await model.setUp(signal));
    const before = await db.transaction(async (on) => {
      const [row] = await on<{ readonly n: number }>('SELECT length(row) AS n FROM meaning_vectors LIMIT 1');
      const known = await progressOf(on, true);
      if (known.masking > MASKING_RULES) return null;
      if (!(await begins(on, known, row === undefined || row.n === card.dims)))
        throw new MeaningFault(`another server of this board fills the index of meaning with ${known.model}: give all of them the same "embedding"`);
      return progressOf(on, false);
    });
    if (before === null) return 0;
    hasBegun = true;
    const rows = await run<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${SOURCES} WHERE e.position > $1 ORDER BY e.position LIMIT $2`, [
      before.position,
      Math.min(limit, ENTRIES_AT_ONCE),
    ]);
    const last = rows.at(-1)?.position;
    if (last === undefined) return 0;
    const payloads = await payloadsAt(
      run,
      rows.filter(({ copyOf }) => copyOf === null).map(({ position }) => position),
    );
    const passages = rows.flatMap((row) => sayingPassagesOf(proseIn(row, payloads)).map((passage) => ({ ...passage, position: row.position })));
    const embedded = await embeddedBy(model, passages, signal);
    await db.transaction(async (on) => {
      const now = await progressOf(on, true);
      if (now.generation !== before.generation || now.position !== before.position || now.model !== wanted) return;
      await put(
        on,
        embedded.map((one) => ({ ...one, prompt: null })),
      );
      await on('UPDATE meaning_progress SET position = $1', [last]);
    });
    return rows.length;
  };

  const put = async (
    on: Run,
    passages: readonly (StoredPassage & { readonly position: number; readonly prompt: number | null })[],
  ): Promise<void> => {
    const first = (await on<{ readonly n: number }>('SELECT coalesce(max(id), 0)::bigint AS n FROM meaning_pieces'))[0]?.n ?? 0;
    const ids = passages.map((one, at) => ({ ...one, id: first + at + 1 }));
    await insertRows(
      on,
      'meaning_pieces',
      PIECE_COLUMNS,
      ids.map(({ id, position, from, length, bits: sign, pieces, prompt }) => [id, position, from, length, sign, pieces, prompt]),
    );
    await insertRows(
      on,
      'meaning_vectors',
      VECTOR_COLUMNS,
      ids.map(({ id, row }) => [id, row]),
    );
  };

  /** Writes the passages of entries, each with the prompt that it answers. */
  const write = async (on: Run, model: Embedding, rows: readonly SourceRow[], prompts: ReadonlyMap<number, number>): Promise<void> => {
    const wanted = [...rows.filter(({ copyOf }) => copyOf === null).map(({ position }) => position), ...prompts.values()];
    const payloads = await payloadsAt(on, [...new Set(wanted)]);
    const known = new Map(rows.map((row) => [row.position, row]));
    const elsewhere = [...new Set(prompts.values())].filter((position) => !known.has(position));
    for (const row of await on<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${SOURCES} WHERE e.position = ANY($1::bigint[])`, [elsewhere]))
      known.set(row.position, row);
    const proseAt = (position: number): string => {
      const row = known.get(position);
      return row === undefined ? '' : proseIn(row, payloads);
    };
    const asked = new Map<number, Float32Array | null>();
    const promptAt = (position: number): Float32Array | null => {
      const before = asked.get(position);
      if (before !== undefined) return before;
      const prose = proseAt(position);
      const vector = prose === '' ? null : embed(model, prose);
      asked.set(position, vector);
      return vector;
    };
    await put(
      on,
      rows.flatMap(({ position }) => {
        const prompt = prompts.get(position) ?? null;
        const vector = prompt === null ? null : promptAt(prompt);
        return storedPassagesOf(model, proseAt(position), vector).map((one) => ({ ...one, position, prompt: vector === null ? null : prompt }));
      }),
    );
  };

  /** Which prompt each reply answers, even if the prompt is before these entries. */
  const promptsIn = async (on: Run, rows: readonly SourceRow[]): Promise<ReadonlyMap<number, number>> => {
    const turns = rows.map(({ position, session, agent, role }) => ({
      position,
      thread: session === null ? null : JSON.stringify([session, agent]),
      role,
    }));
    const asked = new Map<string, number>();
    for (const [thread, position] of openThreads(turns)) {
      const [found] = await on<{ readonly position: number }>(
        `SELECT m.position FROM messages m JOIN messages r ON r.position = $1 WHERE m.session = r.session AND left(m.agent, 64) IS NOT DISTINCT FROM left(r.agent, 64)
         AND m.position < $1 AND m.role = $2 ORDER BY m.position DESC LIMIT 1`,
        [position, PROMPT],
      );
      if (found !== undefined) asked.set(thread, found.position);
    }
    return promptsOf(turns, asked);
  };

  /** As on SQLite: new rows are added; after any server has dropped something, all are read again. */
  const refresh = async (): Promise<void> => {
    const now = (await progressOf(run, false)).generation;
    if (now !== generation) {
      bits.clear();
      if (generation !== -1) askers.forget();
    }
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

  const proseAt = async (positions: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    const rows = await run<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${SOURCES} WHERE e.position = ANY($1::bigint[])`, [positions]);
    const payloads = await payloadsAt(run, positions);
    return new Map(rows.map((row) => [row.position, proseIn(row, payloads)]));
  };

  const nearest: MeaningPort['nearest'] = async (text, filters, most, corrected, turn) => {
    const { model, masking } = await progressOf(run, false);
    const asker = askers.of(model);
    // SEC-24: an index made by older rules isn't queried; it is rebuilt.
    if (asker === null || masking < MASKING_RULES) return null;
    const vector = await asker.vectorOf(text, corrected);
    if (vector === null) return [];
    await refresh();
    const rowsOf = async (ids: readonly number[]): Promise<readonly Row[]> => {
      const values: unknown[] = [];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const wanted = bind(ids);
      const { joins, wheres } = conditionsFor(filters, bind);
      const rows = await run<FoundRow>(
        `SELECT p.position, p.start, p.length, p.weight, p.prompt, v.row, e.session, m.agent FROM meaning_pieces p JOIN meaning_vectors v ON v.id = p.id
         JOIN entries e ON e.position = p.position LEFT JOIN messages m ON m.position = p.position ${joins} WHERE p.id = ANY(${wanted}::bigint[]) ${wheres}`,
        values,
      );
      return rows.map(({ position, start, length, weight, prompt, row, session, agent }) => ({
        position,
        sessionId: session,
        agentId: agent,
        passage: { from: start, to: start + length },
        row,
        pieces: weight,
        prompt,
      }));
    };
    const near = await nearestAmong(vector, asker.curve, bits, rowsOf, most, turn);
    return lookedAt(near, { closeness: asker.closenessOf(text, corrected), curve: asker.curve }, proseAt);
  };

  return {
    nearest,
    isElsewhere: embedder !== null,
    advance: (limit, signal) => {
      if (!isIndexing) return Promise.reject(new StoreFault('read-only', `${db.name}: this connection does not write the index`));
      if (embedder !== null) return advanceElsewhere(embedder, limit, signal);
      return db
        .transaction((on) => advance(on, limit))
        .then((count) => {
          hasBegun = true;
          return count;
        });
    },
    coverage: async (text = '') => {
      const { model, position, masking } = await progressOf(run, false);
      const asker = askers.of(model);
      if (asker === null) return null;
      const [row] = await run<{ readonly n: number }>('SELECT coalesce(max(position), 0)::bigint AS n FROM entries');
      return coverageOf(asker, text, { model, position: masking < MASKING_RULES ? 0 : position, of: row?.n ?? 0 });
    },
    // Locked first: otherwise rows being filled in right now would be missed.
    clear: async (on) => {
      embedder?.forget();
      await progressOf(on, true);
      await on('DELETE FROM meaning_vectors');
      await on('DELETE FROM meaning_pieces');
      await on('UPDATE meaning_progress SET position = 0, masking = $1, generation = generation + 1', [MASKING_RULES]);
    },
    drop: async (on, positions) => {
      const { model: current, masking } = await progressOf(on, true);
      const answering = await on<{ readonly position: number }>('SELECT DISTINCT position FROM meaning_pieces WHERE prompt = ANY($1::bigint[])', [
        positions,
      ]);
      // The answers to them are embedded again without them.
      const again = answering.map(({ position }) => position).filter((position) => !positions.includes(position));
      const gone = [...positions, ...again];
      await on('DELETE FROM meaning_vectors WHERE id IN (SELECT id FROM meaning_pieces WHERE position = ANY($1::bigint[]))', [gone]);
      await on('DELETE FROM meaning_pieces WHERE position = ANY($1::bigint[])', [gone]);
      const model = current === MODEL && masking <= MASKING_RULES ? embedding() : null;
      const rows = await on<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM ${SOURCES} WHERE e.position = ANY($1::bigint[]) ORDER BY e.position`, [again]);
      if (model !== null) await write(on, model, rows, new Map());
      await on('UPDATE meaning_progress SET generation = generation + 1');
    },
  };
};

const proseIn = (row: SourceRow, payloads: ReadonlyMap<number, Buffer | null>): string =>
  proseWithin(row.position, () => proseOf(row, payloads.get(row.position) ?? null));

type SourceRow = Source & {
  readonly position: number;
  readonly session: string | null;
  readonly agent: string | null;
  readonly role: string | null;
};
type FoundRow = {
  readonly position: number;
  readonly start: number;
  readonly length: number;
  readonly weight: number;
  readonly prompt: number | null;
  readonly row: Buffer;
  readonly session: string;
  readonly agent: string | null;
};
type Progress = { readonly model: string; readonly position: number; readonly generation: number; readonly masking: number };

/** Locked while the index is being filled: a second server waits. */
const progressOf = async (run: Run, isLocking: boolean): Promise<Progress> =>
  (await run<Progress>(`SELECT model, position, generation, masking FROM meaning_progress ${isLocking ? 'FOR UPDATE' : ''}`))[0] ?? {
    model: '',
    position: 0,
    generation: 0,
    masking: MASKING_RULES,
  };

const SOURCE_COLUMNS = 'e.position, e.type, e.note, e.copy_of, m.session, m.agent, m.role';
const SOURCES = 'entries e LEFT JOIN messages m ON m.position = e.position';
const PIECE_COLUMNS = [
  ['id', 'bigint'],
  ['position', 'bigint'],
  ['start', 'bigint'],
  ['length', 'bigint'],
  ['bits', 'bytea'],
  ['weight', 'bigint'],
  ['prompt', 'bigint'],
] as const satisfies readonly Column[];
const VECTOR_COLUMNS = [
  ['id', 'bigint'],
  ['row', 'bytea'],
] as const satisfies readonly Column[];
const STEP = 20_000;
