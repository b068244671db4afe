import type { Json, JsonObject } from './json.ts';
import { assertNever } from './never.ts';
import type { Place } from './parse.ts';
import type { PriceTable } from './prices.ts';
import type { AgentMeta } from './session.ts';

/** What a file is, by its path alone. `sessionId` is null where the path does not tell. */
export type FileRole =
  | { readonly role: 'main'; readonly sessionId: string | null }
  | { readonly role: 'agent'; readonly agentId: string; readonly sessionId: string | null }
  /** Belongs to a transcript and is read with it, or kept for whoever opens it. */
  | { readonly role: 'companion'; readonly what: 'agent meta' | 'tool result' | 'workflow journal'; readonly sessionId: string | null }
  /** Its lines tell something of several sessions: each belongs to the one that its record names. */
  | { readonly role: 'index' }
  /** `isKnown` is true for a file that the tool keeps beside its sessions, and that says nothing of them. */
  | { readonly role: 'foreign'; readonly reason: string; readonly isKnown?: true };

/** What a dialect asks of the machine it is on. */
export type Machine = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly exists: (path: string) => boolean;
};

/** What a stretch of a file's text tells of whose it is. */
export type Sniffed = {
  readonly sessionIds: ReadonlyMap<string, number>;
  readonly isStream: boolean;
  /** When the file was begun, as it says itself: the files of a session are read in that order, whenever they were touched since. */
  readonly begunAt?: number;
  /** Set where the text says that the file is a sub-agent's, which its path does not tell. */
  readonly agent?: SniffedAgent;
};

/** `sessionId` is null where the text names only the agent, or the session, that started it. */
export type SniffedAgent = { readonly agentId: string; readonly startedBy: string; readonly sessionId: string | null };

/** Whose line it is and where it stands: all that a record may be given an id and a parent by. */
export type LinePlace = Context & Pick<Place, 'line' | 'part'>;

export type Context = { readonly sessionId: string; readonly agentId: string | null };

/** How the lines of a file become records. */
export type Lines =
  /** They are records. */
  | { readonly kind: 'records' }
  /** Each stands for itself: its record depends on nothing but the line and its place. */
  | { readonly kind: 'single'; readonly toRecord: (value: JsonObject, at: LinePlace) => JsonObject }
  /** A line means something only behind those before it. */
  | OrderedLines;

export type OrderedLines = {
  readonly kind: 'ordered';
  /** Where a file begins; `base` is what the file says it builds on, and `beside` what another one says of it, as far as those were found. */
  readonly begin: (file: Context, base: Base | null, beside?: JsonObject | null) => Translation;
  /** The file that says something of all of this one, as a document; absent where there never is one. */
  readonly besideOf?: (path: string) => string | null;
  /** What a file builds on that begins with this line; null for one that stands alone. */
  readonly baseOf: (first: JsonObject) => BaseNeed | null;
  /** Where other files of the same session may lie, and what it is called. */
  readonly neighbours: (path: string) => readonly string[];
  /** Where a file lies that is called by this id: the folders to look in, and by what name. */
  readonly whereIs: (path: string, id: string) => { readonly folders: readonly string[]; readonly isIt: (name: string) => boolean };
};

/**
 * The lines of a file up to some place. It never changes: what follows is another one, so that whoever kept it can go on from there, or read
 * the same line again.
 */
export type Translation = {
  readonly take: (value: JsonObject, at: LinePlace) => { readonly record: JsonObject; readonly next: Translation };
  /** The record that the next one goes on after. */
  readonly tip: string | null;
};

/** Another file, up to where `holds` says no; `print` tells lines apart where the file may have copied them. */
export type BaseNeed = {
  readonly id: string;
  readonly holds: (line: JsonObject) => boolean;
  readonly print: ((line: JsonObject) => number) | null;
  /** The file that has the names of sessions, where one may be inherited. */
  readonly index: ((path: string) => string) | null;
};

export type Base = { readonly tip: string | null; readonly prints: readonly number[]; readonly index: readonly JsonObject[] };

/** How large something is and when it changed, as far as that tells two states of it apart. */
export type Look = { readonly bytes: number; readonly modified: number };

/** What is handed to a dialect that reads sessions out of a database, a tree of files or a document. */
export type Access = {
  /** What a query of a database answers; everything that is asked at once is answered as of one moment. Throws what the database says. */
  readonly query: (database: string, sql: string, values?: readonly string[]) => readonly JsonObject[];
  /** The rows of a table that belong to a session, with `id`, `time_updated` and the columns named; rows that did not change are not read again. */
  readonly rows: (database: string, table: string, session: string, columns: readonly string[]) => readonly JsonObject[];
  /** What a file holds; null where there is none. Bytes that are no text become U+FFFD, and `isText` says no. */
  readonly text: (path: string) => string | null;
  readonly isText: (path: string) => boolean;
  /** What a folder holds, in order; nothing where there is none. */
  readonly names: (folder: string) => readonly string[];
  readonly look: (path: string) => Look | null;
  readonly now: number;
};

/**
 * DIALECT-8: sessions that are not kept as lines. Each goes by a path of its own, below what it is kept in, and by the lines that are made of it there: whatever
 * reads files reads those.
 */
export type KeptSessions = {
  /** The sessions in a database or a folder; null where the path is neither. `names` is what the folder holds, null for a file. */
  readonly sessionsIn: (path: string, names: readonly string[] | null, isNamed: boolean, access: Access) => Kept | null;
  /** Whether a path is one of its sessions. */
  readonly holds: (path: string) => boolean;
  readonly lookAt: (path: string, access: Access) => Look | null;
  readonly linesIn: (path: string, access: Access) => KeptLines;
  /** Whether sessions may have changed when something happened to this file. */
  readonly concerns: (path: string) => boolean;
};

/** A session as lines. `problem` says what of it cannot be read, and why; `lines` is null where that is all of it. */
export type KeptLines =
  { readonly lines: readonly JsonObject[]; readonly problem: string | null } | { readonly lines: null; readonly problem: string };

/** `problem` says what was left alone, and why. */
export type Kept = { readonly sessions: readonly KeptSession[]; readonly problem: string | null };

export type KeptSession = Look & { readonly path: string; readonly isArchived?: true };

/**
 * What is known of one tool that writes transcripts, and nowhere else. Everything behind it knows records of one form, which is Claude Code's:
 * another tool's lines become such records where they are read, by `toRecord`, and their own text is kept inside them.
 */
export type Dialect = {
  /** Its name, which files and entries of the log carry. Never renamed. */
  readonly name: string;
  /** Where its files lie on a machine, as far as the folders exist. */
  readonly roots: (machine: Machine) => readonly string[];
  /** In a folder that holds more than transcripts, the names of what holds them; null for any other folder. */
  readonly transcriptsIn: (folder: string, names: readonly string[]) => readonly string[] | null;
  /** Tells its files by their paths; whatever is not its own is foreign. */
  readonly classify: (path: string) => FileRole;
  readonly sniff: (text: string, path: string) => Sniffed;
  /** Whether a file lies where the tool puts sessions away; absent where it has no such place. */
  readonly isArchived?: (path: string) => boolean;
  readonly lines: Lines;
  /** How its sessions are read that are no files of lines; absent where all are. */
  readonly store?: KeptSessions;
  /** What the file beside a sub-agent's transcript says of it. */
  readonly readMeta: (value: Json | undefined) => AgentMeta | null;
  readonly prices: PriceTable;
  /** What resumes a session in a terminal; it begins where the session did, null where nobody knows. */
  readonly resumeCommand: (sessionId: string, folder: string | null) => string;
};

/** The dialects a board reads, in the order in which they are asked whose a file is: one that takes nearly everything comes last. */
export type Dialects = readonly Dialect[];

/** DIALECT-1: whose a file is, and what it is to them: the first that knows it. */
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

/** A dialect by the name that a file or an entry carries. */
export const dialectNamed = (dialects: Dialects, name: string): Dialect | null => dialects.find((dialect) => dialect.name === name) ?? null;

/** How the lines of a dialect become records; those of one that is not read any more are taken as they are. */
export const linesOf = (dialects: Dialects, name: string): Lines => dialectNamed(dialects, name)?.lines ?? RECORDS;

/** DIALECT-2: makes a record of a line, and says how those behind it are read. */
export type LineReading = (value: JsonObject, place: Pick<Place, 'line' | 'part'>) => JsonObject;

/** Makes records of the lines of a file, in their order. `from` is where an ordered file is read on, and `onTaken` told after each line. */
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

/** DIALECT-3: what goes onto the log of a line that was made a record: the record, and the line itself. */
export const withOriginal = (record: JsonObject, line: string): JsonObject => ({ ...record, [ORIGINAL]: line });

/** The line that a record was made of; null for one that was a line itself. */
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

/** All prices that are known; where two dialects price something, the first one counts. */
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
