import type { Duplex } from 'node:stream';
import { assertNever, maskSecrets } from '@yarnboard/domain';
import {
  CLOSE_CODES,
  decodeClientFrame,
  encodeServerFrame,
  SOCKET_PROTOCOL,
  type ClientFrame,
  type CloseName,
  type ServerFrame,
  type Subscription,
} from '@yarnboard/protocol';
import type { WebSocket } from 'ws';
import type { Asker } from '../../operations/request/asker.ts';
import { jsonText } from '../../home/json-text.ts';
import { problemFrom } from '../../operations/perform.ts';
import type { Done } from './idempotency.ts';
import { hears, scopeOf } from './audience.ts';
import { cutReason } from './close-reason.ts';
import type { Frame, Manner } from './frame.ts';
import type { History, Page } from './history.ts';
import { createOutbox } from './outbox.ts';
import { breathe } from '../../sessions/envelopes/replay.ts';
import type { Ring } from './ring.ts';
import { clientTypeOf, welcome, type Hello, type WelcomeParts } from './welcome.ts';
import { plainWish, WISH_ALL, type Wish } from './subscription.ts';

export type Command = Extract<ClientFrame, { type: 'command' }>;

/** What is counted of all connections. */
export type Counts = { frames: number; bytes: number; droppedSlow: number; dropped: number; refused: number };

export type ConnectionLimits = {
  /** A hello must come within this time. */
  readonly helloWithin: number;
  /** With that many bytes on their way a client is told nothing more until it has taken some. */
  readonly mostBuffered: number;
  /** One that takes nothing for this long is closed. */
  readonly stallAfter: number;
  readonly pingEvery: number;
  readonly mostCommands: number;
  /** Whoever does not answer a close is left. */
  readonly closeWithin: number;
};

export type ConnectionParts = WelcomeParts & {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  readonly id: string;
  readonly board: string;
  readonly instance: string;
  readonly ring: Ring;
  readonly history: History;
  readonly now: () => number;
  readonly limits: ConnectionLimits;
  readonly counts: Counts;
  readonly perform: (command: Command, asker: Asker) => Promise<{ readonly done: Done; readonly isRepeated: boolean }>;
  /** It hears from now on. */
  readonly onOpen: (asker: Asker) => void;
  /** Its wishes have changed. */
  readonly onWish: () => void;
  /** It has heard everything that was made ready. */
  readonly onIdle: () => void;
  /** `lost`: it was cut off, and did not say farewell. */
  readonly onClosed: (asker: Asker, lost: Lost | null) => void;
  readonly onFault: (cause: unknown) => void;
};

export type Lost = { readonly clientId: string; readonly reason: string };

type Notice<T = Extract<ServerFrame, { type: 'connection_lost' | 'system_shutdown' }>> = T extends { readonly seq: number } ? Omit<T, 'seq'> : never;

export type Connection = {
  /** The last position it was told, or has no wish for. */
  readonly at: () => number;
  readonly wish: () => Wish;
  /** Has heard everything, and could hear more. */
  readonly isIdle: () => boolean;
  readonly feed: () => void;
  /** What was read for it ahead may hold what was forgotten since. */
  readonly forget: () => void;
  /** Called now and then: whoever is silent, stuck or dead is left. */
  readonly tick: () => void;
  /** Says something that is on no log. */
  readonly notify: (notice: Notice) => void;
  readonly goAway: (reason: string) => void;
  readonly terminate: () => void;
};

/** One client. It is told what it has not heard yet as fast as it takes it: from the ring, or from the log where that is too far back. */
export const createConnection = (parts: ConnectionParts): Connection => {
  const { socket, stream, ring, history, now, limits, counts } = parts;
  const openedAt = now();
  let { asker } = parts;
  let state: 'new' | 'greeting' | 'open' | 'closing' | 'closed' = 'new';
  let closingAt = 0;
  let heardAt = openedAt;
  let pingedAt = openedAt;
  let early: string[] = [];
  let running = 0;
  let token: string | null = null;
  let isKnown = false;
  let leftAs: string | null = null;
  let lookups = 0;
  let looking: Promise<void> = Promise.resolve();

  let at = 0;
  let target: number | null = null;
  let wish = WISH_ALL;
  let scope = scopeOf(WISH_ALL, null);
  let manner: Manner = { isRevealed: false, hasEnvelopes: true, isNamed: false };
  let page: Page | null = null;
  let changes = 0; // whatever makes a page that is being read one that is not wanted
  let isReading = false;
  let isHeldUp = false;

  const { isStuck, ...outbox } = createOutbox(socket, now, limits.mostBuffered, () => {
    if (!isHeldUp) return;
    isHeldUp = false;
    readOn();
    feed();
  });

  const say = (frame: Exclude<ServerFrame, { type: 'entry' | 'event' | 'newer_event' }>): void =>
    outbox.send(Buffer.from(jsonText(encodeServerFrame(frame))), at);

  /** From here it can go on: of a frame that is on its way in pieces it will not have the end. */
  const resumeAt = (): number => outbox.toldAtLeast() ?? at;

  const shut = (name: CloseName, reason: string): void => {
    if (state === 'closing' || state === 'closed') return;
    state = 'closing';
    leftAs = name;
    closingAt = now();
    socket.resume();
    socket.close(CLOSE_CODES[name].code, cutReason(reason));
  };

  const refuse = (name: CloseName, message: string): void => {
    counts.refused += 1;
    say({ type: 'error', code: name, message: maskSecrets(message).text });
    shut(name, maskSecrets(message).text);
  };

  // ---- what it is told

  const deliver = (frame: Frame): void => {
    if (hears(scope, frame)) {
      const bytes = frame.bytes(manner);
      counts.frames += 1;
      counts.bytes += bytes.length;
      outbox.send(bytes, at);
    }
    at = frame.seq;
  };

  // Frames that are told together go out together: the system is called once for all of them, not for each.
  const together = <T>(work: () => T): T => {
    stream.cork();
    try {
      return work();
    } finally {
      stream.uncork();
    }
  };

  /** True when there is nothing more to be done for now. */
  const feedFromRing = (): boolean => {
    const edge = ring.edge();
    while (at < edge) {
      if (isStuck()) {
        isHeldUp = true;
        return true;
      }
      const frame = ring.at(at + 1);
      if (frame === null || (frame.envelopes === null && isWanted(frame))) return false;
      deliver(frame);
    }
    if (target !== null && at >= target) {
      target = null;
      say({ type: 'caught_up', seq: at });
    }
    return true;
  };

  const isWanted = (frame: Frame): boolean => manner.hasEnvelopes && hears(scope, frame);

  const feed = (): void => {
    if (state !== 'open' || isReading) return;
    try {
      if (!together(feedFromRing)) {
        isReading = true;
        void feedFromLog();
      } else if (!isHeldUp) parts.onIdle();
    } catch (cause) {
      fail(cause); // whatever it is, the others go on
    }
  };

  const fail = (cause: unknown): void => {
    parts.onFault(cause);
    shut('fault', `the log could not be read; resume with since_seq ${resumeAt()}`);
  };

  const feedFromLog = async (): Promise<void> => {
    try {
      while (state === 'open' && !together(feedFromRing)) {
        if (page === null || page.to <= at) {
          const before = changes;
          const read = await history.read(scope, at, manner.hasEnvelopes);
          // It may have wished for something else meanwhile, or something was forgotten.
          if (state !== 'open' || before !== changes) continue;
          page = read;
          await breathe();
        }
        const next = page;
        if (next !== null) together(() => feedFromPage(next));
      }
    } catch (cause) {
      fail(cause);
    } finally {
      isReading = false;
    }
    if (state === 'open' && !isHeldUp) parts.onIdle();
  };

  const feedFromPage = ({ frames, to }: Page): void => {
    for (const frame of frames) {
      if (frame.seq <= at) continue;
      if (isStuck()) {
        isHeldUp = true;
        return;
      }
      deliver(frame);
    }
    at = Math.max(at, to);
    page = null;
  };

  const wishFor = (wanted: Wish, isRevealed: boolean): void => {
    wish = wanted;
    scope = scopeOf(wanted, asker.actor?.id ?? null);
    manner = { isRevealed, hasEnvelopes: wanted.hasEnvelopes, isNamed: wanted.contexts !== null, hasRecords: wanted.hasRecords };
    dropPage();
  };

  const dropPage = (): void => {
    page = null;
    changes += 1;
  };

  // ---- what it says

  const greet = async (hello: Hello): Promise<void> => {
    state = 'greeting';
    const welcomed = await welcome(hello, parts);
    // It may have gone meanwhile.
    if ((state as string) !== 'greeting') return;
    if (!welcomed.ok) {
      refuse(welcomed.close, welcomed.why);
      return;
    }
    const { head } = welcomed;
    ({ asker } = welcomed);
    ({ token } = hello);
    wishFor(welcomed.wish, hello.reveal);
    state = 'open';
    at = hello.sinceSeq ?? head;
    target = hello.sinceSeq === null ? null : head;
    const { id, board, instance } = parts;
    const agentId = asker.actor?.id ?? null;
    const clientType = clientTypeOf(asker);
    say({ type: 'connection_established', clientId: id, clientType, agentId, seq: head, board, instance, protocol: SOCKET_PROTOCOL });
    isKnown = true;
    parts.onOpen(asker);
    for (const text of early) take(text);
    early = [];
    readOn();
    feed();
  };

  const take = (text: string): void => {
    const read = decodeClientFrame(text);
    if (state === 'new') {
      if (read.ok && read.value.type === 'hello') {
        greet(read.value).catch(fail);
      } else refuse('bad-hello', read.ok ? `the first frame must be hello, not ${read.value.type}` : read.error.message);
      return;
    }
    if (state === 'greeting') {
      early.push(text);
      socket.pause();
      return;
    }
    if (state !== 'open') return; // it is on its way out, and was told why
    if (!read.ok) {
      counts.refused += 1;
      const { code, messageId } = read.error;
      const message = maskSecrets(read.error.message).text;
      say(messageId === null ? { type: 'error', code, message } : { type: 'rejected', messageId, code, message });
      return;
    }
    answer(read.value);
  };

  const answer = (frame: ClientFrame): void => {
    switch (frame.type) {
      case 'hello':
        counts.refused += 1;
        say({ type: 'error', code: 'bad-request', message: 'hello was said already; connect again to begin anew' });
        break;
      case 'subscribe':
        subscribe(frame.subscription);
        break;
      case 'ping':
        say({ type: 'pong', seq: at });
        break;
      case 'command':
        void obey(frame);
        break;
      default:
        assertNever(frame);
    }
  };

  const subscribe = (wanted: Subscription): void => {
    const plain = lookups === 0 ? plainWish(wanted) : null;
    if (plain !== null) change(plain);
    else {
      // One after the other: the last that was said is what counts.
      lookups += 1;
      busy();
      looking = looking.then(() => lookUp(wanted));
    }
  };

  const lookUp = async (wanted: Subscription): Promise<void> => {
    try {
      const found = await parts.findWish(wanted);
      if (state !== 'open') return;
      if (found.ok) change(found.value);
      else {
        counts.refused += 1;
        say({ type: 'error', code: 'not-found', message: maskSecrets(found.why).text });
      }
    } catch (cause) {
      fail(cause);
    } finally {
      lookups -= 1;
      free();
    }
  };

  const change = (wanted: Wish): void => {
    wishFor(wanted, manner.isRevealed);
    say({ type: 'subscribed', seq: at });
    parts.onWish();
    feed();
  };

  const busy = (): void => {
    running += 1;
    if (running >= limits.mostCommands) socket.pause();
  };

  const free = (): void => {
    running -= 1;
    holdUp();
    readOn();
  };

  const obey = async (command: Command): Promise<void> => {
    const { messageId } = command;
    busy();
    try {
      // A token that was taken back says nothing any more, however long its connection lasts.
      const { done, isRepeated } = await parts.perform(command, parts.identify(token));
      const [ref = null] = done.refs;
      if (isRepeated) say({ type: 'duplicate_ack', originalMessageId: messageId, ref, message: 'Already processed, no action taken' });
      else say({ type: 'ack', messageId, seq: done.seq, refs: done.refs, result: done.result as never }); // what an operation answers is JSON
    } catch (cause) {
      const { code, detail } = problemFrom(cause);
      if (code === 'internal') parts.onFault(cause);
      say({ type: 'rejected', messageId, code, message: maskSecrets(detail).text });
    } finally {
      free();
    }
  };

  /** Nothing more is heard from a client that does not take its answers, whatever it says: they would be kept for it without end. */
  const holdUp = (): void => {
    if (!isStuck() || state === 'closing' || state === 'closed') return;
    isHeldUp = true;
    socket.pause();
  };

  const readOn = (): void => {
    if (socket.isPaused && state !== 'greeting' && running < limits.mostCommands && !isStuck()) socket.resume();
  };

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heardAt = now();
    if (isBinary) refuse('not-text', 'frames are JSON texts');
    else take(data.toString('utf8'));
    holdUp();
  });
  socket.on('ping', (data) => {
    heardAt = now();
    outbox.pong(data);
    holdUp();
  });
  socket.on('pong', () => {
    heardAt = now();
  });
  socket.on('error', () => {}); // a close follows, with a code that says what it was
  socket.on('close', (code: number) => {
    const isLost = isKnown && (leftAs !== null || !FAREWELLS.has(code));
    state = 'closed';
    parts.onClosed(asker, isLost ? { clientId: parts.id, reason: leftAs ?? 'dropped' } : null);
  });

  return {
    at: () => at,
    wish: () => wish,
    isIdle: () => state === 'open' && !isReading && !isHeldUp && at >= ring.edge(),
    feed,
    forget: dropPage,
    tick: () => {
      const time = now();
      if (state === 'new' && time - openedAt > limits.helloWithin) {
        refuse('no-hello', `no hello came within ${Math.ceil(limits.helloWithin / 1000)} s`);
      } else if (state === 'closing' && time - Math.max(closingAt, outbox.movedAt()) > limits.closeWithin) {
        socket.terminate();
      } else if (state === 'open' && (isHeldUp || isStuck()) && time - outbox.movedAt() > limits.stallAfter) {
        counts.droppedSlow += 1;
        shut('slow', `too slow: nothing was taken for ${Math.ceil(limits.stallAfter / 1000)} s; resume with since_seq ${resumeAt()}`);
      } else if (state === 'open' && time - Math.max(heardAt, outbox.movedAt()) > 2 * limits.pingEvery) {
        counts.dropped += 1;
        leftAs = 'unanswered';
        socket.terminate();
      } else if (state === 'open' && time - Math.max(heardAt, pingedAt) >= limits.pingEvery) {
        pingedAt = time;
        socket.ping();
      }
    },
    notify: (notice) => {
      // Of others' connections nothing is kept for a client that takes nothing.
      if (state === 'open' && !(notice.type === 'connection_lost' && isStuck())) say({ ...notice, seq: at });
    },
    goAway: (reason) => {
      say({ type: 'going_away', reason, seq: at }); // where a frame is on its way in pieces, the close alone says so
      shut('going-away', reason);
    },
    terminate: () => socket.terminate(),
  };
};

/** What a client says that leaves of itself: normal, going away, or nothing. */
const FAREWELLS: ReadonlySet<number> = new Set([1000, 1001, 1005]);
