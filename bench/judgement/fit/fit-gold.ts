// Fits the weights of GOLD: npx tsx --conditions=yarnboard-source bench/judgement/fit/fit-gold.ts [--write]
// First what leaving out one author after the other promises, then the model of them all.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scoreOf, writeModel, type Model } from '../../../packages/language/src/learned/forest.ts';
import { describeFolds, type Judged } from './folds.ts';
import { fitBoth, fitLinear, type Row } from './forest.ts';
import { evidenceWith, labelledMessages, type Message } from './messages.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const SETTINGS = { trees: 200, depth: 4, rate: 0.06, leaf: 10, lambda: 4, names: 0.3, rows: 0.7, seed: 1 };
const SPOKEN_WEIGHT = 2;

const messages = labelledMessages();
const isSpoken = ({ author }: Message): boolean => author === 'published' || author === 'own';

/** Which of the reminders is meant: the right one against each of the others, both ways round. */
const fitNearness = (used: readonly Message[]): Model => {
  const names = [...new Set(used.flatMap(({ reminders }) => reminders.flatMap(({ fit }) => Object.keys(fit))))].toSorted();
  const rows = used.flatMap(({ expects, reminders }): readonly Row[] => {
    const right = reminders.find(({ shown }) => shown.gold === expects);
    if (right === undefined) return [];
    return reminders.flatMap((other) => {
      if (other === right) return [];
      const apart = Float64Array.from(names, (name) => (right.fit[name] ?? 0) - (other.fit[name] ?? 0));
      return [
        { values: apart, isRight: true, weight: 1 },
        { values: apart.map((value) => -value), isRight: false, weight: 1 },
      ];
    });
  });
  const { weights } = fitLinear(
    rows,
    names.map(() => 5),
  );
  return { names, weights, bias: 0, trees: [] };
};

const fit = (used: readonly Message[]): { readonly nearness: Model; readonly gold: Model } => {
  const nearness = fitNearness(used);
  const told = used.flatMap((message) => {
    const found = evidenceWith(message, nearness);
    return found === null ? [] : [{ message, ...found }];
  });
  const names = [...new Set(told.flatMap(({ evidence }) => Object.keys(evidence)))].toSorted();
  const rows = told.map(({ message, gold, evidence }): Row => ({
    values: Float64Array.from(names, (name) => evidence[name] ?? 0),
    isRight: gold === message.expects,
    weight: isSpoken(message) ? SPOKEN_WEIGHT : 1,
  }));
  return { nearness, gold: fitBoth(rows, names, (name) => (/^[w0-2] /u.test(name) ? 40 : 10), SETTINGS, 0.5) };
};

/** Leaves out one author at a time, together with a part of the conversations. */
const authors = [...new Set(messages.filter((message) => !isSpoken(message)).map(({ author }) => author))];
const groupOf = (message: Message): string =>
  isSpoken(message) ? (authors[Number(message.domain.slice('session '.length)) % authors.length] ?? '') : message.author;

const judged = authors.flatMap((author): readonly Judged[] => {
  const { nearness, gold } = fit(messages.filter((message) => groupOf(message) !== author));
  return messages.flatMap((message) => {
    const found = groupOf(message) === author ? evidenceWith(message, nearness) : null;
    if (found === null) return [];
    const isRight = found.gold === message.expects;
    return [{ author: message.author, isRight, isWanted: message.expects !== null, score: scoreOf(gold, found.evidence), text: message.text }];
  });
});
for (const author of authors) {
  const own = judged.filter((one) => one.author === author && one.isWanted);
  console.log(`${author}: the right one is first for ${((100 * own.filter(({ isRight }) => isRight).length) / own.length).toFixed(0)} %`);
}
describeFolds(judged);

if (values.write) {
  const { nearness, gold } = fit(messages);
  writeFileSync(
    new URL('../../../packages/language/src/symptoms/weights.ts', import.meta.url),
    `/** TRIG-19: which waypoint is meant, and whether one is. Written by bench/judgement/fit/fit-gold.ts; never by hand. */\nexport const NEARNESS_WEIGHTS = \`\n${writeModel(nearness)}\n\`;\nexport const GOLD_WEIGHTS = \`\n${writeModel(gold)}\n\`;\n`,
  );
}
