import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { maskSecrets, type Actor } from '@yarnboard/domain';
import { MOST_FRAME_BYTES, REGISTRY, type EmergencyNews, type Operation, type RecoveryNews } from '@yarnboard/protocol';
import { StoreFault, type Store } from '@yarnboard/store';
import { WebSocketServer, type WebSocket } from 'ws';
import { epochOf, type Epoch } from '../../threads/epoch.ts';
import { createRunner, type FollowerState } from '../../followers/runner.ts';
import type { Asker } from '../../operations/request/asker.ts';
import type { ClientCounts } from '../client-counts.ts';
import { CLIENT_HEADER, clientNameOf, type ClientName } from '../client-name.ts';
import { identify, refuseSeat, type Door, type Headers } from '../identity.ts';
import { asQuery, isQueued, problemFrom, refuseTooDeep, type Perform, type QueuedAnswer } from '../../operations/perform.ts';
import { fingerprintOf } from '../../operations/request/fingerprint.ts';
import { Refused } from '../../operations/request/refusal.ts';
import { createIdempotency, type Done } from './idempotency.ts';
import { createAttendance } from './attendance.ts';
import { createConnection, type Connection, type ConnectionLimits, type Counts, type Lost, type Obeyed } from './connection.ts';
import type { Command } from './talk.ts';
import { createCountdown, urgencyOf } from './countdown.ts';
import { feedOf } from './feed.ts';
import { createHistory } from './history.ts';
import type { MapperStates } from '../../sessions/envelopes/mapper-states.ts';
import { createCatchUp, createReplay } from '../../sessions/envelopes/replay.ts';
import { createQueueNews, type QueueNews } from './queue-news.ts';
import { createRing } from './ring.ts';
import { createToldEvents, NO_NAMES, type BoardNames } from './told-events.ts';
import { answerPlainly, refuseUpgrade } from './upgrade.ts';
import { resolve } from './subscription.ts';

export type HubLimits = ConnectionLimits & {
  readonly mostClients: number;
  /** The largest accepted frame of a client, in bytes. */
  readonly mostFrame: number;
  /** How many of the latest frames are kept for clients that were briefly away. */
  readonly ringFrames: number;
  /** Members that don't reconnect within this time are gone. */
  readonly absentAfter: number;
};

/** How often it checks whom to ping, and whom to drop. */
export const HUB_TICK = 500;

export const HUB_LIMITS: HubLimits = {
  mostClients: 10_000,
  mostFrame: MOST_FRAME_BYTES,
  ringFrames: 4096,
  helloWithin: 10_000,
  mostBuffered: 512 * 1024,
  stallAfter: 15_000,
  pingEvery: 30_000,
  mostCommands: 16,
  closeWithin: 5000,
  absentAfter: 5000,
};

export type HubOptions = Partial<BoardNames> & {
  readonly store: Pick<Store, 'capabilities' | 'log' | 'library'>;
  readonly states: MapperStates;
  readonly perform: Perform;
  readonly door: Door;
  readonly now: () => number;
  readonly newId: () => string;
  readonly limits: HubLimits;
  /** The version of the server, and thus of its page. */
  readonly version?: string;
  /** Those known to be present: they have a while to connect. */
  readonly present?: readonly Actor[];
  /** The first connection of an identity opened, or its last one has been gone for a while. */
  readonly onPresence?: (actor: Actor, isThere: boolean) => void;
  /** The board's epoch at the start. */
  readonly epoch?: Epoch;
  /** The state of an outage; null if there is none. */
  readonly emergency?: () => EmergencyNews | null;
  /** What was left behind; null if nothing. */
  readonly recovery?: () => RecoveryNews | null;
  readonly onFault: (cause: unknown) => void;
};

/** WIRE-7: every connected client receives every entry of the log, in order, once. Without clients, it does nothing. */
export type Hub = {
  /** Accepts upgrades of this server to `/ws`. */
  readonly attach: (server: Server) => void;
  /** Something was committed. */
  readonly wake: (position?: number) => void;
  /** Something was forgotten: anything read before may contain it. */
  readonly forget: () => void;
  /** Somebody acted through any door: they are present. */
  readonly seen: (actor: Actor) => void;
  /** Who is present. */
  readonly here: () => readonly string[];
  /** REC-65: sends the state of the log to every client that understands it. */
  readonly tellEmergency: (news: EmergencyNews) => void;
  /** REC-71: sends what was left behind, or that nothing is any more. */
  readonly tellRecovery: (news: RecoveryNews) => void;
  /** REC-57: announces a command that isn't on the log yet. */
  readonly tellQueued: QueueNews['queued'];
  /** REC-69: announces its outcome. */
  readonly tellSettled: QueueNews['settled'];
  /** Somebody's token was replaced or revoked: connections accepted with it are closed. */
  readonly revoke: (agentId: string) => void;
  /** To be called a few times a second. */
  readonly tick: () => void;
  readonly counts: () => ClientCounts;
  /** The state of the follower that feeds it. */
  readonly state: () => FollowerState;
  /** Announces a stop; a new one replaces it. The caller performs the stop. */
  readonly warn: (message: string, countdownSeconds: number) => void;
  /** Cancels an announced stop. */
  readonly callOff: () => void;
  /** Says goodbye and closes; clients that don't answer quickly are dropped. */
  readonly close: () => Promise<void>;
};

export const createHub = (options: HubOptions): Hub => {
  const { store, states, perform, door, now, newId, limits, onFault } = options;
  const { log } = store;
  const instance = newId();
  const ring = createRing(limits.ringFrames);
  const catchUp = createCatchUp(store, states);
  const events = createToldEvents(log, { ...NO_NAMES, ...namesIn(options) });
  const history = createHistory(store, states, catchUp, events);
  const replay = createReplay(store, states, catchUp);
  const accepted = createIdempotency();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.mostFrame,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
  });
  const all = new Set<Connection>();
  const heard = new Set<Connection>();
  const counts: Counts = { frames: 0, bytes: 0, droppedSlow: 0, dropped: 0, refused: 0 };
  let head = 0;
  let isClosing = false;
  let onEmpty: () => void = () => {};
  let wanted: ((sessionId: string) => boolean) | null = null;
  const attendance = createAttendance({
    now,
    grace: limits.absentAfter,
    present: options.present ?? [],
    onPresence: (actor, isThere) => {
      try {
        options.onPresence?.(actor, isThere);
      } catch (cause) {
        onFault(cause); // a connection opens and closes whatever happens here
      }
    },
  });
  const countdown = createCountdown(now, (warning) => {
    for (const connection of heard) connection.notify({ type: 'system_shutdown', ...warning });
  });

  // ---- from the log to the ring

  const feed = createRunner(
    feedOf({
      store,
      states,
      ring,
      replay,
      events,
      heard,
      isWanted: (sessionId) => (wanted ??= wantedBy(heard))(sessionId),
      onFed: () => {
        head = Math.max(head, ring.edge());
        for (const connection of heard) connection.feed();
      },
      onForgotten: () => forget(),
    }),
    { onFault, wallClock: now },
  );

  const wake = (position = 0): void => {
    head = Math.max(head, position);
    if (heard.size > 0 && !isClosing) feed.wake();
  };

  const forget = (): void => {
    states.drop();
    history.drop();
    ring.reset(ring.edge());
    for (const connection of heard) connection.forget();
  };

  // ---- clients

  const accept = (socket: WebSocket, stream: Duplex, asker: Asker, headers: Headers, client: ClientName): void => {
    const connection: Connection = createConnection({
      socket,
      stream,
      id: newId(),
      board: log.boardId,
      instance,
      asker,
      identify: (token) => refuseSeat(identify(door, token === null ? headers : { ...headers, authorization: `Bearer ${token}` })),
      resolve: (subscription) => resolve(log, subscription),
      ring,
      history,
      now,
      limits,
      counts,
      findEnd: async () => {
        const count = await endOfLog();
        head = Math.max(head, count);
        if (heard.size === 0) ring.reset(count);
        return count;
      },
      findEpoch,
      perform: (command, by, how) => obey(command, by, client, how),
      onOpen: ({ actor }) => {
        heard.add(connection);
        wanted = null;
        const warning = countdown.warning();
        if (warning !== null) connection.notify({ type: 'system_shutdown', ...warning });
        const emergency = options.emergency?.() ?? null;
        const recovery = options.recovery?.() ?? null;
        if (connection.canQueue()) {
          if (emergency !== null) connection.notify({ type: 'emergency', ...emergency });
          if (recovery !== null) connection.notify({ type: 'startup_recovery_alert', ...asTold(recovery, connection) });
          queue.catchUp(connection);
        }
        if (actor !== null) attendance.arrive(actor);
      },
      onSubscribed: () => {
        wanted = null;
        if (connection.canQueue()) queue.catchUp(connection);
      },
      onIdle: wake,
      onClosed: ({ actor }, lost) => {
        all.delete(connection);
        const wasHeard = heard.delete(connection);
        wanted = null;
        if (wasHeard && actor !== null) {
          if (lost !== null && !isClosing) tellLost(lost, actor);
          attendance.leave(actor);
        }
        if (all.size === 0) onEmpty();
      },
      onFault,
    });
    all.add(connection);
  };

  // REC-66: a client that connects while the log is away is accepted as well, and continues from the position at that time.
  const endOfLog = async (): Promise<number> => {
    try {
      return (await log.head()).count;
    } catch (cause) {
      if (!(cause instanceof StoreFault)) throw cause;
      return Math.max(head, options.folded?.() ?? 0);
    }
  };

  let lastEpoch = options.epoch ?? null;
  const findEpoch = async (): Promise<Epoch> => {
    try {
      return (lastEpoch = await epochOf(log));
    } catch (cause) {
      if (!(cause instanceof StoreFault) || lastEpoch === null) throw cause;
      return lastEpoch;
    }
  };

  /** The operator first. */
  const whoQueue = (): readonly Connection[] =>
    [...heard].filter((connection) => connection.canQueue()).toSorted((a, b) => Number(b.isOperator()) - Number(a.isOperator()));

  const queue = createQueueNews(whoQueue);

  /** WIRE-25: sent to those who receive everything; it doesn't concern the others. */
  const tellLost = ({ clientId, reason }: Lost, actor: Actor): void => {
    for (const connection of heard) {
      if (connection.subscription().contexts === null) connection.notify({ type: 'connection_lost', clientId, agentId: actor.id, reason });
    }
  };

  const obey = async (
    { name, messageId, given }: Command,
    asker: Asker,
    client: ClientName,
    { signal, canQueue }: { readonly signal: AbortSignal; readonly canQueue: boolean },
  ): Promise<Obeyed> => {
    const isQuery = (REGISTRY[name] as Operation).method === 'GET';
    const work = async (): Promise<Done> => {
      const result = await perform(name, asker, () => ({
        given: isQuery ? asQuery(given) : given,
        messageId,
        client,
        canQueue,
        signal,
      }));
      // Not accepted yet: when it is sent again, the queue or the log answers.
      if (isQueued(result)) throw new QueuedInstead(result);
      return { seq: seqIn(result) ?? (await log.head()).count, refs: refsIn(result), result };
    };
    // A query changes nothing: it is answered again.
    if (isQuery) return { done: await work(), isRepeated: false };
    refuseTooDeep(name, given);
    const once = await accepted.once(`${asker.actor?.id ?? ''}|${messageId}`, fingerprintOf(name, given), work).catch((cause: unknown) => {
      if (cause instanceof QueuedInstead) return cause.answer;
      throw cause;
    });
    if (isQueued(once)) return { queued: once };
    const { done, isRepeated } = once;
    // What the log remembers was done before this server started, or through another door.
    return { done, isRepeated: isRepeated || isDuplicate(done.result) };
  };

  const clientIn = ({ headers }: IncomingMessage, query: string): ClientName => {
    const said = headers[CLIENT_HEADER] ?? new URLSearchParams(query).get('client');
    return clientNameOf(typeof said === 'string' ? said : null, { origin: headers.origin, door: 'websocket', version: options.version ?? null });
  };

  const upgrade = (server: Server, request: IncomingMessage, socket: Duplex, first: Buffer): void => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      answerPlainly(server, request, socket, first);
      return;
    }
    try {
      const headers = headersOf(request);
      const asker = refuseSeat(identify(door, headers));
      const [path = '', query = ''] = (request.url ?? '').replace(/#.*$/su, '').split('?', 2);
      if (path !== '/ws') throw new Refused('not-found', `there is no WebSocket at ${path}; connect to /ws`);
      if (isClosing) throw new Refused('store-unavailable', 'the server is stopping; connect again when it is back');
      if (all.size >= limits.mostClients) {
        throw new Refused('too-many-clients', `${limits.mostClients} clients are connected, which is the limit; try again later`);
      }
      sockets.handleUpgrade(request, socket, first, (made) => accept(made, socket, asker, headers, clientIn(request, query)));
    } catch (cause) {
      const { code, detail } = problemFrom(cause, 'http');
      if (code === 'internal') onFault(cause);
      refuseUpgrade(socket, code, detail);
    }
  };
  // An invalid handshake: the reason comes from the library.
  sockets.on('wsClientError', (cause, socket) => refuseUpgrade(socket, 'bad-request', cause.message));

  return {
    attach: (server) => {
      if (door.peers !== undefined) server.on('connection', door.peers.accepted);
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, first: Buffer) => upgrade(server, request, socket, first));
    },
    wake,
    forget,
    seen: attendance.act,
    here: attendance.here,
    tellEmergency: (news) => {
      for (const connection of whoQueue()) connection.notify({ type: 'emergency', ...news });
    },
    tellRecovery: (news) => {
      for (const connection of whoQueue()) connection.notify({ type: 'startup_recovery_alert', ...asTold(news, connection) });
    },
    tellQueued: queue.queued,
    tellSettled: queue.settled,
    revoke: (agentId) => {
      for (const connection of all) connection.recheck(agentId);
    },
    tick: () => {
      for (const connection of all) connection.tick();
      attendance.tick();
      countdown.tick();
    },
    state: feed.state,
    counts: () => {
      let lowest = head;
      for (const connection of heard) lowest = Math.min(lowest, connection.at());
      return { clients: heard.size, ...counts, lag: head - lowest };
    },
    warn: (message, countdownSeconds) => countdown.start(maskSecrets(message).text, countdownSeconds),
    callOff: countdown.callOff,
    close: async () => {
      isClosing = true;
      const fed = feed.close();
      if (all.size > 0) {
        const empty = new Promise<void>((resolve) => {
          onEmpty = resolve;
          setTimeout(resolve, FAREWELL).unref();
        });
        const message = countdown.warning()?.message ?? 'the server stops';
        for (const connection of heard) connection.notify({ type: 'system_shutdown', message, countdownSeconds: 0, urgency: urgencyOf(0) });
        for (const connection of all) connection.goAway('the server is stopping; reconnect with the last seq');
        await empty;
      }
      for (const connection of all) connection.terminate();
      sockets.close();
      await fed;
    },
  };
};

/** Only the operator sees the details of what was left behind; others see that something was. */
const asTold = (news: RecoveryNews, connection: Connection): RecoveryNews => (connection.isOperator() ? news : { ...news, details: [], actions: [] });

/** Reports through an exception, the only way out, that a command was queued. */
class QueuedInstead extends Error {
  readonly answer: QueuedAnswer;
  constructor(answer: QueuedAnswer) {
    super(answer.message);
    this.answer = answer;
  }
}

/** Whether anyone wants the envelopes of a session. */
const wantedBy = (connections: ReadonlySet<Connection>): ((sessionId: string) => boolean) => {
  const sessions = new Set<string>();
  for (const connection of connections) {
    const { contexts, hasEnvelopes } = connection.subscription();
    if (!hasEnvelopes) continue;
    if (contexts === null) return () => true;
    for (const context of contexts) sessions.add(context);
  }
  return (sessionId) => sessions.has(sessionId);
};

const refsIn = (result: unknown): readonly string[] => {
  if (typeof result !== 'object' || result === null) return [];
  if ('refs' in result && Array.isArray(result.refs)) return result.refs.filter((ref) => typeof ref === 'string');
  return 'ref' in result && typeof result.ref === 'string' ? [result.ref] : [];
};

/** The answer of a board command; other answers may have a position of their own. */
const isOfBoard = (result: unknown): result is { readonly seq: number; readonly duplicate: boolean } =>
  typeof result === 'object' && result !== null && 'seq' in result && typeof result.seq === 'number' && 'duplicate' in result;

const seqIn = (result: unknown): number | null => (isOfBoard(result) ? result.seq : null);

const isDuplicate = (result: unknown): boolean => isOfBoard(result) && result.duplicate;

const namesIn = ({ names, folded, fold, isBarred, toldAt }: Partial<BoardNames>): Partial<BoardNames> => ({
  ...(toldAt === undefined ? {} : { toldAt }),
  ...(names === undefined ? {} : { names }),
  ...(folded === undefined ? {} : { folded }),
  ...(isBarred === undefined ? {} : { isBarred }),
  ...(fold === undefined ? {} : { fold }),
});

const headersOf = ({ headers, socket }: IncomingMessage): Headers => ({
  ends: socket,
  host: headers.host,
  origin: headers.origin,
  authorization: headers.authorization,
  fetchSite: one(headers['sec-fetch-site']),
  fetchMode: one(headers['sec-fetch-mode']),
});

const one = (value: string | readonly string[] | undefined): string | undefined => (typeof value === 'string' ? value : value?.[0]);

const FAREWELL = 300;
