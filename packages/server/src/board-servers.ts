import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { rowsOf, type Actor } from '@yarnboard/domain';
import { openRedis, openServers, type Redis, type Store } from '@yarnboard/store';
import type { BoardOptions } from './board-options.ts';
import type { BoardSeats } from './board-seats.ts';
import type { Closers } from './closers.ts';
import type { Hub } from './doors/ws/hub.ts';
import { presenceOf } from './doors/ws/presence.ts';
import type { Engine } from './engine/engine.ts';
import { createCompany, type Company } from './followers/company.ts';
import type { FollowerState, Followers, Runner } from './followers/runner.ts';
import type { RunOwner } from './launches/run-owner.ts';
import type { ServersView } from './operations/servers.ts';
import { createWakeUps, type WakeUps } from './wake-ups.ts';

/** MANY-20: the configured Redis; null if there is none. Its state is reported, and nobody waits for it. */
export const openBoardRedis = (
  { settings }: Pick<BoardOptions, 'settings'>,
  closers: Closers,
  told: (state: FollowerState) => void,
  onFault: (cause: unknown) => void,
): Redis | null => {
  const url = settings.redis?.url ?? null;
  if (url === null) return null;
  let wasUp = true;
  let times = 0;
  const redis = openRedis({
    url,
    now: () => Date.now(),
    onChange: ({ isUp, why, since }) => {
      times += 1;
      told({ name: 'redis', passes: times, failure: isUp ? null : { why: why ?? 'no answer', since, times } });
      if (wasUp && !isUp) onFault(new Error(`${why ?? redis.name}; servers of this board hear of each other by looking, every second`));
      wasUp = isUp;
    },
  });
  closers.push(redis.close);
  return redis;
};

export type BoardServersParts = Pick<BoardOptions, 'home' | 'version' | 'settings' | 'isFollowing' | 'readOnly'> & {
  readonly store: Pick<Store, 'log' | 'capabilities'>;
  readonly engine: Engine;
  readonly redis: Redis | null;
  readonly seats: Pick<BoardSeats, 'keeps' | 'look' | 'close'>;
  /** Null until it exists. */
  readonly woken: { readonly hub: Pick<Hub, 'here' | 'wake'> | null };
  readonly owner: Pick<RunOwner, 'server'>;
  /** Stays the same as long as the home does. */
  readonly serverId: string;
  readonly followers: Pick<Followers, 'add'>;
  readonly closers: Closers;
  readonly onFault: (cause: unknown) => void;
};

export type BoardServers = {
  readonly view: () => ServersView;
  /** Whether another server is off the list, or its lease has expired; false while unknown. */
  readonly isGone: (id: string) => boolean;
  /** Something was committed here. */
  readonly committed: (position: number) => void;
  /** What the hub needs from the board, and whom it notifies of who came or went. */
  readonly presence: ReturnType<typeof presenceOf>;
};

/** MANY-14: registers this server among the others of its board, for as long as it runs. */
export const openBoardServers = async (parts: BoardServersParts): Promise<BoardServers> => {
  const { home, version, settings, store, engine, redis, seats, woken, followers, closers, onFault } = parts;
  const isReading = parts.readOnly === true;
  const me = { id: parts.serverId, run: parts.owner.server };
  const isShared = store.capabilities.isSharedByServers;
  const presence = presenceOf({ engine, isShared, isReading, keeps: seats.keeps, newId: () => randomUUID(), onFault });
  // A command that opens a board isn't a server.
  const leases = parts.isFollowing === true && !isReading ? await openServers(home.database) : null;
  const here = (): readonly string[] => {
    const kept = rowsOf(engine.board().agents).filter(({ id, presence }) => presence !== 'offline' && seats.keeps(id));
    return [...new Set([...(woken.hub?.here() ?? []), ...kept.map(({ id }) => id)])].toSorted();
  };
  const lease = { ...me, host: hostname(), version };
  let company: Company | null = null;
  let runner: Runner | null = null;
  const wakeUps: WakeUps | null =
    redis === null || leases === null
      ? null
      : createWakeUps({
          redis,
          prefix: settings.redis?.prefix ?? '',
          boardId: store.log.boardId,
          run: me.run,
          onCommitted: (position) => {
            if (position > engine.position()) engine.wake();
            woken.hub?.wake();
          },
          onServers: () => runner?.wake(true),
        });
  if (leases !== null) {
    company = createCompany({
      servers: leases,
      me: lease,
      engine,
      here,
      onMissed: (agent) => presence.onPresence?.({ id: agent, type: engine.board().agents.get(agent)?.kind ?? 'agent' }, true),
      onSeen: seats.look,
      wallClock: () => Date.now(),
    });
    const running = followers.add(company.follower);
    runner = running;
    running.wake(true);
    // Leaving hands everything over at once: nobody waits for a lease to expire.
    closers.push(async () => {
      await running.close();
      // RT-66: a server that takes over the seats finds none of them running.
      await seats.close();
      await leases.leave(lease).catch(onFault); // the lease expires by itself
      wakeUps?.tellServers();
      await leases.close();
    });
  }
  const alone = { serverId: me.id, host: lease.host, version, since: Date.now(), state: 'up' as const, isThis: true };
  return {
    view: () => {
      const seen = company?.seen() ?? null;
      const shown = redis === null ? null : { name: redis.name, ...redis.state() };
      if (seen === null) return { seenAt: null, servers: [{ ...alone, agents: here() }], redis: shown };
      return {
        seenAt: seen.at,
        servers: seen.servers.map(({ id, host, version: has, since, until, agents }) => ({
          serverId: id,
          host,
          version: has,
          since,
          state: until > seen.now ? 'up' : 'lost',
          isThis: id === me.id,
          agents,
        })),
        redis: shown,
      };
    },
    isGone: (id) => {
      const seen = company?.seen() ?? null;
      return seen !== null && !seen.servers.some((one) => one.id === id && one.until > seen.now);
    },
    committed: (position) => wakeUps?.tellCommitted(position),
    presence: {
      ...presence,
      ...(presence.onPresence === undefined
        ? {}
        : {
            onPresence: (actor: Actor, isThere: boolean): void => {
              presence.onPresence?.(actor, isThere);
              runner?.wake(true);
            },
          }),
    },
  };
};
