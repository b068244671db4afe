/** Counts of the clients connected to /ws. */
export type ClientCounts = {
  readonly clients: number;
  readonly frames: number;
  readonly bytes: number;
  readonly droppedSlow: number;
  readonly dropped: number;
  readonly refused: number;
  /** How many entries the slowest client hasn't received. */
  readonly lag: number;
};

export const NO_CLIENTS: ClientCounts = { clients: 0, frames: 0, bytes: 0, droppedSlow: 0, dropped: 0, refused: 0, lag: 0 };
