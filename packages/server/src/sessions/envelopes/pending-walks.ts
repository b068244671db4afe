import { heldBytesOf, initialMapper, step, type Envelope, type MapperInput, type MapperState } from '@yarnboard/transcript';
import type { PendingSession } from '../../ingest/ingest.ts';
import type { Group } from '../../ingest/plan.ts';
import { stampOf } from '../pending-reading.ts';
import type { SessionRecords } from '../session-records.ts';
import { fileRecords } from '../file-records.ts';
import { inputsIn } from './mapper-input.ts';

export type PendingPage = { readonly envelopes: readonly Envelope[]; readonly hasMore: boolean };

/** WIRE-16: envelopes of sessions that are not on the log yet, from their files. Only the places where the latest readers stopped are cached. */
export type PendingWalks = {
  /** Those after the one with this id, or from the start. */
  readonly read: (pending: PendingSession, after: string | null, most: number) => Promise<PendingPage>;
  /** The session is on the log. */
  readonly release: (sessionId: string) => void;
};

type Walk = {
  readonly sessionId: string;
  readonly stamp: string;
  readonly inputs: AsyncGenerator<MapperInput, void, undefined>;
  state: MapperState;
  /** The envelopes of the last record; those before `told` were delivered. */
  made: readonly Envelope[];
  told: number;
  /** The last one delivered. */
  last: string | null;
};

export const createPendingWalks = (letGoAfter = LET_GO_AFTER, open: (group: Group) => Pick<SessionRecords, 'read'> = fileRecords): PendingWalks => {
  let kept: Walk[] = [];
  let timer: NodeJS.Timeout | null = null;

  const keep = (stopped: Walk): void => {
    kept.push(stopped);
    let held = kept.reduce((sum, { state }) => sum + heldBytesOf(state), 0);
    while (kept.length > 1 && (kept.length > MOST_WALKS || held > MOST_HELD)) held -= heldBytesOf(kept.shift()?.state ?? initialMapper);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      kept = [];
    }, letGoAfter);
    timer.unref();
  };

  const walkBehind = async (pending: PendingSession, after: string | null): Promise<Walk> => {
    const begin = (): Walk => ({
      sessionId: pending.group.sessionId,
      stamp: stampOf(pending),
      inputs: inputsIn(open(pending.group)),
      state: initialMapper,
      made: [],
      told: 0,
      last: null,
    });
    const fresh = begin();
    if (after === null) return fresh;
    const index = kept.findIndex(({ stamp, last }) => last === after && stamp === fresh.stamp);
    const [known] = index === -1 ? [] : kept.splice(index, 1);
    if (known !== undefined) return known;
    while (await hasNext(fresh)) if (take(fresh).id === after) return fresh;
    // Its id isn't from the files: delivering everything again is better than nothing.
    return begin();
  };

  return {
    read: async (pending, after, most) => {
      const reading = await walkBehind(pending, after);
      const envelopes: Envelope[] = [];
      while (envelopes.length < most && (await hasNext(reading))) envelopes.push(take(reading));
      const hasMore = await hasNext(reading);
      if (hasMore) keep(reading);
      return { envelopes, hasMore };
    },
    release: (sessionId) => {
      kept = kept.filter((one) => one.sessionId !== sessionId);
    },
  };
};

const hasNext = async (walk: Walk): Promise<boolean> => {
  while (walk.told >= walk.made.length) {
    const { done, value } = await walk.inputs.next();
    if (done === true) return false;
    const { state, envelopes } = step(walk.state, value);
    walk.state = state;
    walk.made = envelopes;
    walk.told = 0;
  }
  return true;
};

const take = (walk: Walk): Envelope => {
  const envelope = walk.made[walk.told];
  if (envelope === undefined) throw new Error('only what is there can be taken');
  walk.told += 1;
  walk.last = envelope.id;
  return envelope;
};

const MOST_WALKS = 4;
const MOST_HELD = 64 * 1024 * 1024;
const LET_GO_AFTER = 60_000;
