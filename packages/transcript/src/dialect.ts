import type { Json, JsonObject } from './json.ts';
import { assertNever } from './never.ts';
import type { Place } from './parse.ts';
import type { PriceTable } from './prices.ts';
import type { AgentMeta } from './session.ts';

/** The role of a file, by its path alone. `sessionId` is null if the path doesn't say. */
export type FileRole =
  | { readonly role: 'main'; readonly sessionId: string | null }
  | { readonly role: 'agent'; readonly agentId: string; readonly sessionId: string | null }
  /** Belongs to a transcript and is read with it, or kept for later. */
  | { readonly role: 'companion'; readonly what: 'agent meta' | 'tool result' | 'workflow journal'; readonly sessionId: string | null }
  /** Its lines concern several sessions: each belongs to the one its record names. */
  | { readonly role: 'index' }
  /** `isKnown`: a file that the tool keeps beside its sessions, and that says nothing about them. */
  | { readonly role: 'foreign'; readonly reason: string; readonly isKnown?: true };

/** What a dialect needs to know about its machine. */
export type Machine = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly exists: (path: string) => boolean;
};

/** What part of a file's text reveals about its owner. */
export type Sniffed = {
  readonly sessionIds: ReadonlyMap<string, number>;
  readonly isStream: boolean;
  /** When the file was begun, by its own account: the files of a session are read in that order, however they were touched since. */
  readonly begunAt?: number;
  /** Set if the text says that the file is a sub-agent's, and its path doesn't. */
  readonly agent?: SniffedAgent;
};

/** `sessionId` is null if the text names only the agent, or the session that started it. */
export type SniffedAgent = { readonly agentId: string; readonly startedBy: string; readonly sessionId: string | null };

/** The owner and place of a line: all that a record's id and parent may be derived from. */
export type LinePlace = Context & Pick<Place, 'line' | 'part'>;

export type Context = { readonly sessionId: string; readonly agentId: string | null };

/** How the lines of a file become records. */
export type Lines =
  /** They are records. */
  | { readonly kind: 'records' }
  /** Each stands alone: its record depends only on the line and its place. */
  | { readonly kind: 'single'; readonly toRecord: (value: JsonObject, at: LinePlace) => JsonObject }
  /** A line has meaning only after those before it. */
  | OrderedLines;

export type OrderedLines = {
  readonly kind: 'ordered';
  /** Starts a file; `base` is what the file says it builds on, and `beside` what another file says about it, if they were found. */
  readonly begin: (file: Context, base: Base | null, beside?: JsonObject | null) => Translation;
  /** A document that describes the whole file; absent if there never is one. */
  readonly besideOf?: (path: string) => string | null;
  /** What a file with this first line builds on; null if it stands alone. */
  readonly baseOf: (first: JsonObject) => BaseNeed | null;
  /** Where other files of the same session may be, and their name. */
  readonly neighbours: (path: string) => readonly string[];
  /** Where to find the file with this id: the folders to search, and its name. */
  readonly whereIs: (path: string, id: string) => { readonly folders: readonly string[]; readonly isIt: (name: string) => boolean };
};

/**
 * The lines of a file up to some place. Immutable: a later state is a new object, so that an earlier one can be continued, or reread the same line.
 */
export type Translation = {
  readonly take: (value: JsonObject, at: LinePlace) => { readonly record: JsonObject; readonly next: Translation };
  /** The record that the next one continues. */
  readonly tip: string | null;
};

/** Another file, up to where `holds` says no; `print` identifies lines that the file may have copied. */
export type BaseNeed = {
  readonly id: string;
  readonly holds: (line: JsonObject) => boolean;
  readonly print: ((line: JsonObject) => number) | null;
  /** The file with the names of sessions, if a name can be inherited. */
  readonly index: ((path: string) => string) | null;
};

export type Base = { readonly tip: string | null; readonly prints: readonly number[]; readonly index: readonly JsonObject[] };

/** Size and modification time, as far as they distinguish two states. */
export type Look = { readonly bytes: number; readonly modified: number };

/** Passed to a dialect that reads sessions from a database, a tree of files or a document. */
export type Access = {
  /** The result of a database query; queries made at once are answered from one snapshot. Throws the database's errors. */
  readonly query: (database: string, sql: string, values?: readonly string[]) => readonly JsonObject[];
  /** Whether a session is read once and not followed. */
  readonly isOnce: boolean;
  /** The rows of a table that belong to a session, with `id`, `time_updated` and the named columns; unchanged rows aren't read again. */
  readonly rows: (database: string, table: string, session: string, columns: readonly string[]) => readonly JsonObject[];
  /** The content of a file; null if there is none. Invalid bytes become U+FFFD, and `isText` is false. */
  readonly text: (path: string) => string | null;
  readonly isText: (path: string) => boolean;
  /** The complete lines of a file, each decoded when its turn comes, and what follows the last of them; null if there is none. */
  readonly lines: (path: string) => { readonly complete: Iterable<string>; readonly rest: string; readonly isText: boolean } | null;
  /** So much of a file from its start, or of its end if `length` is negative; null if there is none. */
  readonly piece: (path: string, length: number) => string | null;
  /** The contents of a folder, in order; empty if there is none. */
  readonly names: (folder: string) => readonly string[];
  readonly look: (path: string) => Look | null;
  readonly now: number;
};

/**
 * DIALECT-8: sessions that aren't stored as lines. Each has a path of its own, below its container, and lines that are generated for it: readers of
 * files read those.
 */
export type KeptSessions = {
  /** The sessions in a database or a folder; null if the path is neither. `names` lists the folder's contents, null for a file. */
  readonly sessionsIn: (path: string, names: readonly string[] | null, isNamed: boolean, access: Access) => Kept | null;
  /** Whether a path is one of its sessions. */
  readonly holds: (path: string) => boolean;
  readonly lookAt: (path: string, access: Access) => Look | null;
  readonly linesIn: (path: string, access: Access) => KeptLines;
  /** Its first lines and its last ones, without the others; null if only all of them can be made. */
  readonly endsOf: (path: string, access: Access) => KeptEnds | null;
  /** Whether a change of this file may change sessions. */
  readonly concerns: (path: string) => boolean;
};

/**
 * A session as lines, which are made while they are taken, as long as the access is open. `problem` says which part can't be read, and why; `lines` is
 * null if that is all of it.
 */
export type KeptLines =
  { readonly lines: Iterable<JsonObject>; readonly problem: string | null } | { readonly lines: null; readonly problem: string };

/** `first` are as in `linesIn`; `last` only show when it ended. Either can be made once, also after the access was closed. */
export type KeptEnds = { readonly first: Iterable<JsonObject>; readonly last: Iterable<JsonObject> };

/** `problem` says what was skipped, and why. */
export type Kept = { readonly sessions: readonly KeptSession[]; readonly problem: string | null };

export type KeptSession = Look & { readonly path: string; readonly isArchived?: true };

/**
 * Everything specific to one tool that writes transcripts. The rest of the program knows only one form of record, Claude Code's: another tool's lines
 * become such records when they are read, by `toRecord`, and contain the original text.
 */
export type Dialect = {
  /** Its name, stored with files and entries of the log. Never renamed. */
  readonly name: string;
  /** The existing folders with its files on a machine. */
  readonly roots: (machine: Machine) => readonly string[];
  /** In a folder with more than transcripts, the names of what contains them; null for any other folder. */
  readonly transcriptsIn: (folder: string, names: readonly string[]) => readonly string[] | null;
  /** Classifies files by their paths; anything that isn't its own is foreign. */
  readonly classify: (path: string) => FileRole;
  readonly sniff: (text: string, path: string) => Sniffed;
  /** Whether a file is in the tool's archive; absent if it has none. */
  readonly isArchived?: (path: string) => boolean;
  readonly lines: Lines;
  /** How to read its sessions if they aren't files of lines; absent if they all are. */
  readonly store?: KeptSessions;
  /** Parses the file beside a sub-agent's transcript. */
  readonly readMeta: (value: Json | undefined) => AgentMeta | null;
  readonly prices: PriceTable;
  /** The command that resumes a session in a terminal, in the session's folder; null if unknown. */
  readonly resumeCommand: (sessionId: string, folder: string | null) => string;
};

/** The dialects of a board, in the order they are tried: one that accepts nearly everything comes last. */
export type Dialects = readonly Dialect[];

/** DIALECT-1: the first dialect that recognizes a file, and the file's role. */
export const classifyFile = (dialects: Dialects, path: string): { readonly dialect: Dialect | null; readonly role: FileRole } => {
  let foreign: FileRole = { role: 'foreign', reason: 'no tool is known that writes such files' };
  for (const dialect of dialects) {
    const role = dialect.classify(path);
    if (role.role !== 'foreign') return { dialect, role };
    if (role.isKnown === true) return { dialect: null, role };
    foreign = role;
  }
  return { dialect: null, role: foreign };
};

/** A dialect by the name stored with a file or an entry. */
export const dialectNamed = (dialects: Dialects, name: string): Dialect | null => dialects.find((dialect) => dialect.name === name) ?? null;

/** How the lines of a dialect become records; lines of an unknown dialect are taken as they are. */
export const linesOf = (dialects: Dialects, name: string): Lines => dialectNamed(dialects, name)?.lines ?? RECORDS;

/** DIALECT-2: turns a line into a record, and says how to read the following ones. */
export type LineReading = (value: JsonObject, place: Pick<Place, 'line' | 'part'>) => JsonObject;

/** Turns the lines of a file into records, in order. `from` is where to continue an ordered file; `onTaken` is called after each line. */
export const recordsIn = (lines: Lines, context: Context, from: Translation | null = null, onTaken?: (then: Translation) => void): LineReading => {
  switch (lines.kind) {
    case 'records':
      return asItIs;
    case 'single':
      return (value, { line, part }) => lines.toRecord(value, { ...context, line, part });
    case 'ordered': {
      let translation = from ?? lines.begin(context, null);
      return (value, { line, part }) => {
        const { record, next } = translation.take(value, { ...context, line, part });
        translation = next;
        onTaken?.(next);
        return record;
      };
    }
    default:
      return assertNever(lines);
  }
};

/** DIALECT-3: what is logged for a converted line: the record, and the line itself. */
export const withOriginal = (record: JsonObject, line: string): JsonObject => ({ ...record, [ORIGINAL]: line });

/** The line that a record was made from; null if it was a record already. */
export const originalOf = (record: JsonObject): string | null => {
  const line = record[ORIGINAL];
  return typeof line === 'string' ? line : null;
};

/** The record alone. */
export const withoutOriginal = (record: JsonObject): JsonObject => {
  if (record[ORIGINAL] === undefined) return record;
  const { [ORIGINAL]: _line, ...rest } = record;
  return rest;
};

/** All known prices; if two dialects price the same model, the first one counts. */
export const pricesOf = (dialects: Dialects): PriceTable => {
  const tables = dialects.map(({ prices }) => prices);
  const webSearch = tables.find((table) => table.webSearch !== undefined)?.webSearch;
  const us = tables.find((table) => table.us !== undefined)?.us;
  return {
    date: tables.map(({ date }) => date).reduce((a, b) => (a > b ? a : b), ''),
    models: Object.assign({}, ...tables.toReversed().map(({ models }) => models)) as PriceTable['models'],
    ...(webSearch === undefined ? {} : { webSearch }),
    ...(us === undefined ? {} : { us }),
  };
};

const RECORDS: Lines = { kind: 'records' };

const asItIs = (value: JsonObject): JsonObject => value;

const ORIGINAL = 'originalLine';
