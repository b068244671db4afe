export const JOB_NAMES = ['floor', 'parse', 'one', 'all'] as const;
export type Job = (typeof JOB_NAMES)[number];

export type Measurement = {
  /** Of the work alone, without the start of the process. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  /** Differences from what was planted. */
  readonly wrong: readonly string[];
};

export type Appends = {
  readonly small: AppendCost;
  readonly large: AppendCost;
};

/** Microseconds for one line in a session of that many records. */
export type AppendCost = { readonly records: number; readonly perLine: number; readonly lateParent: number };
