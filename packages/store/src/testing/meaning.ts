import { MASKING_RULES } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import type { Store } from '../port.ts';
import { similarityOf } from '../search/meaning/similarity.ts';
import type { SearchAnswer, SearchMode } from '../search/port.ts';
import { append, indexAll, withBoard, type Part } from './bench.ts';
import { decided, line, prompt, reply, result, use } from './records.ts';

const ask = (store: Store, text: string, mode: SearchMode, limit = 20, cursor: string | null = null): Promise<SearchAnswer> =>
  store.search.find({ text, filters: {}, limit, cursor, mode });
const positionsOf = ({ hits }: SearchAnswer): readonly number[] => hits.map(({ position }) => position);
const near = async (store: Store, text: string): Promise<readonly number[]> => positionsOf(await ask(store, text, 'semantic'));

const LONG = `${'The weather over the hills stayed calm and nobody said much about it. '.repeat(60)}
Authentication failed because the access token had expired overnight.
${'Bread needs flour, water, salt and a little patience in the evening. '.repeat(60)}`;
const SECRET = `sk-ant-api03-${'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'.repeat(3)}AA`;

const ITEMS = [
  /* 1 */ line('weave', prompt('Users cannot sign in: authentication failures since the release', { uuid: 'u1' })),
  /* 2 */ line('weave', reply('The colour of the button is blue now', { uuid: 'u2', minute: 1 })),
  /* 3 */ line('weave', reply([use('t1', 'Bash', { command: 'grep authentication failures login.log' })], { uuid: 'u3', minute: 2 })),
  /* 4 */ line('weave', result('t1', 'authentication failures: 12 for login', { uuid: 'u4', minute: 3 })),
  /* 5 */ decided('a', { content: 'Login errors come from expired credentials' }),
  /* 6 */ line('weave', prompt(LONG, { uuid: 'u6', minute: 5 })),
  /* 7 */ line('twill', prompt('Login trouble: the password check is rejected', { uuid: 'v7', minute: 6 })),
  /* 8 */ line('weave', prompt(`my key is ${SECRET}`, { uuid: 'u8', minute: 7 })),
] as const;

const filled = async (store: Store): Promise<void> => {
  await append(store, ITEMS);
  await indexAll(store);
  while ((await store.search.meaning.advance(3)) > 0);
};

export const describeMeaning: Part = (open) => {
  test('[MEAN-2] [MEAN-3] what people and agents wrote is found by what it means, wherever it stands in a long text; tools are not', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const found = await near(store, 'login problems');
      expect([...found].sort((a, b) => a - b)).toEqual([1, 5, 6, 7]);
      const hit = (await ask(store, 'expired access token authentication', 'semantic')).hits.find(({ position }) => position === 6);
      expect([hit?.position, hit?.by, LONG.slice(hit?.passage?.from, hit?.passage?.to).includes('Authentication failed')]).toEqual([
        6,
        'meaning',
        true,
      ]);
    }));

  test('[MEAN-4] secrets are masked before they are embedded: nearness tells nothing of them', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const about = async (text: string): Promise<number | undefined> =>
        (await store.search.meaning.nearest(text, {}, 20, new Map()))?.find(({ position }) => position === 8)?.near;
      const [plain = 0, withSecret = 0] = [await about('my key is'), await about(`my key is ${SECRET}`)];
      expect(withSecret).toBeLessThan(plain);
    }));

  test('[SEC-24] vectors of texts that were masked by older rules find nothing, are not compared, and are made again', () =>
    withBoard(open, async (bench) => {
      await filled(bench.store);
      const whole = await near(bench.store, 'login problems');
      await bench.tamper.meaningMasking(MASKING_RULES - 1);
      const reader = await bench.reader();
      expect(await ask(reader, 'login problems', 'semantic')).toMatchObject({ hits: [], isComplete: false, coverage: { position: 0, of: 8 } });
      expect(positionsOf(await ask(reader, 'login problems', 'hybrid'))).toEqual(positionsOf(await ask(reader, 'login problems', 'words')));
      expect((await reader.audit()).damages).toEqual([]);
      const again = await bench.reopen();
      expect(await again.search.meaning.advance(3)).toBe(3);
      expect((await again.search.meaning.coverage())?.position).toBe(3);
      while ((await again.search.meaning.advance(3)) > 0);
      expect(await near(again, 'login problems')).toEqual(whole);
      expect((await again.audit()).damages).toEqual([]);
    }));

  test('[MEAN-5] filters hold, and what is excluded is not brought back', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const { hits } = await store.search.find({ text: 'login problems', filters: { sessionId: 'twill' }, limit: 9, cursor: null, mode: 'semantic' });
      expect(hits.map(({ position, sessionId }) => [position, sessionId])).toEqual([[7, 'twill']]);
      expect(await near(store, 'login problems -credentials')).not.toContain(5);
      expect(await near(store, 'login problems')).toContain(5);
    }));

  test('[MEAN-6] [MEAN-7] hybrid puts both together and says by what; a word or something exact stays a matter of words', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const answer = await ask(store, 'why do sign in problems and authentication errors happen', 'hybrid');
      expect([answer.hits[0]?.position, answer.hits[0]?.by]).toEqual([1, 'both']);
      expect(answer.hits.some(({ by }) => by === 'meaning')).toBe(true);
      expect(answer.coverage).toMatchObject({ position: 8, of: 8 });
      for (const text of ['authentication', '"authentication failures"', 'authentication failures -login', 'login.log', 'authentication failures']) {
        expect([text, positionsOf(await ask(store, text, 'hybrid'))]).toEqual([text, positionsOf(await ask(store, text, 'words'))]);
      }
    }));

  test('[MEAN-25] a question of which the model has no word says so, and one that it half knows does not', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      for (const text of ['zqx vqj', 'xkq', '登录 问题'])
        expect([text, (await ask(store, text, 'semantic')).coverage]).toMatchObject([text, { unknown: true }]);
      for (const text of ['login zqx', 'authentcation', 'why', '!!!', '-login'])
        expect([text, (await ask(store, text, 'semantic')).coverage?.unknown]).toEqual([text, undefined]);
    }));

  test('[MEAN-8] page by page every hit comes once, in the same order', () =>
    withBoard(open, async ({ store }) => {
      await append(
        store,
        Array.from({ length: 130 }, (_, at) =>
          line('weave', prompt(`The login of user number ${at} fails with a timeout`, { uuid: `u${at}`, minute: at })),
        ),
      );
      await indexAll(store);
      while ((await store.search.meaning.advance(500)) > 0);
      for (const [mode, count] of [
        ['semantic', 100],
        ['hybrid', 130],
      ] as const) {
        const seen: number[] = [];
        let cursor: string | null = null;
        do {
          const answer: SearchAnswer = await ask(store, 'users see login timeouts failing', mode, 30, cursor);
          seen.push(...positionsOf(answer));
          cursor = answer.next;
        } while (cursor !== null);
        expect([mode, seen.length, new Set(seen).size]).toEqual([mode, count, count]);
      }
    }));

  test('[MEAN-12] a reply is also found by what it answers, in its own thread, and no longer once that is dropped', () =>
    withBoard(open, async ({ store }) => {
      const agent = { sessionId: 'weave', agentId: 'a1' };
      await append(store, [
        /* 1 */ line('weave', prompt('Why do customers see login failures and authentication errors?', { uuid: 'u1' })),
        /* 2 */ line(
          agent,
          reply('Finished, everything there is green and tidy again', { uuid: 'x1', minute: 1, more: { isSidechain: true, agentId: 'a1' } }),
        ),
        /* 3 */ line('weave', result('t1', 'some output', { uuid: 'u2', minute: 2 })),
        /* 4 */ line('weave', reply('Finished, everything here is green and tidy again', { uuid: 'u3', minute: 3 })),
      ]);
      await indexAll(store);
      // However the log is cut: what was asked stands in another batch.
      while ((await store.search.meaning.advance(1)) > 0);
      expect(await near(store, 'login failures of customers')).toEqual([1, 4]);
      await store.search.drop([1]);
      expect(await near(store, 'login failures of customers')).toEqual([]);
      expect(new Set(await near(store, 'everything green and tidy'))).toEqual(new Set([2, 4]));
    }));

  test('[MEAN-17] a text that says what was asked is worth more, also by what it answers, and no longer once that was forgotten', () =>
    withBoard(open, async ({ store }) => {
      await append(store, [
        /* 1 */ line('weave', prompt('Since the new release users cannot sign in, why?', { uuid: 'u1' })),
        /* 2 */ line('weave', reply('The cookie of the session had another name', { uuid: 'u2', minute: 1 })),
        /* 3 */ line('twill', prompt('Login trouble again: customers are locked out after the update', { uuid: 'v1', minute: 2 })),
      ]);
      await indexAll(store);
      while ((await store.search.meaning.advance(10)) > 0);
      const found = async () =>
        new Map((await store.search.meaning.nearest('users cannot sign in since the release', {}, 20, new Map()))?.map((one) => [one.position, one]));
      const before = await found();
      // Nearness alone would be worth as much as the curve says.
      const gained = (position: number): number => (before.get(position)?.similarity ?? 0) - similarityOf(before.get(position)?.near ?? 0);
      expect([gained(1) > 0.1, gained(2) > 0.1, gained(3) < 0.1, before.has(3)]).toEqual([true, true, true, true]);
      await store.search.drop([1]);
      const after = (await found()).get(2);
      expect(after?.similarity ?? 0).toBeLessThan(before.get(2)?.similarity ?? 0);
    }));

  test('[MEAN-7] [MEAN-14] what nobody wrote as it was typed is looked for by meaning, unless it was quoted or excluded', () =>
    withBoard(open, async ({ store }) => {
      await filled(store);
      const answer = await ask(store, 'signin2 authentification', 'hybrid');
      expect(answer.hits[0]).toMatchObject({ by: 'meaning' });
      expect(positionsOf(await ask(store, '"signin2 authentification"', 'hybrid'))).toEqual([]);
      const [first] = (await ask(store, 'people are unable to authenticate since yesterday evening', 'hybrid')).hits;
      expect([first?.position === 1 || first?.position === 6, first?.by]).toEqual([true, 'both']);
    }));

  test('[MEAN-9] what was dropped has no vector any more, for any handle; a cleared index is filled again', () =>
    withBoard(open, async ({ store, peer, reopen }) => {
      await filled(store);
      const other = await peer();
      expect(await near(other, 'login problems')).toContain(5);
      await store.search.drop([5]);
      expect([await near(store, 'login problems'), await near(other, 'login problems')].flat()).not.toContain(5);
      await store.search.clear();
      expect(await near(store, 'login problems')).toEqual([]);
      const again = await reopen();
      expect((await again.search.meaning.coverage())?.position).toBe(0);
      while ((await again.search.meaning.advance(100)) > 0);
      expect(await near(again, 'login problems')).toContain(1);
    }));

  test('[MEAN-10] where there is no such index semantic finds nothing and says so, and hybrid goes by words', () =>
    withBoard(open, async ({ store, reader }) => {
      await append(store, ITEMS);
      await store.search.advance(100);
      await store.search.settle();
      const other = await reader();
      const words = positionsOf(await ask(other, 'colour of that button now', 'words'));
      expect(words).toEqual([2]);
      expect(positionsOf(await ask(other, 'colour of that button now', 'hybrid'))).toEqual(words);
      expect(await ask(other, 'login problems', 'semantic')).toMatchObject({ hits: [], coverage: null });
    }));
};
