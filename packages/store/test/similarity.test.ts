import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmbedding } from '../src/search/meaning/embedding-file.ts';
import { askedVector } from '../src/search/meaning/nearest.ts';
import { similarityOf } from '../src/search/meaning/similarity.ts';
import { nearnessOf, storedPassagesOf } from '../src/search/meaning/vectors.ts';

type Doc = {
  readonly id: string;
  readonly task: string;
  readonly success_criteria: string | null;
  readonly summary: string;
  readonly findings: readonly { readonly text: string }[];
  readonly said: readonly string[];
};
type Query = { readonly text: string; readonly kind: string; readonly relevant: readonly string[]; readonly half: 'tuning' | 'frozen' };

const rowsOf = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`../../../fixtures/labelled/archive/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // our own file

test('[SEM-1] on questions that nobody tuned for, most of what is at 0.7 or above belongs, and similarity orders as nearness does', () => {
  const embedding = createEmbedding()();
  if (embedding === null) throw new Error('the embedding is missing');
  const docs = rowsOf<Doc>('docs').map(({ id, task, success_criteria: criteria, summary, findings, said }) => ({
    id,
    passages: [task, criteria ?? '', summary, ...findings.map(({ text }) => text), ...said].flatMap((text) => storedPassagesOf(embedding, text)),
  }));
  const found = rowsOf<Query>('queries')
    .filter(({ half }) => half === 'frozen')
    .map((query) => {
      const vector = askedVector(embedding, query.text, new Map());
      const nears = docs.map(({ id, passages }) => ({
        isRight: query.relevant.includes(id),
        near: vector === null ? 0 : Math.max(...passages.map(({ row, pieces }) => nearnessOf(vector, row, pieces))),
      }));
      return { ...query, nears: nears.toSorted((a, b) => b.near - a.near) };
    });
  const returned = found.flatMap(({ nears }) => nears.filter(({ near }) => similarityOf(near) >= 0.7));
  expect(returned.length).toBeGreaterThan(3);
  expect(returned.filter(({ isRight }) => isRight).length / returned.length).toBeGreaterThanOrEqual(0.65);
  const asked = found.filter(({ kind, relevant }) => kind === 'paraphrase' && relevant.length > 0);
  const hits = asked.filter(({ nears }) => nears.slice(0, 5).some(({ isRight }) => isRight));
  expect(hits.length / asked.length).toBeGreaterThanOrEqual(0.5);
});

test('[SEM-1] the nearer, the more similar, from 0 to 1', () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(cosine, cosine, (a, b) => {
      const [low, high] = [similarityOf(Math.min(a, b)), similarityOf(Math.max(a, b))];
      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});
