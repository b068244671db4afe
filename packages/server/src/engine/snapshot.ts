import { setImmediate } from 'node:timers/promises';
import { emptyBoard, ENTRY_TYPES, EVENT_TYPES, EVENTS, type Board, type Table } from '@yarnboard/domain';
import { sha256, type LogPort } from '@yarnboard/store';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';

/** Where a snapshot is stored. `write` replaces it as a whole, or leaves the old one. */
export type SnapshotPlace = { readonly read: () => Uint8Array | string | null; readonly write: (text: string) => void };

/** In the home. A read-only board may belong to another user, or be read while its server runs: it writes none. */
export const snapshotIn = ({ snapshotFile }: Pick<Home, 'snapshotFile'>, readOnly: boolean): SnapshotPlace => ({
  read: () => readTextIfThere(snapshotFile),
  write: (text) => {
    if (!readOnly) writePrivateFile(snapshotFile, text);
  },
});

/** SRV-35: the same place, which also reports why a write failed, or null after a success. */
export const tellingSnapshot = (place: SnapshotPlace, tell: (why: string | null) => void): SnapshotPlace => ({
  ...place,
  write: (text) => {
    try {
      place.write(text);
    } catch (cause) {
      tell(cause instanceof Error ? cause.message : String(cause));
      throw cause;
    }
    tell(null);
  },
});

/** The board with everything folded up to `position`, and everything forgotten up to `forgotten` left out. */
export type Snapshot = { readonly board: Board; readonly position: number; readonly forgotten: number };

/** A snapshot's own metadata, for use while the log is away: its board, its last entry, and its time. */
export type UnprovenSnapshot = Snapshot & { readonly boardId: string; readonly checksum: string; readonly at: number };

type Head = {
  readonly version: number;
  readonly boardId: string;
  readonly position: number;
  readonly checksum: string;
  readonly forgotten: number;
  /** When it was taken. */
  readonly at: number;
  readonly body: string;
  /** The events and versions it was folded from. */
  readonly catalogue: string;
};

/** ENGINE-15: only a shortcut. Null unless it is complete, of this version and this board, and the log has the same entry at its position. */
export const readSnapshot = async (place: SnapshotPlace, log: LogPort): Promise<Snapshot | null> => {
  const found = partsIn(place);
  if (found === null || found.head.boardId !== log.boardId) return null;
  const { head, body } = found;
  if ((await log.entryAt(head.position))?.checksum !== head.checksum) return null;
  // It may still contain, in somebody's words, what was forgotten since.
  if ((await log.positionsOfType(ENTRY_TYPES.forgotten, head.forgotten)).length > 0) return null;
  const board = boardIn(body);
  return board === null ? null : { board, position: head.position, forgotten: head.forgotten };
};

/**
 * REC-78: the same without access to the log. Null unless it is complete and of this version; whether it is true is verified when the log is back.
 */
export const readUnproven = (place: Pick<SnapshotPlace, 'read'>): UnprovenSnapshot | null => {
  const found = partsIn(place);
  const board = found === null || !isPlace(found.head.at) ? null : boardIn(found.body);
  if (found === null || board === null) return null;
  const { boardId, position, checksum, forgotten, at } = found.head;
  return { board, boardId, position, checksum, forgotten, at };
};

/** Both parts of it, if it is complete and of this version. */
const partsIn = (place: Pick<SnapshotPlace, 'read'>): { readonly head: Head; readonly body: Buffer } | null => {
  const bytes = Buffer.from(place.read() ?? '');
  const end = bytes.indexOf('\n');
  const head = end < 0 ? null : headIn(bytes.toString('utf8', 0, end));
  // A newer version may have folded what this one can't read.
  if (head === null || head.version !== SNAPSHOT_VERSION || head.catalogue !== CATALOGUE) return null;
  const body = bytes.subarray(end + 1);
  return hashOf(body) === head.body ? { head, body } : null;
};

/** The hash shows that it is complete, but the author of any other file can add one as well: it must also have the form of a board. */
const boardIn = (body: Buffer): Board | null => {
  const board = emptyBoard();
  try {
    for (let from = 0; from < body.length;) {
      const to = body.indexOf('\n', from);
      const [name, rows] = JSON.parse(body.toString('utf8', from, to)) as readonly [keyof Board, readonly (readonly [string, unknown])[]];
      const table = board[name] as Table<unknown>;
      for (const [key, row] of rows) table.set(key, row);
      from = to + 1;
    }
  } catch {
    return null; // the log is read instead, which has everything
  }
  return board;
};

/** Rows never change, so the collected state stays valid while it is serialized in steps. */
export const writeSnapshot = async (
  place: SnapshotPlace,
  log: LogPort,
  { board, position, forgotten, at }: Snapshot & { readonly at: number },
): Promise<void> => {
  const taken = Object.entries(board).map(([name, table]) => [name, [...(table as Table<unknown>).entries()]] as const);
  const entry = await log.entryAt(position);
  if (entry === null) return;
  const lines: string[] = [];
  for (const [name, rows] of taken) {
    for (let from = 0; from < rows.length; from += STEP) {
      lines.push(`${JSON.stringify([name, rows.slice(from, from + STEP)])}\n`);
      await setImmediate();
    }
  }
  const body = lines.join('');
  const head: Head = {
    version: SNAPSHOT_VERSION,
    boardId: log.boardId,
    position,
    checksum: entry.checksum,
    forgotten,
    at,
    body: hashOf(body),
    catalogue: CATALOGUE,
  };
  place.write(`${JSON.stringify(head)}\n${body}`);
};

const hashOf = (body: string | Uint8Array): string => Buffer.from(sha256(body)).toString('hex');

const headIn = (line: string): Head | null => {
  try {
    const head = JSON.parse(line) as Partial<Head> | null; // every field is checked here, or compared before it is used
    return isPlace(head?.position) && isPlace(head?.forgotten) ? (head as Head) : null;
  } catch {
    return null; // something else, or a partial file: the log is read instead
  }
};

const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Raised when rows of the board change their shape: older snapshots are then ignored. */
export const SNAPSHOT_VERSION = 18;
const CATALOGUE = hashOf(
  EVENT_TYPES.map((type) => `${type}@${EVENTS[type].version}`)
    .toSorted()
    .join(),
);
const STEP = 200;
