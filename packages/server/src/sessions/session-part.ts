import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import { contextOf, type Store } from '@yarnboard/store';
import {
  addFile,
  appendEntry,
  createSession,
  createShape,
  extendShape,
  inOneTree,
  isConversation,
  type Entry as Reading,
  type JsonObject,
  type Node,
  type Session,
} from '@yarnboard/transcript';
import { placeAt, readLogged, recordOfLine } from './log-records.ts';
import { byNode, type SessionRecords } from './session-records.ts';

/** A stretch of a conversation as a session of its own: answers what it can without reading the whole conversation. */
export type SessionPart = {
  readonly session: Session;
  /** Whether it goes back to the beginning of the conversation. */
  readonly isWhole: boolean;
  /** Read along with it: they aren't parsed again to be shown. */
  readonly records: SessionRecords['records'];
};

type Line = { readonly position: number; readonly record: JsonObject; readonly reading: Reading };
type Thread = { readonly sessionId: string; readonly agentId: string | null };

/** The end of a thread: what leads to its newest prompt, reply or result. It reads as many lines as that many steps usually have. */
export const readEnd = async (store: Store, thread: Thread, lastPosition: number, steps: number): Promise<SessionPart> => {
  const lines = await linesNear(store, thread, 'entriesBefore', lastPosition + 1, steps * LINES_A_STEP);
  const tip = lines.findLast(({ reading }) => isConversation(reading.role) && reading.isSidechain === (thread.agentId !== null));
  return partOf(store, thread, lines, tip?.reading.uuid ?? null);
};

/** What leads to a record of a thread, and what follows it on the same branch; null if only the whole session can tell. */
export const readAround = async (store: Store, thread: Thread, position: number, steps: number): Promise<SessionPart | null> => {
  const most = Math.ceil(steps / 2) * LINES_A_STEP;
  const before = await linesNear(store, thread, 'entriesBefore', position + 1, most);
  const sought = before.at(-1);
  if (sought?.position !== position || sought.reading.uuid === null) return null;
  return partOf(store, thread, [...before, ...(await linesNear(store, thread, 'entriesOf', position, most))], sought.reading.uuid);
};

/** Everything connected to a record; the rest is left out, since it may belong to another branch. */
const partOf = async (store: Store, thread: Thread, lines: readonly Line[], uuid: string | null): Promise<SessionPart> => {
  const known = connect(thread, lines, uuid);
  // A branch may begin long after the record it is attached to.
  const missing = known.top === null ? null : parentOf(known.top);
  const older = missing === null ? [] : await olderLines(store, thread.sessionId, missing, known.depth);
  const { session, top, isConnected } = older.length === 0 ? known : connect(thread, [...older, ...lines], uuid);
  const part = createSession(thread.sessionId);
  const file = addFile(part, { path: thread.sessionId, agentId: thread.agentId });
  const records = new Map<Reading, JsonObject>();
  for (const { record, reading } of [...older, ...lines]) {
    const node = reading.uuid === null ? undefined : session.graph.nodes.get(reading.uuid);
    if (reading.uuid === null || (node?.entry === reading && isConnected(node))) appendEntry(part, file, reading);
    if (reading.place.length > 0) records.set(reading, record);
  }
  return {
    session: part,
    isWhole: top === null || parentOf(top) === null,
    records: async (nodes) => byNode(nodes, ({ entry }) => records.get(entry)),
  };
};

type Connected = {
  readonly session: Session;
  /** The first record on the way to the requested one; null if there is none. */
  readonly top: Reading | null;
  readonly depth: number;
  readonly isConnected: (node: Node) => boolean;
};

const connect = ({ sessionId, agentId }: Thread, lines: readonly Line[], uuid: string | null): Connected => {
  const session = createSession(sessionId);
  const file = addFile(session, { path: sessionId, agentId });
  for (const { reading } of lines) appendEntry(session, file, reading);
  const sought = uuid === null ? undefined : session.graph.nodes.get(uuid);
  const shape = createShape(true);
  extendShape(shape, session, sought?.thread);
  const spot = sought === undefined ? undefined : shape.spots[sought.position];
  let [top, depth] = [spot, 0];
  for (; top?.up != null; top = top.up) depth += 1;
  const isConnected = (node: Node): boolean => {
    const other = node.thread === sought?.thread ? shape.spots[node.position] : undefined;
    return spot !== undefined && other !== undefined && inOneTree(spot, other);
  };
  return { session, top: top?.node.entry ?? null, depth, isConnected };
};

// A compaction continues its logical parent.
const parentOf = ({ parentUuid, logicalParentUuid, role }: Reading): string | null => parentUuid ?? (role === 'boundary' ? logicalParentUuid : null);

/** Lines of a thread before or after a position, in order; lines of other threads in between are skipped, up to a limit. */
const linesNear = async (
  store: Store,
  { sessionId, agentId }: Thread,
  side: 'entriesBefore' | 'entriesOf',
  position: number,
  most: number,
): Promise<readonly Line[]> => {
  const found: Entry[] = [];
  for (let at = position, passed = 0; found.length < most && passed < MOST_PASSED;) {
    const entries = await store.log[side](sessionId, at, STEP);
    found.push(...entries.filter(isOf(agentId)));
    const last = entries.at(-1);
    if (last === undefined || entries.length < STEP) break;
    at = last.position;
    passed += entries.length;
  }
  return linesOf(store, side === 'entriesBefore' ? found.toReversed() : found);
};

const isOf =
  (agentId: string | null) =>
  ({ type, contextId }: Entry): boolean =>
    type === ENTRY_TYPES.line && contextOf(contextId).agentId === agentId;

const olderLines = async ({ log, library, ...store }: Store, sessionId: string, from: string, known: number): Promise<readonly Line[]> => {
  const positions: number[] = [];
  const seen = new Set<string>();
  for (let uuid: string | null = from; uuid !== null && !seen.has(uuid) && positions.length + known < MOST_WALKED;) {
    seen.add(uuid);
    const row = await library.messageByUuid(uuid, sessionId);
    if (row === null) break;
    positions.unshift(row.position);
    uuid = row.parentUuid;
  }
  return linesOf({ log, library, ...store }, await log.entriesAt(positions));
};

const linesOf = async ({ log }: Store, entries: readonly Entry[]): Promise<readonly Line[]> => {
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  return entries.flatMap((entry, i) => {
    const bytes = payloads.get(entry.position) ?? null;
    const read = readLogged(entry, recordOfLine(entry, bytes), placeAt(entry.position, i + 1, bytes));
    return read === null ? [] : [{ position: entry.position, record: read.record, reading: read.entry }];
  });
};

const STEP = 200;
const LINES_A_STEP = 8;
const MOST_PASSED = 6000;
const MOST_WALKED = 200;
