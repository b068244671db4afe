import type { Document, Labelled } from './labelled.ts';

/** What a ranking is worth for some questions. Session figures count the conversations that the hits are in, each once. */
export type Figures = {
  readonly questions: number;
  readonly hit1: number;
  readonly hit5: number;
  readonly mrr10: number;
  readonly ndcg10: number;
  readonly sessionHit5: number;
};

/** What a question found, the best first, as documents. */
export type Found = { readonly query: Labelled; readonly documents: readonly Document[] };

export const figuresOf = (found: readonly Found[]): Figures => {
  const ranks = found.map(({ query, documents }) => documents.findIndex(({ id }) => query.answers[id] === 2) + 1);
  const sessions = found.map(({ query, documents }) => {
    const wanted = new Set(Object.keys(query.answers).map((id) => id.slice(0, id.lastIndexOf('/'))));
    return [...new Set(documents.map(({ sessionId }) => sessionId))].findIndex((id) => wanted.has(id)) + 1;
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const within = (all: readonly number[], most: number): number => mean(all.map((rank) => (rank > 0 && rank <= most ? 1 : 0)));
  return {
    questions: found.length,
    hit1: within(ranks, 1),
    hit5: within(ranks, 5),
    mrr10: mean(ranks.map((rank) => (rank > 0 && rank <= 10 ? 1 / rank : 0))),
    ndcg10: mean(found.map(gainOf)),
    sessionHit5: within(sessions, 5),
  };
};

const gainOf = ({ query, documents }: Found): number => {
  const gain = (grades: readonly number[]): number => grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const best = gain(Object.values(query.answers).toSorted((a, b) => b - a));
  return gain(documents.map(({ id }) => query.answers[id] ?? 0)) / best;
};
