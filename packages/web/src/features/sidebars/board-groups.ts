import { hasWords, PRIORITIES, wordsOf, type Actor, type Priority, type Sidebar, type Status } from '@yarnboard/domain';
import { nameOf } from '../../shared/names.ts';

/** What the board shows. */
export type BoardFilter = {
  readonly text: string;
  readonly status: Status | '';
  readonly participant: string;
  readonly taskType: string;
  readonly priority: Priority | '';
  /** Only forks, no forks, or both. */
  readonly forks: 'only' | 'none' | '';
  readonly isMine: boolean;
};

export const NO_FILTER: BoardFilter = { text: '', status: '', participant: '', taskType: '', priority: '', forks: '', isMine: false };

/** The statuses in the order in which work passes through them. */
export const COLUMNS = [
  'TESTING',
  'ACTIVE',
  'SPAWNING_CHILD',
  'WAITING',
  'PAUSED',
  'REVIEWING',
  'CONSOLIDATING',
  'MERGED',
  'FAILED',
  'ARCHIVED',
] as const satisfies readonly Status[];

/** The status from the filter or the URL; empty if it doesn't exist. */
export const statusIn = (text: string): Status | '' => COLUMNS.find((status) => status === text.toUpperCase()) ?? '';

export const priorityIn = (text: string): Priority | '' => PRIORITIES.find((priority) => priority === text.toUpperCase()) ?? '';

export const forksIn = (text: string): BoardFilter['forks'] => (text === 'only' || text === 'none' ? text : '');

export type Column = { readonly status: Status; readonly sidebars: readonly Sidebar[] };

/** Sidebars by status, the latest activity first. */
export const columnsOf = (sidebars: readonly Sidebar[], filter: BoardFilter, actor: Actor | null): readonly Column[] => {
  const shown = new Map<Status, Sidebar[]>(COLUMNS.map((status) => [status, []]));
  const isWanted = wanted(filter, actor);
  for (const sidebar of sidebars) if (isWanted(sidebar)) shown.get(sidebar.status)?.push(sidebar);
  return COLUMNS.filter((status) => filter.status === '' || filter.status === status).map((status) => ({
    status,
    sidebars: (shown.get(status) ?? []).toSorted((a, b) => b.lastActivity - a.lastActivity || b.position - a.position),
  }));
};

const wanted = ({ text, participant, taskType, priority, forks, isMine }: BoardFilter, actor: Actor | null) => {
  const words = wordsOf(text);
  return (sidebar: Sidebar): boolean =>
    (taskType === '' || sidebar.taskType === taskType) &&
    (priority === '' || sidebar.priority === priority) &&
    (forks === '' || (sidebar.forkedFrom !== null) === (forks === 'only')) &&
    (participant === '' || worksIn(sidebar, participant)) &&
    (!isMine || (actor !== null && worksIn(sidebar, actor.id))) &&
    hasWords(sidebar, words);
};

/** Whether somebody takes part, coordinates or curates. */
export const worksIn = ({ participants, coordinator, curator }: Sidebar, id: string): boolean =>
  coordinator === id || curator === id || participants.includes(id);

export const taskTypesOf = (sidebars: readonly Sidebar[]): readonly string[] =>
  [...new Set(sidebars.flatMap(({ taskType }) => taskType ?? []))].toSorted((a, b) => a.localeCompare(b, 'en'));

/** Everybody who works in at least one of them. */
export const workersIn = (sidebars: readonly Sidebar[]): readonly string[] =>
  [...new Set(sidebars.flatMap(({ participants, coordinator, curator }) => [...participants, coordinator, curator]))].toSorted((a, b) =>
    nameOf(a).localeCompare(nameOf(b), 'en'),
  );
