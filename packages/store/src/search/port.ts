export type SearchFilters = {
  readonly project?: string;
  readonly sessionId?: string;
  /** A sub-agent's id. */
  readonly agent?: string;
  readonly actor?: 'human' | 'agent' | 'system';
  readonly tool?: string;
  readonly model?: string;
  readonly since?: number;
  readonly until?: number;
  readonly minCostUsd?: number;
  readonly hasError?: boolean;
};

export type SearchQuery = { readonly text: string; readonly filters: SearchFilters; readonly limit: number; readonly cursor: string | null };

export type SearchHit = {
  readonly position: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly score: number;
};

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  /** `relevance`, or `newest` where a word is so common that ranking all of it would take too long. */
  readonly order: 'relevance' | 'newest';
  /** Words that were not found as they stand, with what was looked for instead. */
  readonly corrected: ReadonlyMap<string, readonly string[]>;
  /** Whether everything on the log is in the index yet. */
  readonly isComplete: boolean;
};

/** An entry that search does not cover as a whole: longer than is indexed, or larger than could be. */
export type Unindexed = { readonly position: number; readonly why: 'too long' | 'too large' };

export type MaskedQuery = { readonly filters: SearchFilters; readonly below: number; readonly limit: number };

export type SearchPort = {
  readonly find: (query: SearchQuery) => Promise<SearchAnswer>;
  /** The last position that is in the index. */
  readonly position: () => Promise<number>;
  /** The entries that are not in the index as a whole: how many, and the first of them. */
  readonly unindexed: () => Promise<{ readonly count: number; readonly first: readonly Unindexed[] }>;
  /** Brings the next entries into the index; says how many, 0 when there are none left. */
  readonly advance: (limit: number) => Promise<number>;
  /** Makes the vocabulary complete: called when a stretch of entries is through. */
  readonly settle: () => Promise<void>;
  /** Empties the index; `advance` fills it again from the log. */
  readonly clear: () => Promise<void>;
  /** SEC-25: entries in which something is masked, the newest below a position first. The index knows where they are, and not what they hide. */
  readonly masked: (query: MaskedQuery) => Promise<readonly SearchHit[]>;
  /** Takes an entry's words out of the index, for good. */
  readonly drop: (positions: readonly number[]) => Promise<void>;
};
