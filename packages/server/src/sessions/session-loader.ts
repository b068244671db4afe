import {
  addFile,
  addMeta,
  appendEntry,
  createGrowingSession,
  createSession,
  DIALECTS,
  withdraw,
  type Dialects,
  type GrowingSession,
  type Session,
  type SessionOutline,
} from '@yarnboard/transcript';
import type { Store } from '@yarnboard/store';
import type { PendingSession } from '../ingest/ingest.ts';
import { TURNS } from './turns.ts';
import { fileRecords } from './file-records.ts';
import { loggedFacts, loggedFlow, type FlowRecords } from './flow-records.ts';
import { keepLatest } from './latest.ts';
import { logRecords, type LogRecords } from './log-records.ts';
import { pendingReading, stampOf, type PendingReading } from './pending-reading.ts';
import { createSessionFlows, type SessionFlows } from './session-flow.ts';
import { createOutline } from './session-outline.ts';
import type { SessionRecords } from './session-records.ts';

export type LoadedSession = {
  readonly session: Session;
  readonly flows: SessionFlows;
  readonly records: FlowRecords;
  readonly outline: () => SessionOutline;
  readonly grown: GrowingSession;
  /** The log position up to which it was read; null while it is only in its files. */
  readonly position: number | null;
};

/** Sessions as graphs: read on demand, cached while they are used, and updated with only what is new. */
export type SessionLoader = {
  readonly load: (sessionId: string) => Promise<LoadedSession>;
  /** Whether it is cached, so that only new records have to be read. */
  readonly isKept: (sessionId: string) => boolean;
  /** A session that is not on the log yet, from its files. */
  readonly loadPending: (pending: PendingSession) => Promise<PendingReading>;
  /** Removes a cached session that is no longer valid. */
  readonly drop: (sessionId: string) => void;
};

type Kept = Pick<LoadedSession, 'session' | 'flows' | 'outline' | 'grown'> & { readonly records: LogRecords };

export const createSessionLoader = (
  store: Pick<Store, 'log' | 'library'>,
  dialects: Dialects = DIALECTS,
  onDrop: (sessionId: string) => void = () => {},
): SessionLoader => {
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<LoadedSession>>();
  let pendingKept: { readonly stamp: string; readonly reading: Promise<PendingReading> } | null = null;

  const begin = (sessionId: string): Kept => {
    const session = createSession(sessionId);
    const grown = createGrowingSession(session);
    return {
      session,
      flows: createSessionFlows(session, loggedFacts(store, sessionId), grown),
      outline: createOutline(session, grown),
      grown,
      records: logRecords(store.log, sessionId),
    };
  };

  const bringUpToDate = async (sessionId: string): Promise<LoadedSession> => {
    const one = kept.get(sessionId) ?? begin(sessionId);
    await readInto(one.session, one.records);
    keepLatest(kept, sessionId, one, MOST_KEPT, () => nodesIn(kept) > MOST_NODES);
    const { session, flows, outline, grown } = one;
    return { session, flows, outline, grown, records: loggedFlow(store, sessionId), position: one.records.position() };
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
      const { reading } = pendingKept;
      reading.catch(() => {
        if (pendingKept?.reading === reading) pendingKept = null; // the next one retries
      });
      return reading;
    },
    drop: (sessionId) => {
      kept.delete(sessionId);
      onDrop(sessionId);
    },
  };
};

/** ING-8: a session that is not on the log yet, read from its files. */
export const readPending = async (pending: PendingSession, dialects: Dialects = DIALECTS): Promise<PendingReading> => {
  const { group } = pending;
  const session = createSession(group.sessionId);
  session.companions.push(...group.companions);
  for (const { path, agentId } of group.files) addFile(session, { path, agentId });
  let quarantined = 0;
  const records = fileRecords(group, { dialects, onFault: ({ line }) => void (quarantined += line === null ? 0 : 1) });
  await readInto(session, records);
  if (group.title !== null) session.titles.push({ by: 'custom', text: group.title, leafUuid: null });
  return pendingReading(pending, session, records, quarantined, dialects);
};

/** Adds new records of a session to its graph. */
const readInto = async (session: Session, { read }: SessionRecords): Promise<void> => {
  const files = new Map(session.files.map(({ path }, file) => [path, file]));
  for await (const inputs of read()) {
    for (const input of inputs) {
      if (input.kind === 'meta') addMeta(session, input.agentId, input.meta);
      else if (input.kind === 'withdrawal') withdraw(session, input.gone, input.back);
      else {
        const file = files.get(input.file) ?? addFile(session, { path: input.file, agentId: input.agentId });
        files.set(input.file, file);
        appendEntry(session, file, input.entry);
      }
    }
    await TURNS.go();
  }
};

const nodesIn = (kept: ReadonlyMap<string, Kept>): number => [...kept.values()].reduce((sum, { session }) => sum + session.graph.nodes.size, 0);

const MOST_KEPT = 16;
const MOST_NODES = 300_000;
