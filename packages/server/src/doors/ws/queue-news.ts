import { maskJson, type Recorded } from '@yarnboard/domain';
import { encodeEvent, encodeRecord, type EventNames, type ServerFrame } from '@yarnboard/protocol';
import type { Connection } from './connection.ts';

type QueuedFrame = Extract<ServerFrame, { type: 'queued' }>;
type SettledFrame = Extract<ServerFrame, { type: 'settled' }>;

/** Something that waits for the log, as others hear of it. */
export type QueuedTelling = {
  readonly messageId: string;
  readonly uuid: string;
  readonly cacheId: string;
  readonly queuePosition: number;
  readonly durableIn: readonly string[];
  readonly sender: string;
  readonly contextId: string;
  /** What it would make happen. */
  readonly events: readonly Recorded[];
  readonly names: () => EventNames;
};

export type QueueNews = {
  /** REC-68: to everybody it concerns, and to every connection of whoever said it: as events are. */
  readonly queued: (telling: QueuedTelling) => void;
  /** REC-69: to whoever said it, and whoever heard of it. */
  readonly settled: (frame: SettledFrame, told: { readonly sender: string; readonly contextId: string | null }) => void;
  /** REC-68: to one that comes, or that begins to listen to something else, what waits already. */
  readonly catchUp: (connection: Connection) => void;
};

/** What waits for the log is on no log: it is told once, and again to whoever comes later. */
export const createQueueNews = (connections: () => Iterable<Connection>): QueueNews => {
  const waiting = new Map<string, QueuedTelling>();

  const concerns = (connection: Connection, contextId: string | null): boolean => {
    const { contexts, hasBoard } = connection.subscription();
    return hasBoard || contexts === null || (contextId !== null && contexts.includes(contextId));
  };

  return {
    queued: (telling) => {
      waiting.set(telling.uuid, telling);
      const frames = new Map<string, QueuedFrame>();
      for (const connection of connections()) {
        const isOwn = connection.actorId() === telling.sender;
        if (!isOwn && !concerns(connection, telling.contextId)) continue;
        const manner = connection.manner();
        const key = JSON.stringify(manner);
        const frame = frames.get(key) ?? frameOf(telling, manner);
        frames.set(key, frame);
        connection.tellQueue(() => frame);
      }
    },
    settled: (frame, { sender, contextId }) => {
      if (frame.uuid !== undefined) waiting.delete(frame.uuid);
      for (const connection of connections()) {
        if (connection.actorId() === sender || concerns(connection, contextId)) connection.tellQueue(() => frame);
      }
    },
    catchUp: (connection) => {
      for (const telling of waiting.values()) {
        if (connection.actorId() !== telling.sender && !concerns(connection, telling.contextId)) continue;
        connection.tellQueue(() => frameOf(telling, connection.manner()));
      }
    },
  };
};

const frameOf = (
  { sender, contextId, events, names, ...rest }: QueuedTelling,
  { isRevealed, hasRecords }: ReturnType<Connection['manner']>,
): QueuedFrame => {
  const known = names();
  const told = events.map((event) => ({ ...encodeEvent(event, known), ...(hasRecords === true ? { record: encodeRecord(event) } : {}) }));
  // SEC-11: what waits is said to nobody in other words than what is on the log.
  const by = { senderAgentId: sender, contextId: known.context(contextId), events: (isRevealed ? told : maskJson(told)) as never }; // JSON, as it is told
  return { type: 'queued', ...rest, message: 'queued, not on the log yet', by };
};
