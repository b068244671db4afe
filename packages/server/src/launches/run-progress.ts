import { NOWHERE, type Item } from '@yarnboard/store';
import { readEntry, type JsonObject, type TurnStatus } from '@yarnboard/transcript';
import { initialConverter, type Converted, type Converter, type Fact } from './convert.ts';
import type { GrantScope } from './permission-grants.ts';
import type { PromptWords } from './prompt-content.ts';
import { streamedItem, type By, type PermissionAnswered, type PermissionAsked, type RunSpent, type RunStarted } from './run-entries.ts';
import type { PermissionResult } from './sdk.ts';

/** How long is waited for what must come: the end of an interrupted turn, of a process without input, of an aborted one, and for what is to be sent. */
export type Patience = { readonly interrupt: number; readonly end: number; readonly abort: number; readonly send: number };

/** How far a run is. What is on its way to the log, and what the SDK is doing, is up to whoever performs the effects. */
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
  /** It has been given something to do and has said nothing yet. */
  readonly isStarting: boolean;
  /** Its session is there. */
  readonly hasBegun: boolean;
  /** RUN-18: the history that a fork copies is not on the log yet. */
  readonly isHistoryPending: boolean;
  readonly isTurnOpen: boolean;
  /** It ends when its turn is over. */
  readonly isEnding: boolean;
  /** It will be given nothing more. */
  readonly isInputEnded: boolean;
  readonly lastOutcome: TurnOutcome | null;
  readonly stopping: Stopping | null;
  /** Set when its end is on its way to the log; nothing is added to the log behind that. */
  readonly ended: (Ending & { readonly at: number }) | null;
  /** Everything of it has been written, or never will be. */
  readonly isOver: boolean;
  /** The last of what Claude Code wrote to its error output. */
  readonly complaints: string;
  /** RUN-23: what it shall hear when its turn is over, in this order. */
  readonly queued: readonly QueuedPrompt[];
  readonly pending: ReadonlyMap<string, Pending>;
  readonly settled: ReadonlyMap<string, 'answered' | 'withdrawn'>;
  /** The latest of them, the last one last. */
  readonly answers: readonly AnsweredRequest[];
  readonly spent: RunSpent;
  /** RUN-26: how often something has happened to it. */
  readonly revision: number;
};

export type TurnOutcome = Extract<Fact, { readonly kind: 'ready' | 'cancelled' | 'failed' }>;

export type Ending = { readonly status: TurnStatus; readonly why: string | null; readonly by: 'run' | 'switch' };

/** RUN-8: interrupted, then left without input, then aborted, each for a limited time. */
export type Stopping = {
  readonly how: Ending;
  /** The part of its patience that is left to it. */
  readonly share: number;
  /** Counts the stages, so that an answer to an earlier one is recognised as late. */
  readonly stage: number;
  readonly at:
    | { readonly kind: 'interrupting'; readonly round: number; readonly awaits: 'turn end' | 'reply' }
    /** What waited for the turn to end may begin another. */
    | { readonly kind: 'quiet'; readonly round: number }
    | { readonly kind: 'without input' | 'aborting' };
};

/** A message that waits for the end of a turn; the run has not heard it. */
export type QueuedPrompt = PromptWords & { readonly uuid: string; readonly at: number };

/** A question that nobody has answered yet. */
export type Pending = Omit<PermissionAsked, 'runId'> & { readonly askedAt: number };

/** What became of a question, for those who did not answer it. */
export type AnsweredRequest = Pick<Pending, 'requestId' | 'tool' | 'title' | 'askedAt'> &
  Pick<PermissionAnswered, 'decision' | 'message'> & {
    /** What the tool would have done, as one line: what it was given may be large. */
    readonly summary: string;
    readonly isChanged: boolean;
    /** For how long it was allowed; null where only this once. */
    readonly scope: GrantScope | null;
    /** Null where it was withdrawn. */
    readonly by: string | null;
    readonly at: number;
  };

export type Answer =
  | { readonly decision: 'allow'; readonly updatedInput: JsonObject | null; /** Not only this once. */ readonly scope?: GrantScope }
  | { readonly decision: 'deny'; readonly message: string | null; readonly interrupt: boolean };

export type ProgressInput =
  /** The SDK said something. */
  | { readonly kind: 'message'; readonly value: unknown; readonly at: number }
  | { readonly kind: 'complained'; readonly text: string }
  /** The SDK says nothing more; `reason` when it broke off. */
  | { readonly kind: 'consumed'; readonly reason: string | null; readonly at: number }
  | ({ readonly kind: 'prompt' } & QueuedPrompt)
  /** As a prompt, but one that an open turn is not disturbed with. */
  | ({ readonly kind: 'queued' } & QueuedPrompt)
  /** RUN-24: another text for what it has not heard; it keeps its place. */
  | { readonly kind: 'changed'; readonly uuid: string; readonly text: string }
  /** Takes back what it has not heard. */
  | { readonly kind: 'unsent'; readonly uuid: string }
  | { readonly kind: 'asked'; readonly question: Pending }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: Answer; readonly by: By; readonly at: number }
  /** The SDK takes its question back. */
  | { readonly kind: 'taken-back'; readonly requestId: string; readonly at: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'stop'; readonly why: string; readonly by: 'run' | 'switch'; readonly isHurried: boolean; readonly at: number }
  /** Everything that was added before is on the log, or the log was given up. */
  | { readonly kind: 'flushed'; readonly behind: AfterFlush; readonly at: number }
  | { readonly kind: 'history-told' }
  /** The SDK has heard that it is interrupted, or is no longer there to hear it. */
  | { readonly kind: 'interrupt-heard'; readonly stage: number; readonly at: number }
  | { readonly kind: 'timeout'; readonly stage: number; readonly at: number }
  | { readonly kind: 'written'; readonly unsent: number };

/** What is only done once everything before it is on the log. */
export type AfterFlush =
  | { readonly kind: 'close-turn'; readonly turn: number; readonly outcome: TurnOutcome }
  | ({ readonly kind: 'say'; readonly uuid: string } & PromptWords)
  | { readonly kind: 'settle'; readonly requestId: string; readonly result: PermissionResult };

export type ProgressEffect =
  /** Adds an entry behind everything before it; one with `calls` may be held back until one of them is released. */
  | { readonly kind: 'post'; readonly item: Item; readonly calls: readonly string[] }
  | { readonly kind: 'release'; readonly call: string }
  | { readonly kind: 'flush'; readonly behind: AfterFlush }
  /** As `flush`, but only until there is room for more. */
  | { readonly kind: 'make-room'; readonly behind: AfterFlush }
  | ({ readonly kind: 'say'; readonly uuid: string } & PromptWords)
  | { readonly kind: 'settle'; readonly requestId: string; readonly result: PermissionResult }
  | { readonly kind: 'begun' | 'end-input' | 'abort' | 'call-off' | 'over' }
  | { readonly kind: 'moved'; readonly sessionId: string }
  | { readonly kind: 'interrupt'; readonly stage: number }
  /** One at a time: the one before is called off. */
  | { readonly kind: 'wait'; readonly ms: number; readonly stage: number }
  /** Writes what is left, and then nothing more. */
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
  spent: { costUsd: null, tokens: null },
  revision: 0,
});

/** Whether it can be given something to do. */
export const takesPrompts = ({ stopping, ended, isEnding }: Progress): boolean => stopping === null && ended === null && !isEnding;

export const still = (progress: Progress): Stepped => ({ progress, effects: [] });

// Not called `then`: a module that exports that is taken for a promise.
export const chained = (first: Stepped, next: (progress: Progress) => Stepped): Stepped => {
  const { progress, effects } = next(first.progress);
  return { progress, effects: [...first.effects, ...effects] };
};

export const post = (item: Item): ProgressEffect => ({ kind: 'post', item, calls: [] });

/** Puts records on their way: a call of the main conversation is held back a little, everything else is not. */
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
