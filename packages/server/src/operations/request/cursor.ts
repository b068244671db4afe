import type { Place } from '../../sessions/conversation.ts';
import { refusedFor, type Refused } from './refusal.ts';

/** Encodes a place in a list as opaque text. */
export const writeCursor = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const readCursor = <T extends object>(cursor: string | undefined, isOurs: (value: Partial<T>) => boolean): T | null => {
  if (cursor === undefined) return null;
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Partial<T>; // the caller's test checks it
    if (typeof value === 'object' && value !== null && isOurs(value)) return value as T;
  } catch {
    // Refused below, like any other invalid cursor.
  }
  throw noCursor(cursor);
};

export const noCursor = (cursor: string): Refused => refusedFor('bad-cursor', { asked: cursor.slice(0, 100) });

/** A record of a session, and how many of its views were already sent. */
export type RecordCursor = Place & { readonly part: number };

export const readRecordCursor = (cursor: string | undefined): RecordCursor | null =>
  readCursor<{ position: number; uuid: string; part: number }>(
    cursor,
    ({ position, uuid, part }) => isCount(part) && (uuid === undefined ? isCount(position) : typeof uuid === 'string'),
  );

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** A page of a list that is entirely in memory. */
export const pageOf = <T>(
  all: readonly T[],
  limit: number,
  cursor: string | undefined,
): { readonly items: readonly T[]; readonly nextCursor: string | null } => {
  const from = readCursor<{ from: number }>(cursor, (value) => isCount(value.from))?.from ?? 0;
  const to = from + limit;
  return { items: all.slice(from, to), nextCursor: to < all.length ? writeCursor({ from: to }) : null };
};

/** An item with a log position, for lists with the latest first. */
type Placed = { readonly id: string; readonly position: number };

/** API-16: a page of a latest-first list. The cursor is a position, not a count, so new items at the front don't shift the rest. */
export const latestPageOf = <T>(
  all: readonly T[],
  placeOf: (item: T) => Placed,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly items: readonly T[]; readonly nextCursor: string | null } => {
  const after = readCursor<{ before: number; id: string }>(cursor, ({ before, id }) => isCount(before) && typeof id === 'string');
  const placed = all
    .map((item) => ({ item, ...placeOf(item) }))
    .filter(({ position, id }) => after === null || position < after.before || (position === after.before && id > after.id))
    .toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
  const last = placed.length > limit ? placed[limit - 1] : undefined;
  return {
    items: placed.slice(0, limit).map(({ item }) => item),
    nextCursor: last === undefined ? null : writeCursor({ before: last.position, id: last.id }),
  };
};

/** The same where the newest can be asked for: no more is looked for than a page has. */
export const latestPageOfNewest = <T extends Placed>(
  newest: (before: number | null, most: number) => readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly items: readonly T[]; readonly nextCursor: string | null } => {
  const after = readCursor<{ before: number; id: string }>(cursor, ({ before, id }) => isCount(before) && typeof id === 'string');
  const found = newest(after?.before ?? null, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : writeCursor({ before: last.position, id: last.id }) };
};

/** Parses a day or an instant. If the end of a span is a day, it means the end of that day. */
export const instantOf = (text: string, isEnd = false): number => {
  const instant = Date.parse(text);
  if (!Number.isFinite(instant)) throw refusedFor('not-a-time', { asked: text.slice(0, 100) });
  return isEnd && /^\d{4}-\d{2}-\d{2}$/u.test(text) ? instant + 86_399_999 : instant;
};
