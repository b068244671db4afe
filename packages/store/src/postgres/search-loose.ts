import { candidatesOf } from '../search/loose-candidates.ts';
import { looseOptions, rankLoosely, type LooseOption, type LooseRanked, type LooseText } from '../search/loose-rank.ts';
import type { Loose } from '../search/loose.ts';
import type { SearchFilters } from '../search/port.ts';
import { tsqueryOption } from '../search/query.ts';
import { countOf, partOf, type Collection } from '../search/rank.ts';
import type { Run } from './database.ts';
import { frequenciesOf, lexemesOf, matchesFor, textsFrom, unwantedBy, type PlacesRow } from './search-matches.ts';
import { knownOf } from './search-vocabulary.ts';

/** All texts that match a relaxed query, best first (FIND-41). */
export const looseMatches = async (
  run: Run,
  loose: Loose,
  filters: SearchFilters,
  counts: (word: string) => number,
  collection: Collection,
): Promise<readonly LooseRanked[]> => {
  const options = looseOptions(loose);
  const frequencies = await frequenciesOf(run, options, counts);
  const { sure, any } = candidatesOf(loose, options, frequencies);
  const wanted = [...sure.map(groupOf), ...(any.length === 0 ? [] : [groupOf(any)])];
  const { beginningWith } = await knownOf(
    run,
    options.filter(({ prefix }) => prefix),
    new Map(),
  );
  const { sql, values } = matchesFor(wanted, unwantedBy(loose.excluded)).all(filters, lexemesOf(options, beginningWith));
  const average = collection.words / collection.texts;
  const texts = textsFrom(await run<PlacesRow>(sql, values)).map(({ position, isNote, isTool, length, places }): LooseText => ({
    position,
    standing: isNote ? 'noted' : isTool ? 'tool' : 'said',
    parts: options.map((option) => partOf(countOf(option, places), length, average)),
  }));
  return rankLoosely(loose, collection, frequencies, texts);
};

const groupOf = (options: readonly LooseOption[]): string => [...new Set(options.map(tsqueryOption))].join(' | ');
