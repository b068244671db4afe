import { expect, test } from 'vitest';
import type { Item, Store } from '../port.ts';
import type { SearchFilters } from '../search/port.ts';
import { MOST_INDEXED } from '../search/whole.ts';
import { append, indexAll, NOON, withBoard, type Part } from './bench.ts';
import { CHEAP_MODEL, companion, damaged, line, MODEL, prompt, reply, result, said, use } from './records.ts';

const find = async (store: Store, text: string, filters: SearchFilters = {}): Promise<readonly number[]> =>
  (await store.search.find({ text, filters, limit: 100, cursor: null })).hits.map(({ position }) => position).sort((a, b) => a - b);

const TEXTS: readonly string[] = [
  /* 1 */ 'How does authentication work in the gateway?',
  /* 2 */ 'The gateway checks tokens before authorization happens',
  /* 3 */ 'call foo_bar.baz(x2) -> std::vector<int> in main.cpp:42',
  /* 4 */ 'call foo bar baz without any signs',
  /* 5 */ '認証サーバーの設定を変更する',
  /* 6 */ 'Go is ok; so is C',
  /* 7 */ 'Café au lait, naïve résumé',
  /* 8 */ "it's a quote ' and a backslash \\ and a % sign & | ! ( ) : *",
  /* 9 */ '데이터베이스 연결이 끊어졌습니다',
  /* 10 */ 'reconfiguration of the loadbalancer',
  /* 11 */ 'error: ENOENT, open /tmp/a\0b \ud83d half',
];

const filled = async (store: Store, texts: readonly string[] = TEXTS): Promise<void> => {
  await append(
    store,
    texts.map((text, at) => line('weave', prompt(text, { uuid: `u${at + 1}`, minute: at }))),
  );
  await indexAll(store);
};

const AGENT = { sessionId: 'weave', agentId: 'a1' } as const;
const FILTERED: readonly Item[] = [
  /* 1 */ line('weave', prompt('needle one', { uuid: 'u1' })),
  /* 2 */ line('weave', reply('needle two', { uuid: 'u2', minute: 1, id: 'm1', tokens: { output: 1000 } })),
  /* 3 */ line(
    'weave',
    reply([use('t1', 'Grep', { pattern: 'needle three' })], { uuid: 'u3', minute: 2, id: 'm2', model: CHEAP_MODEL, tokens: { output: 1 } }),
  ),
  /* 4 */ line('weave', result('t1', 'needle four', { uuid: 'u4', minute: 3, isError: true })),
  /* 5 */ line(AGENT, reply('needle five', { uuid: 'x1', minute: 4, more: { isSidechain: true, agentId: 'a1' } })),
  /* 6 */ line('twill', prompt('needle six', { uuid: 'v1', minute: 5, more: { cwd: '/home/ada/carpet' } })),
];

const FILTERS: readonly (readonly [keyof SearchFilters, SearchFilters, readonly number[]])[] = [
  ['project', { project: '/home/ada/carpet' }, [6]],
  ['sessionId', { sessionId: 'weave' }, [1, 2, 3, 4, 5]],
  ['agent', { agent: 'a1' }, [5]],
  ['actor', { actor: 'human' }, [1, 6]],
  ['tool', { tool: 'Grep' }, [3, 4]],
  ['model', { model: MODEL }, [2, 5]],
  ['since', { since: NOON + 3 * 60_000 }, [4, 5, 6]],
  ['until', { until: NOON + 60_000 }, [1, 2]],
  ['minCostUsd', { minCostUsd: 0.01 }, [2]],
  ['hasError', { hasError: true }, [4]],
  ['hasError', { hasError: false }, [1, 2, 3, 5, 6]],
  ['sessionId', { sessionId: 'unknown' }, []],
  ['tool', { tool: 'Unknown' }, []],
  ['since', { since: NOON + 60_000, until: NOON + 4 * 60_000, actor: 'agent', sessionId: 'weave' }, [2, 3, 5]],
];

export const describeSearch: Part = (open) => {
  test('[STORE-20] words are found in any case and with or without accents, all of them wanted', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'gateway')).toEqual([1, 2]);
      expect(await find(store, 'GATEWAY tokens')).toEqual([2]);
      expect(await find(store, 'cafe RESUME')).toEqual([7]);
      expect(await find(store, 'gateway reconfiguration')).toEqual([]);
      expect(await find(store, '')).toEqual([]);
    }));

  test('[STORE-20] words of one and two letters are words', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'ok')).toEqual([6]);
      expect(await find(store, 'go C')).toEqual([6]);
    }));

  test('[STORE-20] a phrase is found in its order only', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, '"foo bar baz"')).toEqual([3, 4]);
      expect(await find(store, '"bar foo"')).toEqual([]);
      expect(await find(store, '"authorization happens" gateway')).toEqual([2]);
    }));

  test('[STORE-20] code is found with its signs, and only with them', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'foo_bar.baz(x2)')).toEqual([3]);
      expect(await find(store, 'std::vector<int>')).toEqual([3]);
      expect(await find(store, 'main.cpp:42')).toEqual([3]);
      expect(await find(store, 'main.cpp/42')).toEqual([]);
      expect(await find(store, "it's")).toEqual([8]);
    }));

  test('[STORE-20] Chinese, Japanese and Korean are found without spaces', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, '認証')).toEqual([5]);
      expect(await find(store, '設定')).toEqual([5]);
      expect(await find(store, '証認')).toEqual([]);
      expect(await find(store, '베이스')).toEqual([9]);
    }));

  test('[STORE-20] a word can be excluded, or given by its beginning', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'gateway -tokens')).toEqual([1]);
      expect(await find(store, 'call -"bar baz without"')).toEqual([3]);
      expect(await find(store, 'call -foo_bar.baz')).toEqual([4]);
      expect(await find(store, 'auth*')).toEqual([1, 2]);
    }));

  test('[STORE-20] whatever is typed is no error, and finds what is near it', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const odd = [
        "'",
        '"',
        '\\',
        "'; DROP TABLE entries; --",
        'a & b | !c <-> (d:*',
        '*',
        '-',
        '\0',
        '\ud83d',
        'NEAR(a b)',
        'AND OR NOT',
        ':*',
        "''''",
        '%_',
        '$1',
      ];
      for (const text of [...odd, ...odd.map((some) => `gateway ${some}`), ...odd.map((some) => `"${some}"`)]) {
        expect((await store.search.find({ text, filters: {}, limit: 5, cursor: null })).isComplete).toBe(true);
      }
      expect(await find(store, 'ENOENT')).toEqual([11]);
    }));

  test('[STORE-21] a word that is in no text is looked for as it was meant', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const answer = await store.search.find({ text: 'authentcation', filters: {}, limit: 10, cursor: null });
      expect([answer.hits.map(({ position }) => position), answer.corrected.get('authentcation')]).toEqual([[1], ['authentication']]);
      expect(await find(store, 'gatewya')).toEqual([1, 2]);
      expect((await store.search.find({ text: 'gateway', filters: {}, limit: 10, cursor: null })).corrected.size).toBe(0);
      expect(await find(store, 'xylophone')).toEqual([]);
    }));

  test('[STORE-21] among many words that are alike the one that was meant is found', () =>
    withBoard(open, async ({ store }) => {
      const stems = Array.from(
        { length: 900 },
        (_, i) => `aut${String.fromCodePoint(97 + (i % 26), 97 + (Math.floor(i / 26) % 26), 98 + Math.floor(i / 676))}ication`,
      );
      await filled(store, [...stems, 'the authentication of words']);
      for (const [typed, meant] of [
        ['authentcation', 'authentication'],
        ['wrods', 'words'],
      ] as const) {
        const answer = await store.search.find({ text: typed, filters: {}, limit: 10, cursor: null });
        expect(answer.corrected.get(typed)?.[0]).toBe(meant);
        expect(answer.hits.map(({ position }) => position)).toContain(901);
      }
    }));

  test('[STORE-21] a part of a longer word is found', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      expect(await find(store, 'configuration')).toEqual([10]);
      expect(await find(store, 'balancer')).toEqual([10]);
      const answer = await store.search.find({ text: 'balancer', filters: {}, limit: 10, cursor: null });
      expect(answer.corrected.get('balancer')).toEqual(['loadbalancer']);
    }));

  test('[STORE-21] the vocabulary is whole after a long stretch and after a short one', () =>
    withBoard(open, async ({ store }) => {
      await append(
        store,
        Array.from({ length: 300 }, (_, at) => said(`n${at}`, {}, Buffer.from(at === 150 ? 'a kaleidoscope' : 'nothing'))),
      );
      await store.search.advance(1000);
      await store.search.settle();
      expect(await find(store, 'kaleidoscpoe')).toEqual([151]);
      await append(store, [said('late', {}, Buffer.from('a metronome'))]);
      await store.search.advance(1000);
      expect(await find(store, 'metronmoe')).toEqual([301]);
    }));

  test.each(FILTERS)('[STORE-22] hits are filtered by %s %j', (_, filters, positions) =>
    withBoard(open, async ({ store }) => {
      await append(store, FILTERED);
      await indexAll(store);
      expect(await find(store, 'needle', filters)).toEqual(positions);
    }),
  );

  test('[STORE-22] a hit says where it stands', () =>
    withBoard(open, async ({ store }) => {
      await append(store, FILTERED);
      await indexAll(store);
      const { hits } = await store.search.find({ text: 'five', filters: {}, limit: 10, cursor: null });
      expect(hits).toEqual([{ position: 5, sessionId: 'weave', agentId: 'a1', score: expect.any(Number) as number }]);
    }));

  test('[STORE-23] page by page every hit comes once, and then there is no next page', () =>
    withBoard(open, async ({ store }) => {
      await filled(
        store,
        Array.from({ length: 53 }, (_, at) => `spindle ${'filler '.repeat(at % 7)} number ${at}`),
      );
      for (const limit of [1, 7, 53, 54]) {
        const seen: number[] = [];
        let cursor: string | null = null;
        do {
          const { hits, next }: Awaited<ReturnType<typeof store.search.find>> = await store.search.find({
            text: 'spindle',
            filters: {},
            limit,
            cursor,
          });
          expect(hits.length).toBe(Math.min(limit, 53 - seen.length));
          seen.push(...hits.map(({ position }) => position));
          cursor = next;
        } while (cursor !== null);
        expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 53 }, (_, at) => at + 1));
      }
    }));

  test('[STORE-23] pages of exact hits skip what only looks alike', () =>
    withBoard(open, async ({ store }) => {
      await filled(
        store,
        Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? `warp.weft ${at}` : `warp weft ${at}`)),
      );
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const { hits, next }: Awaited<ReturnType<typeof store.search.find>> = await store.search.find({
          text: 'warp.weft',
          filters: {},
          limit: 4,
          cursor,
        });
        seen.push(...hits.map(({ position }) => position));
        cursor = next;
      } while (cursor !== null);
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => at * 3 + 1));
    }));

  test('[FIND-16] [STORE-23] what says a word more often comes first; a very common word comes newest first', () =>
    withBoard(open, async ({ store }) => {
      const many = Array.from({ length: 20_100 }, (_, at) =>
        said(`n${at}`, {}, Buffer.from(at === 7 ? 'rare rare rare' : at === 9 ? `common and rare${' and so on'.repeat(20)}` : `common ${at}`)),
      );
      for (let at = 0; at < many.length; at += 5000) await append(store, many.slice(at, at + 5000));
      await indexAll(store, 5000);
      const rare = await store.search.find({ text: 'rare', filters: {}, limit: 10, cursor: null });
      expect([rare.order, rare.hits.map(({ position }) => position)]).toEqual(['relevance', [8, 10]]);
      const common = await store.search.find({ text: 'common', filters: {}, limit: 3, cursor: null });
      expect([common.order, common.hits.map(({ position }) => position)]).toEqual(['newest', [20_100, 20_099, 20_098]]);
      const next = await store.search.find({ text: 'common', filters: {}, limit: 2, cursor: common.next });
      expect(next.hits.map(({ position }) => position)).toEqual([20_097, 20_096]);
    }));

  test('[STORE-24] the index says how far it is, goes on from there, and survives', () =>
    withBoard(open, async ({ store, reopen }) => {
      await append(store, FILTERED);
      const complete = async (some: Store): Promise<boolean> =>
        (await some.search.find({ text: 'needle', filters: {}, limit: 1, cursor: null })).isComplete;
      expect([await store.search.position(), await complete(store)]).toEqual([0, false]);
      expect(await store.search.advance(4)).toBe(4);
      expect([await store.search.position(), await complete(store)]).toEqual([4, false]);
      expect(await find(store, 'needle')).toEqual([1, 2, 3, 4]);
      const again = await reopen();
      expect(await again.search.position()).toBe(4);
      expect(await again.search.advance(100)).toBe(2);
      expect(await again.search.advance(100)).toBe(0);
      expect([await find(again, 'needle'), await complete(again)]).toEqual([[1, 2, 3, 4, 5, 6], true]);
    }));

  test('[STORE-24] an index that was cleared is filled again from the log', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      await store.search.clear();
      expect([await store.search.position(), await find(store, 'gateway')]).toEqual([0, []]);
      await indexAll(store);
      expect([await find(store, 'gateway'), await find(store, 'authentcation')]).toEqual([[1, 2], [1]]);
    }));

  test('[STORE-24] another handle, and one that only reads, finds what was indexed', () =>
    withBoard(open, async ({ store, peer, reader }) => {
      await filled(store);
      expect(await find(await peer(), 'gateway')).toEqual([1, 2]);
      expect(await find(await reader(), 'gatewya')).toEqual([1, 2]);
    }));

  test('[STORE-25] what was dropped is not found, nor suggested, and nothing else is lost', () =>
    withBoard(open, async ({ store, reopen }) => {
      await filled(store);
      await store.search.drop([1]);
      const check = async (some: Store): Promise<void> => {
        expect([await find(some, 'authentication'), await find(some, 'gateway'), await find(some, 'tokens')]).toEqual([[], [2], [2]]);
        expect((await some.search.find({ text: 'authentcation', filters: {}, limit: 10, cursor: null })).corrected.size).toBe(0);
      };
      await check(store);
      await check(await reopen());
    }));

  test('[STORE-26] a copy is found where the original is; companions and damaged lines are found too', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        line('weave', prompt('shuttle', { uuid: 'u1' })),
        line('twill', prompt('shuttle', { uuid: 'u1', more: { sessionId: 'twill' } })),
        companion('weave', 'out.txt', Buffer.from('a shuttle in the output')),
        damaged('weave', Buffer.from('{"shuttle')),
        said('none', {}, null),
        said('bytes', {}, Buffer.from([0xff, 0x00, 0x20, 0x73, 0x70, 0x6f, 0x6f, 0x6c])),
      ]);
      await indexAll(store);
      expect(await find(store, 'shuttle')).toEqual([1, 3, 4]);
      expect(await find(store, 'spool')).toEqual([6]);
    }));

  test('[FIND-18] of a text that is too long the beginning is found, its entry is named, and whatever comes after it is found', () =>
    withBoard(open, async ({ store }) => {
      const long = `giraffe ${'x'.repeat(MOST_INDEXED)} zebra`;
      await append(store, [line('weave', prompt('a zebra before', { uuid: 'u1' })), line('weave', prompt(long, { uuid: 'u2', minute: 1 }))]);
      await append(store, [line('weave', prompt('a zebra behind', { uuid: 'u3', minute: 2 }))]);
      expect(await store.search.unindexed()).toEqual({ count: 0, first: [] });
      await indexAll(store);
      expect(await find(store, 'zebra')).toEqual([1, 3]);
      expect(await find(store, 'giraffe')).toEqual([2]);
      expect(await store.search.unindexed()).toEqual({ count: 1, first: [{ position: 2, why: 'too long' }] });
      await store.search.clear();
      expect(await store.search.unindexed()).toEqual({ count: 0, first: [] });
      await indexAll(store);
      await store.search.drop([2]);
      expect(await store.search.unindexed()).toEqual({ count: 0, first: [] });
    }));

  test('[STORE-27] texts of any length are found at their beginning and at their end', () =>
    withBoard(open, async ({ store }) => {
      const words = Array.from({ length: 150_000 }, (_, at) => `w${at.toString(36)}x`);
      await append(store, [
        said('long', {}, Buffer.from(`first ${words.join(' ')} last`)),
        said('same', {}, Buffer.from(`again ${'again and '.repeat(40_000)} finish`)),
        said('wide', {}, Buffer.from(`edge ${'x'.repeat(5000)} ${'é'.repeat(3000)} other edge`)),
      ]);
      await indexAll(store);
      expect([await find(store, 'first'), await find(store, 'last'), await find(store, 'first last')]).toEqual([[1], [1], [1]]);
      expect([await find(store, words[75_000] ?? ''), await find(store, `"${words[149_998] ?? ''} ${words[149_999] ?? ''}"`)]).toEqual([[1], [1]]);
      expect([await find(store, 'again finish'), await find(store, '"other edge"')]).toEqual([[2], [3]]);
      expect((await store.search.find({ text: 'first', filters: {}, limit: 1, cursor: null })).next).toBeNull();
      await store.search.drop([1]);
      expect([await find(store, 'first'), await find(store, 'last')]).toEqual([[], []]);
    }));
};
