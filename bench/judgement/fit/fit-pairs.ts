// Fits the weights of contradictions: npx tsx --conditions=yarnboard-source bench/judgement/fit/fit-pairs.ts [--write]
// First what leaving out one author after the other promises, then the model of them all.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MANNER_WORDS } from '../../../packages/language/src/text/lexicon/manner-words.ts';
import { scoreOf, writeModel } from '../../../packages/language/src/learned/forest.ts';
import { fitBoth, type Row } from './forest.ts';
import { describeFolds, type Judged } from './folds.ts';
import { evidenceIn, labelledPairs, spokenPairs, type Pair } from './pairs.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, domains: { type: 'boolean', default: false } } });
const SETTINGS = { trees: 250, depth: 4, rate: 0.06, leaf: 10, lambda: 4, names: 0.3, rows: 0.7, seed: 1 };
const WEIGHTS: Readonly<Record<string, number>> = { tuning: 1, development: 1, older: 0.5, published: 0.6, own: 1 };
const BROAD = 2;

const pairs = [...labelledPairs(), ...spokenPairs()].map((pair) => ({ pair, evidence: evidenceIn(pair) }));
const names = [...new Set(pairs.flatMap(({ evidence }) => Object.keys(evidence)))].toSorted();
const rows = pairs.map(({ pair, evidence }): Row => ({
  values: Float64Array.from(names, (name) => evidence[name] ?? 0),
  isRight: pair.label === 'conflict',
  weight: WEIGHTS[pair.author] ?? BROAD,
}));
const manner = new Set(MANNER_WORDS);
const ridge = (name: string): number => (manner.has(name.slice(1)) ? 60 : 15);
const fitted = (used: (pair: Pair) => boolean) =>
  fitBoth(
    rows.filter((_, at) => used(pairs[at]?.pair ?? EMPTY)),
    names,
    ridge,
    SETTINGS,
    0.5,
  );
const EMPTY: Pair = { id: '', author: '', domain: '', a: '', b: '', label: 'none' };

/** Leaves out one author at a time, together with half of the conversations. */
const groups = values.domains
  ? Array.from({ length: 6 }, (_, at) => `fold ${at}`)
  : [...new Set(pairs.map(({ pair }) => pair.author))].filter((author) => !isSpoken(author));
const domains = [...new Set(pairs.map(({ pair }) => pair.domain))];
const groupOf = (pair: Pair): string => {
  if (values.domains) return `fold ${domains.indexOf(pair.domain) % 6}`;
  if (!isSpoken(pair.author)) return pair.author;
  return groups[Number(pair.domain.slice('session '.length)) % groups.length] ?? '';
};
function isSpoken(author: string): boolean {
  return author === 'published' || author === 'own';
}

const judged: readonly (Judged & { readonly isRule: boolean })[] = groups.flatMap((group) => {
  const model = fitted((pair) => groupOf(pair) !== group);
  return pairs.flatMap(({ pair, evidence }) =>
    groupOf(pair) === group
      ? [
          {
            author: pair.author,
            isRight: pair.label === 'conflict',
            isWanted: pair.label === 'conflict',
            score: scoreOf(model, evidence),
            text: `${pair.label}: ${pair.a} || ${pair.b}`,
            isRule: ['rule value', 'rule negation', 'rule cause'].some((name) => evidence[name] === 1),
          },
        ]
      : [],
  );
});
describeFolds(judged);
console.log('\nof those that a rule reports');
describeFolds(judged.filter(({ isRule }) => isRule));

if (values.write) {
  const path = new URL('../../../packages/language/src/contradictions/weights.ts', import.meta.url);
  const model = fitted(() => true);
  writeFileSync(
    path,
    `/** CONF-21: what each piece of evidence weighs. Written by bench/judgement/fit/fit-pairs.ts; never by hand. */\nexport const CONFLICT_WEIGHTS = \`\n${writeModel(model)}\n\`;\n`,
  );
}
