import type { ChainedEntry, Draft, Head, NumberedType } from '@yarnboard/domain';
import type { Entry as Reading, PriceTable } from '@yarnboard/transcript';
import type { Audit } from './audit.ts';
import type { LibraryPort } from './library/port.ts';
import type { MediaPort } from './media.ts';
import type { Embedder } from './search/meaning/embedder.ts';
import type { SearchPort } from './search/port.ts';

/** One item to append: a draft with its payload. A transcript's record comes with its reading, so that it is parsed once. */
export type Item = {
  readonly draft: Draft;
  readonly payload: Uint8Array | null;
  /** SHA-256 of the payload, if the caller already has it; the bytes must not change afterwards. */
  readonly hash?: Uint8Array;
  readonly reading: Reading | null;
};

/** The result for one item. */
export type Appended = {
  /** `known`: the same record of the same context, or the same uuid from the same sender, already exists at this position. */
  readonly status: 'new' | 'copied' | 'known';
  readonly position: number;
  readonly uuid: string;
  readonly refs: readonly string[];
  /** REC-85: its link of the chain, as hex; told of what was decided upon, and is new. */
  readonly checksum?: string;
};

/** How far a file has been read. It is committed together with what was read. */
export type FileMark = {
  readonly path: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly role: 'main' | 'agent' | 'companion';
  /** The name of the dialect it was read in; marks that predate dialects say `claude-code`. */
  readonly dialect: string;
  /** Device and inode: a different file under the same name is a different file. */
  readonly identity: string;
  /** The offset of the first unread byte, and the number of its line. */
  readonly offset: number;
  readonly line: number;
  readonly size: number;
  readonly modified: number;
  /** The hashes of the first `headBytes` bytes and of the last line read: they reveal a rewritten file. */
  readonly headHash: string;
  readonly headBytes: number;
  readonly counts: { readonly lines: number; readonly blank: number; readonly records: number; readonly quarantined: number };
};

export type Batch = {
  readonly items: readonly Item[];
  readonly files: readonly FileMark[];
  /** STORE-11: the position up to which every decided entry was known when this was decided. */
  readonly decidedAt?: number;
};

/**
 * Refused as a whole. `io`: the disk itself fails. `exchanged`: the database was deleted or replaced. `went-back`: it lacks entries it had
 * acknowledged. `stale`: something else was decided since; read on and decide again.
 */
export type AppendFault = {
  readonly kind: 'read-only' | 'full' | 'io' | 'locked' | 'corrupt' | 'unreachable' | 'exchanged' | 'went-back' | 'failed' | 'stale';
  readonly why: string;
  readonly outcome: WriteOutcome;
};

/** STORE-44: what a failed batch left on the log. `unknown`: it may be there after the next start; sending it again gets the log's answer. */
export type WriteOutcome = 'nothing' | 'unknown';

/** An entry with its payload; `bytes` is null if it has none, or it was forgotten. */
export type LoggedLine = Pick<ChainedEntry, 'position' | 'uuid' | 'type' | 'contextId' | 'note'> & { readonly bytes: Uint8Array | null };

/** The parsed form of `MSG-12`. */
export type NumberedRef = { readonly type: NumberedType; readonly number: number };

export type LogPort = {
  readonly boardId: string;
  readonly head: () => Promise<Head>;
  /** One transaction: entries, payloads, file marks and the library's rows. Durable when it resolves. */
  readonly append: (batch: Batch) => Promise<readonly Appended[]>;
  /**
   * Commits a transaction that changes nothing: it fails if an append would, and settles what an append left unknown. A read-only store only checks
   * that the database is still the one that was opened.
   */
  readonly probe: () => Promise<void>;
  /**
   * STORE-45: merges what many small commits after a position have left, a little at a time, up to `upTo`. Entries, hashes and payloads stay as they
   * are.
   */
  readonly tidy: (after: number) => Promise<{ readonly upTo: number; readonly isDone: boolean; readonly merged: number }>;
  readonly entriesAfter: (position: number, limit: number) => Promise<readonly ChainedEntry[]>;
  readonly entryAt: (position: number) => Promise<ChainedEntry | null>;
  /** The entries at these positions, in the requested order; missing ones are left out. */
  readonly entriesAt: (positions: readonly number[]) => Promise<readonly ChainedEntry[]>;
  /** The entries of a session, or of a sidebar by its id, after a position, in order. */
  readonly entriesOf: (sessionId: string, after: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** The newest of them before a position, newest first. */
  readonly entriesBefore: (sessionId: string, before: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** The lines of a session after a position, in order: everything that a reader of a long session needs, in a fraction of the time. */
  readonly linesOf: (sessionId: string, after: number, limit: number) => Promise<readonly LoggedLine[]>;
  readonly entryByUuid: (uuid: string) => Promise<ChainedEntry | null>;
  readonly positionOfRef: (type: NumberedType, number: number) => Promise<number | null>;
  /** The same for many references, in their order. */
  readonly positionsOfRefs: (refs: readonly NumberedRef[]) => Promise<readonly (number | null)[]>;
  /** The payloads of these entries, by position; entries without one, or whose payload was forgotten, are left out. */
  readonly payloadsOf: (positions: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;
  readonly payloadByHash: (hash: string) => Promise<Uint8Array | null>;
  /** Deletes the bytes for good. The row and the hash stay. The caller first appends the entry that says so. */
  readonly dropPayload: (hash: string) => Promise<boolean>;
  /** All entries with this payload. */
  readonly positionsWith: (hash: string) => Promise<readonly number[]>;
  /** All entries of a type, or those after a position. For entries said on the board; records of transcripts are left out. */
  readonly positionsOfType: (type: string, after?: number) => Promise<readonly number[]>;
  /** The types of entries other than records of transcripts. */
  readonly types: () => Promise<readonly string[]>;
  readonly files: () => Promise<readonly FileMark[]>;
  readonly forgetFile: (path: string) => Promise<void>;
  /** How often the log has these bytes in this context. */
  readonly occurrences: (contextId: string, payloadHash: string) => Promise<number>;
  readonly size: () => Promise<{ readonly bytes: number; readonly payloadBytes: number }>;
};

/** What callers may rely on, or must allow for. They ask for a capability, never for the name of the database (STORE-15). */
export type StoreCapabilities = {
  /** Several servers may write to the same board: others append, forget and crash without telling this process. */
  readonly isSharedByServers: boolean;
  /** `backup` copies the board into a file. */
  readonly hasFileBackup: boolean;
};

/** A board: one log, one library folded from it, one search index. */
export type Store = {
  readonly capabilities: StoreCapabilities;
  readonly log: LogPort;
  readonly library: LibraryPort;
  readonly search: SearchPort;
  readonly media: MediaPort;
  /** VERIFY-1: compares everything that the chain doesn't prove with what it was derived from. Takes as long as rebuilding it. */
  readonly audit: () => Promise<Audit>;
  /** A complete, consistent copy, made while others read and write. A store without `hasFileBackup` refuses, and names the tools to use instead. */
  readonly backup: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StoreOptions = {
  readonly prices: PriceTable;
  readonly now: () => number;
  readonly newId: () => string;
  /** Opens the log and the library read-only. */
  readonly readOnly?: boolean;
  /** Opens the search index for writing; only one process or thread of a board does. */
  readonly isIndexing?: boolean;
  /** Replaces the built-in embedding. */
  readonly embedder?: Embedder;
};

/** Thrown by a store that can't do its work: a fact to show, never a bug of the caller. */
export class StoreFault extends Error {
  readonly kind: AppendFault['kind'];
  readonly outcome: WriteOutcome;
  constructor(kind: AppendFault['kind'], why: string, cause?: unknown, outcome: WriteOutcome = 'nothing') {
    super(why, { cause });
    this.name = 'StoreFault';
    this.kind = kind;
    this.outcome = outcome;
  }
}
