import type { Redis } from '@yarnboard/store';

export type WakeUpsOptions = {
  readonly redis: Pick<Redis, 'publish' | 'subscribe'>;
  readonly prefix: string;
  readonly boardId: string;
  /** This start of this server: it also receives its own messages, and ignores them. */
  readonly run: string;
  readonly onCommitted: (position: number) => void;
  readonly onServers: () => void;
};

export type WakeUps = {
  readonly tellCommitted: (position: number) => void;
  readonly tellServers: () => void;
};

/** MANY-21: messages between the servers of a board through Redis. Without Redis everything is found out as well, only later. */
export const createWakeUps = ({ redis, prefix, boardId, run, onCommitted, onServers }: WakeUpsOptions): WakeUps => {
  const channel = (what: string): string => `${prefix}yarnboard:${boardId}:${what}`;
  redis.subscribe(channel('committed'), (text) => {
    const [who, position] = text.split(' ');
    const at = Number(position);
    // Anything else on that channel isn't a position.
    if (who !== run && Number.isSafeInteger(at) && at > 0) onCommitted(at);
  });
  redis.subscribe(channel('servers'), (text) => {
    if (text !== run) onServers();
  });
  return {
    tellCommitted: (position) => redis.publish(channel('committed'), `${run} ${position}`),
    tellServers: () => redis.publish(channel('servers'), run),
  };
};
