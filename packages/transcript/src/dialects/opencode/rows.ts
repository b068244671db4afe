import type { Look } from '../../dialect.ts';
import { objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';

/** A session in the form that the database and the tree share. */
export type SessionRow = {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly title: string | null;
  readonly version: string | null;
  readonly createdAt: number;
  readonly isArchived: boolean;
  /** The message, or the part of it, where the taking back starts; it lasts until the next prompt. */
  readonly revert: { readonly message: string; readonly part: string | null } | null;
};

export type PartRow = { readonly id: string; readonly createdAt: number; readonly data: JsonObject };

export type MessageRow = { readonly id: string; readonly createdAt: number; readonly data: JsonObject; readonly parts: readonly PartRow[] };

/** In the order they were written; each may be read when its turn comes, and again each time. */
export type Messages = Iterable<MessageRow> & { readonly length: number };

/** Rows or files whose owner is gone. */
export type Stray = {
  /** Sessions that are missing or damaged, but have left something behind. */
  readonly sessions: ReadonlySet<string>;
  /** How many of their messages and parts are left. */
  readonly messages: number;
  readonly parts: number;
  /** Messages missing from an existing session, each with the number of its parts that are left. */
  readonly gone: ReadonlyMap<string, number>;
};

/** The contents of a database or a tree. */
export type SessionRows = {
  readonly sessions: () => readonly SessionRow[];
  readonly session: (id: string) => SessionRow | null;
  /** What belongs to nothing else in it. */
  readonly stray: () => Stray;
  /** Whether a session is being written right now, so that it may be incomplete. */
  readonly isBeingWritten: (session: string) => boolean;
  readonly messages: (session: string) => Messages;
  /** The first ones of them, and the last. */
  readonly endsOf: (session: string) => { readonly first: readonly MessageRow[]; readonly last: readonly MessageRow[] };
  /** Changes whenever the session does. */
  readonly look: (session: string) => Look | null;
  /** The sessions whose first message has this time, older sessions first. */
  readonly begunWith: (instant: number) => readonly SessionRow[];
};

export const instantOf = (value: Json | undefined): number => (typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN);

export const revertOf = (value: Json | undefined): SessionRow['revert'] => {
  const revert = objectOf(value);
  const message = stringOf(revert?.['messageID']);
  return message === null ? null : { message, part: stringOf(revert?.['partID']) };
};

export const inOrder = <T extends { readonly id: string; readonly createdAt: number }>(rows: readonly T[]): readonly T[] =>
  [...rows].sort((a, b) =>
    a.createdAt === b.createdAt || Number.isNaN(a.createdAt - b.createdAt) ? (a.id < b.id ? -1 : 1) : a.createdAt - b.createdAt,
  );

export const byId = <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/** How many messages show how a session begins: a prompt, and an answer or two. */
export const FIRST = 3;
