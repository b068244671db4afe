import { Refused } from '../operations/request/refusal.ts';
import type { LiveState } from '../ingest/live.ts';
import type { Indexer } from './indexer.ts';
import type { Writer } from './writer.ts';

export const NOBODY_WATCHES: LiveState = { kind: 'stopped', why: 'no server runs, so nothing new is read; `yarnboard start` starts one' };

const refuse = (): Promise<never> => Promise.reject(new Refused('operator-only', 'this board was opened for reading only'));
const nothing = async (): Promise<void> => {};

/** What stands for the threads of a board that is only read. */
export const REFUSING_WRITER: Writer = {
  append: refuse,
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
  troubles: async () => [],
  close: nothing,
};
export const REFUSING_INDEXER: Indexer = { wake: nothing, drain: nothing, clear: refuse, drop: refuse, close: nothing };
