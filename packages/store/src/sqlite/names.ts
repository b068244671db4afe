import { storedOf, textFrom } from '../stored-text.ts';
import type { Db } from './database.ts';

/** Texts that repeat on every row (sessions, senders, models) are stored once and referred to by number. */
export type Names = {
  /** The number of a text, assigned now if it has none. */
  readonly idOf: (text: string) => number;
  /** The number of a text; null when it was never written. */
  readonly find: (text: string) => number | null;
  readonly textOf: (id: number) => string;
  /** After a rollback: numbers assigned in it are gone. */
  readonly reset: () => void;
};

export const createNames = (db: Db): Names => {
  const ids = new Map<string, number>();
  const texts = new Map<number, string>();
  const select = db.prepare<[string], { readonly id: number }>('SELECT id FROM names WHERE text = ?');
  const read = db.prepare<[number], { readonly text: string }>('SELECT text FROM names WHERE id = ?');
  const insert = db.readonly ? null : db.prepare<[string]>('INSERT INTO names (text) VALUES (?)');

  const keep = (id: number, text: string): void => {
    if (ids.size >= MOST_KEPT) {
      ids.clear();
      texts.clear();
    }
    ids.set(text, id);
    texts.set(id, text);
  };

  const find = (text: string): number | null => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const row = select.get(storedOf(text));
    if (row === undefined) return null;
    keep(row.id, text);
    return row.id;
  };

  return {
    find,
    idOf: (text) => {
      const known = find(text);
      if (known !== null) return known;
      const id = Number(insert?.run(storedOf(text)).lastInsertRowid ?? 0);
      keep(id, text);
      return id;
    },
    textOf: (id) => {
      const known = texts.get(id);
      if (known !== undefined) return known;
      const text = textFrom(read.get(id)?.text ?? '');
      keep(id, text);
      return text;
    },
    reset: () => {
      ids.clear();
      texts.clear();
    },
  };
};

const MOST_KEPT = 100_000;
