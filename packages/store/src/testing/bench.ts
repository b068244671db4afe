import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { expect } from 'vitest';
import type { Appended, FileMark, Item, Store, StoreOptions } from '../port.ts';

/** A board under test. What an adapter doesn't offer through its port is done behind its back, as with the database's own tools. */
export type Bench = {
  readonly store: Store;
  /** Closes every handle and opens the board again. */
  readonly reopen: () => Promise<Store>;
  /** Another handle on the same board, as another process would have; it doesn't write the index. */
  readonly peer: () => Promise<Store>;
  /** Opens the board read-only. */
  readonly reader: () => Promise<Store>;
  readonly tamper: Tamper;
  /** Migrates the schema back to a version, with every handle closed. */
  readonly migrate: (version: number) => Promise<void>;
  /** The version of the schema before replies had mentions. */
  readonly beforeMentions: number;
  readonly dispose: () => Promise<void>;
};

export type Tamper = {
  /** Runs statements as any client of the database would. */
  readonly plainly: (sql: string) => Promise<void>;
  /** Runs statements with all guards of the log disabled. */
  readonly execute: (sql: string) => Promise<void>;
  /** Runs statements on the search index, wherever it is. */
  readonly index: (sql: string) => Promise<void>;
  /** Makes the index of meaning look as if it had been masked by these rules. */
  readonly meaningMasking: (rules: number) => Promise<void>;
  /** Replaces the bytes of a payload. */
  readonly replacePayload: (hash: string, bytes: Uint8Array) => Promise<void>;
};

export type OpenBoard = (options: StoreOptions) => Promise<Bench>;

/** A part of the suite: declares its tests. */
export type Part = (open: OpenBoard) => void;

export type Clock = { now: number };

export const NOON = Date.UTC(2026, 2, 14, 12);

/** Runs something on a board of its own, which is deleted afterwards in any case. */
export const withBoard = async (open: OpenBoard, work: (bench: Bench, clock: Clock) => Promise<void>): Promise<void> => {
  const clock: Clock = { now: NOON };
  const bench = await open({ prices: DEFAULT_PRICES, now: () => clock.now, newId: () => 'board-under-test', isIndexing: true });
  try {
    await work(bench, clock);
  } finally {
    await bench.dispose();
  }
};

export const append = (store: Store, items: readonly Item[], files: readonly FileMark[] = []): Promise<readonly Appended[]> =>
  store.log.append({ items, files });

/** Indexes everything that is on the log. */
export const indexAll = async (store: Store, step = 100): Promise<void> => {
  while ((await store.search.advance(step)) > 0);
  await store.search.settle();
};

/** What a call throws, so that its fields can be inspected. */
export const faultOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('it was not refused'),
    (cause: unknown) => cause,
  );
