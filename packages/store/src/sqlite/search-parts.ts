import type { Embedder } from '../search/meaning/embedder.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';

/** What an index is made of, and where it lies. */
export type SearchParts = {
  readonly path: string;
  readonly boardPath: string;
  readonly boardId: string;
  readonly board: Db;
  readonly names: Names;
  readonly payloads: Payloads;
  /** Only one connection fills the index; all others read it. */
  readonly isIndexing: boolean;
  /** What texts are embedded with in place of the embedding that comes with the program. */
  readonly embedder: Embedder | null;
};
