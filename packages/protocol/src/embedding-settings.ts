import { err, ok, type Result } from '@yarnboard/domain';
import * as z from 'zod';

/** MEAN-20: an endpoint that replaces the built-in embedding. */
export type EmbeddingSettings = {
  /** The protocol of the endpoint: `POST URL/embeddings` of OpenAI, or `POST URL/api/embed` of Ollama. */
  readonly kind: 'openai' | 'ollama';
  readonly url: string;
  readonly model: string;
  readonly key: { readonly from: 'environment' | 'file'; readonly name: string } | null;
  /** The wanted length of its vectors; null for the model's own. */
  readonly dimensions: number | null;
  /** The prefix of a question and of a text, for models trained with one. */
  readonly queryPrefix: string;
  readonly textPrefix: string;
};

const schema = z.strictObject({
  kind: z.enum(['openai', 'ollama']).default('openai'),
  url: z.url({ protocol: /^https?$/u }).refine((url) => !/^https?:\/\/[^/]*@/iu.test(url), 'must have no name and password in it'),
  model: z.string().min(1).max(200),
  key_env: z.string().regex(/^\w+$/u, 'must be the name of an environment variable').optional(),
  key_file: z.string().min(1).max(4096).optional(),
  dimensions: z.int().min(8).max(8192).optional(),
  query_prefix: z.string().max(200).default(''),
  text_prefix: z.string().max(200).default(''),
});

/** Reads `embedding` in the settings; null if it is missing. */
export const readEmbedding = (given: unknown): Result<EmbeddingSettings | null, string> => {
  if (given === undefined) return ok(null);
  const read = schema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    return err(`"${['embedding', ...(issue?.path ?? [])].join('.')}": ${issue?.message ?? 'not understood'}`);
  }
  const { kind, url, model, key_env: keyEnv, key_file: keyFile, dimensions, query_prefix: queryPrefix, text_prefix: textPrefix } = read.data;
  if (keyEnv !== undefined && keyFile !== undefined) return err('"embedding": give "key_env" or "key_file", not both');
  const key =
    keyEnv !== undefined
      ? ({ from: 'environment', name: keyEnv } as const)
      : keyFile !== undefined
        ? ({ from: 'file', name: keyFile } as const)
        : null;
  return ok({ kind, url, model, key, dimensions: dimensions ?? null, queryPrefix, textPrefix });
};
