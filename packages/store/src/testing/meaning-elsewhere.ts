import { embed } from '@yarnboard/language';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import type { Store, StoreOptions } from '../port.ts';
import type { Embedder } from '../search/meaning/embedder.ts';
import { createEmbedding } from '../search/meaning/embedding-file.ts';
import { CURVE } from '../search/meaning/similarity.ts';
import { MeaningFault, type SearchAnswer, type SearchMode } from '../search/port.ts';
import { append, indexAll, NOON, type Bench, type Part } from './bench.ts';
import { line, prompt } from './records.ts';

type Elsewhere = Embedder & {
  /** Everything it was ever asked to embed. */
  readonly seen: readonly string[];
  /** From now on it fails, until told otherwise. */
  readonly fail: (why: string | null) => void;
  /** Called before it answers. */
  readonly before: (work: () => Promise<void>) => void;
};

/** A remote model: the built-in embedding under another name, its vectors this many times as long. */
export const elsewhere = (model: string, times: number): Elsewhere => {
  const embedding = createEmbedding()();
  if (embedding === null) throw new Error('the embedding is missing');
  const seen: string[] = [];
  let why: string | null = null;
  let work = async (): Promise<void> => {};
  let isSetUp = false;
  const card = { dims: 256 * times, curve: CURVE };
  return {
    model,
    seen,
    card: () => (isSetUp ? card : null),
    setUp: async () => {
      if (why !== null) throw new MeaningFault(why);
      isSetUp = true;
      return card;
    },
    forget: () => {
      isSetUp = false;
    },
    embed: async (texts, use) => {
      if (use === 'text') await work();
      if (why !== null) throw new MeaningFault(why);
      seen.push(...texts);
      return texts.map((text) => {
        const vector = embed(embedding, text);
        return Float32Array.from({ length: 256 * times }, (_, at) => vector[at % 256] ?? 0);
      });
    },
    fail: (reason) => {
      why = reason;
    },
    before: (next) => {
      work = next;
    },
  };
};

const withEmbedder = async (
  open: Parameters<Part>[0],
  embedder: Embedder,
  work: (bench: Bench, options: { embedder?: Embedder }) => Promise<void>,
): Promise<void> => {
  const options: StoreOptions & { embedder?: Embedder } = {
    prices: DEFAULT_PRICES,
    now: () => NOON,
    newId: () => 'board-under-test',
    isIndexing: true,
    embedder,
  };
  const bench = await open(options);
  try {
    await work(bench, options);
  } finally {
    await bench.dispose();
  }
};

const ask = (store: Store, text: string, mode: SearchMode, limit = 20, cursor: string | null = null): Promise<SearchAnswer> =>
  store.search.find({ text, filters: {}, limit, cursor, mode });
const near = async (store: Store, text: string): Promise<readonly number[]> =>
  (await ask(store, text, 'semantic')).hits.map(({ position }) => position);
const fill = async (store: Store): Promise<void> => {
  while ((await store.search.meaning.advance(1000)) > 0);
};

const SECRET = `sk-ant-api03-${'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'.repeat(3)}AA`;
const LOGIN = 'Users cannot sign in: authentication failures since the release';
const said = (texts: readonly string[]) => texts.map((text, at) => line('weave', prompt(text, { uuid: `u${at}`, minute: at })));
/** As many as are embedded in several steps. */
const MANY = Array.from({ length: 80 }, (_, at) => (at === 70 ? LOGIN : `The weather over hill number ${at} stays calm`));

export const describeMeaningElsewhere: Part = (open) => {
  test('[MEAN-20] a model elsewhere embeds what it is given without secrets, and coverage names it', async () => {
    const model = elsewhere('far-away', 1);
    await withEmbedder(open, model, async ({ store, peer }) => {
      await append(store, said([LOGIN, `my key is ${SECRET}`, 'The colour of the button is blue now', '…']));
      await indexAll(store);
      await fill(store);
      expect(await near(store, 'login problems')).toEqual([1]);
      expect(await near(await peer(), `login problems ${SECRET}`)).toContain(1);
      expect(await store.search.meaning.coverage()).toEqual({ model: 'far-away', position: 4, of: 4 });
      expect(model.seen.filter((text) => text.includes(SECRET.slice(20, 60)))).toEqual([]);
      const { hits } = await ask(store, 'why do people have login problems', 'hybrid');
      expect(hits[0]).toMatchObject({ position: 1, by: 'meaning', similarity: expect.any(Number) as number });
    });
  });

  test('[MEAN-21] another model embeds everything again, whatever the length of its vectors, and goes on where it was stopped', async () => {
    const [first, second] = [elsewhere('far-away', 1), elsewhere('further-away', 2)];
    await withEmbedder(open, first, async ({ store, reopen }, options) => {
      await append(store, said(MANY));
      await indexAll(store);
      await fill(store);
      expect(await near(store, 'login problems')).toEqual([71]);
      options.embedder = second;
      let again = await reopen();
      // Vectors of one are not queried with the other.
      expect(await again.search.meaning.coverage()).toBe(null);
      expect(await again.search.meaning.advance(1000)).toBeGreaterThan(0);
      const begun = await again.search.meaning.coverage();
      expect([begun?.model, (begun?.position ?? 0) < MANY.length]).toEqual(['further-away', true]);
      expect(await near(again, 'login problems')).toEqual([]);
      second.fail('it is being restarted');
      await expect(again.search.meaning.advance(1000)).rejects.toThrow('it is being restarted');
      again = await reopen();
      second.fail(null);
      await fill(again);
      expect(await again.search.meaning.coverage()).toEqual({ model: 'further-away', position: 80, of: 80 });
      expect(await near(again, 'login problems')).toEqual([71]);
      const texts = second.seen.filter((text) => text !== 'login problems');
      expect([texts.length, new Set(texts).size]).toEqual([80, 80]);
      delete options.embedder;
      again = await reopen();
      await fill(again);
      expect(await near(again, 'login problems')).toEqual([71]);
      expect((await again.search.meaning.coverage())?.model).not.toBe('further-away');
    });
  });

  test('[MEAN-22] where the model cannot be asked, hybrid goes by words and says why, and nothing else is shown under the name of meaning', async () => {
    const model = elsewhere('far-away', 1);
    await withEmbedder(open, model, async ({ store }) => {
      await append(store, said([...MANY, 'The login of user number 7 fails', 'The login of user number 8 fails']));
      await indexAll(store);
      await fill(store);
      const question = 'why does the login fail for users';
      const begun = await ask(store, question, 'hybrid', 1);
      expect(begun.next).toMatch(/^h/u);
      model.fail('nothing listens there');
      const answer = await ask(store, 'why do logins fail for any user', 'hybrid');
      expect(answer.hits.length).toBeGreaterThan(0);
      expect(answer.hits.every(({ near: cosine }) => cosine === undefined)).toBe(true);
      expect(answer.coverage).toEqual({ model: 'far-away', position: 82, of: 82, problem: 'nothing listens there' });
      await expect(ask(store, 'authentication trouble', 'semantic')).rejects.toThrow(MeaningFault);
      // The earlier question is known: its list continues as it was begun.
      expect((await ask(store, question, 'hybrid', 1, begun.next)).hits.length).toBe(1);
      await expect(ask(store, 'customers report broken passwords everywhere', 'hybrid', 1, 'h1')).rejects.toThrow(MeaningFault);
    });
  });

  test('[MEAN-9] what is dropped while a model elsewhere embeds it has no vector afterwards', async () => {
    const model = elsewhere('far-away', 1);
    await withEmbedder(open, model, async ({ store }) => {
      await append(store, said([LOGIN, 'Login trouble: the password is rejected']));
      await indexAll(store);
      let isDropped = false;
      model.before(async () => {
        if (!isDropped) await store.search.drop([1]);
        isDropped = true;
      });
      await store.search.meaning.advance(1000);
      expect(isDropped).toBe(true);
      expect((await store.search.meaning.coverage())?.position).toBe(0);
      expect(await near(store, 'login problems')).toEqual([]);
    });
  });
};
