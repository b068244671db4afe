import type { Curve } from './similarity.ts';

/** MEAN-20: a model that runs somewhere else. What it is given has no secrets in it any more. */
export type Embedder = {
  /** What its vectors are called by: vectors of two models are never compared. */
  readonly model: string;
  /** What was found out about it when it was set up; null until then. */
  readonly card: () => ModelCard | null;
  /** Finds that out: by questions whose answers are known. */
  readonly setUp: (signal?: AbortSignal) => Promise<ModelCard>;
  /** It shall be set up anew: its vectors may have another length by now. */
  readonly forget: () => void;
  /** A vector for each text, as long as the card says. Throws a `MeaningFault` where there is none. */
  readonly embed: (texts: readonly string[], use: 'text' | 'question', signal?: AbortSignal) => Promise<readonly Float32Array[]>;
};

export type ModelCard = { readonly dims: number; readonly curve: Curve };
