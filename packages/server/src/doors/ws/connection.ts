import type { Duplex } from 'node:stream';
import { assertNever, maskSecrets } from '@yarnboard/domain';
import { CLOSE_CODES, encodeServerFrame, SOCKET_PROTOCOL, type ServerFrame, type Subscription } from '@yarnboard/protocol';
import type { WebSocket } from 'ws';
import { jsonText } from '@yarnboard/transcript';
import { problemFrom, type QueuedAnswer } from '../../operations/perform.ts';
import type { Asker } from '../../operations/request/asker.ts';
import { cutReason } from './close-reason.ts';
import { createDelivery } from './delivery.ts';
import type { Manner } from './frame.ts';
import type { History } from './history.ts';
import type { Done } from './idempotency.ts';
import { createOutbox } from './outbox.ts';
import type { Ring } from './ring.ts';
import type { Resolved } from './subscription.ts';
import { beginTalk, stepTalk, type Command, type CommandOutcome, type TalkEffect, type TalkInput, type TalkLimits } from './talk.ts';
import { clientTypeOf, welcome, type Hello, type WelcomeParts } from './welcome.ts';

/** Counters of all connections. */
export type Counts = { frames: number; bytes: number; droppedSlow: number; dropped: number; refused: number };

export type ConnectionLimits = TalkLimits & {
  /** With this many bytes in flight, a client receives nothing more until it has taken some. */
  readonly mostBuffered: number;
};

export type ConnectionParts = WelcomeParts & {
  readonly socket: WebSocket;
  /** The stream below the socket. */
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  readonly id: string;
  readonly board: string;
  readonly instance: string;
  readonly ring: Ring;
  readonly history: History;
  readonly now: () => number;
  readonly limits: ConnectionLimits;
  readonly counts: Counts;
  readonly perform: (command: Command, asker: Asker, how: { readonly signal: AbortSignal; readonly canQueue: boolean }) => Promise<Obeyed>;
  /** It receives from now on. */
  readonly onOpen: (asker: Asker) => void;
  /** It has changed its subscription. */
  readonly onSubscribed: () => void;
  /** It has received everything that was ready. */
  readonly onIdle: () => void;
  /** `lost`: it was cut off without a farewell. */
  readonly onClosed: (asker: Asker, lost: Lost | null) => void;
  readonly onFault: (cause: unknown) => void;
};

/** The result of a command that wasn't refused. */
export type Obeyed = { readonly done: Done; readonly isRepeated: boolean } | { readonly queued: QueuedAnswer };

export type Lost = { readonly clientId: string; readonly reason: string };

type Notice<T = Extract<ServerFrame, { type: 'connection_lost' | 'system_shutdown' | 'emergency' | 'startup_recovery_alert' }>> = T extends {
  readonly seq: number;
}
  ? Omit<T, 'seq'>
  : never;

type QueueFrame = Extract<ServerFrame, { type: 'queued' | 'settled' }>;

export type Connection = {
  /** The last position it has received, or doesn't want. */
  readonly at: () => number;
  readonly subscription: () => Resolved;
  /** It has received everything, and has room for more. */
  readonly isIdle: () => boolean;
  readonly feed: () => void;
  /** What was read ahead for it may contain something that was forgotten since. */
  readonly forget: () => void;
  /** Called now and then: drops clients that are silent, stuck or dead. */
  readonly tick: () => void;
  /** Sends something that isn't on the log. */
  readonly notify: (notice: Notice) => void;
  /** REC-57: whether it understands queued commands. */
  readonly canQueue: () => boolean;
  readonly actorId: () => string | null;
  readonly isOperator: () => boolean;
  /** REC-64: reports a queued command, or its outcome; to a client with a full buffer, as soon as there is room. */
  readonly tellQueue: (frame: () => QueueFrame) => void;
  /** The format it wants. */
  readonly manner: () => Pick<Manner, 'isRevealed' | 'hasRecords'>;
  /** Closes it if it was accepted as this agent with a token that is no longer valid. */
  readonly recheck: (agentId: string) => void;
  readonly goAway: (reason: string) => void;
  readonly terminate: () => void;
};

/** One client: `stepTalk` decides about its messages, the delivery about what it receives; this performs both on its socket. */
export const createConnection = (parts: ConnectionParts): Connection => {
  const { socket, stream, ring, history, now, limits, counts } = parts;
  let talk = beginTalk(parts.asker, now());
  let canQueue = false;
  let isRevealed = false;
  /** What to send once it has taken the earlier messages. */
  let owed: (() => QueueFrame)[] = [];
  /** Commands in progress, by their id. */
  const working = new Map<string, AbortController>();

  const hear = (input: TalkInput): void => {
    const stepped = stepTalk(limits, talk, input);
    ({ talk } = stepped);
    for (const effect of stepped.effects) act(effect);
  };

  /** The same for answers: a client that doesn't take its answers isn't read from any more. */
  const hearAndAnswer = (input: TalkInput): void => {
    hear(input);
    if (outbox.isStuck()) hear({ kind: 'held-up', isAnswer: true });
  };

  const outbox = createOutbox(socket, now, limits.mostBuffered, () => {
    payOwed();
    hear({ kind: 'room' });
  });

  const delivery = createDelivery({
    ring,
    history,
    outbox,
    together: (work) => {
      stream.cork();
      try {
        return work();
      } finally {
        stream.uncork();
      }
    },
    isOpen: () => talk.phase === 'open',
    isHeldUp: () => talk.isHeldUp,
    onHeldUp: () => hear({ kind: 'held-up', isAnswer: false }),
    onTold: (bytes) => {
      counts.frames += 1;
      counts.bytes += bytes;
    },
    onCaughtUp: (seq) => say({ type: 'caught_up', seq }),
    onIdle: parts.onIdle,
    onBroken: (cause) => fail(cause),
  });

  const say = (frame: Exclude<ServerFrame, { type: 'entry' | 'event' | 'newer_event' }>): void =>
    outbox.send(Buffer.from(jsonText(encodeServerFrame(frame))), delivery.at());

  const payOwed = (): void => {
    let told = 0;
    for (; told < owed.length && talk.phase === 'open' && !outbox.isStuck(); told += 1) {
      const frame = owed[told];
      if (frame !== undefined) say(frame());
    }
    owed = owed.slice(told);
  };

  /** Where it can resume: it won't receive the end of a frame that is being sent in pieces. */
  const resumeAt = (): number => outbox.toldAtLeast() ?? delivery.at();

  const fail = (cause: unknown): void => {
    parts.onFault(cause);
    hear({ kind: 'broken', resumeAt: resumeAt(), at: now() });
  };

  const act = (effect: TalkEffect): void => {
    switch (effect.kind) {
      case 'say':
        say(effect.frame);
        break;
      case 'say-where':
        say({ ...effect.frame, seq: delivery.at() });
        break;
      case 'close':
        socket.close(CLOSE_CODES[effect.name].code, cutReason(effect.reason));
        break;
      case 'pause':
        socket.pause();
        break;
      case 'resume':
        socket.resume();
        break;
      case 'ping':
        socket.ping();
        break;
      case 'terminate':
        socket.terminate();
        break;
      case 'feed':
        delivery.feed();
        break;
      case 'count':
        counts[effect.what] += 1;
        break;
      case 'greet':
        greet(effect.hello).catch(fail);
        break;
      case 'open':
        open(effect);
        break;
      case 'look-up':
        lookUp(effect.subscription).catch(fail);
        break;
      case 'subscribe':
        delivery.subscribe(effect.subscription, talk.asker.actor?.id ?? null);
        say({ type: 'subscribed', seq: delivery.at() });
        parts.onSubscribed();
        delivery.feed();
        break;
      case 'perform':
        void perform(effect.command);
        break;
      case 'cancel':
        working.get(effect.messageId)?.abort();
        break;
      case 'gone':
        for (const work of working.values()) work.abort();
        parts.onClosed(talk.asker, effect.reason === null ? null : { clientId: parts.id, reason: effect.reason });
        break;
      default:
        assertNever(effect);
    }
  };

  const greet = async (hello: Hello): Promise<void> => {
    const welcomed = await welcome(hello, parts);
    hear({ kind: 'welcomed', hello, welcomed, at: now() });
  };

  const lookUp = async (subscription: Subscription): Promise<void> => {
    const found = await parts.resolve(subscription);
    hearAndAnswer({ kind: 'resolved', found });
  };

  const open = ({ hello, subscription, head, epoch }: Extract<TalkEffect, { kind: 'open' }>): void => {
    const { asker } = talk;
    const agentId = asker.actor?.id ?? null;
    const { id: clientId, board, instance } = parts;
    canQueue = hello.queued === true;
    isRevealed = hello.reveal;
    delivery.subscribe(subscription, agentId, hello.reveal);
    delivery.begin(hello.sinceSeq, head);
    const clientType = clientTypeOf(asker);
    say({ type: 'connection_established', clientId, clientType, agentId, seq: head, board, epoch, instance, protocol: SOCKET_PROTOCOL });
    parts.onOpen(asker);
  };

  const perform = async (command: Command): Promise<void> => {
    const work = new AbortController();
    working.set(command.messageId, work);
    const outcome = await outcomeOf(command, work.signal);
    if (working.get(command.messageId) === work) working.delete(command.messageId);
    hearAndAnswer({ kind: 'performed', messageId: command.messageId, outcome });
  };

  const outcomeOf = async (command: Command, signal: AbortSignal): Promise<CommandOutcome> => {
    try {
      // A revoked token is invalid at once, however long its connection lasts.
      const obeyed = await parts.perform(command, parts.identify(talk.token), { signal, canQueue });
      return 'queued' in obeyed ? { kind: 'queued', answer: obeyed.queued } : { kind: 'done', ...obeyed };
    } catch (cause) {
      const { code, detail, ...told } = problemFrom(cause, 'ws');
      if (code === 'internal') parts.onFault(cause);
      return { kind: 'refused', code, message: maskSecrets(detail).text, ...told };
    }
  };

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    hearAndAnswer(isBinary ? { kind: 'binary', at: now() } : { kind: 'text', text: data.toString('utf8'), at: now() });
  });
  socket.on('ping', (data) => {
    outbox.pong(data);
    hearAndAnswer({ kind: 'alive', at: now() });
  });
  socket.on('pong', () => hear({ kind: 'alive', at: now() }));
  socket.on('error', () => {}); // a close follows, whose code explains it
  socket.on('close', (code: number) => hear({ kind: 'closed', code }));

  return {
    at: delivery.at,
    subscription: delivery.subscription,
    recheck: (agentId) => {
      if (talk.asker.actor?.id !== agentId) return;
      try {
        parts.identify(talk.token);
      } catch {
        hear({ kind: 'revoked', at: now() });
      }
    },
    isIdle: () => talk.phase === 'open' && !delivery.isReading() && !talk.isHeldUp && delivery.at() >= ring.edge(),
    feed: delivery.feed,
    forget: delivery.forget,
    tick: () => hear({ kind: 'tick', at: now(), isStuck: outbox.isStuck(), movedAt: outbox.movedAt(), resumeAt: resumeAt() }),
    notify: (notice) => {
      // Notices about others' connections aren't queued for a client that takes nothing.
      if (talk.phase === 'open' && !(notice.type === 'connection_lost' && outbox.isStuck())) say({ ...notice, seq: delivery.at() });
    },
    canQueue: () => talk.phase === 'open' && canQueue,
    actorId: () => talk.asker.actor?.id ?? null,
    isOperator: () => talk.asker.isOperator,
    tellQueue: (frame) => {
      if (talk.phase !== 'open' || !canQueue) return;
      owed.push(frame);
      if (owed.length === 1) payOwed();
    },
    manner: () => ({ isRevealed, hasRecords: delivery.subscription().hasRecords }),
    goAway: (reason) => hear({ kind: 'go-away', reason, at: now() }),
    terminate: () => socket.terminate(),
  };
};
