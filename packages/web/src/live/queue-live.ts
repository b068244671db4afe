import type { Actor, Recorded } from '@yarnboard/domain';
import {
  recordedIn,
  type ClientOptions,
  type EmergencyNews,
  type QueuedNews,
  type RecoveryNews,
  type ServerNotice,
  type SettledNews,
} from '@yarnboard/protocol';
import type { QueuedSaying } from './board-proposals.ts';
import type { BoardReplica } from './board-replica.ts';
import { createWatched, type Watched } from './watched.ts';

/** PAGE-437: something that was queued and isn't on the log: a conflict waits for the operator, a discarded command doesn't. */
export type Unsaved = {
  readonly messageId: string;
  readonly isMine: boolean;
  readonly sender: string | null;
  /** SB-n, if known. */
  readonly context: string | null;
  readonly outcome: 'conflict' | 'discarded';
  readonly why: string | null;
  readonly words: string | null;
  readonly at: number;
};

export type QueueLive = {
  /** The state of the log; null while all is well, and before the first message. */
  readonly emergency: Watched<EmergencyNews | null>;
  /** What was left behind; null if nothing. */
  readonly recovery: Watched<RecoveryNews | null>;
  readonly unsaved: Watched<readonly Unsaved[]>;
  readonly tellUnsaved: (unsaved: {
    readonly messageId: string;
    readonly outcome: Unsaved['outcome'];
    readonly why: string | null;
    readonly words: unknown;
  }) => void;
  readonly hears: Required<Pick<ClientOptions, 'onQueued' | 'onSettled' | 'onCaughtUp'>>;
  /** True if the message concerned this. */
  readonly notice: (told: ServerNotice) => boolean;
  /** There is a new connection. */
  readonly open: () => void;
  readonly close: () => void;
};

export type QueueLiveParts = {
  readonly replica: BoardReplica;
  readonly actor: Watched<Actor | null>;
  readonly now: () => number;
  readonly later: ClientOptions['later'];
  /** What the operator sees may have changed. */
  readonly onRecovery: () => void;
  readonly onTrouble: (what: string) => void;
};

/** REC-65, REC-68: what a page receives about an outage: its state, the waiting commands, and their outcomes. */
export const createQueueLive = ({ replica, actor, now, later, onRecovery, onTrouble }: QueueLiveParts): QueueLive => {
  const emergency = createWatched<EmergencyNews | null>(null);
  const recovery = createWatched<RecoveryNews | null>(null);
  const unsaved = createWatched<readonly Unsaved[]>([]);
  /** What this connection has reported before it caught up. */
  const told = { emergency: true, recovery: true, isCaughtUp: true };

  let stopTimer = (): void => {};

  const addUnsaved = (one: Unsaved): void => {
    if (unsaved.get().some(({ messageId }) => messageId === one.messageId)) return;
    unsaved.set([...unsaved.get(), one].slice(-MOST_TOLD));
  };

  const onQueued = ({ uuid, messageId, by }: QueuedNews): void => {
    if (by === undefined) return;
    const read = by.events.map((event) => (isObject(event) ? recordedIn(event) : null));
    const events: readonly Recorded[] = read.flatMap((one) => (one?.ok === true ? [one.value] : []));
    if (events.length < read.length) onTrouble(`what ${by.senderAgentId} said while the log is away cannot be shown`);
    replica.queue({ uuid, messageId, sender: by.senderAgentId, context: by.contextId, events });
  };

  const onSettled = ({ uuid, messageId, outcome, settledSeq, message, senderAgentId, contextId }: SettledNews): void => {
    if (uuid === undefined) return;
    const isDone = outcome === 'replayed' || outcome === 'known';
    const was = replica.settleQueued(uuid, isDone ? settledSeq : null);
    if (isDone || outcome === undefined) return;
    const sender = senderAgentId ?? was?.sender ?? null;
    const isMine = sender !== null && sender === actor.get()?.id;
    addUnsaved({
      messageId,
      isMine,
      sender,
      context: contextId ?? was?.context ?? null,
      outcome,
      why: message ?? null,
      words: was === null ? null : wordsIn(was),
      at: now(),
    });
  };

  /** Anything that only an earlier connection reported is over. */
  const onCaughtUp = (): void => {
    if (told.isCaughtUp) return;
    told.isCaughtUp = true;
    if (!told.emergency && emergency.get() !== null) emergency.set(null);
    if (!told.recovery && recovery.get() !== null) recovery.set(null);
    // The queue of a killed server waits in its cache.
    if (recovery.get()?.state !== 'RECOVERY_NEEDED') replica.dropUntold();
  };

  return {
    emergency,
    recovery,
    unsaved,
    tellUnsaved: ({ words, ...rest }) =>
      addUnsaved({
        ...rest,
        words: typeof words === 'string' ? words : null,
        isMine: true,
        sender: actor.get()?.id ?? null,
        context: null,
        at: now(),
      }),
    hears: { onQueued, onSettled, onCaughtUp },
    notice: (notice) => {
      switch (notice.type) {
        case 'emergency':
          told.emergency = true;
          emergency.set(notice.state === 'normal' ? null : notice);
          return true;
        case 'startup_recovery_alert':
          told.recovery = true;
          recovery.set(notice.state === 'CLEAN' && notice.openWrites === 0 ? null : notice);
          if (notice.state === 'CLEAN') replica.dropUntold();
          onRecovery();
          return true;
        case 'connection_lost':
        case 'system_shutdown':
          return false;
        default:
          return notice;
      }
    },
    open: () => {
      Object.assign(told, { emergency: false, recovery: false, isCaughtUp: false });
      replica.doubtQueued();
      stopTimer();
      // A connection that starts over, instead of continuing an earlier one, never reports that it caught up.
      stopTimer = later(CAUGHT_UP_BY, onCaughtUp);
    },
    close: () => stopTimer(),
  };
};

/** Milliseconds. */
const CAUGHT_UP_BY = 5000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The words somebody wrote, so that they aren't lost with their place. */
const wordsIn = ({ events }: QueuedSaying): string | null => {
  for (const { payload } of events) {
    const texts: readonly unknown[] = [
      'content' in payload ? payload.content : null,
      'text' in payload ? payload.text : null,
      'description' in payload ? payload.description : null,
      'reason' in payload ? payload.reason : null,
    ];
    const found = texts.find((text) => typeof text === 'string' && text !== '');
    if (typeof found === 'string') return found;
  }
  return null;
};

/** A replay may leave thousands; the operator's view has all of them. */
const MOST_TOLD = 50;
