import type { LiveState } from '../ingest/live.ts';
import type { Indexer } from './indexer.ts';
import type { Writer } from './writer.ts';

export const NOBODY_WATCHES: LiveState = { kind: 'stopped', why: 'no server runs, so nothing new is read; `yarnboard start` starts one' };

const nothing = async (): Promise<void> => {};

/** Replaces the threads of a read-only board; the caller decides how it refuses. */
export const refusingWriter = (refuse: () => Promise<never>): Writer => ({
  append: refuse,
  probe: refuse,
  importPaths: refuse,
  stopImport: nothing,
  follow: refuse,
  poke: nothing,
  followAlso: nothing,
  catchUp: nothing,
  forget: refuse,
  rebuild: refuse,
  repair: refuse,
  backup: refuse,
  putMedia: refuse,
  finishMedia: refuse,
  abandonMedia: refuse,
  claimMedia: refuse,
  sweepMedia: refuse,
  dropMedia: refuse,
  troubles: async () => [],
  close: nothing,
});

export const refusingIndexer = (refuse: () => Promise<never>): Indexer => ({
  wake: nothing,
  drain: nothing,
  clear: refuse,
  drop: refuse,
  state: async () => ({ name: 'search', passes: 0, failure: null }),
  meaning: async () => null,
  close: nothing,
});
