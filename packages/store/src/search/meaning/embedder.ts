import type { Curve } from './similarity.ts';

/** MEAN-20: a remote model. Its input has had its secrets removed. */
export type Embedder = {
  /** The name of its vectors: vectors of two models are never compared. */
  readonly model: string;
  /** What set-up found out about it; null until then. */
  readonly card: () => ModelCard | null;
  /** Finds that out with questions whose answers are known. */
  readonly setUp: (signal?: AbortSignal) => Promise<ModelCard>;
  /** Requests a new set-up: its vectors may have a different length by now. */
  readonly forget: () => void;
  /** A vector for each text, as long as the card says. Throws a `MeaningFault` if there is none. */
  readonly embed: (texts: readonly string[], use: 'text' | 'question', signal?: AbortSignal) => Promise<readonly Float32Array[]>;
};

export type ModelCard = { readonly dims: number; readonly curve: Curve };
