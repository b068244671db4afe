import { createLanguage, createWeigher } from '@yarnboard/language';
import { createEmbedding } from '@yarnboard/store';
import { layOut, type Verdict } from '../measure/table.ts';
import { groupsOf, PARTS, rowsIn, rowsOf, shareOf, type Part } from './sets.ts';
import { publishedTalk, sentencesIn, spread } from './stream.ts';

type Pair = {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly label: 'conflict' | 'changed' | 'none';
  readonly style: string;
  readonly domain: string;
  readonly why: string;
};
type Judged = Pair & { readonly said: string | null; readonly how: string };

export const describeConflicts = ({ isVerbatim, sentences }: { readonly isVerbatim: boolean; readonly sentences: number }): readonly Verdict[] => {
  const verdicts = PARTS.map((part) => describePart(part, isVerbatim));
  return [...verdicts.flat(), ...describeStream(sentences, isVerbatim)];
};

const describePart = (part: Part, isVerbatim: boolean): readonly Verdict[] => {
  const judged = rowsOf<Pair>(`conflicts.${part}`).map(judge);
  console.log(`\ncontradictions, pairs, ${part}`);
  console.log(
    layOut([
      ['', 'pairs', 'precision', 'recall', 'changed told'],
      ['all', ...figuresOf(judged)],
      ...(['style', 'domain'] as const).flatMap((key) =>
        groupsOf(judged, (row) => row[key]).map(([name, rows]) => [`  ${name}`, ...figuresOf(rows)]),
      ),
    ]),
  );
  // The frozen part is never read, only counted.
  if (part !== 'frozen') {
    const wrong = judged.filter(({ said, label }) => isTold(said) && label !== 'conflict');
    for (const { a, b, how, why } of wrong) console.log(`  WRONG  ${JSON.stringify(a)} / ${JSON.stringify(b)}: ${how} (${why})`);
    const missed = judged.filter(({ said, label }) => !isTold(said) && label === 'conflict');
    if (isVerbatim) for (const { a, b, why } of missed) console.log(`  MISSED ${JSON.stringify(a)} / ${JSON.stringify(b)} (${why})`);
    return [];
  }
  return verdictsOf(judged, 'frozen');
};

/** Counts the pairs of a file and never shows them, so they stay unseen by anyone who changes the rules. */
export const countConflicts = (path: string): readonly Verdict[] => {
  const judged = rowsIn<Pair>(path).map(judge);
  console.log(`\ncontradictions, ${judged.length} pairs`);
  const changed = judged.filter(({ label }) => label === 'changed');
  console.log(
    layOut([
      ['labelled', 'pairs', 'reported', 'told as changed'],
      ...groupsOf(judged, ({ label }) => label).map(([label, rows]) => [
        label,
        String(rows.length),
        shareOf(rows.filter(({ said }) => isTold(said)).length, rows.length),
        shareOf(rows.filter(({ said }) => said === 'changed').length, rows.length),
      ]),
    ]),
  );
  console.log(
    layOut([
      ['', 'pairs', 'precision', 'recall', 'changed told'],
      ['all', ...figuresOf(judged)],
      ...(['style', 'domain'] as const).flatMap((key) =>
        groupsOf(judged, (row) => row[key]).map(([name, rows]) => [`  ${name}`, ...figuresOf(rows)]),
      ),
    ]),
  );
  const told = judged.filter(({ said }) => isTold(said));
  console.log(
    layOut([
      ['reported as', 'precision'],
      ...groupsOf(told, ({ said }) => said ?? '').map(([kind, rows]) => [
        kind,
        shareOf(rows.filter(({ label }) => label === 'conflict').length, rows.length),
      ]),
    ]),
  );
  console.log(`changed and not reported as a conflict: ${shareOf(changed.filter(({ said }) => !isTold(said)).length, changed.length)}`);
  return verdictsOf(judged, 'pairs of the folder');
};

const verdictsOf = (judged: readonly Judged[], name: string): readonly Verdict[] => {
  const told = judged.filter(({ said }) => isTold(said));
  const right = told.filter(({ label }) => label === 'conflict').length;
  const real = judged.filter(({ label }) => label === 'conflict').length;
  return [
    { isMet: right / told.length >= 0.9, text: `contradictions, ${name}: precision ${shareOf(right, told.length)} (target at least 0.9)` },
    { isMet: right / real >= 0.7, text: `contradictions, ${name}: recall ${shareOf(right, real)} (target at least 0.7)` },
  ];
};

const judge = (pair: Pair): Judged => {
  const [found] = language.contradictions(pair.a, [pair.b]);
  return { ...pair, said: found?.kind ?? null, how: found?.description ?? '' };
};
const isTold = (said: string | null): boolean => said !== null && said !== 'changed';

const figuresOf = (rows: readonly Judged[]): readonly string[] => {
  const told = rows.filter(({ said }) => isTold(said));
  const right = told.filter(({ label }) => label === 'conflict').length;
  const changed = rows.filter(({ label }) => label === 'changed');
  return [
    String(rows.length),
    shareOf(right, told.length),
    shareOf(right, rows.filter(({ label }) => label === 'conflict').length),
    `${changed.filter(({ said }) => said === 'changed').length} of ${changed.length}`,
  ];
};

/** Every sentence of a session against every other one: whatever is reported is there to be read. */
const describeStream = (most: number, isVerbatim: boolean): readonly Verdict[] => {
  const talk = publishedTalk();
  if (talk === null) {
    console.log('\nNOT MEASURED  there are no published transcripts here: name their folder in YARNBOARD_CORPUS');
    return [];
  }
  let [pairs, changed] = [0, 0];
  const reported: string[] = [];
  for (const texts of talk) {
    const sentences = spread([...new Set(texts.flatMap(sentencesIn))], most);
    for (const [at, sentence] of sentences.entries()) {
      const others = sentences.slice(at + 1);
      pairs += others.length;
      for (const { at: other, kind, description } of language.contradictions(sentence, others)) {
        if (kind === 'changed') changed += 1;
        else reported.push(`  FIRED  ${sentence}\n         ${others[other] ?? ''}\n         ${description}`);
      }
    }
  }
  console.log(`\ncontradictions, sentences of published transcripts: ${pairs} pairs, ${reported.length} reported, ${changed} more as changed`);
  if (isVerbatim) console.log(reported.join('\n'));
  const rate = (1000 * reported.length) / pairs;
  return [{ isMet: rate <= 1, text: `contradictions, published transcripts: ${rate.toFixed(2)} reported in 1,000 pairs (target at most 1)` }];
};

const language = createLanguage({
  mask: (text) => text,
  weigher: createWeigher(createEmbedding()),
});
