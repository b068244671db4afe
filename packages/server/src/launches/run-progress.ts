import { NOWHERE, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject, type TurnStatus } from '@yarnboard/transcript';
import { initialConverter, type Converted, type Converter, type Fact } from './convert.ts';
import type { Grant, GrantScope } from './permission-grants.ts';
import type { PromptWords } from './prompt-content.ts';
import { streamedItem, type By, type PermissionAnswered, type PermissionAsked, type RunSpent, type RunStarted } from './run-entries.ts';
import type { PermissionResult } from './sdk.ts';

/**
 * How long to wait for each stage: the interrupted turn to end, the process to exit without input, the aborted process to exit, the queue to be sent.
 */
export type Patience = { readonly interrupt: number; readonly end: number; readonly abort: number; readonly send: number };

/** The state of a run. The effects' performer keeps track of the queue for the log and of the SDK. */
export type Progress = {
  readonly started: RunStarted;
  readonly sessionId: string;
  readonly converter: Converter;
  readonly counts: {
    readonly messages: number;
    readonly records: number;
    readonly turns: number;
    readonly moves: number;
    readonly permissions: number;
  };
  /** It has a prompt and has not said anything yet. */
  readonly isStarting: boolean;
  /** Its session exists. */
  readonly hasBegun: boolean;
  /** RUN-18: the history that a fork copies has yet to reach the log. */
  readonly isHistoryPending: boolean;
  readonly isTurnOpen: boolean;
  /** It ends after its current turn. */
  readonly isEnding: boolean;
  /** It gets no more input. */
  readonly isInputEnded: boolean;
  readonly lastOutcome: TurnOutcome | null;
  readonly stopping: Stopping | null;
  /** Set when its end is queued for the log; nothing may follow that. */
  readonly ended: (Ending & { readonly at: number }) | null;
  /** All of its entries have been written, or never will be. */
  readonly isOver: boolean;
  /** The end of Claude Code's error output. */
  readonly complaints: string;
  /** RUN-23: messages for when the turn is over, in order. */
  readonly queued: readonly QueuedPrompt[];
  readonly pending: ReadonlyMap<string, Pending>;
  readonly settled: ReadonlyMap<string, 'answered' | 'withdrawn'>;
  /** The most recent ones, oldest first. */
  readonly answers: readonly AnsweredRequest[];
  /** RUN-43: what it need not ask for until it ends. */
  readonly lasting: readonly Grant[];
  readonly spent: RunSpent;
  /** RUN-26: how many inputs it has processed. */
  readonly revision: number;
};

export type TurnOutcome = Extract<Fact, { readonly kind: 'ready' | 'cancelled' | 'failed' }>;

export type Ending = { readonly status: TurnStatus; readonly why: string | null; readonly by: 'run' | 'switch' };

/** RUN-8: first interrupt, then end the input, then abort, each with a time limit. */
export type Stopping = {
  readonly how: Ending;
  /** The share of each time limit that applies. */
  readonly share: number;
  /** Counts the stages, so that late replies to an earlier stage can be recognised. */
  readonly stage: number;
  readonly at:
    | { readonly kind: 'interrupting'; readonly round: number; readonly awaits: 'turn end' | 'reply' }
    /** A message that waited for the end of the turn may start a new one. */
    | { readonly kind: 'quiet'; readonly round: number }
    | { readonly kind: 'without input' | 'aborting' };
};

/** A message that waits for the end of a turn; the run has not received it. */
export type QueuedPrompt = PromptWords & { readonly uuid: string; readonly at: number };

/** A question that nobody has answered yet. */
export type Pending = Omit<PermissionAsked, 'runId'> & { readonly askedAt: number };

/** A settled question, for people who did not answer it themselves. */
export type AnsweredRequest = Pick<Pending, 'requestId' | 'tool' | 'title' | 'askedAt'> &
  Pick<PermissionAnswered, 'decision' | 'message'> & {
    /** What the tool would have done, in one line: its input may be large. */
    readonly summary: string;
    readonly isChanged: boolean;
    /** How long the permission lasts; null if only this once. */
    readonly scope: GrantScope | null;
    /** Null if withdrawn. */
    readonly by: string | null;
    readonly at: number;
  };

export type Answer =
  | {
      readonly decision: 'allow';
      readonly updatedInput: JsonObject | null;
      /** Present if it is allowed for longer than this once. */ readonly scope?: GrantScope;
    }
  | { readonly decision: 'deny'; readonly message: string | null; readonly interrupt: boolean };

export type ProgressInput =
  /** A message from the SDK. */
  | { readonly kind: 'message'; readonly value: unknown; readonly at: number }
  | { readonly kind: 'complained'; readonly text: string }
  /** The SDK's stream has ended; `reason` says why if it broke off. */
  | { readonly kind: 'consumed'; readonly reason: string | null; readonly at: number }
  | ({ readonly kind: 'prompt' } & QueuedPrompt)
  /** Like a prompt, but waits until an open turn is over. */
  | ({ readonly kind: 'queued' } & QueuedPrompt)
  /** RUN-24: replaces the text of a queued message, which keeps its place. */
  | { readonly kind: 'changed'; readonly uuid: string; readonly text: string }
  /** Removes a queued message. */
  | { readonly kind: 'unsent'; readonly uuid: string }
  | { readonly kind: 'asked'; readonly question: Pending }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: Answer; readonly by: By; readonly at: number }
  /** The SDK withdraws its question. */
  | { readonly kind: 'taken-back'; readonly requestId: string; readonly at: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'stop'; readonly why: string; readonly by: 'run' | 'switch'; readonly isHurried: boolean; readonly at: number }
  /** Everything added before is on the log, or we gave up on the log. */
  | { readonly kind: 'flushed'; readonly behind: AfterFlush; readonly at: number }
  | { readonly kind: 'history-told' }
  /** The SDK has acknowledged the interrupt, or is gone. */
  | { readonly kind: 'interrupt-heard'; readonly stage: number; readonly at: number }
  | { readonly kind: 'timeout'; readonly stage: number; readonly at: number }
  | { readonly kind: 'written'; readonly unsent: number };

/** Done only after everything before it is on the log. */
export type AfterFlush =
  | { readonly kind: 'close-turn'; readonly turn: number; readonly outcome: TurnOutcome }
  | ({ readonly kind: 'say'; readonly uuid: string } & PromptWords)
  | { readonly kind: 'settle'; readonly requestId: string; readonly result: PermissionResult };

export type ProgressEffect =
  /** Queues an entry behind all earlier ones. With `calls`, it may be held back until one of them is released. */
  | { readonly kind: 'post'; readonly item: Item; readonly calls: readonly string[] }
  | { readonly kind: 'release'; readonly call: string }
  | { readonly kind: 'flush'; readonly behind: AfterFlush }
  /** Like `flush`, but waits only for room. */
  | { readonly kind: 'make-room'; readonly behind: AfterFlush }
  | ({ readonly kind: 'say'; readonly uuid: string } & PromptWords)
  | { readonly kind: 'settle'; readonly requestId: string; readonly result: PermissionResult }
  | { readonly kind: 'begun' | 'end-input' | 'abort' | 'call-off' | 'over' }
  | { readonly kind: 'moved'; readonly sessionId: string }
  | { readonly kind: 'interrupt'; readonly stage: number }
  /** Replaces the previous wait. */
  | { readonly kind: 'wait'; readonly ms: number; readonly stage: number }
  /** Writes what is left and accepts nothing more. */
  | { readonly kind: 'write-out' }
  | { readonly kind: 'fault'; readonly message: string };

export type Stepped = { readonly progress: Progress; readonly effects: readonly ProgressEffect[] };

export const beginRun = (started: RunStarted, sessionId: string, hasHistory: boolean): Progress => ({
  started,
  sessionId,
  converter: initialConverter({ sessionId, cwd: started.cwd, tip: started.fork ? null : started.resumeAt }),
  counts: { messages: 0, records: 0, turns: 0, moves: 0, permissions: 0 },
  isStarting: started.prompt !== null,
  hasBegun: false,
  isHistoryPending: hasHistory,
  isTurnOpen: false,
  isEnding: false,
  isInputEnded: false,
  lastOutcome: null,
  stopping: null,
  ended: null,
  isOver: false,
  complaints: '',
  queued: [],
  pending: new Map(),
  settled: new Map(),
  answers: [],
  lasting: [],
  spent: { costUsd: null, tokens: null },
  revision: 0,
});

/** Whether it can take another prompt. */
export const takesPrompts = ({ stopping, ended, isEnding }: Progress): boolean => stopping === null && ended === null && !isEnding;

export const still = (progress: Progress): Stepped => ({ progress, effects: [] });

// Not called `then`: a module that exports `then` looks like a promise.
export const chained = (first: Stepped, next: (progress: Progress) => Stepped): Stepped => {
  const { progress, effects } = next(first.progress);
  return { progress, effects: [...first.effects, ...effects] };
};

export const post = (item: Item): ProgressEffect => ({ kind: 'post', item, calls: [] });

/** Queues records for the log. Only calls of the main conversation are held back for a moment. */
export const tell = (progress: Progress, { state: converter, records }: Pick<Converted, 'state' | 'records'>, at: number): Stepped => ({
  progress: { ...progress, converter, counts: { ...progress.counts, records: progress.counts.records + records.length } },
  effects: records.flatMap((record): readonly ProgressEffect[] => {
    const { uses, results, more, isSidechain } = readEntry(record, NOWHERE);
    const released = [...results.map(({ toolUseId }) => toolUseId), ...(more?.parentToolUseId == null ? [] : [more.parentToolUseId])];
    return [
      ...released.map((call) => ({ kind: 'release', call }) as const),
      { kind: 'post', item: streamedItem(record, at), calls: isSidechain ? [] : uses.map(({ id }) => id) },
    ];
  }),
});

export const endInput = (progress: Progress): Stepped =>
  progress.isInputEnded ? still(progress) : { progress: { ...progress, isInputEnded: true }, effects: [{ kind: 'end-input' }] };
