import { maskSecrets } from '@yarnboard/domain';
import type { EmbeddingSettings } from '@yarnboard/protocol';
import { MeaningFault, type Embedder } from '@yarnboard/store';
import { readFileSync } from 'node:fs';
import type { Calibration } from './calibration.ts';
import { cardIn } from './embedding-card.ts';

export type EndpointNeeds = {
  readonly settings: EmbeddingSettings;
  /** Where the model's properties are stored. */
  readonly cardFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly calibration: () => Calibration | null;
};

/** MEAN-20: an endpoint like OpenAI's or Ollama's. It receives texts with masked secrets, and nothing else. */
export const createEmbeddingEndpoint = ({ settings, cardFile, env, calibration }: EndpointNeeds): Embedder => {
  const { kind, url, model, dimensions } = settings;
  const base = url.replace(/\/+$/u, '');
  const address = kind === 'openai' ? `${base}/embeddings` : `${base}/api/embed`;
  const name = `${model} at ${new URL(url).host}`;
  const cards = cardIn(cardFile, name);

  const request = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    const key = keyOf(settings, env);
    const headers = { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
    const body = JSON.stringify({ model, input: texts, ...(dimensions === null ? {} : { dimensions }) });
    // It doesn't follow redirects: nobody agreed to send texts elsewhere.
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' });
    const answer = await textOf(response);
    if (!response.ok) throw new Refused(response.status, `it answered ${response.status}${shortly(answer)}`);
    const vectors = vectorsIn(kind, answer);
    if (vectors === null || vectors.length !== texts.length)
      throw new MeaningFault(`it did not answer with one vector for each text${shortly(answer)}`);
    return vectors;
  };

  /** A text may be too long for the model: then its beginning counts. */
  const requestOrShorten = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    try {
      return await request(texts, signal);
    } catch (cause) {
      const [text = ''] = texts;
      if (!(cause instanceof Refused) || !TOO_LONG.includes(cause.status) || (texts.length === 1 && text.length < SHORTEST)) throw cause;
      if (texts.length === 1) return requestOrShorten([text.slice(0, text.length >> 1)], signal);
      const half = texts.length >> 1;
      return [...(await requestOrShorten(texts.slice(0, half), signal)), ...(await requestOrShorten(texts.slice(half), signal))];
    }
  };

  const asked = async (texts: readonly string[], patience: number, signal?: AbortSignal): Promise<readonly Float32Array[]> => {
    const timeout = AbortSignal.timeout(patience);
    try {
      return await requestOrShorten(texts, signal === undefined ? timeout : AbortSignal.any([timeout, signal]));
    } catch (cause) {
      if (signal?.aborted === true) throw cause;
      if (cause instanceof MeaningFault) throw new MeaningFault(`${name}: ${cause.message}`, cause);
      const why = timeout.aborted ? `no answer within ${patience / 1000} s` : reasonOf(cause);
      throw new MeaningFault(`${name}: ${why}`, cause);
    }
  };

  const inBatches = async (texts: readonly string[], prefix: string, signal?: AbortSignal): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (const batch of batchesOf(texts.map((text) => prefix + text.slice(0, LONGEST)))) vectors.push(...(await asked(batch, PATIENCE, signal)));
    return vectors;
  };

  const sized = (vectors: readonly Float32Array[], dims: number): readonly Float32Array[] => {
    const odd = vectors.find((vector) => vector.length !== dims);
    if (odd === undefined) return vectors;
    throw new MeaningFault(
      `${name}: it gave a vector of ${odd.length} numbers, expected ${dims}; if the model was exchanged, run \`yarnboard rebuild\``,
    );
  };

  return {
    model: name,
    card: cards.read,
    forget: cards.remove,
    setUp: async (signal) => {
      const known = calibration();
      if (known === null) throw new MeaningFault('the texts that a model is calibrated with are missing: install Yarnboard again');
      const texts = await inBatches(
        known.texts.map(({ text }) => text),
        settings.textPrefix,
        signal,
      );
      const questions = await inBatches(
        known.questions.map(({ text }) => text),
        settings.queryPrefix,
        signal,
      );
      const dims = dimensions ?? texts[0]?.length ?? 0;
      sized([...texts, ...questions], dims);
      return cards.write(known, texts, questions, dims);
    },
    embed: async (texts, use, signal) => {
      const card = cards.read();
      if (card === null) throw new MeaningFault(`${name}: it was not set up yet`);
      const masked = texts.map((text) => maskSecrets(text).text);
      const vectors = await (use === 'text'
        ? inBatches(masked, settings.textPrefix, signal)
        : asked(
            masked.map((text) => settings.queryPrefix + text),
            PATIENCE_OF_QUESTIONS,
            signal,
          ));
      return sized(vectors, card.dims);
    },
  };
};

/** Its answer rejects the text. */
class Refused extends MeaningFault {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

const keyOf = ({ key }: EmbeddingSettings, env: EndpointNeeds['env']): string | null => {
  if (key === null) return null;
  if (key.from === 'environment') {
    const value = env[key.name];
    if (value === undefined || value === '') throw new MeaningFault(`the environment variable ${key.name} is not set`);
    return value;
  }
  try {
    return readFileSync(key.name, 'utf8').trim();
  } catch (cause) {
    throw new MeaningFault(`the key file ${key.name} cannot be read`, cause);
  }
};

/** Batches are sized so that each request takes seconds even without a GPU. */
const batchesOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  let size = MOST_CHARACTERS;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length === MOST_TEXTS || size + text.length > MOST_CHARACTERS) {
      batches.push([text]);
      size = text.length;
    } else {
      last.push(text);
      size += text.length;
    }
  }
  return batches;
};

const textOf = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MOST_BYTES) throw new MeaningFault(`its answer is longer than ${MOST_BYTES / 1024 / 1024} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** The vectors in an answer, in the order of the texts; null if it isn't understood. */
const vectorsIn = (kind: EmbeddingSettings['kind'], answer: string): readonly Float32Array[] | null => {
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return null; // the caller reports what came instead
  }
  const lists = kind === 'openai' ? ordered(fieldOf(json, 'data')) : fieldOf(json, 'embeddings');
  if (!Array.isArray(lists)) return null;
  const vectors = lists.map(vectorOf);
  return vectors.every((vector) => vector !== null) ? vectors : null;
};

/** OpenAI states each vector's index. */
const ordered = (data: unknown): readonly unknown[] | null => {
  if (!Array.isArray(data)) return null;
  const found: unknown[] = [];
  for (const [at, one] of data.entries()) {
    const index = fieldOf(one, 'index') ?? at;
    if (typeof index !== 'number' || !(index >= 0 && index < data.length)) return null;
    found[index] = fieldOf(one, 'embedding');
  }
  return Array.from(found);
};

const vectorOf = (list: unknown): Float32Array | null =>
  Array.isArray(list) && list.length > 0 && list.length <= MOST_DIMENSIONS && list.every((one) => typeof one === 'number' && Number.isFinite(one))
    ? Float32Array.from(list as readonly number[]) // checked right before
    : null;

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** Why it failed: for `fetch failed`, the cause says why. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const code = fieldOf(cause.cause, 'code');
  return code === 'ECONNREFUSED' ? 'nothing listens there' : cause.cause instanceof Error ? cause.cause.message : cause.message;
};

const shortly = (answer: string): string => {
  const text = maskSecrets(answer).text.replaceAll(/\s+/gu, ' ').trim().slice(0, 200);
  return text === '' ? '' : `: ${text}`;
};

/** MEAN-22. */
const PATIENCE_OF_QUESTIONS = 1000;
/** A model that is still loading takes its time. */
const PATIENCE = 60_000;
const MOST_TEXTS = 32;
const MOST_CHARACTERS = 48_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_DIMENSIONS = 8192;
/** A passage has about 90 words. */
const LONGEST = 4000;
const SHORTEST = 200;
/** Bad request, too large, unprocessable: servers reject overlong texts with any of these. */
const TOO_LONG: readonly number[] = [400, 413, 422];
