import type { Embedder } from '../search/meaning/embedder.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';

/** The parts of an index and their paths. */
export type SearchParts = {
  readonly path: string;
  readonly boardPath: string;
  readonly boardId: string;
  readonly board: Db;
  readonly names: Names;
  readonly payloads: Payloads;
  /** Only one connection fills the index; all others read it. */
  readonly isIndexing: boolean;
  /** Replaces the built-in embedding. */
  readonly embedder: Embedder | null;
};
