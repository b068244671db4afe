import type { Look } from '../../dialect.ts';
import { objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';

/** A session as the database and the tree have it alike. */
export type SessionRow = {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly title: string | null;
  readonly version: string | null;
  readonly createdAt: number;
  readonly isArchived: boolean;
  /** The message, or the part of it, from which on everything is taken back until the next prompt. */
  readonly revert: { readonly message: string; readonly part: string | null } | null;
};

export type PartRow = { readonly id: string; readonly createdAt: number; readonly data: JsonObject };

export type MessageRow = { readonly id: string; readonly createdAt: number; readonly data: JsonObject; readonly parts: readonly PartRow[] };

/** What has lost what it belongs to. */
export type Stray = {
  /** Sessions that are missing or damaged themselves, of which something is left. */
  readonly sessions: ReadonlySet<string>;
  /** How many messages and parts are left of those. */
  readonly messages: number;
  readonly parts: number;
  /** Messages that are gone from a session which is there, each with how many parts are left of it. */
  readonly gone: ReadonlyMap<string, number>;
};

/** What a database or a tree holds. */
export type SessionRows = {
  readonly sessions: () => readonly SessionRow[];
  readonly session: (id: string) => SessionRow | null;
  /** What it holds that belongs to nothing else there. */
  readonly stray: () => Stray;
  /** Whether something of a session is being written just now, so that half of it may be there. */
  readonly isBeingWritten: (session: string) => boolean;
  /** In the order in which they were written. */
  readonly messages: (session: string) => readonly MessageRow[];
  /** Changes whenever something in the session does. */
  readonly look: (session: string) => Look | null;
  /** The sessions, older first, that began with a message of this instant. */
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
