export type EngineLimits = {
  /** Commands in one commit. */
  readonly batch: number;
  /** Characters of payload in one commit, unless one command alone has more. */
  readonly bytes: number;
  /** How often a batch is decided again because others decided meanwhile. */
  readonly tries: number;
  /** After how many entries a snapshot is written. */
  readonly snapshotEvery: number;
};

export const LIMITS: EngineLimits = { batch: 500, bytes: 16_000_000, tries: 100, snapshotEvery: 2000 };
