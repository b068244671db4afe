import { setImmediate as breathe } from 'node:timers/promises';
import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import type { Envelope } from '@yarnboard/transcript';
import type { Follower } from '../../followers/runner.ts';
import type { MapperStates } from '../../sessions/envelopes/mapper-states.ts';
import { isTold, type Replay } from '../../sessions/envelopes/replay.ts';
import type { Connection } from './connection.ts';
import { createFrame, type Frame } from './frame.ts';
import type { Ring } from './ring.ts';
import type { ToldEvents } from './told-events.ts';

export type FeedOptions = {
  readonly store: Pick<Store, 'capabilities' | 'log'>;
  readonly states: MapperStates;
  /** The target; its edge is the position. */
  readonly ring: Ring;
  readonly replay: Replay;
  readonly events: ToldEvents;
  readonly heard: ReadonlySet<Connection>;
  /** Whether anyone wants the envelopes of a session. */
  readonly isWanted: (sessionId: string) => boolean;
  /** There is more in the ring. */
  readonly onFed: () => void;
  /** The log says that something was forgotten, perhaps by another server. */
  readonly onForgotten: () => void;
};

/** WIRE-7: makes one frame of each entry of the log, as long as there are listeners. */
export const feedOf = (options: FeedOptions): Follower => {
  const { store, states, ring, replay, events, heard } = options;
  // On a shared board, others write as well, without notice.
  const isShared = store.capabilities.isSharedByServers;

  /**
   * False if nobody waits for what comes next. Entries that the waiting clients have received, or don't want, aren't prepared: the others read the
   * log.
   */
  const skipTheUnheard = (): boolean => {
    let lowest = Number.POSITIVE_INFINITY;
    for (const connection of heard) {
      if (!connection.isIdle()) continue;
      lowest = Math.min(lowest, connection.at());
      if (lowest <= ring.edge()) return true;
    }
    if (lowest === Number.POSITIVE_INFINITY) return false;
    ring.reset(lowest);
    return true;
  };

  const framesOf = async (entries: readonly Entry[]): Promise<readonly Frame[]> => {
    const mapped = entries.filter(isTold);
    const sessions = new Set(mapped.map(({ sessionId }) => sessionId).filter(options.isWanted));
    const made: ReadonlyMap<number, readonly Envelope[]> =
      sessions.size === 0 ? new Map() : await replay.envelopesOf(mapped.filter(({ sessionId }) => sessions.has(sessionId)));
    const decided = await events.of(entries);
    return entries.map((entry) => {
      const event = decided.get(entry.position);
      if (event !== undefined) return createFrame(entry, NONE, { event, names: events.names, toldAt: events.toldAt });
      return createFrame(entry, !isTold(entry) || sessions.has(entry.sessionId) ? (made.get(entry.position) ?? NONE) : null);
    });
  };

  return {
    name: 'listeners',
    pass: async () => {
      if (!skipTheUnheard()) return null;
      const epoch = states.epoch();
      const entries = await store.log.entriesAfter(ring.edge(), STEP);
      if (entries.length === 0) return null;
      const frames = await framesOf(entries);
      if (states.epoch() !== epoch) return 0; // something was forgotten in the meantime, and they may contain it
      ring.push(frames);
      options.onFed();
      // Other servers forget, too, and only the log shows it.
      if (isShared && entries.some(({ type }) => type === ENTRY_TYPES.forgotten)) options.onForgotten();
      if (entries.length === STEP) await breathe();
      return 0;
    },
    timing: { every: isShared ? EVERY : null },
  };
};

const NONE: readonly Envelope[] = [];
const STEP = 256;
const EVERY = 500;
