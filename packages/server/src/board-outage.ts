import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { DEFAULT_EMERGENCY_SETTINGS } from '@yarnboard/protocol';
import type { EmergencyCache, Redis, Store } from '@yarnboard/store';
import type { BoardOptions } from './board-options.ts';
import { after } from './board-seats.ts';
import type { BoardState } from './board-state.ts';
import type { Closers } from './closers.ts';
import type { Hub } from './doors/ws/hub.ts';
import { describeQueued, tellOutage } from './doors/ws/outage-news.ts';
import type { Engine } from './engine/engine.ts';
import { patientStore } from './operations/patient-store.ts';
import type { AwayStart } from './recovery/last-known.ts';
import { createOutageWatch, type AwayAtStart, type OutageWatch } from './recovery/outage-watch.ts';
import type { Writer } from './threads/writer.ts';

export type BoardOutageParts = Pick<BoardOptions, 'settings' | 'version' | 'isFollowing'> & {
  readonly cache: EmergencyCache;
  readonly store: Store;
  readonly writer: Pick<Writer, 'probe' | 'append'>;
  /** Stays the same as long as the home does. */
  readonly homeId: string;
  readonly engine: () => Engine;
  /** Other parts that may be down: the configured Redis, and the index. */
  readonly redis: Pick<Redis, 'state'> | null;
  readonly now: Pick<BoardState, 'search' | 'tasks'>;
  readonly closers: Closers;
  readonly onFault: (cause: unknown) => void;
  /** REC-78: what was known when the server started without its store. */
  readonly away: AwayStart | null;
};

export type BoardOutage = OutageWatch & {
  /** The store for callers that must not wait for it long while it is away. */
  readonly store: Store;
  /** Starts monitoring the log, and informs connected clients. */
  readonly tell: (hub: Hub, onOver: () => Promise<unknown>) => void;
};

/** REC-50: how a server handles an outage of its log; null without a server: a single command waits or fails. */
export const openBoardOutage = (parts: BoardOutageParts): BoardOutage | null => {
  const { cache, settings, version, store, writer, homeId, engine, redis, closers, onFault } = parts;
  if (parts.isFollowing !== true) return null;
  const { checkEvery, mostBytes } = settings.emergency ?? DEFAULT_EMERGENCY_SETTINGS;
  const watch = createOutageWatch({
    cache,
    boardId: store.log.boardId,
    serverId: homeId,
    host: hostname(),
    version,
    now: () => Date.now(),
    newId: () => randomUUID(),
    after,
    look: async () => {
      await store.log.probe();
      return store.log.head();
    },
    log: store.log,
    probe: writer.probe,
    append: writer.append,
    alsoDown: () => [
      ...(parts.now.search?.failure != null || parts.now.tasks.get('index-lag')?.failure != null ? (['episodic_memory'] as const) : []),
      ...(redis?.state().isUp === false ? (['redis'] as const) : []),
    ],
    // Without Redis there is only the database, and an index that cannot read it is no second service.
    besides: redis === null ? [] : ['episodic_memory', 'redis'],
    describe: (queued) => describeQueued(engine().foreseen)(queued),
    onFault,
    settings: { checkEvery, mostBytes },
    away: parts.away === null ? null : awayAtStart(parts.away),
  });
  closers.push(watch.close);
  return {
    ...watch,
    store: patientStore(store, () => watch.asOf() !== null),
    tell: (hub, onOver) => {
      const listener = tellOutage(hub, engine().foreseen);
      watch.watch(engine(), {
        ...listener,
        changed: (news) => {
          listener.changed(news);
          // It also announces what the outage left for the operator.
          if (news.state === 'normal' && news.conflicts > 0) onOver().catch(onFault);
        },
      });
    },
  };
};

const awayAtStart = ({ fault, known: { at, position, checksum } }: AwayStart): AwayAtStart => ({
  why: fault.message,
  since: Date.now(),
  knownAt: at,
  head: { position, checksum },
});
