import type { Json, JsonObject } from './json.ts';
import type { Place } from './parse.ts';
import type { PriceTable } from './prices.ts';
import type { AgentMeta } from './session.ts';

/** What a file is, by its path alone. `sessionId` is null where the path does not tell. */
export type FileRole =
  | { readonly role: 'main'; readonly sessionId: string | null }
  | { readonly role: 'agent'; readonly agentId: string; readonly sessionId: string | null }
  /** Belongs to a transcript and is read with it, or kept for whoever opens it. */
  | { readonly role: 'companion'; readonly what: 'agent meta' | 'tool result' | 'workflow journal'; readonly sessionId: string | null }
  | { readonly role: 'foreign'; readonly reason: string };

/** What a dialect asks of the machine it is on. */
export type Machine = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly exists: (path: string) => boolean;
};

/** What a stretch of a file's text tells of whose it is. */
export type Sniffed = { readonly sessionIds: ReadonlyMap<string, number>; readonly isStream: boolean };

/** Whose line it is and where it stands: all that a record may be given an id and a parent by. */
export type LinePlace = Context & Pick<Place, 'line' | 'part'>;

type Context = { readonly sessionId: string; readonly agentId: string | null };

/**
 * What is known of one tool that writes transcripts, and nowhere else. Everything behind it knows records of one form, which is Claude Code's:
 * another tool's lines become such records where they are read, by `toRecord`, and their own text is kept inside them.
 */
export type Dialect = {
  /** Its name, which files and entries of the log carry. Never renamed. */
  readonly name: string;
  /** Where its files lie on a machine, as far as the folders exist. */
  readonly roots: (machine: Machine) => readonly string[];
  /** In a folder that holds more than transcripts, the name of what holds them; null for any other folder. */
  readonly transcriptsIn: (folder: string, names: readonly string[]) => string | null;
  /** Tells its files by their paths; whatever is not its own is foreign. */
  readonly classify: (path: string) => FileRole;
  readonly sniff: (text: string) => Sniffed;
  /**
   * A line as a record. It depends on nothing but the line and its place, so that a file can be read on from anywhere. Null where lines are
   * records already.
   */
  readonly toRecord: ((value: JsonObject, at: LinePlace) => JsonObject) | null;
  /** What the file beside a sub-agent's transcript says of it. */
  readonly readMeta: (value: Json | undefined) => AgentMeta | null;
  readonly prices: PriceTable;
};

/** The dialects a board reads, in the order in which they are asked whose a file is: one that takes nearly everything comes last. */
export type Dialects = readonly Dialect[];

/** DIALECT-1: whose a file is, and what it is to them: the first that does not call it foreign. */
export const classifyFile = (dialects: Dialects, path: string): { readonly dialect: Dialect | null; readonly role: FileRole } => {
  let foreign: FileRole = { role: 'foreign', reason: 'no tool is known that writes such files' };
  for (const dialect of dialects) {
    const role = dialect.classify(path);
    if (role.role !== 'foreign') return { dialect, role };
    foreign = role;
  }
  return { dialect: null, role: foreign };
};

/** A dialect by the name that a file or an entry carries. */
export const dialectNamed = (dialects: Dialects, name: string): Dialect | null => dialects.find((dialect) => dialect.name === name) ?? null;

/** DIALECT-2: makes records of the lines of a file. */
export const recordsIn = (
  dialects: Dialects,
  name: string,
  context: Context,
): ((value: JsonObject, place: Pick<Place, 'line' | 'part'>) => JsonObject) => {
  const toRecord = dialectNamed(dialects, name)?.toRecord ?? null;
  return toRecord === null ? asItIs : (value, { line, part }) => toRecord(value, { ...context, line, part });
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

const asItIs = (value: JsonObject): JsonObject => value;

const ORIGINAL = 'originalLine';
