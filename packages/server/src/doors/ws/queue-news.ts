import { maskJson, type Recorded } from '@yarnboard/domain';
import { encodeEvent, encodeRecord, type EventNames, type ServerFrame } from '@yarnboard/protocol';
import type { Connection } from './connection.ts';

type QueuedFrame = Extract<ServerFrame, { type: 'queued' }>;
type SettledFrame = Extract<ServerFrame, { type: 'settled' }>;

/** A command that waits for the log, as others receive it. */
export type QueuedTelling = {
  readonly messageId: string;
  readonly uuid: string;
  readonly cacheId: string;
  readonly queuePosition: number;
  readonly durableIn: readonly string[];
  readonly sender: string;
  readonly contextId: string;
  /** The events it would cause. */
  readonly events: readonly Recorded[];
  readonly names: () => EventNames;
};

export type QueueNews = {
  /** REC-68: to everyone concerned, and to all connections of the sender: like events. */
  readonly queued: (telling: QueuedTelling) => void;
  /** REC-69: to the sender, and to everyone who received the announcement. */
  readonly settled: (frame: SettledFrame, told: { readonly sender: string; readonly contextId: string | null }) => void;
  /** REC-68: sends what is waiting to a connection that is new or changes its subscription. */
  readonly catchUp: (connection: Connection) => void;
};

/** Waiting commands aren't on the log: they are announced once, and again to later clients. */
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
  // SEC-11: waiting commands are masked exactly like entries of the log.
  const by = { senderAgentId: sender, contextId: known.context(contextId), events: (isRevealed ? told : maskJson(told)) as never }; // JSON, as sent
  return { type: 'queued', ...rest, message: 'queued, not on the log yet', by };
};
