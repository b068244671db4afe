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
  /** Only what people and agents did on the board itself, in sidebars: no lines of transcripts. */
  readonly isOnBoard?: true;
};

/** A piece of a text, as long as one thought: in a longer one the vector of a sentence is lost. */
export type Passage = { readonly from: number; readonly to: number };

/** By the words of a text, by what it means, or by both. */
export type SearchMode = 'words' | 'semantic' | 'hybrid';

export type SearchQuery = {
  readonly text: string;
  readonly filters: SearchFilters;
  readonly limit: number;
  readonly cursor: string | null;
  /** By words, unless said. */
  readonly mode?: SearchMode;
  /** Called between pieces of a long search, so that others can be served; a question that is given up ends by it. */
  readonly turn?: () => Promise<void>;
  /** Says when it is given up, to whoever has it answered elsewhere; `turn` then says so, too. */
  readonly signal?: AbortSignal;
};

export type SearchHit = {
  readonly position: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly score: number;
  /** Of a question that was asked less strictly, how many of its words the text has. */
  readonly covered?: number;
  /** Where meaning took part: what it was found by, how near it is (a cosine), and the passage of its prose that is. */
  readonly by?: 'words' | 'meaning' | 'both';
  readonly near?: number;
  /** What that is worth, on one scale for every model (SEM-1). */
  readonly similarity?: number;
  readonly passage?: Passage;
};

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  /** `relevance`, or `newest` where a word is so common that ranking all of it would take too long. */
  readonly order: 'relevance' | 'newest';
  /** Words that were not found as they stand, with what was looked for instead. */
  readonly corrected: Alternatives;
  /** Set where the query was asked less strictly: what was left out of it, and what its words were widened to. */
  readonly loosened: Loosened | null;
  /** What was looked for in the end, for whoever shows where a text has it. */
  readonly asked: Query;
  readonly alternatives: Alternatives;
  /** How much the index of meaning covers; null where it took no part or is not there. */
  readonly coverage?: Coverage | null;
  /** Whether everything on the log is in the index yet. */
  readonly isComplete: boolean;
};

/** An entry that search does not cover as a whole: longer than is indexed, or larger than could be. */
export type Unindexed = { readonly position: number; readonly why: 'too long' | 'too large' };

/**
 * How far the index of meaning is: the last position in it, of how many, and the model whose vectors it has; and why meaning took no part all the same, where
 * its model could not be asked (MEAN-22).
 */
export type Coverage = { readonly model: string; readonly position: number; readonly of: number; readonly problem?: string };

/** The model that texts are embedded with cannot be asked, or gave what it should not: a fact to show. Words are found all the same. */
export class MeaningFault extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'MeaningFault';
  }
}

/** A text that means something like what was asked for. */
export type Near = {
  readonly position: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly near: number;
  readonly similarity: number;
  readonly passage: Passage;
  /** The prompt that it answers, where its index knows prompts (MEAN-12). */
  readonly prompt?: number | null;
};

/** The index of what texts mean. It is apart from that of words: without it search goes on by words. */
export type MeaningPort = {
  /**
   * The nearest texts, the nearest first; null where there is no such index. `corrected` says what was probably meant by words that nobody used. Throws a
   * `MeaningFault` where the model of the index cannot be asked.
   */
  readonly nearest: (
    text: string,
    filters: SearchFilters,
    most: number,
    corrected: Alternatives,
    turn?: SearchQuery['turn'],
  ) => Promise<readonly Near[] | null>;
  readonly coverage: () => Promise<Coverage | null>;
  /** Whether texts are embedded somewhere else, which may take long and fail: then nobody who waits for words waits for it. */
  readonly isElsewhere: boolean;
  /** Brings the next entries into the index; says how many, 0 when there are none left. */
  readonly advance: (limit: number, signal?: AbortSignal) => Promise<number>;
};
export type MaskedQuery = { readonly filters: SearchFilters; readonly below: number; readonly limit: number };

export type SearchPort = {
  readonly meaning: MeaningPort;
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
