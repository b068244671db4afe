import {
  assertNever,
  blockedAmong,
  err,
  evolve,
  ok,
  rejectionOf,
  tryOn,
  WHILE_AWAY,
  type Board,
  type Happening,
  type Language,
  type Recorded,
  type Rejection,
  type Result,
  type Surfacing,
} from '@yarnboard/domain';
import { verdictOn, type Asked, type Prepared } from './batch.ts';
import { idOf } from './command-ids.ts';
import { asksForInherited } from './inherited.ts';
import type { Outcome, Waits } from './outcomes.ts';

/** A command that waits for the log. */
export type Queued = {
  /** Its place in the queue, from 1. */
  readonly n: number;
  readonly asked: Asked;
  readonly key: string;
  /** The uuid of its first entry, once it has one. */
  readonly uuid: string;
  readonly queuedAt: number;
  /** Its events on the last known board; empty if that is unknown. Nothing in it has a reference. */
  readonly events: readonly Recorded[];
};

/** Makes waiting commands durable. */
export type QueueKeeper = {
  /** Durable when it resolves. Throws if no place took it, or there is no room for more. */
  readonly keep: (queued: readonly Queued[]) => Promise<{ readonly cacheId: string; readonly durableIn: readonly string[] }>;
  /** Why nothing more can be taken; null as long as there is room. */
  readonly full: (count: number) => Rejection | null;
  /** It is durable: listeners may be informed. Doesn't throw. */
  readonly onQueued: (queued: Queued, waits: Waits) => void;
};

/** What is known of an outage. `isAllDown`: not only the log is away, but everything else this server uses. */
export type OutageFacts = { readonly why: string; readonly since: number; readonly isAllDown: boolean };

export type RoomOptions = {
  /** The durable decisions. */
  readonly board: () => Board;
  readonly position: () => number;
  readonly now: () => number;
  readonly match: (text: string) => readonly Surfacing[];
  readonly language: Language;
  readonly keeper: QueueKeeper;
  /** What is known of the outage. */
  readonly outage: () => OutageFacts;
};

export type WaitingRoom = {
  /** Decides a command in the light of those waiting, makes it durable and announces it. Throws if no place could store it. */
  readonly take: (prepared: Prepared) => Promise<Outcome>;
  /** The waiting commands, in order. */
  readonly waiting: () => readonly Queued[];
  /** Whether a command is being queued right now. */
  readonly isBusy: () => boolean;
  /** These no longer have to wait. */
  readonly release: (queued: readonly Queued[]) => void;
  /** The outage is over: the next one counts from 1 again. Until then, places are unique, since the operator selects by them. */
  readonly over: () => void;
  /** The last known board with the waiting commands applied. */
  readonly board: () => Board;
};

type Arrival = { readonly prepared: Prepared; readonly resolve: (outcome: Outcome) => void; readonly reject: (cause: unknown) => void };
type Kept = { readonly queued: Queued; waits: Waits | null };

/** REC-52: where commands wait that can't be logged now. Commands that arrive while others are made durable are handled with the next batch. */
export const createWaitingRoom = (options: RoomOptions): WaitingRoom => {
  const { keeper, now, match, language } = options;
  const arrivals: Arrival[] = [];
  const kept = new Map<string, Kept>();
  let last = 0;
  let layer: Board | null = null;
  let isRunning = false;

  const layOver = (): Board => {
    if (layer !== null) return layer;
    layer = tryOn(options.board());
    for (const { queued } of kept.values()) for (const event of queued.events) evolve(layer, event);
    return layer;
  };

  const run = async (): Promise<void> => {
    while (arrivals.length > 0) {
      const group = arrivals.splice(0, MOST_AT_ONCE);
      const fresh: Kept[] = [];
      const answers = group.map((arrival) => ({ arrival, answer: decided(arrival.prepared, fresh) }));
      const isStored = await store(fresh);
      if (!isStored.ok) {
        // A command that no place stored was never said: those after it are decided without it.
        for (const { queued } of fresh) kept.delete(queued.key);
        layer = null;
      }
      for (const { arrival, answer } of answers) {
        if (!isStored.ok && answer.kind === 'kept' && answer.one.waits === null) arrival.reject(isStored.error);
        else settle(arrival, answer);
      }
      for (const { queued, waits } of fresh) if (waits !== null) keeper.onQueued(queued, waits);
    }
    isRunning = false;
  };

  const store = async (fresh: readonly Kept[]): Promise<Result<null, unknown>> => {
    if (fresh.length === 0) return ok(null);
    try {
      const { cacheId, durableIn } = await keeper.keep(fresh.map(({ queued }) => queued));
      for (const one of fresh) one.waits = { kind: 'queued', cacheId, durableIn, position: one.queued.n, uuid: one.queued.uuid };
      return ok(null);
    } catch (cause) {
      return err(cause);
    }
  };

  /** REC-88: whatever goes wrong with one command is its own answer, and the others go on. */
  const decided = (prepared: Prepared, fresh: Kept[]): Answer => {
    try {
      return answerTo(prepared, fresh);
    } catch (cause) {
      layer = null; // some of its events may be in it
      return { kind: 'failed', cause };
    }
  };

  type Answer =
    | { readonly kind: 'kept'; readonly one: Kept }
    | { readonly kind: 'outcome'; readonly outcome: Outcome }
    | { readonly kind: 'failed'; readonly cause: unknown };

  const settle = ({ resolve, reject }: Arrival, answer: Answer): void => {
    if (answer.kind === 'failed') reject(answer.cause);
    else if (answer.kind === 'outcome') resolve(answer.outcome);
    else if (answer.one.waits !== null) resolve(answer.one.waits);
  };

  const rejected = (rejection: Rejection): Answer => ({ kind: 'outcome', outcome: { kind: 'rejected', ...rejection } });

  const answerTo = (prepared: Prepared, fresh: Kept[]): Answer => {
    const { asked, key } = prepared;
    const before = kept.get(key);
    if (before !== undefined) {
      // REC-58: the same command with the same message id waits once. ENGINE-42: a different one is refused.
      const { fingerprint } = before.queued.asked;
      const isAnother = fingerprint !== undefined && asked.fingerprint !== undefined && fingerprint !== asked.fingerprint;
      return isAnother ? rejected(rejectionOf('message-id-reused', { id: asked.messageId.slice(0, 100) })) : { kind: 'kept', one: before };
    }
    if (WHILE_AWAY[asked.command.type] === 'blocked') return blocked();
    const at = now();
    const board = layOver();
    const verdict = isUnprovable(prepared) ? UNPROVEN : verdictOn(board, prepared, { now: at, match, language });
    switch (verdict.kind) {
      case 'rejected':
        return rejected(verdict.rejection);
      case 'duplicate':
        return { kind: 'outcome', outcome: verdict };
      case 'failed':
        return { kind: 'failed', cause: verdict.cause };
      case 'decided':
      case 'repeated':
      case 'unproven':
        break;
      default:
        assertNever(verdict);
    }
    const happenings = verdict.kind === 'decided' ? verdict.happenings.map(({ happening }) => happening) : [];
    if (blockedAmong(happenings) !== null) return blocked();
    const full = keeper.full(kept.size);
    if (full !== null) return rejected(full);
    const events = happenings.map((happening) => guessed(happening, (last += 1) + options.position(), at));
    for (const event of events) evolve(board, event);
    const one: Kept = { queued: { n: kept.size + 1 + released, asked, key, uuid: idOf(key, 0), queuedAt: at, events }, waits: null };
    kept.set(key, one);
    fresh.push(one);
    return { kind: 'kept', one };
  };

  const blocked = (): Answer => {
    const { why, since, isAllDown } = options.outage();
    return rejected(rejectionOf(isAllDown ? 'emergency-only' : 'blocked-in-emergency', { why, since: new Date(since).toISOString() }));
  };

  let released = 0;
  return {
    take: (prepared) =>
      new Promise((resolve, reject) => {
        arrivals.push({ prepared, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
    waiting: () => [...kept.values()].flatMap(({ queued, waits }) => (waits === null ? [] : [queued])),
    isBusy: () => isRunning,
    release: (queued) => {
      for (const { key } of queued) if (kept.delete(key)) released += 1;
      layer = null;
    },
    over: () => {
      if (kept.size === 0) [released, last] = [0, 0];
    },
    board: () => (kept.size === 0 ? options.board() : layOver()),
  };
};

/** REC-56: a judgement of a text that nobody can read now. It is accepted as it is, and decided when the log is back. */
const isUnprovable = ({ asked: { command }, isUnproven }: Prepared): boolean =>
  isUnproven === true && asksForInherited(command) && 'claim' in command && /^EXCH-/iu.test(command.claim.trim());

const UNPROVEN = { kind: 'unproven' } as const;

/** REC-59: waiting commands have no number yet. */
const guessed = ({ type, uuid, contextId, by, payload }: Happening, position: number, at: number): Recorded =>
  ({ type, uuid, contextId, by, payload, position, at, refs: [] }) as unknown as Recorded; // type and payload belong to the event

const MOST_AT_ONCE = 500;
