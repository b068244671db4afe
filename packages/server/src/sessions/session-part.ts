import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import { contextOf, NOWHERE, type Store } from '@yarnboard/store';
import {
  addFile,
  append,
  createSession,
  isConversation,
  readEntry,
  type Entry as Reading,
  type JsonObject,
  type Session,
} from '@yarnboard/transcript';
import { loggedRecordOf } from './logged-record.ts';

/** A stretch of a conversation as a session of its own: what can be told of it without reading all that was said. */
export type SessionPart = {
  readonly session: Session;
  /** Whether it goes back to where the conversation began. */
  readonly isWhole: boolean;
};

type Line = { readonly position: number; readonly record: JsonObject; readonly reading: Reading; readonly length: number };
type Thread = { readonly sessionId: string; readonly agentId: string | null };

/** The end of a thread: what leads to its newest prompt, reply or result. It reads as many lines as so many steps mostly have. */
export const readEnd = async (store: Store, thread: Thread, lastPosition: number, steps: number): Promise<SessionPart> => {
  const lines = await linesUpTo(store, thread, lastPosition, steps * LINES_A_STEP);
  const tip = lines.findLast(({ reading }) => isConversation(reading.role) && reading.isSidechain === (thread.agentId !== null));
  return partOf(store, thread, lines, tip);
};

/** What leads to a record of a thread, and what follows it on the same branch; null where only the whole session tells. */
export const readAround = async (store: Store, thread: Thread, position: number, steps: number): Promise<SessionPart | null> => {
  const most = Math.ceil(steps / 2) * LINES_A_STEP;
  const before = await linesUpTo(store, thread, position, most);
  const sought = before.at(-1);
  if (sought?.position !== position || sought.reading.uuid === null) return null;
  const after = await linesBehind(store, thread, position, most);
  const below = new Set([sought.reading.uuid]);
  let tip = sought;
  for (const line of after) {
    const { uuid, role } = line.reading;
    if (uuid === null || !below.has(parentOf(line.reading) ?? '')) continue;
    below.add(uuid);
    if (isConversation(role)) tip = line;
  }
  return partOf(store, thread, [...before, ...after], tip);
};

/**
 * Walks up by parents from a line. What hangs below any record of that way is taken along, everything else is left out: it may belong to another branch.
 */
const partOf = async (store: Store, { sessionId, agentId }: Thread, lines: readonly Line[], tip: Line | undefined): Promise<SessionPart> => {
  const byUuid = new Map(lines.map((line) => [line.reading.uuid, line]));
  const way = new Set<Line>();
  let parent: string | null = null;
  for (let at = tip; at !== undefined && !way.has(at); at = byUuid.get(parent ?? '')) {
    way.add(at);
    parent = parentOf(at.reading);
  }
  // A branch may have begun long after the record it hangs on.
  const older = parent === null || byUuid.has(parent) ? [] : await olderLines(store, sessionId, parent, way.size);
  const [top] = older;
  const session = createSession(sessionId);
  const file = addFile(session, { path: sessionId, agentId });
  const taken = new Set<string | null>([...older, ...way].flatMap(({ reading }) => reading.uuid ?? []));
  [...older, ...lines].forEach(({ reading, record, position, length }, i) => {
    const { uuid } = reading;
    if (uuid !== null && !taken.has(uuid) && !taken.has(parentOf(reading))) return;
    if (uuid !== null) taken.add(uuid);
    append(session, file, record, { line: i + 1, part: 0, offset: position, length });
  });
  return { session, isWhole: tip === undefined || (top === undefined ? parent : parentOf(top.reading)) === null };
};

// A compaction goes on where its logical parent says.
const parentOf = ({ parentUuid, logicalParentUuid, role }: Reading): string | null => parentUuid ?? (role === 'boundary' ? logicalParentUuid : null);

/** Lines of a thread up to a position, in order; what other threads wrote meanwhile is passed over, up to a limit. */
const linesUpTo = async (store: Store, { sessionId, agentId }: Thread, position: number, most: number): Promise<readonly Line[]> => {
  const found: Entry[] = [];
  for (let before = position + 1, passed = 0; found.length < most && passed < MOST_PASSED;) {
    const entries = await store.log.entriesBefore(sessionId, before, STEP);
    found.push(...entries.filter(isOf(agentId)));
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < STEP) break;
    before = oldest.position;
    passed += entries.length;
  }
  return linesOf(store, found.toReversed(), agentId);
};

/** The same behind a position. */
const linesBehind = async (store: Store, { sessionId, agentId }: Thread, position: number, most: number): Promise<readonly Line[]> => {
  const found: Entry[] = [];
  for (let after = position, passed = 0; found.length < most && passed < MOST_PASSED;) {
    const entries = await store.log.entriesOf(sessionId, after, STEP);
    found.push(...entries.filter(isOf(agentId)));
    const newest = entries.at(-1);
    if (newest === undefined || entries.length < STEP) break;
    after = newest.position;
    passed += entries.length;
  }
  return linesOf(store, found, agentId);
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
  return linesOf({ log, library, ...store }, await log.entriesAt(positions), null);
};

const linesOf = async ({ log }: Store, entries: readonly Entry[], agentId: string | null): Promise<readonly Line[]> => {
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  return entries.flatMap((entry) => {
    const bytes = payloads.get(entry.position) ?? null;
    const record = loggedRecordOf(entry, bytes);
    if (record === null) return [];
    return [{ position: entry.position, record, reading: readEntry(record, NOWHERE, agentId !== null), length: bytes?.length ?? 0 }];
  });
};

const STEP = 200;
const LINES_A_STEP = 8;
const MOST_PASSED = 6000;
const MOST_WALKED = 200;
