import { foreign, wrapEnvelope, type Foreign, type InputOf } from '@yarnboard/protocol';
import { initialMapper, step, type Envelope } from '@yarnboard/transcript';
import type { MapperStates } from '../hub/mapper-states.ts';
import { tellSession } from '../hub/replay.ts';
import type { PendingSession } from '../ingest/ingest.ts';
import { fileInputs } from '../views/file-inputs.ts';
import { stampOf } from '../views/pending-reading.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { Desk } from './desk.ts';
import { findSession, sessionIdOf } from './find-session.ts';

/** Where envelopes are made from. */
export type EnvelopeSource = {
  readonly states: MapperStates;
  /** Those of a session that is not on the log yet, as its files tell them. */
  readonly ofPending: (pending: PendingSession) => readonly Envelope[];
};

export const createEnvelopeSource = (states: MapperStates): EnvelopeSource => {
  let kept: { readonly stamp: string; readonly envelopes: readonly Envelope[] } | null = null;
  return {
    states,
    ofPending: (pending) => {
      const stamp = stampOf(pending);
      if (kept?.stamp !== stamp) kept = { stamp, envelopes: envelopesInFiles(pending) };
      return kept.envelopes;
    },
  };
};

const envelopesInFiles = ({ group }: PendingSession): readonly Envelope[] => {
  const made: Envelope[] = [];
  let state = initialMapper;
  for (const input of fileInputs(group)) {
    const mapped = step(state, input);
    ({ state } = mapped);
    for (const envelope of mapped.envelopes) made.push(envelope);
  }
  return made;
};

/** The last envelope that was told, and where on the log it stands; a page may begin in a file and go on on the log, where the same has the same id. */
type Place = { readonly id: string; readonly seq?: number; readonly told?: number };
type Item = { readonly envelope: Envelope; readonly seq: number | null; readonly nth: number };
type EnvelopePage = { readonly items: readonly Foreign[]; readonly nextCursor: string | null };

/** WIRE-16: a page of a session's envelopes. It ends anywhere, also between the envelopes of one entry. */
export const listEnvelopes = async (desk: Desk, input: InputOf<'envelopes'>): Promise<EnvelopePage> => {
  const found = await findSession(desk, input.id);
  const from = readCursor<Place>(
    input.cursor,
    ({ id, seq, told }) => typeof id === 'string' && [seq, told].every((n) => n === undefined || (Number.isSafeInteger(n) && n >= 0)),
  );
  // Whoever asks behind a position of the log means the log, also while there is more in the file.
  const isPending = found.kind === 'pending' && input.after_seq === undefined;
  const items = isPending
    ? pendingItems(desk.envelopes.ofPending(found.pending), from)
    : loggedItems(desk, sessionIdOf(found), from, input.after_seq ?? 0, input.limit);
  const page: Item[] = [];
  let next: Item | null = null;
  for await (const item of items) {
    if (page.length === input.limit) {
      next = page.at(-1) ?? null;
      break;
    }
    page.push(item);
  }
  return {
    items: page.map(({ envelope, seq }) => foreign({ seq, ...wrapEnvelope(envelope) })),
    nextCursor: next === null ? null : writeCursor(placeOf(next)),
  };
};

const placeOf = ({ envelope: { id }, seq, nth }: Item): Place => (seq === null ? { id } : { id, seq, told: nth });

function* pendingItems(envelopes: readonly Envelope[], from: Place | null): Generator<Item> {
  const start = from === null ? 0 : envelopes.findIndex(({ id }) => id === from.id) + 1;
  for (let i = start; i < envelopes.length; i += 1) {
    const envelope = envelopes[i];
    if (envelope !== undefined) yield { envelope, seq: null, nth: 0 };
  }
}

async function* loggedItems(desk: Desk, sessionId: string, from: Place | null, afterSeq: number, limit: number): AsyncGenerator<Item> {
  const { states } = desk.envelopes;
  const after = Math.max(afterSeq, (from?.seq ?? 1) - 1);
  const epoch = states.epoch();
  let isBehind = from === null || from.seq !== undefined;
  let before = states.find(sessionId, after);
  let toldLast = 0;
  try {
    for await (const { entry, envelopes, state } of tellSession(desk.store, states, sessionId, before, pageSizeFor(limit))) {
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
    if (before.position > after && isBehind && (await isLongOver(desk, sessionId))) {
      const end = step(before.mapper, { kind: 'close', uuid: '', at: Number.NaN, status: null, isEnd: true });
      for (const [i, envelope] of end.envelopes.entries()) {
        const nth = toldLast + i + 1;
        if (before.position !== from?.seq || nth > (from.told ?? 0)) yield { envelope, seq: before.position, nth };
      }
    }
  } finally {
    // The next page goes on here.
    if (states.epoch() === epoch) states.stop(sessionId, before);
  }
}

// TURN-4: nobody will say any more how it ended.
const isLongOver = async ({ store, now, runs, launches }: Desk, sessionId: string): Promise<boolean> => {
  const lastAt = (await store.library.session(sessionId))?.lastAt ?? null;
  const isRun = runs.list().some((run) => run.sessionId === sessionId && run.state !== 'ended');
  return lastAt !== null && now() - lastAt > LONG && !isRun && launches.of(sessionId) === null;
};

const LONG = 24 * 60 * 60_000;

const pageSizeFor = (limit: number): number => Math.min(500, Math.max(64, limit));
