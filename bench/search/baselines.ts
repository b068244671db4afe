import { embed } from '@yarnboard/language';
import { searchWordsOf } from '@yarnboard/store';
import { createEmbedding } from '../../packages/store/src/search/meaning/embedding-file.ts';
import type { Document } from './labelled.ts';

/** What stands beside our rankings: the same documents, with nothing of ours but the words and the vectors. */
export type Ranking = (text: string) => readonly Document[];

/** BM25 alone (k1 1.2, b 0.75): any word of the question, in the form in which it was typed. */
export const createBm25 = (documents: readonly Document[]): Ranking => {
  const counted = documents.map(({ text }) => {
    const words = searchWordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const having = new Map<string, number>();
  for (const { counts } of counted) for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  return (text) => {
    const asked = [...new Set(searchWordsOf(text))];
    return bestOf(documents, (at) => {
      const { counts, length } = counted[at] ?? { counts: new Map<string, number>(), length: 0 };
      return asked.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const n = having.get(word) ?? 0;
        const rarity = Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
        return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      }, 0);
    });
  };
};

/** The embedding alone: one vector for each document as a whole, and the cosine. */
export const createVectorRanking = (documents: readonly Document[]): Ranking => {
  const embedding = createEmbedding()();
  if (embedding === null) throw new Error('the embedding is missing');
  const vectors = documents.map(({ text }) => embed(embedding, text));
  return (text) => {
    const asked = embed(embedding, text);
    return bestOf(documents, (at) => (vectors[at] ?? asked).reduce((sum, value, d) => sum + value * (asked[d] ?? 0), 0));
  };
};

const bestOf = (documents: readonly Document[], scoreOf: (at: number) => number): readonly Document[] =>
  documents
    .map((document, at) => ({ document, at, score: scoreOf(at) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, 50)
    .map(({ document }) => document);
