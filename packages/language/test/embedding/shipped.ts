import { readFileSync } from 'node:fs';
import { parseEmbedding, type Embedding } from '../../src/index.ts';

const bytes = readFileSync(new URL('../../embedding/embedding.bin', import.meta.url));
const parsed = parseEmbedding(bytes, (part) => new TextDecoder().decode(part));

/** The embedding that comes with the program. */
export const shippedEmbedding = (): Embedding => {
  if (parsed === null) throw new Error('the embedding that is shipped cannot be read');
  return parsed;
};
