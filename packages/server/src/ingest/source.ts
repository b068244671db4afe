import { isAscii } from 'node:buffer';
import type { Context, FileMark, Item } from '@yarnboard/store';
import type { Dialects } from '@yarnboard/transcript';
import type { Bounds } from './bounds.ts';

/** A file that belongs on the log. */
export type SourceFile = {
  readonly path: string;
  /** The name of its dialect. */
  readonly dialect: string;
  readonly context: Context;
  readonly role: FileMark['role'];
  /** A companion's name within its session; null for transcripts. */
  readonly name: string | null;
  /** Whether it grows line by line, or is read as a whole. */
  readonly isLines: boolean;
  /** Whether each line belongs to the session it names, instead of the file's. */
  readonly isIndex?: true;
};

/** A record of a file, ready for the log. */
export type SourceLine = {
  readonly item: Item;
  /** Its time, never earlier than that of the previous line in the same file. */
  readonly at: number;
  /** Where reading can continue after it, and what identifies the file then. */
  readonly mark: Pick<FileMark, 'offset' | 'line' | 'counts' | 'headHash' | 'headBytes'>;
};

/** How often lines of a context are on the log already; only queried for a file that wasn't read from its start. */
export type Repeats = (contextId: string, payloadHash: string) => Promise<number>;

/**
 * One file being read, a stretch at a time, from the last commit. Nothing is assumed: before continuing, the first and last bytes read are compared
 * with the file's present content.
 */
export type Source = {
  readonly file: SourceFile;
  /** Reads the next stretch; an empty list means that there is nothing new yet. */
  readonly read: () => Promise<readonly SourceLine[]>;
  /** The mark that says everything up to this line is on the log. Called when that is about to be true: a source whose commit failed is discarded. */
  readonly markAt: (line: SourceLine) => FileMark;
  /** The unread bytes at the last check. */
  readonly left: () => number;
  /** Ends it for good, even while a stretch is being read. */
  readonly close: () => Promise<void>;
};

export type SourceOptions = {
  readonly repeats: Repeats;
  /** The time of lines without any time before them. */
  readonly fallbackAt: number;
  readonly dialects: Dialects;
  /** The folders that must contain every opened file. */
  readonly bounds?: () => Bounds;
  /** Called before a rewritten file is read from its start, with the records it has now. */
  readonly onRewritten?: (uuids: ReadonlySet<string>) => Promise<void>;
  /** Called when the file is opened, with the reason why part of it can't be read; null if it is complete. */
  readonly onProblem?: (problem: string | null) => void;
  /** Whether a session is read at all: an index also names others. By default all are. */
  readonly isSession?: (sessionId: string) => boolean;
};

export const markOf = (file: SourceFile, state: Pick<FileMark, 'identity' | 'size' | 'modified'> & SourceLine['mark']): FileMark => ({
  path: file.path,
  sessionId: file.context.sessionId,
  agentId: file.context.agentId,
  role: file.role,
  dialect: file.dialect,
  identity: state.identity,
  offset: state.offset,
  line: state.line,
  size: state.size,
  modified: state.modified,
  headHash: state.headHash,
  headBytes: state.headBytes,
  counts: state.counts,
});

/** In characters. */
export const lengthOf = (bytes: Buffer): number => (isAscii(bytes) ? bytes.length : bytes.toString('utf8').length);
