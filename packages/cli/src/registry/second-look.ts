import type { OperationName, OutputOf } from '@yarnboard/protocol';
import type { Told } from '../print/events.ts';
import { conflictNames } from '../print/scratchpad.ts';
import type { Given } from './command-line.ts';

/** Asks the same board for something else; null when it refuses. */
export type Look = (name: OperationName, given: Given) => Promise<unknown>;

/**
 * CLI-26: what an answer calls by ids that nobody can say is called by its name: conflicts as their scratchpad counts them, what is in episodic memory by its
 * finding or waypoint. Only for what is printed; JSON is as it came.
 */
export const withNames = async (answer: unknown, look: Look): Promise<unknown> => {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { events, conflicts } = answer as Told; // an object, so it has fields
  if (Array.isArray(events)) return { ...answer, events: await namedEpisodes(await namedConflicts(events as readonly Told[], look), look) }; // events are objects
  const isInbox = 'to_validate' in answer && Array.isArray(conflicts);
  return isInbox ? { ...answer, conflicts: await namedConflicts(conflicts as readonly Told[], look) } : answer; // as the registry has them
};

/** What else to look at, when there is nothing to see here; null when there is nothing else. */
export const lookElsewhere = async (name: OperationName, given: Given, answer: unknown, look: Look): Promise<string | null> => {
  if (name !== 'sidebar_memory' || given['part'] === 'inherited' || !isEmptyPage(answer)) return null;
  const sidebar = given['sidebar_id'];
  const inherited = await look('sidebar_memory', { sidebar_id: sidebar, part: 'inherited', limit: 1 });
  return inherited === null || isEmptyPage(inherited)
    ? null
    : `what it inherited: \`yarnboard sidebar memory ${String(sidebar).toUpperCase()} --part inherited\``;
};

const isEmptyPage = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items) && answer.items.length === 0;

const namedConflicts = async (rows: readonly Told[], look: Look): Promise<readonly Told[]> => {
  const sidebars = new Set(rows.filter(({ conflict_id: id }) => typeof id === 'string').map(({ sidebar_id: sidebar }) => sidebar));
  const names = new Map<unknown, string>();
  for (const sidebar of sidebars) {
    const pad = (await look('scratchpad', { sidebar_id: sidebar })) as OutputOf<'scratchpad'> | null; // made by the same registry
    for (const [id, name] of pad === null ? [] : conflictNames(pad)) names.set(id, name);
  }
  return rows.map((row) => ({ ...row, ...(names.has(row['conflict_id']) ? { conflict_id: names.get(row['conflict_id']) } : {}) }));
};

const namedEpisodes = async (events: readonly Told[], look: Look): Promise<readonly Told[]> => {
  const isAbout = ({ type }: Told): boolean => type === 'memory_finalised' || type === 'memory_superseded';
  if (!events.some(isAbout)) return events;
  const page = (await look('episodes', { limit: 500 })) as OutputOf<'episodes'> | null; // made by the same registry
  const byId = new Map<unknown, OutputOf<'episodes'>['items'][number]>(page?.items.map((one) => [one.entry_id, one]));
  return events.map((event) => {
    const episode = isAbout(event) ? byId.get(event['exchange_id']) : undefined;
    return episode === undefined ? event : { ...event, entry_id: episode.finding, gold_id: episode.gold_id, content: episode.content };
  });
};
