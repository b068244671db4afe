import { expect, test } from 'vitest';
import type { Item, Store } from '../port.ts';
import type { SearchFilters } from '../search/port.ts';
import { append, indexAll, NOON, withBoard, type Part } from './bench.ts';
import { decided, line, prompt } from './records.ts';

const find = async (store: Store, text: string, filters: SearchFilters = {}): Promise<readonly number[]> =>
  (await store.search.find({ text, filters, limit: 100, cursor: null })).hits.map(({ position }) => position).sort((a, b) => a - b);

const BYTES = Buffer.from('the reeds of this picture').toString('base64');

const DECIDED: readonly Item[] = [
  /* 1 */ line('weave', prompt('why do the reeds break?', { uuid: 'u1' })),
  /* 2 */ decided('spawned', { task: 'find out why reeds break', successCriteria: 'a basket holds', priority: 'high' }, { type: 'sidebar.spawned' }),
  /* 3 */ decided('asks', { content: 'are the reeds dry? see reed_length.max(3)', role: 'user' }, { timestamp: NOON + 60_000 }),
  /* 4 */ decided('answers', { content: 'the reeds are dry', role: 'assistant' }, { sender: 'AGENT-weaver', senderType: 'agent' }),
  /* 5 */ decided('elsewhere', { content: 'reeds again' }, { sessionId: 'knot-2', contextId: 'sidebar:knot-2' }),
  /* 6 */ decided('picture', { mediaType: 'image', filePath: 'pictures/reeds.png', content: BYTES }, { type: 'media.uploaded' }),
  /* 7 */ decided('moved', { from: 'active', to: 'reviewing', reason: 'reeds' }, { type: 'sidebar.moved', note: 'reeds' }),
  /* 8 */ decided('noted', { finding: 'F-1', note: 'soaked reeds hold' }, { type: 'finding.annotated', note: 'a note is no fault here' }),
];

export const describeDecidedSearch: Part = (open) => {
  const withDecided = (work: (store: Store) => Promise<void>): Promise<void> =>
    withBoard(open, async ({ store }) => {
      await append(store, DECIDED);
      await indexAll(store);
      await work(store);
    });

  test('[STORE-28] what was written in a sidebar is found beside what stands in transcripts', () =>
    withDecided(async (store) => {
      expect(await find(store, 'reeds')).toEqual([1, 2, 3, 4, 5, 6, 8]);
      expect(await find(store, '"a basket holds"')).toEqual([2]);
      expect([await find(store, 'reed_length.max(3)'), await find(store, 'reed_length.max(4)')]).toEqual([[3], []]);
      expect(await find(store, 'soakd')).toEqual([8]);
    }));

  test('[STORE-28] states, ids and files of a payload are not found', () =>
    withDecided(async (store) => {
      for (const text of ['priority', 'assistant', 'reviewing', 'mediaType', 'image', BYTES, BYTES.slice(0, 12)]) {
        expect([text, await find(store, text)]).toEqual([text, []]);
      }
    }));

  test('[STORE-28] hits can be filtered by sidebar, by who said it and by time', () =>
    withDecided(async (store) => {
      expect(await find(store, 'reeds', { sessionId: 'knot' })).toEqual([2, 3, 4, 6, 8]);
      expect(await find(store, 'reeds', { sessionId: 'knot-2' })).toEqual([5]);
      expect(await find(store, 'reeds', { actor: 'agent' })).toEqual([4]);
      expect(await find(store, 'reeds', { actor: 'human', sessionId: 'knot' })).toEqual([2, 3, 6, 8]);
      expect(await find(store, 'reeds', { since: NOON + 1, hasError: false })).toEqual([3]);
    }));

  test('[STORE-28] a hit says which sidebar it stands in', () =>
    withDecided(async (store) => {
      const { hits } = await store.search.find({ text: 'again', filters: {}, limit: 10, cursor: null });
      expect(hits).toEqual([{ position: 5, sessionId: 'knot-2', agentId: null, score: expect.any(Number) as number }]);
    }));

  test('[STORE-25] [STORE-28] what was said in a sidebar and then dropped is not found', () =>
    withDecided(async (store) => {
      await store.search.drop([4]);
      expect(await find(store, 'dry')).toEqual([3]);
    }));
};
