import { ARCHIVE_REASONS, EPISODE_STANDINGS, EPISODE_TRIGGERS, STATUSES } from '@yarnboard/domain';
import type { InsideInput } from '@yarnboard/protocol';

/** A search of archived sidebars; an empty text or list means no filter. */
export type ArchiveWish = {
  /** Words to match, even if misspelled or cut short. */
  readonly q: string;
  /** What it is about, in any words. */
  readonly about: string;
  /** How alike words must be, and how near in meaning, in percent; empty for the default. */
  readonly alike: string;
  readonly near: string;
  readonly outcomes: readonly string[];
  readonly types: readonly string[];
  readonly people: readonly string[];
  readonly tags: readonly string[];
  readonly reasons: readonly string[];
  readonly since: string;
  readonly until: string;
  readonly gold: '' | 'with' | 'without';
  readonly by: string;
  readonly project: string;
  readonly sidebar: string;
  readonly from: string;
  readonly child: string;
  readonly fork: string;
  readonly forked: string;
};

export const NO_ARCHIVE_WISH: ArchiveWish = {
  q: '',
  about: '',
  alike: '',
  near: '',
  outcomes: [],
  types: [],
  people: [],
  tags: [],
  reasons: [],
  since: '',
  until: '',
  gold: '',
  by: '',
  project: '',
  sidebar: '',
  from: '',
  child: '',
  fork: '',
  forked: '',
};

/** The statuses a sidebar may have had when it was archived (ARCHIVE-3). */
export const OUTCOMES = STATUSES.filter((status) => status !== 'ARCHIVED' && status !== 'SPAWNING_CHILD' && status !== 'CONSOLIDATING');

/** PAGE-501: the search that an address describes. Drops values nobody could have chosen, since the server would reject the whole request. */
export const archiveWishIn = (params: URLSearchParams): ArchiveWish => {
  const { text, fitting, list } = readerOf(params);
  const outcomes: readonly string[] = OUTCOMES;
  const reasons: readonly string[] = ARCHIVE_REASONS;
  return {
    q: params.get('q') ?? '',
    about: params.get('about') ?? '',
    alike: fitting('alike', PERCENT),
    near: fitting('near', PERCENT),
    outcomes: list('outcome')
      .map((one) => one.toUpperCase())
      .filter((one) => outcomes.includes(one)),
    types: list('type'),
    people: list('who'),
    tags: list('tag'),
    reasons: list('reason').filter((one) => reasons.includes(one)),
    since: fitting('since', DAY),
    until: fitting('until', DAY),
    gold: GOLD_CHOICES.find((one) => one === text('gold')) ?? '',
    by: text('by'),
    project: text('project'),
    sidebar: fitting('sidebar', SIDEBAR),
    from: text('from'),
    child: fitting('child', SIDEBAR),
    fork: fitting('fork', SIDEBAR),
    forked: fitting('forked', SIDEBAR),
  };
};

/** The address of a search. It holds only what is set, so that equal searches have equal addresses. */
export const archiveAddressOf = (wish: ArchiveWish): URLSearchParams =>
  addressOf([
    ['q', wish.q],
    ['about', wish.about],
    ['alike', wish.alike],
    ['near', wish.near],
    ...many(
      'outcome',
      wish.outcomes.map((one) => one.toLowerCase()),
    ),
    ...many('type', wish.types),
    ...many('who', wish.people),
    ...many('tag', wish.tags),
    ...many('reason', wish.reasons),
    ['since', wish.since],
    ['until', wish.until],
    ['gold', wish.gold],
    ['by', wish.by],
    ['project', wish.project],
    ['sidebar', wish.sidebar],
    ['from', wish.from],
    ['child', wish.child],
    ['fork', wish.fork],
    ['forked', wish.forked],
  ]);

/** Whether any filter is set besides the two texts. */
export const hasArchiveFilters = (wish: ArchiveWish): boolean => archiveAddressOf({ ...wish, q: '', about: '' }).size > 0;

/** Whether any of the further filters is set. */
export const hasFurtherFilters = ({ alike, near, reasons, by, project, sidebar, from, child, fork, forked }: ArchiveWish): boolean =>
  reasons.length > 0 || [alike, near, by, project, sidebar, from, child, fork, forked].some((one) => one !== '');

export const archiveQuestionOf = (wish: ArchiveWish): InsideInput<'archive_search'> => {
  const [words, about] = [wish.q.trim(), wish.about.trim()];
  return {
    ...given({
      fuzzyText: words,
      queryText: about,
      fromDate: wish.since,
      toDate: wish.until,
      archivedBy: wish.by,
      project: wish.project,
      sidebarId: wish.sidebar,
      parentId: wish.from,
      childOf: wish.child,
      forkedFrom: wish.fork,
      forkedInto: wish.forked,
    }),
    ...given({
      statuses: wish.outcomes,
      taskTypes: wish.types,
      participants: wish.people,
      tags: wish.tags,
      archiveReasons: wish.reasons,
    }),
    ...(words === '' || wish.alike === '' ? {} : { fuzzyThreshold: Number(wish.alike) / 100 }),
    ...(about === '' || wish.near === '' ? {} : { similarityThreshold: Number(wish.near) / 100 }),
    ...(wish.gold === '' ? {} : { hasGold: wish.gold === 'with' ? 'true' : 'false' }),
  };
};

/** A search of episodic memory. */
export type EpisodeWish = {
  readonly q: string;
  readonly trigger: string;
  readonly standing: string;
  readonly tag: string;
  readonly sidebar: string;
  readonly checkpoint: string;
  readonly since: string;
  readonly until: string;
};

export const NO_EPISODE_WISH: EpisodeWish = { q: '', trigger: '', standing: '', tag: '', sidebar: '', checkpoint: '', since: '', until: '' };

export const episodeWishIn = (params: URLSearchParams): EpisodeWish => {
  const { text, fitting } = readerOf(params);
  return {
    q: params.get('q') ?? '',
    trigger: EPISODE_TRIGGERS.find((one) => one === text('trigger')) ?? '',
    standing: [...EPISODE_STANDINGS, SETTLED].find((one) => one === text('standing')) ?? '',
    tag: text('tag'),
    sidebar: fitting('sidebar', SIDEBAR),
    checkpoint: fitting('checkpoint', CHECKPOINT),
    since: fitting('since', DAY),
    until: fitting('until', DAY),
  };
};

export const episodeAddressOf = (wish: EpisodeWish): URLSearchParams => addressOf([['tab', 'episodes'], ...Object.entries(wish)]);

export const hasEpisodeFilters = (wish: EpisodeWish): boolean => Object.entries(wish).some(([name, value]) => name !== 'q' && value !== '');

export const episodeQuestionOf = ({ q, trigger, standing, tag, sidebar, checkpoint, since, until }: EpisodeWish): InsideInput<'episodes'> => {
  const reason = EPISODE_TRIGGERS.find((one) => one === trigger);
  const stands = EPISODE_STANDINGS.find((one) => one === standing);
  return {
    ...given({ words: q.trim(), tag, sidebarId: sidebar, checkpointId: checkpoint, since, until }),
    ...(reason === undefined ? {} : { reason }),
    ...(stands === undefined ? {} : { standing: stands }),
    ...(standing === SETTLED ? { provisional: 'false' } : {}),
  };
};

/** Final or superseded: everything that is no longer provisional. */
export const SETTLED = 'settled';

/** PAGE-501: SB-12, or the uuid of a sidebar; no other name works. */
export const isSidebarName = (text: string): boolean => SIDEBAR.test(text);

export const isCheckpointName = (text: string): boolean => CHECKPOINT.test(text);

const readerOf = (params: URLSearchParams) => {
  const text = (name: string): string => params.get(name)?.trim() ?? '';
  return {
    text,
    fitting: (name: string, pattern: RegExp): string => (pattern.test(text(name)) ? text(name) : ''),
    list: (name: string): readonly string[] =>
      [...new Set(params.getAll(name).map((one) => one.trim()))].filter((one) => one !== '').slice(0, MOST_NAMED),
  };
};

type Parts = readonly (readonly [name: string, value: string])[];

const addressOf = (parts: Parts): URLSearchParams => {
  const params = new URLSearchParams();
  for (const [name, value] of parts) if (value !== '') params.append(name, value);
  return params;
};

const many = (name: string, values: readonly string[]): Parts => values.map((value) => [name, value]);

/** Leaves out what is empty. */
const given = <T extends string | readonly string[]>(all: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value.length > 0));

const GOLD_CHOICES = ['with', 'without'] as const;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u;
const PERCENT = /^(?:100|[1-9]?\d)$/u;
const SIDEBAR = /^(?:SB-[1-9]\d{0,14}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/iu;
const CHECKPOINT = /^SB-[1-9]\d{0,14}:CHECKPOINT-[1-9]\d{0,14}$/iu;
/** The server accepts no more than this of one kind. */
const MOST_NAMED = 100;
