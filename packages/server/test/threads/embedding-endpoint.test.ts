import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEmbedding, type EmbeddingSettings } from '@yarnboard/protocol';
import { MeaningFault, similarityOf, type Embedder } from '@yarnboard/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCalibration, type Calibration } from '../../src/threads/calibration.ts';
import { createEmbeddingEndpoint } from '../../src/threads/embedding-endpoint.ts';
import { startEmbeddingStub, type EmbeddingStub } from './embedding-stub.ts';

const SECRET = `sk-ant-api03-${'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'.repeat(3)}AA`;
const SMALL: Calibration = {
  weight: 1,
  questions: [{ text: 'login problems', sessions: ['a'] }],
  texts: [
    { text: 'users cannot sign in', session: 'a' },
    { text: 'flour and water', session: null },
  ],
};

let stub: EmbeddingStub;
let folder = '';
let made = 0;
beforeAll(async () => {
  stub = await startEmbeddingStub();
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-endpoint-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settingsOf = (given: object): EmbeddingSettings => {
  const read = readEmbedding({ url: `${stub.url}/v1`, model: 'stub-1', ...given });
  if (!read.ok || read.value === null) throw new Error(read.ok ? 'nothing was set' : read.error);
  return read.value;
};
const make = (given: object = {}, env: Readonly<Record<string, string>> = {}, calibration = SMALL): Embedder => {
  made += 1;
  return createEmbeddingEndpoint({
    settings: settingsOf(given),
    cardFile: join(folder, `card-${made}.json`),
    env,
    calibration: () => calibration,
  });
};
const ready = async (given: object = {}, env: Readonly<Record<string, string>> = {}): Promise<Embedder> => {
  stub.behave({ kind: 'answer' });
  const embedder = make(given, env);
  await embedder.setUp();
  return embedder;
};

test('[MEAN-20] settings name an endpoint, or are refused with the place', () => {
  expect(readEmbedding(undefined)).toEqual({ ok: true, value: null });
  expect(settingsOf({ kind: 'ollama', key_env: 'KEY', query_prefix: 'query: ' })).toMatchObject({
    kind: 'ollama',
    key: { from: 'environment', name: 'KEY' },
    queryPrefix: 'query: ',
    dimensions: null,
  });
  for (const [given, place] of [
    [{ url: 'http://127.0.0.1:1/v1' }, '"embedding.model"'],
    [{ url: 'ftp://127.0.0.1', model: 'm' }, '"embedding.url"'],
    [{ url: 'https://me:secret@host/v1', model: 'm' }, 'must have no name and password in it'],
    [{ url: 'http://host', model: 'm', dimensions: 3 }, '"embedding.dimensions"'],
    [{ url: 'http://host', model: 'm', kay: 1 }, '"embedding"'],
    [{ url: 'http://host', model: 'm', key_env: 'A', key_file: '/b' }, 'not both'],
  ] as const) {
    const read = readEmbedding(given);
    expect([given, read.ok ? '' : read.error]).toEqual([given, expect.stringContaining(place)]);
  }
});

test('[MEAN-20] OpenAI and Ollama are each asked in their own way, with key and prefixes, and what is sent has no secrets in it', async () => {
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, 'from-a-file\n');
  const openai = await ready({ key_env: 'EMBEDDING_KEY', query_prefix: 'Q: ', text_prefix: 'T: ' }, { EMBEDDING_KEY: 'from-the-environment' });
  stub.behave({ kind: 'answer', isBackwards: true });
  const [first, second] = await openai.embed([`users cannot sign in with ${SECRET}`, 'the colour is blue'], 'text');
  expect(stub.requests.at(-1)).toMatchObject({ path: '/v1/embeddings', key: 'Bearer from-the-environment', body: { model: 'stub-1' } });
  expect(stub.requests.at(-1)?.input).toEqual([expect.stringMatching(/^T: users cannot sign in/u), 'T: the colour is blue']);
  expect([first?.length, second?.length]).toEqual([256, 256]);
  const [alone] = await openai.embed(['the colour is blue'], 'text');
  expect(second).toEqual(alone);
  await openai.embed(['login'], 'question');
  expect(stub.requests.at(-1)?.input).toEqual(['Q: login']);
  const ollama = await ready({ kind: 'ollama', url: `${stub.url}/`, key_file: keyFile });
  await ollama.embed(['login'], 'question');
  expect(stub.requests.at(-1)).toMatchObject({ path: '/api/embed', key: 'Bearer from-a-file' });
  expect(JSON.stringify(stub.requests)).not.toContain(SECRET.slice(20, 60));
});

test('[MEAN-20] a text that is longer than the model takes is embedded by its beginning, and keeps no other from being embedded', async () => {
  const embedder = await ready();
  stub.behave({ kind: 'answer', longest: 500 });
  const vectors = await embedder.embed(['short', 'long '.repeat(400), 'also short'], 'text');
  expect(vectors.length).toBe(3);
  expect(vectors[1]).toEqual((await embedder.embed(['long '.repeat(100)], 'text'))[0]);
});

test('[MEAN-22] whatever goes wrong is reported in a sentence, with neither key nor secret in it', async () => {
  const embedder = await ready({ key_env: 'EMBEDDING_KEY' }, { EMBEDDING_KEY: 'do-not-tell' });
  const told = async (): Promise<string> =>
    embedder.embed(['users cannot sign in'], 'text').then(
      () => '',
      (cause: unknown) => (cause instanceof MeaningFault ? cause.message : `not a fault: ${String(cause)}`),
    );
  for (const [manner, words] of [
    [{ kind: 'raw', status: 500, body: `out of memory ${SECRET}` }, 'it answered 500: out of memory'],
    [{ kind: 'raw', status: 429, body: 'slow down' }, 'it answered 429: slow down'],
    [{ kind: 'raw', status: 404, body: '{"error":"model \\"stub-1\\" not found"}' }, 'it answered 404'],
    [{ kind: 'raw', status: 200, body: '<html>hello' }, 'one vector for each text'],
    [{ kind: 'raw', status: 200, body: '{"data":[]}' }, 'one vector for each text'],
    [{ kind: 'raw', status: 200, body: '{"data":[{"index":7,"embedding":[1]}]}' }, 'one vector for each text'],
    [{ kind: 'raw', status: 200, body: '{"data":[{"index":0,"embedding":[1,null]}]}' }, 'one vector for each text'],
    [{ kind: 'raw', status: 302, body: '', location: 'http://127.0.0.1:9/v1/embeddings' }, 'redirect'],
    [{ kind: 'answer', times: 2 }, 'it gave a vector of 512 numbers, expected 256'],
  ] as const) {
    stub.behave(manner);
    const why = await told();
    expect([words, why]).toEqual([words, expect.stringContaining(words)]);
    expect(why.startsWith('stub-1 at 127.0.0.1:')).toBe(true);
    expect([why.includes('do-not-tell'), why.includes(SECRET.slice(20, 60))]).toEqual([false, false]);
  }
  await expect(make({ url: await nowhere() }).setUp()).rejects.toThrow('nothing listens there');
  await expect(make({ key_env: 'NOT_SET' }).setUp()).rejects.toThrow('the environment variable NOT_SET is not set');
  await expect(make({ dimensions: 64 }).setUp()).rejects.toThrow('it gave a vector of 512 numbers, expected 64');
});

/** An address at which nobody listens any more. */
const nowhere = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}/v1`;
};

test('[MEAN-22] a question waits for a second and no longer', async () => {
  const embedder = await ready();
  stub.behave({ kind: 'silent' });
  await expect(embedder.embed(['login problems'], 'question')).rejects.toThrow('no answer within 1 s');
  const giving = new AbortController();
  const filling = embedder.embed(['users cannot sign in'], 'text', giving.signal);
  giving.abort();
  await expect(filling).rejects.toThrow('aborted');
});

const calibrated = (): Calibration => {
  const calibration = readCalibration();
  if (calibration === null) throw new Error('the texts to calibrate with are missing');
  return calibration;
};

test('[SEM-7] a model is calibrated when it is set up: similarity is the same for a model that finds everything near', async () => {
  stub.behave({ kind: 'answer' });
  const plain = make({}, {}, calibrated());
  expect(plain.card()).toBe(null);
  const { dims, curve } = await plain.setUp();
  expect([dims, plain.card()]).toEqual([256, { dims, curve }]);
  for (const axis of [0, 1]) {
    const values = curve.map((point) => point[axis] ?? 0);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
  stub.behave({ kind: 'answer', common: 3 });
  const close = await make({}, {}, calibrated()).setUp();
  expect([close.dims, close.curve[0]?.[0] ?? 0]).toEqual([257, expect.closeTo(((curve[0]?.[0] ?? 0) + 3) / 4, 2)]);
  for (const near of [0.35, 0.45, 0.55, 0.65, 0.72, 0.8])
    expect([near, similarityOf((near + 3) / 4, close.curve)]).toEqual([near, expect.closeTo(similarityOf(near, curve), 1)]);
  plain.forget();
  expect(plain.card()).toBe(null);
});

test('[SEM-7] of what reaches a similarity on questions that nobody calibrated with, about that share belongs', async () => {
  stub.behave({ kind: 'answer' });
  const { texts, weight } = calibrated();
  const embedder = make({}, {}, calibrated());
  const { curve } = await embedder.setUp();
  const vectors = await embedder.embed(
    texts.map(({ text }) => text),
    'text',
  );
  const reached = { 0.3: [0, 0], 0.5: [0, 0], 0.7: [0, 0] };
  for (const { text, answers } of frozenQuestions()) {
    const sessions = new Set(Object.keys(answers).map((id) => id.slice(0, id.lastIndexOf('/'))));
    const [asked = new Float32Array()] = await embedder.embed([text], 'question');
    for (const [at, vector] of vectors.entries()) {
      const session = texts[at]?.session ?? null;
      // Of unit length, three times.
      const similarity = similarityOf(vector.reduce((sum, value, d) => sum + value * (asked[d] ?? 0), 0) / 9, curve);
      for (const [least, counts] of Object.entries(reached)) {
        if (similarity < Number(least)) continue;
        counts[0] = (counts[0] ?? 0) + (session !== null && sessions.has(session) ? 1 : 0);
        counts[1] = (counts[1] ?? 0) + (session === null ? weight : 1);
      }
    }
  }
  for (const [least, [right = 0, all = 0]] of Object.entries(reached))
    expect([least, all > 10, right / all >= Number(least) - 0.15]).toEqual([least, true, true]);
});

const frozenQuestions = (): readonly { readonly text: string; readonly answers: object }[] =>
  readFileSync(new URL('../../../../fixtures/labelled/search/queries.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly text: string; readonly answers: object; readonly half: string; readonly kind: string })
    .filter(({ half, kind }) => half === 'frozen' && kind !== 'identifier');
