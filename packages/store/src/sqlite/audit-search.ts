import { MASKING_RULES } from '@yarnboard/domain';
import { sampleOf, type Damages } from '../audit.ts';
import { indexText } from '../search/whole.ts';
import { indexable } from '../search/words.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';
import { createSources, type SourceRow } from './search.ts';
import { TERMS_OF_VOCABULARY } from './search-vocabulary.ts';

export type SearchAuditParts = {
  readonly index: Db;
  readonly board: Db;
  readonly boardId: string;
  readonly names: Names;
  readonly payloads: Payloads;
};

/**
 * VERIFY-7: the index has the words of its sources. Texts are indexed again into a temporary table, and every word with its place is compared. For a
 * long log, only a sample: additions to other texts go unseen, removals from the sampled ones don't.
 */
export const auditSearch = (parts: SearchAuditParts, damages: Damages): { readonly searchTexts: number; readonly searchTextsOf: number } => {
  const { index, board, boardId } = parts;
  const progress = index.prepare<[], { readonly board: string; readonly position: number; readonly isStale: number; readonly masking: number }>(
    'SELECT board, position, is_stale AS isStale, masking FROM progress',
  );
  const state = progress.get();
  const head = board.prepare<[], number>('SELECT coalesce(max(position), 0) FROM main.entries').pluck().get() ?? 0;
  if (state === undefined) {
    damages.add('search', 'progress', 'progress', 'says nothing about how far the index is');
    return { searchTexts: 0, searchTextsOf: head };
  }
  if (state.board !== boardId) damages.add('search', 'progress', 'progress', `belongs to another board (${state.board})`);
  if (state.position > head) damages.add('search', 'progress', 'progress', `is at ${state.position}, and the log ends at ${head}`);
  // SEC-24: an index made by other rules is emptied as soon as it is opened for writing. It isn't compared.
  if (state.masking !== MASKING_RULES) return { searchTexts: 0, searchTextsOf: state.position };
  const positions = sampleOf(state.position);
  const again = indexAgain(parts, state.position, positions, damages);
  // FTS5 still counts what was dropped from it.
  const hasForgotten = board.prepare('SELECT 1 FROM main.payloads WHERE pack IS NULL LIMIT 1').get() !== undefined;
  if (positions === null) compareAll(index, { isStale: state.isStale === 1, hasForgotten }, damages);
  else compareSample(index, damages);
  return { searchTexts: again, searchTextsOf: state.position };
};

const indexAgain = (parts: SearchAuditParts, upTo: number, positions: readonly number[] | null, damages: Damages): number => {
  const { index, board, names, payloads } = parts;
  index.exec(`
    CREATE VIRTUAL TABLE temp.again USING fts5(text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.again_words USING fts5vocab(temp, again, instance);
    CREATE VIRTUAL TABLE temp.kept_words USING fts5vocab(main, texts, instance);
  `);
  const sources = createSources(board, names, payloads);
  const insert = index.prepare<[number, string]>('INSERT INTO temp.again (rowid, text) VALUES (?, ?)');
  const whyLeft = index.prepare<[number], string>('SELECT why FROM main.unindexed WHERE position = ?').pluck();
  let texts = 0;
  let left = 0;
  const look = (row: SourceRow): void => {
    texts += 1;
    const unindexed = indexText(
      row.position,
      () => sources.textOf(row).text,
      (text) => insert.run(row.position, indexable(text)),
    );
    if (unindexed !== null) left += 1;
    if ((whyLeft.get(row.position) ?? null) !== (unindexed?.why ?? null))
      damages.add('search', 'unindexed', `unindexed, ${row.position}`, 'what is said to be left out of the index is not what is');
  };
  if (positions === null) {
    for (let at = 0; at < upTo;) {
      const rows = sources.after(at, STEP).filter(({ position }) => position <= upTo);
      if (rows.length === 0) break;
      rows.forEach(look);
      at = rows.at(-1)?.position ?? upTo;
    }
    const listed = index.prepare<[], number>('SELECT count(*) FROM main.unindexed').pluck().get() ?? 0;
    if (listed > left) damages.add('search', 'unindexed', 'unindexed', `lists ${listed - left} entries that are indexed`);
  } else
    for (const position of positions) {
      const row = sources.at(position);
      if (row !== null) look(row);
    }
  return texts;
};

const compareAll = (index: Db, { isStale, hasForgotten }: { readonly isStale: boolean; readonly hasForgotten: boolean }, damages: Damages): void => {
  const differ = (
    from: string,
    than: string,
    columns = 'term, doc, col, offset',
  ): IterableIterator<{ readonly term: string; readonly doc: number }> =>
    index
      .prepare<[], { readonly term: string; readonly doc: number }>(
        `SELECT ${columns} FROM temp.${from} EXCEPT SELECT ${columns} FROM temp.${than} ORDER BY 2, 1`,
      )
      .iterate();
  for (const { term, doc } of differ('kept_words', 'again_words'))
    damages.add('search', 'texts', `texts, entry ${doc}`, `has the word "${term}", which is not said there`);
  for (const { term, doc } of differ('again_words', 'kept_words')) damages.add('search', 'texts', `texts, entry ${doc}`, `lacks the word "${term}"`);
  const sizes = index.prepare<[], { readonly id: number }>(
    `SELECT coalesce(k.id, a.id) AS id FROM main.texts_docsize k FULL JOIN temp.again_docsize a ON a.id = k.id WHERE k.sz IS NOT a.sz`,
  );
  for (const { id } of sizes.iterate()) damages.add('search', 'texts', `texts_docsize, entry ${id}`, 'is not as long as its text');
  if (!hasForgotten && averagesIn(index, 'main.texts_data') !== averagesIn(index, 'temp.again_data'))
    damages.add('search', 'texts', 'texts_data, 1', 'the averages that hits are ranked by are not those of the texts');
  for (const term of index.prepare<[], string>(`SELECT term FROM terms EXCEPT SELECT term FROM (${TERMS_OF_VOCABULARY})`).pluck().iterate())
    damages.add('search', 'terms', `terms, ${term}`, 'is a word of no text');
  if (!isStale) {
    for (const term of index.prepare<[], string>(`SELECT term FROM (${TERMS_OF_VOCABULARY}) EXCEPT SELECT term FROM terms`).pluck().iterate())
      damages.add('search', 'terms', `terms, ${term}`, 'is missing');
  }
  index.exec(`
    CREATE VIRTUAL TABLE temp.parts_again USING fts5(term, content = '', tokenize = 'trigram', detail = none, columnsize = 0);
    INSERT INTO temp.parts_again (rowid, term) SELECT id, '  ' || term || ' ' FROM main.terms;
    CREATE VIRTUAL TABLE temp.again_parts USING fts5vocab(temp, parts_again, instance);
    CREATE VIRTUAL TABLE temp.kept_parts USING fts5vocab(main, term_parts, instance);
  `);
  for (const [from, than] of [
    ['kept_parts', 'again_parts'],
    ['again_parts', 'kept_parts'],
  ] as const)
    for (const { doc } of differ(from, than, 'term, doc'))
      damages.add('search', 'term_parts', `term_parts, ${doc}`, 'does not have the parts of its word');
};

/** The number of texts and words: FTS5 keeps it in its first record. */
const averagesIn = (index: Db, table: string): string | null =>
  index.prepare<[], string>(`SELECT hex(block) FROM ${table} WHERE id = 1`).pluck().get() ?? null;

/** Whether each sampled text is found by each of its words. */
const compareSample = (index: Db, damages: Damages): void => {
  const isFound = index.prepare<[string, number]>('SELECT 1 FROM main.texts WHERE texts MATCH ? AND rowid = ?');
  for (const { term, doc } of index
    .prepare<[], { readonly term: string; readonly doc: number }>('SELECT DISTINCT term, doc FROM temp.again_words')
    .all())
    if (isFound.get(`"${term.replaceAll('"', '""')}"`, doc) === undefined)
      damages.add('search', 'texts', `texts, entry ${doc}`, `lacks the word "${term}"`);
  const sizes = index.prepare<[], { readonly id: number }>(
    'SELECT a.id AS id FROM temp.again_docsize a LEFT JOIN main.texts_docsize k ON a.id = k.id WHERE k.sz IS NOT a.sz',
  );
  for (const { id } of sizes.iterate()) damages.add('search', 'texts', `texts_docsize, entry ${id}`, 'is not as long as its text');
};

const STEP = 500;
