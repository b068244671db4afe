export type OpeningOrder = { readonly url: string; readonly sessionId: string; readonly messages: number };

export type Scrolling = {
  readonly frames: number;
  /** Tasks of the main thread over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
  /** Between two frames, in milliseconds. */
  readonly p95Frame: number;
  /** Of all rows that were to be seen after a pause, those that were still placeholders. */
  readonly unshown: number;
};

export type Opening = {
  readonly messages: number;
  /** Milliseconds since the navigation began. */
  readonly firstPaint: number;
  readonly firstMessage: number;
  readonly settled: number;
  readonly openTasks: readonly number[];
  readonly scrolling: Scrolling;
  readonly heapBytes: number;
  readonly elements: number;
};

export type PageSize = {
  readonly initialBytes: number;
  readonly initialGzip: number;
  readonly allGzip: number;
  readonly files: readonly { readonly name: string; readonly gzip: number; readonly isInitial: boolean }[];
};
