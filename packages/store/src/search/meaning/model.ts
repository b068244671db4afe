import { knowsNoneOf, type Embedding } from '@yarnboard/language';
import { maskSecrets } from '@yarnboard/domain';
import { MeaningFault, type Coverage } from '../port.ts';
import type { Alternatives } from '../query.ts';
import type { Embedder } from './embedder.ts';
import { MODEL } from './embedding-file.ts';
import { askedVector, closenessIn, withoutExclusions, type Closeness } from './nearest.ts';
import { CURVE, type Curve } from './similarity.ts';
import { normalised, SAYS, storedPassage, type SaidPassage, type StoredPassage } from './vectors.ts';

/** How to query an index that was filled with one model. */
export type Asker = {
  readonly curve: Curve;
  /** Null for a model that reads sentences: it needs no second look. */
  readonly closenessOf: (text: string, corrected: Alternatives) => Closeness | null;
  /** MEAN-25: whether the model has none of a question's words; a remote one doesn't say. */
  readonly knowsNone: (text: string) => boolean;
  /** Null if nothing in the question can be embedded. */
  readonly vectorOf: (text: string, corrected: Alternatives) => Promise<Float32Array | null> | Float32Array | null;
};

export type Askers = {
  /** For an index with vectors of this model; null if this process can't query it. */
  readonly of: (model: string) => Asker | null;
  /** MEAN-9: a question may be the text of something that has been forgotten since. */
  readonly forget: () => void;
};

export const createAskers = (embedding: () => Embedding | null, embedder: Embedder | null): Askers => {
  const asked = new Map<string, Float32Array>();
  const ask = async (from: Embedder, text: string): Promise<Float32Array | null> => {
    const meant = maskSecrets(withoutExclusions(text)).text.slice(0, LONGEST_QUESTION);
    if (!SAYS.test(meant)) return null;
    const known = asked.get(meant);
    if (known !== undefined) return known;
    const [vector] = await from.embed([meant], 'question');
    if (vector === undefined) throw new MeaningFault('it gave no vector');
    const unit = normalised(vector);
    const [oldest] = asked.keys();
    if (asked.size >= MOST_KNOWN && oldest !== undefined) asked.delete(oldest);
    asked.set(meant, unit);
    return unit;
  };
  return {
    of: (model) => {
      if (model === MODEL) {
        const own = embedding();
        if (own === null) return null;
        return {
          curve: CURVE,
          knowsNone: (text) => knowsNoneOf(own, withoutExclusions(text)),
          closenessOf: (text, corrected) => closenessIn(own, text, corrected),
          vectorOf: (text, corrected) => askedVector(own, text, corrected),
        };
      }
      const card = embedder?.model === model ? embedder.card() : null;
      return embedder === null || card === null
        ? null
        : { curve: card.curve, knowsNone: () => false, closenessOf: () => null, vectorOf: (text) => ask(embedder, text) };
    },
    forget: () => asked.clear(),
  };
};

/** MEAN-11, MEAN-25. */
export const coverageOf = ({ knowsNone }: Asker, text: string, progress: Coverage): Coverage => ({
  ...progress,
  ...(knowsNone(text) && { unknown: true }),
});

/**
 * Embeds passages with a remote model. Nobody may wait for it while the index is locked, so the writer checks first whether anything was dropped in
 * the meantime.
 */
export const embeddedBy = async <P extends SaidPassage>(
  embedder: Embedder,
  passages: readonly P[],
  signal?: AbortSignal,
): Promise<readonly (P & StoredPassage)[]> => {
  const vectors =
    passages.length === 0
      ? []
      : await embedder.embed(
          passages.map(({ text }) => text),
          'text',
          signal,
        );
  return passages.flatMap((passage, at) => {
    const vector = vectors[at];
    const stored = vector === undefined ? null : storedPassage(passage, vector);
    return stored === null ? [] : [{ ...passage, ...stored }];
  });
};

/** How many entries are sent to an endpoint between two commits: paid results are kept, however it ends. */
export const ENTRIES_AT_ONCE = 32;
/** A question is a sentence or two; a text that is compared with others says at its beginning what it is about. */
const LONGEST_QUESTION = 2000;
/** The pages of a list repeat the same question. */
const MOST_KNOWN = 50;
