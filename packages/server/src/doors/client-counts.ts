/** What is counted of those who are connected to /ws. */
export type ClientCounts = {
  readonly clients: number;
  readonly frames: number;
  readonly bytes: number;
  readonly droppedSlow: number;
  readonly dropped: number;
  readonly refused: number;
  /** How many entries the client that is furthest behind has not been told. */
  readonly lag: number;
};
