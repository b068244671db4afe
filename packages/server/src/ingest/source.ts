import { isAscii } from 'node:buffer';
import type { Context, FileMark, Item } from '@yarnboard/store';
import type { Dialects } from '@yarnboard/transcript';
import type { Bounds } from './bounds.ts';

/** A file that belongs on the log. */
export type SourceFile = {
  readonly path: string;
  /** The name of the dialect it is written in. */
  readonly dialect: string;
  readonly context: Context;
  readonly role: FileMark['role'];
  /** A companion's name within its session; null for transcripts. */
  readonly name: string | null;
  /** Whether it grows line by line, or is taken as a whole. */
  readonly isLines: boolean;
  /** Whether each line belongs to the session that it names, instead of the file's. */
  readonly isIndex?: true;
};

/** A record of a file, ready for the log. */
export type SourceLine = {
  readonly item: Item;
  /** By when it was said: never before the line in front of it in the same file. */
  readonly at: number;
  /** Where the file can be left off after it, and what is needed to know the file again. */
  readonly mark: Pick<FileMark, 'offset' | 'line' | 'counts' | 'headHash' | 'headBytes'>;
};

/** How often lines of a context are on the log already; asked only for lines of a file that was not read from its start. */
export type Repeats = (contextId: string, payloadHash: string) => Promise<number>;

/**
 * One file while it is read, a stretch at a time, from where the last commit left it. Nothing of it is believed blindly: before it is read on,
 * the bytes that were read first and last are compared with what is there now.
 */
export type Source = {
  readonly file: SourceFile;
  /** Reads the next stretch; an empty list means that there is nothing new yet. */
  readonly read: () => Promise<readonly SourceLine[]>;
  /** The mark that says everything up to this line is on the log. Asked for when that is about to be so: a source whose commit failed is done with. */
  readonly markAt: (line: SourceLine) => FileMark;
  /** The bytes that were not read yet when last looked at. */
  readonly left: () => number;
  /** Ends it for good, also a stretch that is being read. */
  readonly close: () => Promise<void>;
};

export type SourceOptions = {
  readonly repeats: Repeats;
  /** When lines were said in front of which nothing tells the time. */
  readonly fallbackAt: number;
  readonly dialects: Dialects;
  /** What must hold every file that is opened. */
  readonly bounds?: () => Bounds;
  /** Told before a file that was written anew is read from its start: which records it holds now. */
  readonly onRewritten?: (uuids: ReadonlySet<string>) => Promise<void>;
  /** Told when the file is opened what of it cannot be read; null where it is whole. */
  readonly onProblem?: (problem: string | null) => void;
  /** Whether a session is read at all: an index names also those that are not. Unless told, all are. */
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
