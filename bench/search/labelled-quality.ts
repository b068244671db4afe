import { join } from 'node:path';
import { openStore, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { layOut } from '../measure/table.ts';
import { createBm25, createVectorRanking } from './baselines.ts';
import { figuresOf, type Figures, type Found } from './figures.ts';
import { fillLabelled, HALVES, KINDS, labelledDocuments, labelledQueries, type Document, type Labelled } from './labelled.ts';

/** A board with the labelled corpus on it. */
export type LabelledBoard = {
  readonly store: Store;
  readonly documents: readonly Document[];
  readonly find: (text: string, mode: Mode) => Promise<readonly LabelledHit[]>;
};

export type LabelledHit = { readonly document: Document; readonly similarity: number | null };

const MODES = ['words', 'semantic', 'hybrid'] as const;
type Mode = (typeof MODES)[number];

/** The caller closes the store. */
export const openLabelled = async (folder: string): Promise<LabelledBoard> => {
  const store = await openStore(`sqlite:${join(folder, 'labelled', 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => Date.now(),
    newId: () => 'quality',
    isIndexing: true,
  });
  const documents = labelledDocuments();
  const places = await fillLabelled(store, documents);
  return {
    store,
    documents,
    find: async (text, mode) =>
      (await store.search.find({ text, filters: {}, limit: MOST, cursor: null, mode })).hits.flatMap(({ position, similarity = null }) => {
        const document = places.get(position);
        return document === undefined ? [] : [{ document, similarity }];
      }),
  };
};

/** By kind and way of searching, how well the questions of one half are answered. */
export const measureLabelled = async (
  half: Labelled['half'],
  ways: readonly (readonly [name: string, ask: Ask])[],
): Promise<ReadonlyMap<string, Figures>> => {
  const queries = labelledQueries().filter((query) => query.half === half);
  const figures = new Map<string, Figures>();
  for (const [name, ask] of ways) {
    const found: Found[] = [];
    for (const query of queries) found.push({ query, documents: await ask(query.text) });
    for (const kind of KINDS) figures.set(`${kind} ${name}`, figuresOf(found.filter(({ query }) => query.kind === kind)));
  }
  return figures;
};

type Ask = (text: string) => Promise<readonly Document[]>;

export const waysOf = ({ find }: LabelledBoard): readonly (readonly [Mode, Ask])[] =>
  MODES.map((mode) => [mode, async (text: string) => (await find(text, mode)).map(({ document }) => document)] as const);

const baselinesOf = ({ documents }: LabelledBoard): readonly (readonly [string, Ask])[] => {
  const bm25 = createBm25(documents);
  const vectors = createVectorRanking(documents);
  return [
    ['BM25 alone', (text) => Promise.resolve(bm25(text))],
    ['embedding alone', (text) => Promise.resolve(vectors(text))],
  ];
};

/** Both halves, as tables. */
export const describeLabelled = async (scratch: string): Promise<string> => {
  const board = await openLabelled(scratch);
  try {
    const tables: string[] = [`${board.documents.length} documents, ${labelledQueries().length} questions (fixtures/labelled/search)`];
    const ways = [...baselinesOf(board), ...waysOf(board)];
    for (const half of HALVES) {
      const rows = [['', 'n', 'hit@1', 'hit@5', 'MRR@10', 'nDCG@10', 'session hit@5']];
      for (const [name, of] of await measureLabelled(half, ways)) {
        rows.push([name, String(of.questions), ...[of.hit1, of.hit5, of.mrr10, of.ndcg10, of.sessionHit5].map((value) => value.toFixed(3))]);
      }
      tables.push('', `${half} half`, layOut([rows[0] ?? [], ...rows.slice(1).sort((a, b) => order(a[0]) - order(b[0]))]));
    }
    return tables.join('\n');
  } finally {
    await board.store.close();
  }
};

const order = (name = ''): number => KINDS.findIndex((kind) => name.startsWith(kind));

/** As deep as sessions are looked for. */
const MOST = 50;
