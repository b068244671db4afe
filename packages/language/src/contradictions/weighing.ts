import type { Embedding } from '../embedding/embedding.ts';
import { readModel, scoreOf } from '../learned/forest.ts';
import type { Remembered } from '../remembered.ts';
import type { Claim } from './claim.ts';
import { isNewsOf } from './conflicts.ts';
import type { Contradiction } from './contradiction.ts';
import { evidenceOf, type Weighed } from './evidence.ts';
import { createMaterials, dot, type Sense } from './material.ts';
import { CONFLICT_WEIGHTS } from './weights.ts';

export type Found = Contradiction & { readonly at: number };
type Asked = { readonly text: string; readonly others: readonly string[]; readonly rules: readonly (Contradiction | null)[] };

/** CONF-21: weighs what the rules found, and the texts closest in meaning, whatever their words. */
export type Weigher = {
  /** The rule findings that hold up, and whatever weighs enough on its own, in the order of `others`. */
  readonly weigh: (asked: Asked) => readonly Found[];
};

/** Loads the embedding when it is called for the claims of a language. */
export const createWeigher =
  (embedding: () => Embedding | null) =>
  (claims: Remembered<Claim>, mostCharacters: number): Weigher =>
    weigherWith(embedding(), claims, mostCharacters);

const weigherWith = (known: Embedding | null, claims: Remembered<Claim>, mostCharacters: number): Weigher => {
  if (known === null) return { weigh: ({ rules }) => rules.flatMap((rule, at) => (rule === null ? [] : [{ ...rule, at }])) };
  const materials = createMaterials(known, claims, mostCharacters);
  const model = readModel(CONFLICT_WEIGHTS);

  const judge = (text: string, other: string, rule: Contradiction | null): Contradiction | null => {
    // A fixed order, as in the rules, so that the direction doesn't matter.
    const [one, against] = text < other ? [text, other] : [other, text];
    const [a, b] = [materials.of(one), materials.of(against)];
    if (a.claim.key === b.claim.key) return null;
    const weighed = evidenceOf(a, b, rule);
    const score = scoreOf(model, weighed.evidence);
    if (rule !== null) return rule.kind === 'changed' || score >= KEPT ? rule : null;
    if (score < SURE || weighed.nearest === null || !haveSubject(weighed)) return null;
    const told = toldOf(weighed, weighed.nearest);
    return isNewsOf(a.claim, b.claim) ? { ...told, kind: 'changed', description: `${told.description}; one of them reports a change` } : told;
  };

  return {
    weigh: ({ text, others, rules }) => {
      const { vector, clauses, claim } = materials.of(text);
      const nearTo = (other: string): number => {
        const against = materials.of(other);
        let clues = 0;
        for (const clue of claim.clues) if (against.claim.clues.has(clue)) clues += 1;
        return dot(vector, against.vector) + PER_CLUE * Math.min(MOST_CLUES, clues);
      };
      const nearest =
        clauses.length === 0
          ? []
          : others
              .map((other, at) => ({ at, near: rules[at] === null ? nearTo(other) : -1 }))
              .filter(({ near }) => near >= LEAST_NEAR)
              .toSorted((x, y) => y.near - x.near || x.at - y.at)
              .slice(0, MOST_NEAREST);
      const looked = new Set([...nearest.map(({ at }) => at), ...rules.flatMap((rule, at) => (rule === null ? [] : [at]))]);
      return [...looked]
        .toSorted((x, y) => x - y)
        .flatMap((at) => {
          const found = judge(text, others[at] ?? '', rules[at] ?? null);
          return found === null ? [] : [{ ...found, at }];
        });
    },
  };
};

/** However they are phrased, a contradiction needs a subject that can be named. */
const haveSubject = ({ evidence }: Weighed): boolean => (evidence['subject'] ?? 0) >= NAMED || (evidence['all cover<'] ?? 0) >= COVERED;
const NAMED = 1;
const COVERED = 0.2;

const toldOf = ({ evidence }: Weighed, { alignment }: NonNullable<Weighed['nearest']>): Contradiction => {
  const { links, leftA, leftB } = alignment;
  const subject = wordsOf(links.map(({ a }) => a)) || wordsOf(leftA);
  const [one, other] = [wordsOf(leftA), wordsOf(leftB)].toSorted();
  const denied = evidence['negated'] !== 0 || evidence['not^'] === 1 || (evidence['denials apart'] ?? 0) > 0;
  const why = [
    ...((evidence['numbers differ'] ?? 0) > 0 ? ['other numbers'] : []),
    ...((evidence['opposed'] ?? 0) > 0 || (evidence['against'] ?? 0) > 0 ? ['opposite words'] : []),
    ...(denied ? ['a denial on one side'] : []),
    ...(evidence['all^'] === 1 || evidence['only^'] === 1 ? ['one of them speaks of all or of one only'] : []),
  ];
  const says = one === '' || other === '' ? `only one of them says "${one}${other}"` : `one says "${one}", the other "${other}"`;
  return {
    kind: denied ? 'negation' : 'value',
    subject,
    description: `both are about "${subject}": ${says} (weighed by ${why.length === 0 ? 'how near they are and how they speak' : why.join(', ')})`,
  };
};
/** The most telling words, in text order. */
const wordsOf = (senses: readonly Sense[]): string => {
  const telling = new Set(senses.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_TOLD));
  return senses.flatMap((sense) => (telling.has(sense) ? [sense.term.word] : [])).join(' ');
};
const MOST_TOLD = 5;

/** From here on, nine out of ten are real, among pairs by authors whose pairs were left out of the fit: docs/decisions/0088. */
const SURE = 0.9;
/** A rule's finding needs less. */
const KEPT = 0.7;
/** Among many texts only the closest are weighed; of those farther away hardly any contradict. */
const LEAST_NEAR = 0.15;
const MOST_NEAREST = 8;
/** What each shared telling word adds to the similarity of two texts. */
const PER_CLUE = 0.06;
const MOST_CLUES = 4;
