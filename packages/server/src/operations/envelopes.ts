import { foreign, wrapEnvelope, type Foreign, type InputOf } from '@yarnboard/protocol';
import { DIALECTS, step, type Dialects, type Envelope } from '@yarnboard/transcript';
import { fileRecords } from '../sessions/file-records.ts';
import type { MapperStates } from '../sessions/envelopes/mapper-states.ts';
import { createPendingWalks, type PendingWalks } from '../sessions/envelopes/pending-walks.ts';
import { tellSession } from '../sessions/envelopes/replay.ts';
import type { PendingSession } from '../ingest/ingest.ts';
import { readCursor, writeCursor } from './request/cursor.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';
import { Refused } from './request/refusal.ts';
import type { Store } from '@yarnboard/store';
import type { Launches } from '../launches/launches.ts';
import type { Runs } from '../launches/runs.ts';

export type EnvelopesNeeds = SessionNames & {
  readonly now: () => number;
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly envelopes: EnvelopeSource;
  readonly runs: Pick<Runs, 'list'>;
  readonly launches: Pick<Launches, 'of'>;
};

/** Where envelopes come from. */
export type EnvelopeSource = {
  readonly states: MapperStates;
  /** For sessions that aren't on the log yet, built from their files. */
  readonly pending: PendingWalks;
};

export const createEnvelopeSource = (states: MapperStates, dialects: Dialects = DIALECTS): EnvelopeSource => ({
  states,
  pending: createPendingWalks(undefined, (group) => fileRecords(group, { dialects })),
});

/** The last envelope sent, with its log position. A list may start in a file and continue on the log, where envelopes keep their ids. */
type Place = { readonly id: string; readonly seq?: number; readonly told?: number };
type Item = { readonly envelope: Envelope; readonly seq: number | null; readonly nth: number };
type EnvelopePage = { readonly items: readonly Foreign[]; readonly nextCursor: string | null };

/** WIRE-16: a page of a session's envelopes. A page may end anywhere, even between two envelopes of one entry. */
export const listEnvelopes = async (needs: EnvelopesNeeds, input: InputOf<'envelopes'>): Promise<EnvelopePage> => {
  const { sessionId, pending } = await sessionMeant(needs, input.id);
  const from = readCursor<Place>(
    input.cursor,
    ({ id, seq, told }) => typeof id === 'string' && [seq, told].every((n) => n === undefined || (Number.isSafeInteger(n) && n >= 0)),
  );
  if (pending === null) needs.envelopes.pending.release(sessionId);
  // A client that asks for what follows a log position means the log, even if the file has more.
  else if (input.after_seq === undefined) {
    const { envelopes, hasMore } = await needs.envelopes.pending.read(pending, from?.id ?? null, input.limit);
    return pageOf(
      envelopes.map((envelope) => ({ envelope, seq: null, nth: 0 })),
      hasMore,
    );
  }
  const page: Item[] = [];
  let hasMore = false;
  for await (const item of loggedItems(needs, sessionId, from, input.after_seq ?? 0, input.limit)) {
    hasMore = page.length === input.limit;
    if (hasMore) break;
    page.push(item);
  }
  return pageOf(page, hasMore);
};

const pageOf = (page: readonly Item[], hasMore: boolean): EnvelopePage => {
  const last = hasMore ? page.at(-1) : undefined;
  return {
    items: page.map(({ envelope, seq }) => foreign({ seq, ...wrapEnvelope(envelope) })),
    nextCursor: last === undefined ? null : writeCursor(placeOf(last)),
  };
};

/** Resolves the session. A run's messages reach the log before its session has a file, and stay there even if it never gets one. */
const sessionMeant = async (
  needs: EnvelopesNeeds,
  wanted: string,
): Promise<{ readonly sessionId: string; readonly pending: PendingSession | null }> => {
  try {
    const found = await findSession(needs, wanted);
    return { sessionId: sessionIdOf(found), pending: found.kind === 'pending' ? found.pending : null };
  } catch (cause) {
    const isUnknown = cause instanceof Refused && cause.code === 'not-found';
    if (!isUnknown || !UUID.test(wanted) || (await needs.store.library.positionsOf(wanted, 0, 1)).length === 0) throw cause;
    return { sessionId: wanted, pending: null };
  }
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

const placeOf = ({ envelope: { id }, seq, nth }: Item): Place => (seq === null ? { id } : { id, seq, told: nth });

async function* loggedItems(needs: EnvelopesNeeds, sessionId: string, from: Place | null, afterSeq: number, limit: number): AsyncGenerator<Item> {
  const { states } = needs.envelopes;
  const after = Math.max(afterSeq, (from?.seq ?? 1) - 1);
  const epoch = states.epoch();
  let isBehind = from === null || from.seq !== undefined;
  let before = states.find(sessionId, after);
  let toldLast = 0;
  try {
    for await (const { entry, envelopes, state } of tellSession(needs.store, states, sessionId, before, pageSizeFor(limit))) {
      toldLast = envelopes.length;
      if (entry.position > after) {
        for (const [i, envelope] of envelopes.entries()) {
          if (entry.position === from?.seq && i < (from.told ?? 0)) continue;
          if (isBehind) yield { envelope, seq: entry.position, nth: i + 1 };
          isBehind ||= envelope.id === from?.id;
        }
      }
      before = state;
    }
    if (before.position > after && isBehind && (await isLongOver(needs, sessionId))) {
      const end = step(before.mapper, { kind: 'close', uuid: '', at: Number.NaN, status: null, isEnd: true });
      for (const [i, envelope] of end.envelopes.entries()) {
        const nth = toldLast + i + 1;
        if (before.position !== from?.seq || nth > (from.told ?? 0)) yield { envelope, seq: before.position, nth };
      }
    }
  } finally {
    // Where the next page continues.
    if (states.epoch() === epoch) states.stop(sessionId, before);
  }
}

// TURN-4: nothing will report any more how the turn ended.
const isLongOver = async ({ store, now, runs, launches }: EnvelopesNeeds, sessionId: string): Promise<boolean> => {
  const lastAt = (await store.library.session(sessionId))?.lastAt ?? null;
  const isRun = runs.list().some((run) => run.sessionId === sessionId && run.state !== 'ended');
  return lastAt !== null && now() - lastAt > LONG && !isRun && launches.of(sessionId) === null;
};

const LONG = 24 * 60 * 60_000;

const pageSizeFor = (limit: number): number => Math.min(500, Math.max(64, limit));
