import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embed, parseEmbedding } from '@yarnboard/language';
import { afterFile } from '../../../../tests/afterwards.ts';

/** What the stub does with the next requests. */
type Manner =
  | {
      readonly kind: 'answer';
      readonly times?: number;
      /** What all vectors have in common: with 3, a cosine of 0.2 becomes 0.8. */
      readonly common?: number;
      readonly isBackwards?: boolean;
      readonly longest?: number;
    }
  | { readonly kind: 'silent' }
  | { readonly kind: 'raw'; readonly status: number; readonly body: string; readonly location?: string };

export type EmbeddingStub = {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly input: readonly string[]; readonly key: string | undefined; readonly body: object }[];
  readonly behave: (manner: Manner) => void;
};

const file = readFileSync(new URL('../../../language/embedding/embedding.bin', import.meta.url));

/**
 * An endpoint on 127.0.0.1 that speaks `/v1/embeddings` and `/api/embed`. Its model is the embedding that comes with Yarnboard, so that what is near really is;
 * `times` makes its vectors longer.
 */
export const startEmbeddingStub = async (): Promise<EmbeddingStub> => {
  const embedding = parseEmbedding(file, (bytes) => new TextDecoder().decode(bytes));
  if (embedding === null) throw new Error('the embedding is missing');
  const requests: EmbeddingStub['requests'][number][] = [];
  let manner: Manner = { kind: 'answer' };
  const answer = (response: ServerResponse, path: string, input: readonly string[]): void => {
    if (manner.kind === 'silent') return;
    if (manner.kind === 'raw') {
      response.writeHead(manner.status, manner.location === undefined ? {} : { location: manner.location });
      response.end(manner.body);
      return;
    }
    const { times = 1, common = 0, isBackwards = false, longest = Infinity } = manner;
    if (input.some((text) => text.length > longest)) {
      response.writeHead(400);
      response.end(JSON.stringify({ error: { message: 'the input is longer than the context of this model' } }));
      return;
    }
    const vectors = input.map((text) => {
      const vector = embed(embedding, text);
      const own = Array.from({ length: vector.length * times }, (_, at) => (vector[at % vector.length] ?? 0) * 3);
      return common === 0 ? own : [...own, Math.sqrt(common) * 3];
    });
    const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: vector }));
    response.end(JSON.stringify(path.endsWith('/api/embed') ? { embeddings: vectors } : { data: isBackwards ? data.toReversed() : data }));
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as { readonly input: readonly string[] }; // of our own program
      requests.push({ path: request.url ?? '', input: body.input, key: request.headers.authorization, body });
      answer(response, request.url ?? '', body.input);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (next) => {
      manner = next;
    },
  };
};
