export type SearchOrder = {
  readonly folder: string;
  readonly messages: number;
  readonly words: number;
  readonly queries: number;
  readonly seed: number;
  readonly patience: number;
};

/** In milliseconds. */
export type Latencies = { readonly p50: number; readonly p95: number; readonly most: number };

export type ClassName =
  'rare word' | 'common word' | 'phrase' | 'misspelled word' | 'code with punctuation' | 'word with a filter' | 'common word with a filter';

export type ClassResult = {
  readonly name: ClassName;
  readonly queries: number;
  readonly hits: number;
  /** How many were answered with what was meant. All, except where words are misspelled: those are guessed. */
  readonly right: number;
  /** The store's answer: positions in order. */
  readonly find: Latencies;
  /** What a client of the HTTP API waits for: the same with texts, highlights and masking. */
  readonly api: Latencies;
};

export type SearchResult =
  | {
      readonly kind: 'measured';
      readonly messages: number;
      readonly payloadBytes: number;
      readonly terms: number;
      readonly appendSeconds: number;
      readonly indexSeconds: number;
      readonly settleSeconds: number;
      readonly boardBytes: number;
      readonly indexBytes: number;
      readonly planted: number;
      readonly classes: readonly ClassResult[];
    }
  | { readonly kind: 'too slow'; readonly messages: number; readonly seconds: number; readonly done: number };
