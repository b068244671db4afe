import { writeFileSync } from 'node:fs';
import { readEmbedding } from '@yarnboard/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../../../tests/patience.ts';
import { BadSettings, readSettings } from '../../src/home/settings.ts';
import { startEmbeddingStub, type EmbeddingStub } from '../threads/embedding-stub.ts';
import { makeBoard, pathOf, type TestBoard } from './boards.ts';
import { prompt, reply } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const open: TestBoard[] = [];
afterEach(async () => {
  for (const board of open.splice(0)) await board.close();
});

const make = async (stub: EmbeddingStub | null, home?: TestBoard['home']): Promise<TestBoard> => {
  const embedding = stub === null ? null : readEmbedding({ url: `${stub.url}/v1`, model: 'stub-1' });
  const board = await makeBoard({
    settings: { excludedProjects: [], roots: [], embedding: embedding?.ok === true ? embedding.value : null },
    ...(home === undefined ? {} : { home }),
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, 'Users cannot sign in: authentication and login failures'),
        reply('u2', 'u1', 1, [{ type: 'text', text: 'The colour of the button is blue now' }]),
        prompt('u3', 'u2', 2, 'Bread needs flour and water'),
      ],
    },
  });
  open.push(board);
  return board;
};

const coverageOf = async (board: TestBoard) => (await board.get('search', { q: 'what trouble with login do users have' })).coverage;
const embedded = (board: TestBoard): Promise<void> =>
  vi.waitFor(
    async () => {
      const coverage = await coverageOf(board);
      expect([coverage?.model.startsWith('stub-1 at 127.0.0.1:'), coverage?.position === coverage?.of, coverage?.problem]).toEqual([
        true,
        true,
        undefined,
      ]);
    },
    { timeout: PATIENCE, interval: 50 },
  );
const failing = async (board: TestBoard) => ((await board.get('status')).failing ?? []).filter(({ name }) => name === 'meaning');

test('[MEAN-20] [MEAN-21] an endpoint of the settings fills the index in the background, and without it the own embedding does so again', async () => {
  const stub = await startEmbeddingStub();
  const board = await make(stub);
  await embedded(board);
  const { items } = await board.get('search', { q: 'login problems', mode: 'semantic' });
  expect(items.map(({ uuid, by }) => [uuid, by])).toEqual([['u1', 'meaning']]);
  expect((await board.get('similar', { ref: 'MSG-1' })).coverage.model).toContain('stub-1');
  expect(await failing(board)).toEqual([]);
  await board.close();
  const asked = stub.requests.length;
  const again = await make(null, board.home);
  await vi.waitFor(async () => expect((await coverageOf(again))?.model).toMatch(/^yarnboard-/u), { timeout: PATIENCE });
  expect((await again.get('search', { q: 'login problems', mode: 'semantic' })).items.map(({ uuid }) => uuid)).toEqual(['u1']);
  expect(stub.requests.length).toBe(asked);
});

test('[MEAN-22] while the endpoint is away words are found with the reason, meaning alone is refused, and Health says so until it is back', async () => {
  const stub = await startEmbeddingStub();
  const board = await make(stub);
  await embedded(board);
  stub.behave({ kind: 'raw', status: 503, body: 'the model is being loaded' });
  const { items, coverage } = await board.get('search', { q: 'why is the colour of that button blue' });
  expect([items[0]?.uuid, items[0]?.by, coverage?.problem]).toEqual([
    'u2',
    'words',
    expect.stringContaining('it answered 503: the model is being loaded'),
  ]);
  const refused = await board.problem(pathOf('search', { q: 'sign in trouble', mode: 'semantic' }));
  expect([refused.code, refused.detail]).toEqual(['semantic-unavailable', expect.stringContaining('it answered 503')]);
  for (const path of [pathOf('archive_search', { query_text: 'sign in trouble' }), pathOf('similar', { ref: 'MSG-2' })])
    expect((await board.problem(path)).code).toBe('semantic-unavailable');
  await board.command('sidebar_spawn', { parent_id: null, task_description: 'Find out why cookies are lost' });
  await board.board.indexer.drain();
  expect((await board.get('search', { q: 'cookies lost', mode: 'words' })).items).toHaveLength(1);
  await vi.waitFor(async () => expect(await failing(board)).toMatchObject([{ why: expect.stringContaining('it answered 503') as string }]), {
    timeout: PATIENCE,
    interval: 50,
  });
  stub.behave({ kind: 'answer', times: 2 });
  expect((await board.get('search', { q: 'why are cookies of people lost' })).coverage?.problem).toContain('a vector of 512 numbers, expected 256');
  // Exchanged on purpose: set up anew, whatever the length.
  await board.command('rebuild', {});
  await embedded(board);
  expect((await board.get('search', { q: 'login problems', mode: 'semantic' })).items[0]?.uuid).toBe('u1');
  await vi.waitFor(async () => expect(await failing(board)).toEqual([]), { timeout: PATIENCE, interval: 50 });
});

test('[MEAN-9] what is forgotten has no vector of an endpoint either, and is not sent to it again', async () => {
  const stub = await startEmbeddingStub();
  const board = await make(stub);
  await embedded(board);
  await board.command('forget', { ref: 'MSG-1' });
  const asked = stub.requests.length;
  expect((await board.get('search', { q: 'login problems', mode: 'semantic' })).items).toEqual([]);
  await board.command('rebuild', {});
  await embedded(board);
  // The texts that a model is calibrated with are everybody's.
  expect(stub.requests.slice(asked).filter(({ input }) => input.includes('Users cannot sign in: authentication and login failures'))).toEqual([]);
});

test('[MEAN-20] a setting that is wrong is refused with its place', async () => {
  const board = await make(null);
  writeFileSync(board.home.settingsFile, JSON.stringify({ embedding: { url: 'http://127.0.0.1:11434/v1' } }));
  expect(() => readSettings(board.home)).toThrow(BadSettings);
  expect(() => readSettings(board.home)).toThrow('"embedding.model"');
  writeFileSync(board.home.settingsFile, JSON.stringify({ embedding: { url: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text' } }));
  expect(readSettings(board.home).embedding).toMatchObject({ kind: 'openai', model: 'nomic-embed-text', key: null });
});
