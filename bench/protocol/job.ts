import type { Spent } from '../ingest/job.ts';

/** What is done with a record on its way to a client, in order. */
export const STAGES = ['parse', 'read', 'step', 'wrap', 'mask', 'text'] as const;
export type Stage = (typeof STAGES)[number];

/** How many there were, and the milliseconds that each stage took for all of them. */
export type MapperCost = {
  readonly records: number;
  readonly envelopes: number;
  readonly bytes: number;
  readonly ms: Readonly<Record<Stage, number>>;
};

export type MapperResult = {
  readonly small: MapperCost;
  readonly large: MapperCost;
  /** The last records of the large one, as many as the small one has. */
  readonly end: MapperCost;
};

export type Percentiles = { readonly p50: number; readonly p95: number; readonly p99: number };

export type LatencyCost = {
  readonly fileBytes: number;
  readonly lines: number;
  /** The first line after the client came: its session has to be gone through for it. */
  readonly first: number;
  /** From the return of the write to the event of a bare `fs.watch`. */
  readonly watch: Percentiles;
  /** From the return of the write to a client of a process that does nothing but watch, read and send. */
  readonly relay: Percentiles;
  /** From the return of the write to the frame in the client. */
  readonly frame: Percentiles;
  /** From the event to the frame. */
  readonly beyond: Percentiles;
};
export type LatencyResult = { readonly small: LatencyCost; readonly large: LatencyCost };

export type FanOutCost = {
  readonly clients: number;
  readonly frames: number;
  /** Of all frames, once. */
  readonly bytes: number;
  /** Processor time of the thread that sends. */
  readonly ours: Spent;
  readonly bare: Spent;
};

export type FanOutResult = {
  /** Seconds until lines are on the log when nobody listens, and until one client has heard of the last. */
  readonly heard: { readonly frames: number; readonly without: number; readonly withOne: number };
  /** From the write to the last frame at the last client. */
  readonly live: readonly FanOutCost[];
  /** From the hellos to the last frame at the last client, of frames that are ready. */
  readonly ready: readonly FanOutCost[];
  /** A frame at a time, the next one when everybody has it. */
  readonly single: {
    readonly clients: number;
    readonly frames: number;
    /** From the first client that has a frame to the last, in milliseconds, in the middle. */
    readonly spread: { readonly ours: number; readonly bare: number };
    readonly cpu: { readonly ours: number; readonly bare: number };
  };
  readonly slow: {
    readonly clients: number;
    readonly without: number;
    readonly withOne: number;
    /** What the one that read nothing was told in the end. */
    readonly reason: string;
  };
};

/** Seconds from the hello; processor time is that of the thread that reads and sends. */
export type Reading = { readonly entries: number; readonly first: number; readonly all: number; readonly cpu: number };

export type ResumeResult = {
  readonly entries: number;
  readonly whole: Reading;
  readonly resumed: Reading;
  /** The first client after a restart, for which the session is gone through, and the next one. */
  readonly restarted: { readonly first: Reading; readonly second: Reading };
};

/** What the helping processes are told and answer. Times are milliseconds of the system's monotonic clock, which all processes share. */
export type ClientsOrder =
  | { readonly do: 'connect'; readonly port: number; readonly count: number }
  | { readonly do: 'greet'; readonly sinceSeq: number | null }
  | { readonly do: 'await'; readonly seq: number }
  | { readonly do: 'close' };

export type BroadcastOrder =
  | { readonly do: 'load'; readonly path: string }
  /** All frames, or one. */
  | { readonly do: 'broadcast'; readonly only: number | null };

export type Answer =
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'done'; readonly at: number }
  /** All clients that read have the frame; `wrong` counts frames that were missing, repeated or out of order. */
  | { readonly is: 'reached'; readonly firstAt: number; readonly at: number; readonly wrong: number }
  | { readonly is: 'failed'; readonly why: string };

export const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6;
