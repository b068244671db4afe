import { embed, type Embedding } from '@yarnboard/language';
import { openThreads, PROMPT, promptsOf } from '../search/meaning/prompts.ts';
import { mayHaveProse, proseOf, proseWithin } from '../search/meaning/prose.ts';
import { sayingPassagesOf, storedPassagesOf, type SaidPassage, type StoredPassage } from '../search/meaning/vectors.ts';
import type { Db } from './database.ts';
import { PAYLOAD_COLUMNS, WITH_PAYLOADS, type PayloadRow } from './payloads.ts';
import type { SearchParts } from './search-parts.ts';

/** Writes passages and their vectors into the index of meaning. */
export type Filling = {
  /** Writes the next entries after a position; returns how many, and the last one. */
  readonly fill: (index: Db, model: Embedding, after: number, limit: number) => { readonly count: number; readonly last: number };
  /** Reads the next entries after a position for a remote model: what to embed of them. */
  readonly read: (after: number, limit: number) => { readonly count: number; readonly last: number; readonly passages: readonly PlacedPassage[] };
  /** Writes what such a model returned. */
  readonly put: (index: Db, passages: readonly (StoredPassage & { readonly position: number })[]) => void;
  /** VERIFY-10: what the passages of an entry are now, where they answer this prompt. */
  readonly again: (model: Embedding, position: number, prompt: number | null) => readonly StoredPassage[];
  /** Takes entries out. What answers one of them is embedded again without it. */
  readonly drop: (index: Db, model: Embedding | null, positions: readonly number[]) => void;
};

export type PlacedPassage = SaidPassage & { readonly position: number };

export const createFilling = ({ board, names, payloads }: Pick<SearchParts, 'board' | 'names' | 'payloads'>): Filling => {
  const columns = `e.position, e.note, e.type, e.copy_of AS copyOf, m.session, m.agent, m.role, m.type AS kind, ${PAYLOAD_COLUMNS}`;
  const from = `${WITH_PAYLOADS} LEFT JOIN messages m ON m.position = e.position`;
  const after = board.prepare<[number, number], SourceRow>(`SELECT ${columns} FROM ${from} WHERE e.position > ? ORDER BY e.position LIMIT ?`);
  const at = board.prepare<[number], SourceRow>(`SELECT ${columns} FROM ${from} WHERE e.position = ?`);
  const lastAsked = board
    .prepare<[number | null, number | null, number, number | null], number>(
      'SELECT position FROM messages WHERE session = ? AND agent IS ? AND position < ? AND role = ? ORDER BY position DESC LIMIT 1',
    )
    .pluck();
  const proseAt = (row: SourceRow): string => {
    if (row.copyOf !== null || row.hash === null) return '';
    const known = row.kind === null || row.role === null ? null : { type: names.textOf(row.kind), role: names.textOf(row.role) };
    const bytes = payloads.of(row);
    if (bytes === null || (known !== null && !mayHaveProse(known, bytes))) return '';
    return proseWithin(row.position, () => proseOf({ ...row, type: names.textOf(row.type) }, bytes));
  };

  /** The statements are prepared once per batch: preparing them for each entry took longer than running them. */
  const inserter = (index: Db): ((position: number, passage: StoredPassage, prompt: number | null) => void) => {
    const piece = index.prepare<[number, number, number, Buffer, number, number | null]>(
      'INSERT INTO pieces (position, start, length, bits, weight, prompt) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const vector = index.prepare<[number, Buffer]>('INSERT INTO vectors (id, row) VALUES (?, ?)');
    return (position, one, prompt) => {
      const { lastInsertRowid } = piece.run(position, one.from, one.length, one.bits, one.pieces, prompt);
      vector.run(Number(lastInsertRowid), one.row);
    };
  };
  const writer = (index: Db, model: Embedding): ((row: SourceRow, prompt: Asked | null) => void) => {
    const insert = inserter(index);
    return (row, prompt) => {
      for (const one of storedPassagesOf(model, proseAt(row), prompt?.vector ?? null)) insert(row.position, one, prompt?.position ?? null);
    };
  };

  return {
    fill: (index, model, start, limit) => {
      const rows = after.all(start, limit);
      const turns = rows.map(({ position, session, agent, role }) => ({
        position,
        thread: session === null ? null : `${session} ${agent}`,
        role: role === null ? null : names.textOf(role),
      }));
      const open = openThreads(turns);
      const asked = new Map<string, number>();
      for (const [at, { thread, position }] of turns.entries()) {
        if (thread === null || open.get(thread) !== position) continue;
        const found = lastAsked.get(rows[at]?.session ?? null, rows[at]?.agent ?? null, position, names.find(PROMPT));
        if (found !== undefined) asked.set(thread, found);
      }
      const prompts = promptsOf(turns, asked);
      const known = new Map<number, Asked | null>();
      const promptAt = (position: number | undefined): Asked | null => {
        if (position === undefined) return null;
        const before = known.get(position);
        if (before !== undefined) return before;
        const row = at.get(position);
        const prose = row === undefined ? '' : proseAt(row);
        const found = prose === '' ? null : { position, vector: embed(model, prose) };
        known.set(position, found);
        return found;
      };
      const write = writer(index, model);
      for (const row of rows) write(row, promptAt(prompts.get(row.position)));
      return { count: rows.length, last: rows.at(-1)?.position ?? start };
    },
    read: (start, limit) => {
      const rows = after.all(start, limit);
      const passages = rows.flatMap((row) => sayingPassagesOf(proseAt(row)).map((passage) => ({ ...passage, position: row.position })));
      return { count: rows.length, last: rows.at(-1)?.position ?? start, passages };
    },
    put: (index, passages) => {
      const insert = inserter(index);
      for (const one of passages) insert(one.position, one, null);
    },
    again: (model, position, prompt) => {
      const [row, asked] = [at.get(position), prompt === null ? undefined : at.get(prompt)];
      const said = asked === undefined ? '' : proseAt(asked);
      return row === undefined ? [] : storedPassagesOf(model, proseAt(row), said === '' ? null : embed(model, said));
    },
    drop: (index, model, positions) => {
      const answering = index.prepare<[number], number>('SELECT DISTINCT position FROM pieces WHERE prompt = ?').pluck();
      const vectors = index.prepare<[number]>('DELETE FROM vectors WHERE id IN (SELECT id FROM pieces WHERE position = ?)');
      const pieces = index.prepare<[number]>('DELETE FROM pieces WHERE position = ?');
      const dropped = new Set(positions);
      const again = new Set(positions.flatMap((position) => answering.all(position)).filter((position) => !dropped.has(position)));
      for (const position of [...dropped, ...again]) {
        vectors.run(position);
        pieces.run(position);
      }
      if (model === null) return;
      const write = writer(index, model);
      for (const position of again) {
        const row = at.get(position);
        if (row !== undefined) write(row, null);
      }
    },
  };
};

type Asked = { readonly position: number; readonly vector: Float32Array };

type SourceRow = PayloadRow & {
  readonly position: number;
  readonly note: string | null;
  readonly type: number;
  readonly copyOf: number | null;
  readonly session: number | null;
  readonly agent: number | null;
  readonly role: number | null;
  readonly kind: number | null;
};
