import { addFile, addMeta, append, createSession, DIALECTS, type Dialects, type JsonObject, type Node, type Session } from '@yarnboard/transcript';
import { agentMetaIn, contextOf, type LoggedLine, type Store } from '@yarnboard/store';
import { ENTRY_TYPES, isTranscript } from '@yarnboard/domain';
import type { PendingSession } from '../ingest/ingest.ts';
import { loggedFacts } from './flow-records.ts';
import { loggedRecordOf, recordIn } from './logged-record.ts';
import { readPending, stampOf, type PendingReading } from './pending-reading.ts';
import { createSessionFlows, type SessionFlows } from './session-flow.ts';

export type LoadedSession = {
  readonly session: Session;
  /** Where on the log a record of it stands. */
  readonly positionOf: (node: Node) => number;
  readonly flows: SessionFlows;
  /** The position of the log it was read up to. */
  readonly position: number;
};

/** Sessions as graphs, read when somebody asks, kept while they are asked for, and brought up to date by what is new only. */
export type SessionLoader = {
  readonly load: (sessionId: string) => Promise<LoadedSession>;
  /** Whether it was read before, so that only what is new has to be. */
  readonly isKept: (sessionId: string) => boolean;
  /** A session that is not on the log yet, from its files. */
  readonly loadPending: (pending: PendingSession) => PendingReading;
  /** What was kept of a session is no longer so. */
  readonly drop: (sessionId: string) => void;
};

type Kept = {
  readonly session: Session;
  readonly flows: SessionFlows;
  readonly files: Map<string, { readonly file: number; lines: number }>;
  position: number;
};

export const createSessionLoader = (store: Pick<Store, 'log' | 'library'>, dialects: Dialects = DIALECTS): SessionLoader => {
  const { log } = store;
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<LoadedSession>>();
  let pendingKept: { readonly stamp: string; readonly reading: PendingReading } | null = null;

  /** What is left of a record whose words are gone. */
  const ghostAt = async (position: number): Promise<JsonObject | null> => {
    const entry = await log.entryAt(position);
    return entry === null ? null : loggedRecordOf(entry, null);
  };

  const takeRecord = (one: Kept, { contextId, position, bytes }: LoggedLine, record: JsonObject | null): void => {
    const file = one.files.get(contextId) ?? { file: addFile(one.session, { path: contextId, agentId: contextOf(contextId).agentId }), lines: 0 };
    one.files.set(contextId, file);
    file.lines += 1;
    // Its line is its place among the lines of its file, which tells neighbours; its offset is its position on the log.
    if (record !== null) append(one.session, file.file, record, { line: file.lines, part: 0, offset: position, length: bytes?.length ?? 0 });
  };

  const takeLines = async (one: Kept, lines: readonly LoggedLine[]): Promise<void> => {
    for (const line of lines) {
      const { type, note, bytes, position } = line;
      const meta = type === ENTRY_TYPES.companion ? agentMetaIn(note ?? '', bytes) : null;
      if (meta !== null) addMeta(one.session, meta.agentId, meta.meta);
      else if (isTranscript(type) && type !== ENTRY_TYPES.companion)
        takeRecord(one, line, bytes === null ? await ghostAt(position) : recordIn(line, bytes));
    }
  };

  const begin = (sessionId: string): Kept => {
    const session = createSession(sessionId);
    return { session, flows: createSessionFlows(session, loggedFacts(store, sessionId)), files: new Map(), position: 0 };
  };

  const bringUpToDate = async (sessionId: string): Promise<LoadedSession> => {
    const one = kept.get(sessionId) ?? begin(sessionId);
    for (;;) {
      const lines = await log.linesOf(sessionId, one.position, STEP);
      const last = lines.at(-1);
      if (last === undefined) break;
      await takeLines(one, lines);
      one.position = last.position;
      await breathe();
    }
    kept.delete(sessionId);
    kept.set(sessionId, one);
    for (const oldest of kept.keys()) {
      if (kept.size <= 1 || (kept.size <= MOST_KEPT && nodesIn(kept) <= MOST_NODES)) break;
      kept.delete(oldest);
    }
    return { session: one.session, positionOf: ({ entry }) => entry.place.offset, flows: one.flows, position: one.position };
  };

  return {
    load: (sessionId) => {
      const running = loading.get(sessionId);
      if (running !== undefined) return running;
      const work = bringUpToDate(sessionId).finally(() => loading.delete(sessionId));
      loading.set(sessionId, work);
      return work;
    },
    isKept: (sessionId) => kept.has(sessionId),
    loadPending: (pending) => {
      const stamp = stampOf(pending);
      if (pendingKept?.stamp !== stamp) pendingKept = { stamp, reading: readPending(pending, dialects) };
      return pendingKept.reading;
    },
    drop: (sessionId) => {
      kept.delete(sessionId);
    },
  };
};

const nodesIn = (kept: ReadonlyMap<string, Kept>): number => [...kept.values()].reduce((sum, { session }) => sum + session.graph.nodes.size, 0);

const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const STEP = 500;
const MOST_KEPT = 16;
const MOST_NODES = 300_000;
