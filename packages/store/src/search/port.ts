import type { Loosened } from './loose.ts';
import type { Alternatives, Query } from './query.ts';

export type SearchFilters = {
  readonly project?: string;
  readonly sessionId?: string;
  /** A sub-agent's id. */
  readonly agent?: string;
  readonly actor?: 'human' | 'agent' | 'system';
  readonly tool?: string;
  /** The program whose session it is. */
  readonly sessionTool?: string;
  readonly model?: string;
  readonly since?: number;
  readonly until?: number;
  readonly minCostUsd?: number;
  readonly hasError?: boolean;
  /** Only what people and agents did on the board itself, in sidebars; no lines of transcripts. */
  readonly isOnBoard?: true;
};

/** A piece of a text, as long as one thought: in a longer one, the vector of a sentence is lost. */
export type Passage = { readonly from: number; readonly to: number };

/** By the words of a text, by its meaning, or by both. */
export type SearchMode = 'words' | 'semantic' | 'hybrid';

export type SearchQuery = {
  readonly text: string;
  readonly filters: SearchFilters;
  readonly limit: number;
  readonly cursor: string | null;
  /** By words, unless given. */
  readonly mode?: SearchMode;
  /** Called between steps of a long search, so that others can be served; it throws once the search is cancelled. */
  readonly turn?: () => Promise<void>;
  /** Signals cancellation to a search that runs elsewhere; `turn` then throws, too. */
  readonly signal?: AbortSignal;
};

export type SearchHit = {
  readonly position: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly score: number;
  /** For a relaxed query: how many of its words the text has. */
  readonly covered?: number;
  /** If meaning took part: what found it, how near it is (a cosine), and the matching passage of its prose. */
  readonly by?: 'words' | 'meaning' | 'both';
  readonly near?: number;
  /** The nearness on one scale for every model (SEM-1). */
  readonly similarity?: number;
  readonly passage?: Passage;
};

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  /** `relevance`, or `newest` if a word is so common that ranking every match would take too long. */
  readonly order: 'relevance' | 'newest';
  /** Words that were not found as typed, with what was looked for instead. */
  readonly corrected: Alternatives;
  /** Set if the query was relaxed: which words were ignored, and how others were widened. */
  readonly loosened: Loosened | null;
  /** The final query, for callers that show where a text matches. */
  readonly asked: Query;
  readonly alternatives: Alternatives;
  /** How much the index of meaning covers; null if it took no part or doesn't exist. */
  readonly coverage?: Coverage | null;
  /** Whether the index has everything on the log. */
  readonly isComplete: boolean;
};

/** An entry that search covers only in part: longer than what is indexed, or too large to index. */
export type Unindexed = { readonly position: number; readonly why: 'too long' | 'too large' };

/**
 * The progress of the index of meaning: its last position, the total, and the model of its vectors; and why meaning took no part, if its model
 * couldn't be reached (MEAN-22), or that its model has none of the words that were asked for (MEAN-25).
 */
export type Coverage = { readonly model: string; readonly position: number; readonly of: number; readonly problem?: string; readonly unknown?: true };

/** The embedding model can't be reached, or gave an invalid answer: a fact to show. Search by words still works. */
export class MeaningFault extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'MeaningFault';
  }
}

/** A text with a meaning similar to the query. */
export type Near = {
  readonly position: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly near: number;
  readonly similarity: number;
  readonly passage: Passage;
  /** The prompt it answers, if its index knows prompts (MEAN-12). */
  readonly prompt?: number | null;
};

/** The index of what texts mean. It is separate from the index of words: without it, search continues by words. */
export type MeaningPort = {
  /**
   * The nearest texts, nearest first; null without such an index. `corrected` has the likely meaning of words that nobody used. Throws a
   * `MeaningFault` if the index's model can't be reached.
   */
  readonly nearest: (
    text: string,
    filters: SearchFilters,
    most: number,
    corrected: Alternatives,
    turn?: SearchQuery['turn'],
  ) => Promise<readonly Near[] | null>;
  /** Also for a question: whether the model knows any word of it. */
  readonly coverage: (text?: string) => Promise<Coverage | null>;
  /** Whether the model is remote, which may be slow or fail: then no search by words waits for it. */
  readonly isElsewhere: boolean;
  /** Indexes the next entries; returns how many, 0 when none are left. */
  readonly advance: (limit: number, signal?: AbortSignal) => Promise<number>;
};
export type MaskedQuery = { readonly filters: SearchFilters; readonly below: number; readonly limit: number };

export type SearchPort = {
  readonly meaning: MeaningPort;
  readonly find: (query: SearchQuery) => Promise<SearchAnswer>;
  /** The last indexed position. */
  readonly position: () => Promise<number>;
  /** The entries that aren't fully indexed: how many, and the first of them. */
  readonly unindexed: () => Promise<{ readonly count: number; readonly first: readonly Unindexed[] }>;
  /** Indexes the next entries; returns how many, 0 when none are left. */
  readonly advance: (limit: number) => Promise<number>;
  /** Completes the vocabulary: called after a range of entries. */
  readonly settle: () => Promise<void>;
  /** Empties the index; `advance` fills it again from the log. */
  readonly clear: () => Promise<void>;
  /** SEC-25: entries in which something is masked, newest first, below a position. The index knows where the masks are, and not what they hide. */
  readonly masked: (query: MaskedQuery) => Promise<readonly SearchHit[]>;
  /** Removes an entry's words from the index for good. */
  readonly drop: (positions: readonly number[]) => Promise<void>;
};
