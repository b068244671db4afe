import type { Entry } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { createSnipper, parseQuery, proseOf, sourceTextOf } from '@yarnboard/store';
import { byMeaning } from './request/by-meaning.ts';
import { hitViews, type HitNeeds } from './hits.ts';
import { entryNamed, type ReferencesNeeds } from './references.ts';
import type { Answer } from './request/answer.ts';
import { breathe, makeWay } from './request/breathing.ts';
import { refusedFor } from './request/refusal.ts';
import { holds, standingOf } from './standing.ts';

/** SEM-5: finds similar entries. The text to compare is masked, like everything that is embedded. */
export const findSimilar = async (needs: HitNeeds & ReferencesNeeds, input: InputOf<'similar'>, signal: AbortSignal): Answer<'similar'> => {
  const { log, search } = needs.store;
  const entry = await entryNamed(needs, input.ref);
  const coverage = await search.meaning.coverage();
  if (coverage === null) throw refusedFor('meaning-missing', {});
  const text = await writtenIn(needs, entry);
  await breathe(signal);
  const found = (await byMeaning(() => search.meaning.nearest(text, {}, input.limit * 2 + 1, new Map(), () => makeWay(signal)))) ?? [];
  const others = found.filter(({ position }) => position !== entry.position);
  const entries = input.standing ? await log.entriesAt(others.map(({ position }) => position)) : [];
  const fallen = new Set(entries.flatMap((one) => (holds(standingOf(needs.engine.board(), one)) ? [] : [one.position])));
  const hits = others
    .filter(({ position }) => !fallen.has(position))
    .slice(0, input.limit)
    .map((one) => ({ ...one, score: one.near, by: 'meaning' as const }));
  // Nobody typed a query, so there is nothing to highlight.
  const snip = createSnipper(parseQuery(''), new Map());
  return { ref: entry.refs[0] ?? input.ref, items: await hitViews(needs, hits, { snip, reveal: false }, signal), coverage };
};

/** What a person or model wrote in an entry. For tool inputs and outputs, all the searchable text. */
const writtenIn = async ({ store: { log } }: HitNeeds, entry: Entry): Promise<string> => {
  const bytes = (await log.payloadsOf([entry.position])).get(entry.position) ?? null;
  const source = { type: entry.type, note: entry.note, copyOf: null };
  const prose = proseOf(source, bytes === null ? null : Buffer.from(bytes));
  return prose === '' ? sourceTextOf(source, bytes).text : prose;
};
