import { sourceTextOf, type Source, type SourceText } from '../search/source.ts';
import { indexText } from '../search/whole.ts';
import { wordsOf } from '../search/words.ts';
import { insertRows, type Column, type Run } from './database.ts';
import { payloadsAt } from './payloads.ts';
import { vectorsOf } from './search-vectors.ts';
import { addTerms } from './search-vocabulary.ts';

export type SourceRow = Source & { readonly position: number };

/** Writes the words of these entries into the index, and returns how many texts and words they have. */
export const indexRows = async (on: Run, rows: readonly SourceRow[]): Promise<{ readonly texts: number; readonly words: number }> => {
  const documents = new Map<string, number>();
  const added = { texts: 0, words: 0 };
  const left: (readonly unknown[])[] = [];
  const hiding: (readonly unknown[])[] = [];
  for (let at = 0; at < rows.length; at += STEP) {
    const words: (readonly [number, readonly string[]])[] = [];
    for (const [place, read] of await textsOf(on, rows.slice(at, at + STEP))) {
      const some = indexText(
        place,
        () => {
          const { text, isMasked } = read();
          if (isMasked) hiding.push([place]);
          return text;
        },
        (text) => {
          words.push([place, wordsOf(text)]);
        },
      );
      if (some !== null) left.push([some.position, some.why]);
    }
    await insertTexts(on, words);
    for (const [, some] of words) {
      for (const word of new Set(some)) documents.set(word, (documents.get(word) ?? 0) + 1);
      added.texts += 1;
      added.words += some.length;
    }
  }
  await insertRows(on, 'unindexed', LEFT_COLUMNS, left);
  await insertRows(on, 'masked', HIDING_COLUMNS, hiding);
  await addTerms(on, documents);
  return added;
};

export const SOURCE_COLUMNS = 'position, type, note, copy_of';

/** Read one by one on demand: a text may be as large as a line can be. */
export const textsOf = async (run: Run, rows: readonly SourceRow[]): Promise<ReadonlyMap<number, () => SourceText>> => {
  const payloads = await payloadsAt(
    run,
    rows.filter(({ copyOf }) => copyOf === null).map((row) => row.position),
  );
  return new Map(rows.map((row) => [row.position, () => sourceTextOf(row, payloads.get(row.position) ?? null)]));
};

const insertTexts = async (run: Run, texts: readonly (readonly [number, readonly string[]])[]): Promise<void> => {
  const whole: (readonly unknown[])[] = [];
  const parts: (readonly unknown[])[] = [];
  for (const [position, words] of texts) {
    const vectors = vectorsOf(words);
    const [only] = vectors;
    if (vectors.length > 1) parts.push(...vectors.map(({ vector, start }, part) => [position, part, vector, words.length, start]));
    // A text of nothing but signs has no words, and still counts as a text.
    else whole.push([position, only?.vector ?? '', words.length]);
  }
  await insertRows(run, 'texts', TEXT_COLUMNS, whole);
  await insertRows(run, 'text_parts', PART_COLUMNS, parts);
};

const LEFT_COLUMNS = [
  ['position', 'bigint'],
  ['why', 'text'],
] as const satisfies readonly Column[];
const HIDING_COLUMNS = [['position', 'bigint']] as const satisfies readonly Column[];
const TEXT_COLUMNS = [
  ['position', 'bigint'],
  ['words', 'tsvector'],
  ['length', 'bigint'],
] as const satisfies readonly Column[];
const PART_COLUMNS = [
  ['position', 'bigint'],
  ['part', 'bigint'],
  ['words', 'tsvector'],
  ['length', 'bigint'],
  ['start', 'bigint'],
] as const satisfies readonly Column[];
const STEP = 500;
