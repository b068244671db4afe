import { looseOptions, rankLoosely, type LooseOption, type LooseRanked, type LooseText, type Standing } from '../search/loose-rank.ts';
import { candidatesOf } from '../search/loose-candidates.ts';
import type { Loose } from '../search/loose.ts';
import type { SearchFilters } from '../search/port.ts';
import { excludedBy, fts5Option } from '../search/query.ts';
import { rarityOf, type Collection } from '../search/rank.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';
import { conditionsFor } from './search-matches.ts';

/** All texts that match a relaxed query, best first (FIND-41). */
export const looseMatches = (
  index: Db,
  names: Names,
  loose: Loose,
  filters: SearchFilters,
  counts: (word: string) => number,
): readonly LooseRanked[] => {
  const collection = collectionOf(index);
  const options = looseOptions(loose);
  const frequencies = frequenciesOf(index, options, counts);
  const { sure, any } = candidatesOf(loose, options, frequencies);
  const groups = [...sure.map((some) => groupOf(some)), ...(any.length === 0 ? [] : [groupOf(any)])];
  const excluded = excludedBy(loose.excluded).map(fts5Option);
  const base = excluded.length === 0 ? groups.join(' AND ') : `(${groups.join(' AND ')}) NOT (${excluded.join(' OR ')})`;
  const standings = standingsOf(index, names, base, filters);
  const inBase = new Set([...sure.flat(), ...any].map(fts5Option));
  // Ranks are additive: an option's share is the total minus the rank without it.
  const ranks = index.prepare<[string], { readonly position: number; readonly rank: number }>(
    'SELECT rowid AS position, -rank AS rank FROM texts WHERE texts MATCH ?',
  );
  const baseRanks = new Map<number, number>();
  for (const { position, rank } of ranks.iterate(base)) baseRanks.set(position, rank);
  const parts = new Map<number, number[]>([...standings.keys()].map((position) => [position, options.map(() => 0)]));
  const known = new Map<string, number>();
  for (const [at, option] of options.entries()) {
    const expression = fts5Option(option);
    const first = known.get(expression);
    if (first !== undefined) {
      for (const some of parts.values()) some[at] = some[first] ?? 0;
      continue;
    }
    known.set(expression, at);
    const rarity = rarityOf(collection.texts, frequencies[at] ?? 0);
    const isBase = inBase.has(expression);
    // FTS5 refuses exclusions without anything wanted, so that goes first.
    for (const { position, rank } of ranks.iterate(isBase ? expression : `${expression} AND (${base})`)) {
      const some = parts.get(position);
      if (some !== undefined) some[at] = (isBase ? rank : rank - (baseRanks.get(position) ?? 0)) / rarity;
    }
  }
  const texts = [...standings].map(([position, standing]): LooseText => ({ position, standing, parts: parts.get(position) ?? [] }));
  return rankLoosely(loose, collection, frequencies, texts);
};

const groupOf = (options: readonly LooseOption[]): string => `(${[...new Set(options.map(fts5Option))].join(' OR ')})`;

const frequenciesOf = (index: Db, options: readonly LooseOption[], counts: (word: string) => number): readonly number[] => {
  const count = index.prepare<[string], number>('SELECT count(*) FROM texts WHERE texts MATCH ?').pluck();
  return options.map((option) =>
    option.words.length === 1 && !option.prefix ? counts(option.words[0] ?? '') : (count.get(fts5Option(option)) ?? 0),
  );
};

const standingsOf = (index: Db, names: Names, base: string, filters: SearchFilters): ReadonlyMap<number, Standing> => {
  const { joins, wheres, values } = conditionsFor(filters, names);
  const rows = index
    .prepare<unknown[], { readonly position: number; readonly standing: Standing }>(
      `SELECT texts.rowid AS position, CASE WHEN m.number IS NULL AND e.occurrence IS NOT NULL THEN 'noted'
         WHEN EXISTS (SELECT 1 FROM board.operations o WHERE o.position = e.position) THEN 'tool' ELSE 'said' END AS standing
       FROM texts JOIN board.entries e ON e.position = texts.rowid LEFT JOIN board.messages m ON m.position = texts.rowid ${joins}
       WHERE texts MATCH ? ${wheres}`,
    )
    .iterate(base, ...values);
  return new Map(Array.from(rows, ({ position, standing }) => [position, standing]));
};

/** How many texts and words FTS5 knows of: the first numbers of its averages record. */
const collectionOf = (index: Db): Collection => {
  const block = index.prepare<[], Buffer>('SELECT block FROM texts_data WHERE id = 1').pluck().get();
  const [texts = 0, words = 0] = block === undefined ? [] : varintsIn(block);
  return { texts, words };
};

const varintsIn = (bytes: Buffer): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
};
