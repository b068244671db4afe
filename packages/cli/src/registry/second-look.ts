import type { OperationName, OutputOf } from '@yarnboard/protocol';
import type { Told } from '../print/events.ts';
import type { Given } from './command-line.ts';

/** Queries the same board for something else; null if it refuses. */
export type Look = (name: OperationName, given: Given) => Promise<unknown>;

/** CLI-26: an episode is called by its finding or waypoint. Only for printed output; JSON stays as it came. */
export const withNames = async (answer: unknown, look: Look): Promise<unknown> => {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { events } = answer as Told; // an object, so it has fields
  return Array.isArray(events) ? { ...answer, events: await namedEpisodes(events as readonly Told[], look) } : answer; // events are objects
};

/** What else to query if the answer is empty; null if there is nothing else. */
export const lookElsewhere = async (name: OperationName, given: Given, answer: unknown, look: Look): Promise<string | null> => {
  if (name !== 'sidebar_memory' || given['part'] === 'inherited' || !isEmptyPage(answer)) return null;
  const sidebar = given['sidebar_id'];
  const inherited = await look('sidebar_memory', { sidebar_id: sidebar, part: 'inherited', limit: 1 });
  return inherited === null || isEmptyPage(inherited)
    ? null
    : `what it inherited: \`yarnboard sidebar memory ${String(sidebar).toUpperCase()} --part inherited\``;
};

/** REC-17: the exit code tells a script that recovery comes first. */
export const isRecoveryNeeded = (name: OperationName, answer: unknown): boolean =>
  name === 'recovery' && (answer as OutputOf<'recovery'>).state === 'RECOVERY_NEEDED'; // the same registry produced it

/** CLI-37: like `yarnboard search`, a search of the archive without results says so by its exit code. */
export const hasFoundNothing = (name: OperationName, answer: unknown): boolean => name === 'archive_search' && isEmptyPage(answer);

const isEmptyPage = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items) && answer.items.length === 0;

const namedEpisodes = async (events: readonly Told[], look: Look): Promise<readonly Told[]> => {
  const isAbout = ({ type }: Told): boolean => type === 'memory_finalised' || type === 'memory_superseded';
  if (!events.some(isAbout)) return events;
  const page = (await look('episodes', { limit: 500 })) as OutputOf<'episodes'> | null; // the same registry produced it
  const byId = new Map<unknown, OutputOf<'episodes'>['items'][number]>(page?.items.map((one) => [one.entry_id, one]));
  return events.map((event) => {
    const episode = isAbout(event) ? byId.get(event['exchange_id']) : undefined;
    return episode === undefined ? event : { ...event, entry_id: episode.finding, gold_id: episode.gold_id, content: episode.content };
  });
};
