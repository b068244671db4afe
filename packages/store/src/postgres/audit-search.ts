import { MASKING_RULES } from '@yarnboard/domain';
import { sampleOf, type Damages } from '../audit.ts';
import type { Db, Run } from './database.ts';
import { indexRows, SOURCE_COLUMNS, type SourceRow } from './search-fill.ts';

/**
 * VERIFY-7: the index has the words of its sources. Texts are indexed again into temporary tables, which shadow the board's. Forgotten texts are left
 * out of both: an older index has dropped them, and an index filled later holds empty texts.
 */
export const auditSearch = async (
  run: Run,
  { schema }: Db,
  damages: Damages,
): Promise<{ readonly searchTexts: number; readonly searchTextsOf: number }> => {
  const [state] = await run<Progress>('SELECT position, texts, words, masking FROM progress');
  const head = (await run<{ readonly n: number }>('SELECT coalesce(max(position), 0) AS n FROM entries'))[0]?.n ?? 0;
  if (state === undefined) {
    damages.add('search', 'progress', 'progress', 'says nothing about how far the index is');
    return { searchTexts: 0, searchTextsOf: head };
  }
  if (state.position > head) damages.add('search', 'progress', 'progress', `is at ${state.position}, and the log ends at ${head}`);
  // SEC-24: an index made by other rules is either emptied or belongs to a newer server. Neither is compared.
  if (state.masking !== MASKING_RULES) return { searchTexts: 0, searchTextsOf: state.position };
  for (const table of TABLES) await run(`CREATE TEMP TABLE ${table} (LIKE "${schema}".${table} INCLUDING ALL) ON COMMIT DROP`);
  const sample = sampleOf(state.position);
  const again = await indexAgain(run, state.position, sample);
  const among = sample === null ? '' : `AND position IN (${sample.join()})`;
  for (const table of ['texts', 'text_parts', 'unindexed', 'masked'] as const)
    for (const [from, than, what] of waysOf(schema, table)) {
      const rows = await run<{ readonly position: number }>(
        `SELECT position FROM (SELECT * FROM ${from} EXCEPT SELECT * FROM ${than}) differing WHERE NOT ${FORGOTTEN} ${among} ORDER BY 1 LIMIT 3`,
      );
      for (const { position } of rows) damages.add('search', table, `${table}, entry ${position}`, what);
    }
  await auditTerms(run, schema, sample === null, damages);
  const [forgotten] = await run('SELECT 1 FROM payloads WHERE bytes IS NULL LIMIT 1');
  if (sample === null && forgotten === undefined && (state.texts !== again.texts || state.words !== again.words))
    damages.add('search', 'progress', 'progress', 'the totals that hits are ranked by are not those of the texts');
  return { searchTexts: again.texts, searchTextsOf: state.position };
};

type Progress = { readonly position: number; readonly texts: number; readonly words: number; readonly masking: number };

const indexAgain = async (run: Run, upTo: number, sample: readonly number[] | null): Promise<{ readonly texts: number; readonly words: number }> => {
  const all = { texts: 0, words: 0 };
  const add = async (rows: readonly SourceRow[]): Promise<void> => {
    const { texts, words } = await indexRows(run, rows);
    all.texts += texts;
    all.words += words;
  };
  if (sample !== null) {
    await add(await run<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM entries WHERE position = ANY($1::bigint[]) AND NOT ${FORGOTTEN}`, [sample]));
    return all;
  }
  for (let at = 0; at < upTo;) {
    const rows = await run<SourceRow>(
      `SELECT ${SOURCE_COLUMNS} FROM entries WHERE position > $1 AND position <= $2 AND NOT ${FORGOTTEN} ORDER BY position LIMIT ${STEP}`,
      [at, upTo],
    );
    if (rows.length === 0) break;
    await add(rows);
    at = rows.at(-1)?.position ?? upTo;
  }
  return all;
};

/** Every word of the texts, and how many of them have it. With a sample, only whether its words are known. */
const auditTerms = async (run: Run, schema: string, isWhole: boolean, damages: Damages): Promise<void> => {
  const columns = isWhole ? 'term, documents, trigrams' : 'term, trigrams';
  for (const [from, than, what] of waysOf(schema, 'terms').slice(isWhole ? 0 : 1)) {
    const rows = await run<{ readonly term: string }>(
      `SELECT term FROM (SELECT ${columns} FROM ${from} EXCEPT SELECT ${columns} FROM ${than}) differing ORDER BY 1 LIMIT 3`,
    );
    for (const { term } of rows) damages.add('search', 'terms', `terms, ${term}`, what);
  }
};

const waysOf = (schema: string, table: string): readonly (readonly [from: string, than: string, what: string])[] => [
  [`"${schema}".${table}`, `pg_temp.${table}`, 'is not what the log says'],
  [`pg_temp.${table}`, `"${schema}".${table}`, 'is missing, or is not what the log says'],
];

const FORGOTTEN = 'position IN (SELECT e.position FROM payloads p JOIN entries e ON e.payload_hash = p.hash WHERE p.bytes IS NULL)';
const TABLES = ['texts', 'text_parts', 'terms', 'unindexed', 'masked'] as const;
const STEP = 2000;
