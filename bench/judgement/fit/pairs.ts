import { createEmbedding } from '@yarnboard/store';
import { claimOf } from '../../../packages/language/src/contradictions/claim.ts';
import { contradictionBetween } from '../../../packages/language/src/contradictions/conflicts.ts';
import { evidenceOf, type Evidence } from '../../../packages/language/src/contradictions/evidence.ts';
import { createMaterials, dot } from '../../../packages/language/src/contradictions/material.ts';
import { remembered } from '../../../packages/language/src/remembered.ts';
import { rowsOf } from '../sets.ts';
import { ownTalk, publishedTalk, sentencesIn, spread } from '../stream.ts';

/** Pairs of one author, who knew no rule; the older sets count as one. What was really said somewhere counts as contradicting nothing. */
export type Pair = {
  readonly id: string;
  readonly author: string;
  readonly domain: string;
  readonly a: string;
  readonly b: string;
  readonly label: 'conflict' | 'changed' | 'none';
};
type Older = { readonly id: string; readonly a: string; readonly b: string; readonly conflict: boolean; readonly kind: string };

export const labelledPairs = (): readonly Pair[] => [
  ...rowsOf<Pair>('conflicts.tuning').map((pair) => ({ ...pair, author: 'tuning' })),
  ...rowsOf<Pair>('conflicts.development').map((pair) => ({ ...pair, author: 'development' })),
  ...rowsOf<Pair>('conflicts.broad'),
  ...['../conflicts.tuning', '../conflicts.more'].flatMap((name) =>
    rowsOf<Older>(name).map(({ id, a, b, conflict, kind }) => ({
      id,
      author: 'older',
      domain: kind,
      a,
      b,
      label: conflict ? ('conflict' as const) : ('none' as const),
    })),
  ),
];

/** Of each sentence of a conversation those that are nearest to it. */
export const spokenPairs = (): readonly Pair[] =>
  [
    ...(publishedTalk() ?? []).map((texts) => ({ author: 'published', sentences: spread([...new Set(texts.flatMap(sentencesIn))], 60) })),
    ...ownTalk().map((texts) => ({ author: 'own', sentences: [...new Set(texts.flatMap(sentencesIn))] })),
  ].flatMap(({ author, sentences }, session) =>
    sentences.flatMap((a, at) => {
      const one = materials.of(a);
      return sentences
        .slice(at + 1)
        .map((b) => ({ b, near: dot(one.vector, materials.of(b).vector) }))
        .toSorted((x, y) => y.near - x.near)
        .slice(0, MOST_NEAR)
        .map(({ b }, place): Pair => ({ id: `${author}-${session}-${at}-${place}`, author, domain: `session ${session}`, a, b, label: 'none' }));
    }),
  );
const MOST_NEAR = 1;

const shipped = createEmbedding()();
if (shipped === null) throw new Error('packages/language/embedding/embedding.bin cannot be read');
const claims = remembered(claimOf, 5_000_000);
const materials = createMaterials(shipped, claims, 5_000_000);

export const evidenceIn = ({ a, b }: Pick<Pair, 'a' | 'b'>): Evidence => {
  const [one, other] = a < b ? [a, b] : [b, a];
  return evidenceOf(materials.of(one), materials.of(other), contradictionBetween(claims.of(one), claims.of(other))).evidence;
};
