import type { z } from 'zod';
import { assertNever } from '@yarnboard/transcript';
import { MOST_FRAME_BYTES } from './media-limits.ts';
import type { Operation } from './operation.ts';
import { REGISTRY, type OperationName, type OutputOf } from './registry/registry.ts';
import type { EnvelopeRefusal } from './wire/envelope.ts';
import type { SettledOutcome } from './wire/queue-frames.ts';
import type { BoardEvent } from './families/event-names.ts';
import { CLOSE_CODES, decodeServerFrame, EVERYTHING, SOCKET_PROTOCOL, type ClientType, type ServerFrame, type Subscription } from './socket.ts';

/** The parts of a WebSocket we need: the browser's, Node's and that of `ws` have them. */
export type ClientSocket = {
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { readonly type: string; readonly data?: unknown; readonly code?: number; readonly reason?: string }) => void,
  ): void;
  send(text: string): void;
  close(): void;
};

export type ClientState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly seq: number; readonly clientType: ClientType; readonly agentId: string | null }
  /** Lost; the next attempt is after this many milliseconds. */
  | { readonly kind: 'waiting'; readonly ms: number; readonly code: number; readonly why: string }
  /** Retrying would end the same way. */
  | { readonly kind: 'refused'; readonly code: number; readonly why: string }
  | { readonly kind: 'closed' };

export type EntryFrame = Extract<ServerFrame, { type: 'entry' }>;

/** What the server says about itself and about others' connections; it isn't on the log and is sent once. */
export type ServerNotice = Extract<ServerFrame, { type: 'connection_lost' | 'system_shutdown' | 'emergency' | 'startup_recovery_alert' }>;

/** REC-57: a command that somebody else sent while the log was away. */
export type QueuedNews = Extract<ServerFrame, { type: 'queued' }>;

/** REC-69: the outcome of a queued command, whoever sent it. */
export type SettledNews = Extract<ServerFrame, { type: 'settled' }>;

export type ClientOptions = {
  /** For example ws://127.0.0.1:4747/ws */
  readonly url: string;
  readonly WebSocket: new (url: string) => ClientSocket;
  readonly token?: string;
  /** LOG-17: the client's name and version: `terminal/0.2.0`. */
  readonly client?: string;
  readonly reveal?: boolean;
  /** Receive everything after this position, including live events; without it, only live events. */
  readonly sinceSeq?: number;
  /** The epoch that `sinceSeq` belongs to, as returned by `epoch()`. */
  readonly epoch?: string;
  readonly subscription?: Subscription;
  readonly onEntry: (entry: EntryFrame) => void;
  /** Events among people and agents; `seq` counts over entries and events. */
  readonly onEvent?: (event: BoardEvent) => void;
  /** WIRE-31: an event that only a newer client understands: a client that folds events must stop. */
  readonly onNewer?: (event: { readonly name: string; readonly seq: number }) => void;
  readonly onNotice?: (notice: ServerNotice) => void;
  /** REC-57: the client understands queued commands; without it, commands are refused while the log is away. */
  readonly canQueue?: boolean;
  /** Others' commands that are not on the log yet. */
  readonly onQueued?: (news: QueuedNews) => void;
  /** The outcome of those, and of this person's own: also from another window. */
  readonly onSettled?: (news: SettledNews) => void;
  /**
   * WIRE-41: an older state of the board was restored, so earlier events no longer hold. With `sinceSeq` everything is sent from the start, otherwise
   * only live events.
   */
  readonly onEpoch?: (epoch: string) => void;
  readonly onCaughtUp?: (seq: number) => void;
  readonly onState?: (state: ClientState) => void;
  /** A message that this client could not read, or that the server found wrong. */
  readonly onTrouble?: (trouble: Trouble) => void;
  readonly newId: () => string;
  /** Runs the work after this many milliseconds, unless the returned function is called first. */
  readonly later: (ms: number, work: () => void) => () => void;
  /** From 0 to 1: when a server comes back, its clients must not all reconnect at once. */
  readonly random: () => number;
};

export type Trouble =
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'bad-envelope'; readonly seq: number; readonly refusal: EnvelopeRefusal }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** The outcome of a command. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly seq: number; readonly refs: readonly string[]; readonly result: T }
  | { readonly kind: 'done-before'; readonly ref: string | null; readonly message: string }
  | {
      readonly kind: 'rejected';
      readonly code: string;
      readonly message: string;
      readonly reason?: string | undefined;
      readonly facts?: object | undefined;
    }
  /** REC-64: it waits for the log, and is durable. `settled` resolves with its final outcome. */
  | {
      readonly kind: 'queued';
      readonly cacheId: string;
      readonly queuePosition: number;
      readonly durableIn: readonly string[];
      readonly uuid: string;
      readonly message: string;
      readonly settled: Promise<SettledCommand>;
    }
  /** The connection ended before an answer, and a retry might do it twice. */
  | { readonly kind: 'unknown'; readonly why: string };

/** The final outcome of a queued command. */
export type SettledCommand = {
  readonly outcome: SettledOutcome | 'unknown';
  readonly seq: number | null;
  readonly refs: readonly string[];
  readonly code?: string | undefined;
  readonly message?: string | undefined;
};

/** The parts of an AbortSignal we need. */
export type ClientSignal = { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void };

export type Client = {
  /** The last position received: where a later client would continue. Null before the first. */
  readonly seq: () => number | null;
  /** The epoch of this position. Null before the first. */
  readonly epoch: () => string | null;
  /** The signal cancels a query: the server is told, and stops working on it (WIRE-32). */
  readonly call: <N extends OperationName>(
    name: N,
    input: z.input<(typeof REGISTRY)[N]['input']>,
    signal?: ClientSignal,
  ) => Promise<Outcome<OutputOf<N>>>;
  readonly subscribe: (subscription: Subscription) => void;
  readonly close: () => void;
};

type Waiting = {
  readonly text: string;
  /** Sending it to another server does not do it twice: a query, or a command whose `message_id` is kept on the log. */
  readonly isSafeAgain: boolean;
  /** The server that has received it; null if none has. */
  instance: string | null;
  readonly settle: (outcome: Outcome<never>) => void;
};

/** WIRE-15: a client that reconnects by itself and continues after the last position it received: it misses nothing and receives nothing twice. */
export const createClient = (options: ClientOptions): Client => {
  const { onEntry, later } = options;
  const waiting = new Map<string, Waiting>();
  /**
   * Commands answered `queued` and not settled yet, with what was sent: after a break they are sent again, and the server answers with their state.
   */
  const unsettled = new Map<string, { readonly text: string; readonly settle: (settled: SettledCommand) => void }>();
  let subscription = options.subscription ?? EVERYTHING;
  let since = options.sinceSeq ?? null;
  let epoch = options.epoch ?? null;
  /** Its position belongs to another epoch. */
  let isAnew = false;
  let server: { readonly board: string; readonly instance: string } | null = null;
  let socket: ClientSocket | null = null;
  let isEstablished = false;
  let isOver = false;
  let attempts = 0;
  let stopTimer: () => void = () => {};

  const say = (state: ClientState): void => options.onState?.(state);

  const connect = (): void => {
    say({ kind: 'connecting' });
    const mine = new options.WebSocket(options.client === undefined ? options.url : `${options.url}?client=${encodeURIComponent(options.client)}`);
    socket = mine;
    isEstablished = false;
    // Ignores everything an older connection still delivers.
    const heard = (work: () => void) => (): void => {
      if (socket === mine) work();
    };
    mine.addEventListener(
      'open',
      heard(() => mine.send(helloText())),
    );
    mine.addEventListener('message', ({ data }) => heard(() => take(String(data)))());
    mine.addEventListener('close', ({ code = 1006, reason = '' }) => heard(() => lose(code, reason))());
    mine.addEventListener('error', () => {}); // a close event follows, with everything that is known
    watch(mine);
  };

  const helloText = (): string =>
    JSON.stringify({
      type: 'hello',
      protocol: SOCKET_PROTOCOL,
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(since === null ? {} : { since_seq: since }),
      ...(since === null || epoch === null || isAnew ? {} : { epoch }),
      ...(options.reveal === true ? { reveal: true } : {}),
      ...(options.canQueue === true ? { queued: true } : {}),
      subscribe: wantsOf(subscription),
    });

  // A connection may be dead without notice: if a ping isn't answered, it is dropped.
  const watch = (mine: ClientSocket): void => {
    stopTimer();
    stopTimer = later(PING_EVERY, () => {
      if (socket !== mine) return;
      if (isEstablished) mine.send('{"type":"ping"}');
      stopTimer = later(PONG_WITHIN, () => {
        if (socket !== mine) return;
        mine.close();
        lose(1006, 'the server does not answer');
      });
    });
  };

  const take = (text: string): void => {
    const read = decodeServerFrame(text);
    if (socket !== null) watch(socket);
    if (!read.ok) {
      options.onTrouble?.({ kind: 'unreadable', why: read.error });
      return;
    }
    const frame = read.value;
    switch (frame.type) {
      case 'connection_established':
        establish(frame);
        break;
      case 'entry':
        for (const refusal of frame.refused) options.onTrouble?.({ kind: 'bad-envelope', seq: frame.seq, refusal });
        onEntry(frame);
        since = frame.seq;
        break;
      case 'event':
        options.onEvent?.(frame.event);
        since = frame.event.seq;
        break;
      case 'newer_event':
        options.onNewer?.({ name: frame.name, seq: frame.seq });
        since = frame.seq;
        break;
      case 'caught_up':
        since = Math.max(since ?? 0, frame.seq);
        options.onCaughtUp?.(frame.seq);
        break;
      case 'pong':
      case 'subscribed':
        since = Math.max(since ?? 0, frame.seq);
        break;
      case 'queued':
        if (frame.by === undefined) queue(frame);
        else options.onQueued?.(frame);
        break;
      case 'settled':
        settleQueued(frame.messageId, { outcome: frame.outcome, seq: frame.settledSeq, refs: frame.refs, code: frame.code, message: frame.message });
        options.onSettled?.(frame);
        break;
      case 'ack':
        settleQueued(frame.messageId, { outcome: 'replayed', seq: frame.seq, refs: frame.refs });
        settle(frame.messageId, { kind: 'done', seq: frame.seq, refs: frame.refs, result: frame.result as never }); // of the type that the caller asked for
        break;
      case 'duplicate_ack':
        settleQueued(frame.originalMessageId, { outcome: 'replayed', seq: null, refs: frame.ref === null ? [] : [frame.ref] });
        settle(frame.originalMessageId, { kind: 'done-before', ref: frame.ref, message: frame.message });
        break;
      case 'rejected':
        // It is safe in the queue: whoever recovers it reports the outcome.
        if (frame.code === 'recovery-needed' && unsettled.has(frame.messageId)) break;
        settleQueued(frame.messageId, { outcome: 'conflict', seq: null, refs: [], code: frame.code, message: frame.message });
        settle(frame.messageId, {
          kind: 'rejected',
          code: frame.code,
          message: frame.message,
          ...(frame.reason === undefined ? {} : { reason: frame.reason, facts: frame.facts }),
        });
        break;
      case 'error':
        options.onTrouble?.({ kind: 'error', code: frame.code, message: frame.message });
        break;
      case 'connection_lost':
      case 'system_shutdown':
      case 'emergency':
      case 'startup_recovery_alert':
        options.onNotice?.(frame);
        break;
      case 'going_away':
        break; // the close that follows explains it
      default:
        assertNever(frame);
    }
  };

  const establish = (frame: Extract<ServerFrame, { type: 'connection_established' }>): void => {
    if (server !== null && server.board !== frame.board) {
      end({
        kind: 'refused',
        code: CLOSE_CODES['other-log'].code,
        why: `the server has another board now (${frame.board}); positions of ${server.board} mean nothing there`,
      });
      return;
    }
    server = frame;
    const isOther = isAnew || (epoch !== null && frame.epoch !== undefined && frame.epoch !== epoch);
    epoch = frame.epoch ?? null;
    isAnew = false;
    if (isOther) options.onEpoch?.(frame.epoch ?? '');
    since ??= frame.seq;
    isEstablished = true;
    attempts = 0;
    for (const [id, one] of waiting) {
      if (one.instance !== null && one.instance !== frame.instance && !one.isSafeAgain) {
        settle(id, { kind: 'unknown', why: 'the server restarted before it answered; check whether the command was done' });
      } else send(one);
    }
    for (const { text } of unsettled.values()) socket?.send(text);
    say({ kind: 'open', seq: frame.seq, clientType: frame.clientType, agentId: frame.agentId });
  };

  const lose = (code: number, reason: string): void => {
    const closed = Object.values(CLOSE_CODES).find((one) => one.code === code);
    const why = reason === '' ? (closed?.help ?? 'the connection was lost') : reason;
    if (closed?.isFinal === true) {
      end({ kind: 'refused', code, why });
      return;
    }
    if (code === CLOSE_CODES['epoch-changed'].code) {
      since = options.sinceSeq === undefined ? null : 0;
      isAnew = true;
    }
    socket = null;
    isEstablished = false;
    const ms = Math.min(MOST_DELAY, FIRST_DELAY * 2 ** attempts) * (0.5 + options.random() / 2);
    attempts += 1;
    say({ kind: 'waiting', ms, code, why });
    stopTimer();
    if (!isOver) stopTimer = later(ms, connect);
  };

  const end = (state: ClientState & { readonly kind: 'refused' | 'closed' }): void => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    const last = socket;
    socket = null;
    last?.close();
    for (const id of waiting.keys()) settle(id, { kind: 'unknown', why: 'the client was closed before the answer arrived' });
    for (const id of unsettled.keys()) settleQueued(id, { outcome: 'unknown', seq: null, refs: [] });
    say(state);
  };

  const queue = ({ messageId, cacheId, queuePosition, durableIn, uuid, message }: QueuedNews): void => {
    const one = waiting.get(messageId);
    if (one === undefined) return; // sent again after a break: it still waits
    const settled = new Promise<SettledCommand>((resolve) => void unsettled.set(messageId, { text: one.text, settle: resolve }));
    settle(messageId, { kind: 'queued', cacheId, queuePosition, durableIn, uuid, message, settled });
  };

  const settleQueued = (id: string, settled: SettledCommand): void => {
    const one = unsettled.get(id);
    unsettled.delete(id);
    one?.settle(settled);
  };

  const settle = (id: string, outcome: Outcome<never>): void => {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.settle(outcome);
  };

  const send = (one: Waiting): void => {
    if (!isEstablished || server === null || socket === null) return;
    one.instance = server.instance;
    socket.send(one.text);
  };

  connect();
  return {
    seq: () => since,
    epoch: () => epoch,
    call: (name, input, signal) =>
      new Promise((resolve) => {
        if (isOver || signal?.aborted === true) {
          resolve({ kind: 'unknown', why: isOver ? 'the client was closed' : GIVEN_UP });
          return;
        }
        const operation: Operation = REGISTRY[name];
        const isKept = Object.hasOwn(operation.input.shape, 'message_id');
        // A caller that gives the id can send it again after its own restart. The server answers in lower case.
        const given: unknown = 'message_id' in input ? input.message_id : undefined;
        const id = typeof given === 'string' ? given.toLowerCase() : options.newId();
        settle(id, { kind: 'unknown', why: 'the same message_id was sent again before the answer arrived' });
        const text = JSON.stringify({ ...input, type: name, message_id: id });
        // WIRE-43: one larger frame would end the connection for good, and with it everything else that is on its way.
        if (bytesOf(text) > MOST_FRAME_BYTES) {
          resolve({ kind: 'rejected', code: 'too-large', message: TOO_LARGE });
          return;
        }
        const one: Waiting = {
          text,
          isSafeAgain: isKept || operation.method === 'GET',
          instance: null,
          settle: resolve,
        };
        waiting.set(id, one);
        send(one);
        signal?.addEventListener('abort', () => {
          if (waiting.get(id) !== one) return;
          if (isEstablished && one.instance !== null) socket?.send(JSON.stringify({ type: 'cancel', message_id: id }));
          settle(id, { kind: 'unknown', why: GIVEN_UP });
        });
      }),
    subscribe: (wanted) => {
      subscription = wanted;
      if (isEstablished) socket?.send(JSON.stringify({ type: 'subscribe', ...wantsOf(wanted) }));
    },
    close: () => end({ kind: 'closed' }),
  };
};

/** In UTF-8; short texts are not looked at. */
const bytesOf = (text: string): number => {
  let bytes = text.length;
  if (bytes * 3 <= MOST_FRAME_BYTES) return bytes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A surrogate is half of a character of four bytes.
    bytes += code < 0x80 ? 0 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
};

const TOO_LARGE = `this has more than ${MOST_FRAME_BYTES.toLocaleString('en')} bytes, which is the most that can be sent at once; shorten it`;

type Wants = { readonly sessions?: readonly string[]; readonly sidebars?: readonly string[]; readonly envelopes: boolean; readonly records?: true };

const wantsOf = ({ sessions, sidebars, hasEnvelopes, hasRecords = false }: Subscription): Wants => ({
  ...(sessions === null ? {} : { sessions }),
  ...(sidebars === undefined ? {} : { sidebars }),
  envelopes: hasEnvelopes,
  ...(hasRecords ? { records: true } : {}),
});

const GIVEN_UP = 'no one is waiting for the answer any longer';
const FIRST_DELAY = 250;
const MOST_DELAY = 10_000;
const PING_EVERY = 25_000;
const PONG_WITHIN = 10_000;
