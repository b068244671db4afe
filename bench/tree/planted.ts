/** What the generator put into a tree: the truth that a reader has to find again. */
export type Planted = {
  readonly files: number;
  readonly bytes: number;
  /** Lines of all files; every line is one record. */
  readonly records: number;
  /** Distinct over the whole tree, as are all that follow: a fork repeats what it copies. */
  readonly messages: number;
  readonly sidechains: number;
  readonly toolUses: number;
  readonly toolPairs: number;
  readonly branchPoints: number;
  readonly compactions: number;
  readonly responses: number;
  readonly tokens: Tokens;
  readonly nested: number;
  readonly sessions: readonly PlantedSession[];
  /** Later than every record. */
  readonly now: number;
};

export type PlantedSession = {
  readonly id: string;
  /** Lines of all its files. */
  readonly records: number;
  readonly leafUuid: string | null;
  readonly branchPoints: number;
  readonly compactions: number;
  readonly duplicates: number;
  readonly sidechains: number;
  readonly continues: { readonly sessionId: string; readonly shared: number } | null;
  /** The time of its last record. */
  readonly endedAt: number;
};

type Tokens = { input: number; output: number; cacheWrite5m: number; cacheWrite1h: number; cacheRead: number };

/** Sums that grow while a tree is written. */
export type Tally = {
  files: number;
  bytes: number;
  records: number;
  messages: number;
  sidechains: number;
  toolUses: number;
  toolPairs: number;
  branchPoints: number;
  compactions: number;
  responses: number;
  nested: number;
  readonly tokens: Tokens;
};

export const createTally = (): Tally => ({
  files: 0,
  bytes: 0,
  records: 0,
  messages: 0,
  sidechains: 0,
  toolUses: 0,
  toolPairs: 0,
  branchPoints: 0,
  compactions: 0,
  responses: 0,
  nested: 0,
  tokens: { input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 },
});
