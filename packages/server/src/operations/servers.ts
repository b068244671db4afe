import type { RedisState } from '@yarnboard/store';
import type { Answer } from './request/answer.ts';

/** One of this board's servers, as listed. */
export type ServerView = {
  readonly serverId: string;
  readonly host: string;
  readonly version: string;
  readonly since: number;
  readonly state: 'up' | 'lost';
  readonly isThis: boolean;
  readonly agents: readonly string[];
};

/** `seenAt`: when the list was last updated; null if nothing tracks other servers. */
export type ServersView = {
  readonly seenAt: number | null;
  readonly servers: readonly ServerView[];
  /** Null if Redis isn't configured. */
  readonly redis: (RedisState & { readonly name: string }) | null;
};

export type ServersNeeds = { readonly servers: () => ServersView };

/** MANY-14 */
export const listServers = async ({ servers }: ServersNeeds): Answer<'servers'> => {
  const { seenAt, servers: rows, redis } = servers();
  return {
    seenAt: seenAt === null ? null : timeOf(seenAt),
    servers: rows.map(({ since, ...one }) => ({ ...one, since: timeOf(since) })),
    redis: redis === null ? null : { name: redis.name, isUp: redis.isUp, why: redis.why, since: timeOf(redis.since) },
  };
};

const timeOf = (instant: number): string => new Date(instant).toISOString();
