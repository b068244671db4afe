import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEmbedding, type Embedding } from '@yarnboard/language';

/** The built-in embedding, loaded on first use, once per thread; null if it is missing or damaged. */
export const createEmbedding = (): (() => Embedding | null) => () => (loaded ??= loadEmbedding());

let loaded: Embedding | null | undefined;

const loadEmbedding = (): Embedding | null => {
  const path = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((one) => existsSync(one));
  return path === undefined ? null : parseEmbedding(readFileSync(path), (bytes) => new TextDecoder().decode(bytes));
};

/** Vectors of two models are never compared: an index made with another model is rebuilt. */
export const MODEL = 'yarnboard-static-256-v1';

/** Next to the bundle, next to the folder of its parts, and in the sources. */
const PLACES = ['./embedding.bin', '../embedding.bin', '../../../../language/embedding/embedding.bin'] as const;
