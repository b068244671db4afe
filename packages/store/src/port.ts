import type { ChainedEntry, Draft, Head, NumberedType } from '@yarnboard/domain';
import type { Entry as Reading, PriceTable } from '@yarnboard/transcript';
import type { Audit } from './audit.ts';
import type { LibraryPort } from './library/port.ts';
import type { MediaPort } from './media.ts';
import type { Embedder } from './search/meaning/embedder.ts';
import type { SearchPort } from './search/port.ts';

/** What is appended: a draft with its payload, and for a record of a transcript what it says, so that it is parsed once. */
export type Item = {
  readonly draft: Draft;
  readonly payload: Uint8Array | null;
  /** SHA-256 of the payload, where the caller has it already; the bytes must not change after they were hashed. */
  readonly hash?: Uint8Array;
  readonly reading: Reading | null;
};

/** What became of an item. */
export type Appended = {
  /** `known`: the same record of the same context, or the same uuid from the same sender, was there already; this is where. */
  readonly status: 'new' | 'copied' | 'known';
  readonly position: number;
  readonly uuid: string;
  readonly refs: readonly string[];
  /** REC-85: its link of the chain, as hex; told of what was decided upon, and is new. */
  readonly checksum?: string;
};

/** How far a file has been read. It is written in the same commit as what was read. */
export type FileMark = {
  readonly path: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly role: 'main' | 'agent' | 'companion';
  /** The name of the dialect it was read in; marks from before dialects were told apart say `claude-code`. */
  readonly dialect: string;
  /** Device and inode: another file under the same name is another file. */
  readonly identity: string;
  /** Where the first byte not yet read stands, and the number of its line. */
  readonly offset: number;
  readonly line: number;
  readonly size: number;
  readonly modified: number;
  /** What the first bytes (`headBytes` of them) and the last line that was read hash to: a file that was written anew is noticed by it. */
  readonly headHash: string;
  readonly headBytes: number;
  readonly counts: { readonly lines: number; readonly blank: number; readonly records: number; readonly quarantined: number };
};

export type Batch = {
  readonly items: readonly Item[];
  readonly files: readonly FileMark[];
  /** STORE-11: it was decided upon knowing every decided entry up to this position. */
  readonly decidedAt?: number;
};

/** Refused as a whole. `io`: the disk itself fails. `exchanged`: the database was deleted, or another one is in its place. `went-back`: it lacks what it acknowledged before. `stale`: something was decided since; read on and decide again. */
export type AppendFault = {
  readonly kind: 'read-only' | 'full' | 'io' | 'locked' | 'corrupt' | 'unreachable' | 'exchanged' | 'went-back' | 'failed' | 'stale';
  readonly why: string;
  readonly outcome: WriteOutcome;
};

/** STORE-44: what is on the log of a batch that failed. `unknown`: it may be there after the next start; whoever sends it again is answered by the log. */
export type WriteOutcome = 'nothing' | 'unknown';

/** An entry with its payload; `bytes` is null where there is none, or it was forgotten. */
export type LoggedLine = Pick<ChainedEntry, 'position' | 'uuid' | 'type' | 'contextId' | 'note'> & { readonly bytes: Uint8Array | null };

/** What `MSG-12` stands for. */
export type NumberedRef = { readonly type: NumberedType; readonly number: number };

export type LogPort = {
  readonly boardId: string;
  readonly head: () => Promise<Head>;
  /** One transaction: entries, payloads, file marks and the library's rows. Durable when it resolves. */
  readonly append: (batch: Batch) => Promise<readonly Appended[]>;
  /**
   * Commits something that changes nothing: fails as an append would, and settles what an append left unknown. Opened for reading, it only looks whether
   * the database is there, and still the one that was opened.
   */
  readonly probe: () => Promise<void>;
  /**
   * STORE-45: puts together what many small commits behind a position have left; a little at a time, up to `upTo`. Entries, hashes and payloads stay as
   * they are.
   */
  readonly tidy: (after: number) => Promise<{ readonly upTo: number; readonly isDone: boolean; readonly merged: number }>;
  readonly entriesAfter: (position: number, limit: number) => Promise<readonly ChainedEntry[]>;
  readonly entryAt: (position: number) => Promise<ChainedEntry | null>;
  /** The entries at these positions, in the order they are asked for; what does not exist is left out. */
  readonly entriesAt: (positions: readonly number[]) => Promise<readonly ChainedEntry[]>;
  /** The entries of a session, or of a sidebar by its id, behind a position, in order. */
  readonly entriesOf: (sessionId: string, after: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** The newest of them in front of a position, the newest first. */
  readonly entriesBefore: (sessionId: string, before: number, limit: number) => Promise<readonly ChainedEntry[]>;
  /** What the entries of a session say, behind a position, in order: all that a reader of a long one needs of them, in a fraction of the time. */
  readonly linesOf: (sessionId: string, after: number, limit: number) => Promise<readonly LoggedLine[]>;
  readonly entryByUuid: (uuid: string) => Promise<ChainedEntry | null>;
  readonly positionOfRef: (type: NumberedType, number: number) => Promise<number | null>;
  /** The same for many, in their order. */
  readonly positionsOfRefs: (refs: readonly NumberedRef[]) => Promise<readonly (number | null)[]>;
  /** The payloads of these entries, by position; an entry without one, or whose payload was forgotten, is left out. */
  readonly payloadsOf: (positions: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;
  readonly payloadByHash: (hash: string) => Promise<Uint8Array | null>;
  /** Drops the bytes for good. The row stays, and so does the hash; the entry that says so is the caller's to append first. */
  readonly dropPayload: (hash: string) => Promise<boolean>;
  /** All entries that have this payload. */
  readonly positionsWith: (hash: string) => Promise<readonly number[]>;
  /** All entries of a type, or those behind a position. For types of what is said; records of transcripts are left out. */
  readonly positionsOfType: (type: string, after?: number) => Promise<readonly number[]>;
  /** The types that there are beside records of transcripts. */
  readonly types: () => Promise<readonly string[]>;
  readonly files: () => Promise<readonly FileMark[]>;
  readonly forgetFile: (path: string) => Promise<void>;
  /** How often these bytes are on the log in this context. */
  readonly occurrences: (contextId: string, payloadHash: string) => Promise<number>;
  readonly size: () => Promise<{ readonly bytes: number; readonly payloadBytes: number }>;
};

/** What callers may rely on or must allow for. They ask for a capability, never for the name of the database (STORE-15). */
export type StoreCapabilities = {
  /** Several servers may write to the same board: others append, forget and die without telling this process. */
  readonly isSharedByServers: boolean;
  /** `backup` writes a copy of the board into a file. */
  readonly hasFileBackup: boolean;
};

/** A board: one log, one library folded from it, one search index. */
export type Store = {
  readonly capabilities: StoreCapabilities;
  readonly log: LogPort;
  readonly library: LibraryPort;
  readonly search: SearchPort;
  readonly media: MediaPort;
  /** VERIFY-1: holds everything that the chain does not prove against what it was made from. Takes as long as making it anew. */
  readonly audit: () => Promise<Audit>;
  /** A whole, consistent copy, made while others read and write. A store without `hasFileBackup` refuses and names the tools to use instead. */
  readonly backup: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StoreOptions = {
  readonly prices: PriceTable;
  readonly now: () => number;
  readonly newId: () => string;
  /** Opens the log and the library for reading. */
  readonly readOnly?: boolean;
  /** Opens the search index for writing; one process, or thread, of a board does. */
  readonly isIndexing?: boolean;
  /** What texts are embedded with in place of the embedding that comes with the program. */
  readonly embedder?: Embedder;
};

/** What a store throws when it cannot do its work: a fact to show, never a bug of the caller. */
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
