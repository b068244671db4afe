import type { Planted } from '../tree/planted.ts';

/** Seconds, of time and of processor. */
export type Spent = { readonly seconds: number; readonly cpu: number };

/** Raw inserts of what an import wrote. */
export type RawResult = { readonly rows: number; readonly texts: number; readonly board: Spent; readonly text: Spent };

export type ImportResult = {
  readonly planted: Planted;
  readonly import: Spent;
  readonly peakBytes: number;
  readonly boardBytes: number;
  readonly indexBytes: number;
  readonly raw: RawResult;
  readonly ccusageSeconds: number | null;
};

/** Times in seconds since the process was started. */
export type StartResult = {
  readonly treeBytes: number;
  readonly first: {
    readonly list: number;
    readonly messages: number;
    /** Whether the import still went on when the newest session was opened. */
    readonly isImporting: boolean;
  };
  readonly restart: {
    readonly list: number;
    /** Bytes read until it was idle, beyond what a start on the same home with an empty tree reads. */
    readonly extraReads: number;
    readonly reads: number;
  };
};

export type LineCost = { readonly fileBytes: number; readonly p50: number; readonly most: number; readonly reads: number };
export type LineResult = { readonly small: LineCost; readonly large: LineCost };

export type IdleResult = {
  readonly files: number;
  readonly seconds: number;
  readonly cpuShare: number;
  readonly reads: number;
  readonly memory: number;
  readonly memoryAfterImport: number;
};
