import {
  agentIdOf,
  archiveTextsOf,
  maskSecrets,
  rowsOf,
  sidebarIdOfContext,
  sidebarOf,
  type ArchiveField,
  type Board,
  type Sidebar,
} from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { createSnipper, parseQuery, proseOf, type Coverage, type Snippet, type Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';
import { byMeaning } from '../request/by-meaning.ts';
import { archivedView } from '../board/views.ts';
import { breathe } from '../request/breathing.ts';
import { instantOf, pageOf } from '../request/cursor.ts';
import { foundSidebar } from '../request/find-sidebar.ts';
import { refusedFor } from '../request/refusal.ts';
import { createArchiveWords, type ArchiveWords, type WordFit } from './archive-words.ts';
import { facetsOf, plainly } from './facets.ts';

export type ArchiveNeeds = {
  readonly store: Pick<Store, 'log' | 'library' | 'search'>;
  readonly engine: Pick<Engine, 'board' | 'memory'>;
};

/** Creates the archive search. It keeps the words of archived sidebars in memory from the first query on. */
export const createArchiveSearch = (needs: ArchiveNeeds): ((input: InputOf<'archive_search'>, signal: AbortSignal) => Promise<object>) => {
  const archiveWords = createArchiveWords();
  return (input, signal) => searchArchive({ ...needs, archiveWords }, input, signal);
};

type SearchNeeds = ArchiveNeeds & { readonly archiveWords: ArchiveWords };

type Archived = Sidebar & { readonly archive: NonNullable<Sidebar['archive']> };

/** A passage of a sidebar that is similar in meaning to the query. */
type MeaningFit = { readonly score: number; readonly position: number; readonly from: number; readonly to: number };

type Found = { readonly sidebar: Archived; readonly score: number | null; readonly words: WordFit | null; readonly meaning: MeaningFit | null };

/** ARCHIVE-1: archived sidebars that match all the given criteria. */
const searchArchive = async (needs: SearchNeeds, input: InputOf<'archive_search'>, signal: AbortSignal): Promise<object> => {
  if (input.cursor !== undefined && input.offset !== undefined) throw refusedFor('cursor-or-offset', {});
  const board = needs.engine.board();
  const archived = rowsOf(board.sidebars).filter(isArchived);
  const fitting = archived.filter(await filterOf(needs, board, input));
  const words = input.fuzzy_text === undefined ? null : await wordFits(needs, board, archived, { ...input, fuzzy_text: input.fuzzy_text }, signal);
  await breathe(signal);
  const meaning = input.query_text === undefined ? null : await meaningFits(needs, input.query_text, input.similarity_threshold);
  const found = ranked(fitting, words, meaning?.fits ?? null);
  const { items, nextCursor } = pageOf(found.slice(input.offset ?? 0), input.limit, input.cursor);
  return {
    items: await Promise.all(items.map((one) => hitOf(needs, board, one, input.full))),
    nextCursor,
    total: found.length,
    order: words === null && meaning === null ? 'newest' : 'relevance',
    coverage: meaning?.coverage ?? null,
    facets: input.facets ? facetsOf(archived, await projectsOf(needs, board, archived)) : null,
  };
};

const isArchived = (sidebar: Sidebar): sidebar is Archived => endOf(sidebar) !== null;

/** ARCHIVE-2: all filters except the text queries. */
const filterOf = async (needs: ArchiveNeeds, board: Board, input: InputOf<'archive_search'>): Promise<(sidebar: Archived) => boolean> => {
  const from = input.from_date === undefined ? -Infinity : instantOf(input.from_date);
  const to = input.to_date === undefined ? Infinity : instantOf(input.to_date, true);
  if (from > to) throw refusedFor('dates-reversed', { from: input.from_date ?? '', to: input.to_date ?? '' });
  const named = (text: string | undefined): string | null => (text === undefined ? null : foundSidebar(board, text).id);
  const [only, original, parent, fork] = [named(input.sidebar_id), named(input.forked_from), named(input.child_of), named(input.forked_into)];
  const people = input.participants?.map(agentIdOf);
  const archivist = input.archived_by === undefined ? null : agentIdOf(input.archived_by);
  const types = input.task_types?.map(plainly);
  const tags = input.tags?.map(plainly);
  const isOff = input.parent_id === undefined ? null : await branchedOff(needs, board, input.parent_id);
  const isOfProject = input.project === undefined ? null : await projectFilter(needs, board, input.project);
  return (sidebar) => {
    const { archive } = sidebar;
    return (
      archive.at >= from &&
      archive.at <= to &&
      (only === null || sidebar.id === only) &&
      (types === undefined || (sidebar.taskType !== null && types.includes(plainly(sidebar.taskType)))) &&
      (input.statuses === undefined || input.statuses.some((status) => status === archive.finalStatus)) &&
      (people === undefined || people.some((id) => sidebar.participants.includes(id) || sidebar.coordinator === id || sidebar.curator === id)) &&
      (original === null || sidebar.forkedFrom === original) &&
      (fork === null || sidebar.forkedInto.includes(fork)) &&
      (parent === null || (sidebar.parent?.kind === 'sidebar' && sidebar.parent.sidebarId === parent)) &&
      (input.archive_reasons === undefined || input.archive_reasons.includes(archive.reason)) &&
      (tags === undefined || sidebar.tags.some((tag) => tags.includes(plainly(tag)))) &&
      (archivist === null || archive.by === archivist) &&
      (input.has_gold === undefined || sidebar.golds.length > 0 === input.has_gold) &&
      (isOff === null || isOff(sidebar)) &&
      (isOfProject === null || isOfProject(sidebar))
    );
  };
};

/** Whether a sidebar branched off the given sidebar, session or exact message. */
const branchedOff = async (needs: ArchiveNeeds, board: Board, text: string): Promise<(sidebar: Sidebar) => boolean> => {
  const number = /^MSG-(\d{1,15})$/iu.exec(text)?.[1];
  if (number === undefined) {
    const id = sidebarOf(board, text)?.id ?? text;
    return ({ parent }) => parent !== null && (parent.kind === 'session' ? parent.sessionId : parent.sidebarId) === id;
  }
  const position = await needs.store.log.positionOfRef('MSG', Number(number));
  const uuid = position === null ? null : ((await needs.store.library.messagesAt([position])).get(position)?.uuid ?? null);
  return ({ origin }) => {
    if (position === null || origin.kind === 'none') return false;
    return origin.kind === 'session' && origin.leafUuid !== null ? origin.leafUuid === uuid : origin.upTo === position;
  };
};

/** Sidebars whose first ancestor is a session of this project. */
const projectFilter = async (needs: ArchiveNeeds, board: Board, project: string): Promise<(sidebar: Sidebar) => boolean> => {
  const projectOf = await projectsOf(needs, board, rowsOf(board.sidebars));
  return (sidebar) => projectOf(sidebar) === project;
};

/** The project of each sidebar's root session; null if it has none. */
const projectsOf = async (needs: ArchiveNeeds, board: Board, sidebars: readonly Sidebar[]): Promise<(sidebar: Sidebar) => string | null> => {
  const sessionOf = (sidebar: Sidebar): string | null => {
    const seen = new Set<string>();
    for (let at: Sidebar | undefined = sidebar; at !== undefined && !seen.has(at.id);) {
      seen.add(at.id);
      if (at.origin.kind === 'session') return at.origin.sessionId;
      at = at.origin.kind === 'none' ? undefined : board.sidebars.get(at.origin.sidebarId);
    }
    return null;
  };
  const ids = new Set(sidebars.flatMap((sidebar) => sessionOf(sidebar) ?? []));
  const sessions = await needs.store.library.sessionsById([...ids]);
  return (sidebar) => sessions.get(sessionOf(sidebar) ?? '')?.project ?? null;
};

const wordFits = async (
  { engine, archiveWords }: SearchNeeds,
  board: Board,
  archived: readonly Sidebar[],
  { fuzzy_text: text, fuzzy_threshold: least }: { readonly fuzzy_text: string; readonly fuzzy_threshold: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WordFit>> => {
  await archiveWords.learn(engine.memory, board, archived, signal);
  return archiveWords.fitsOf(text, least);
};

/** ARCHIVE-8: a sidebar's similarity in meaning is that of its nearest passage. */
const meaningFits = async (
  { store }: ArchiveNeeds,
  text: string,
  least: number,
): Promise<{ readonly fits: ReadonlyMap<string, MeaningFit>; readonly coverage: Coverage }> => {
  const [near, coverage] = await Promise.all([
    byMeaning(() => store.search.meaning.nearest(text, { isOnBoard: true }, MOST_NEAR, new Map())),
    store.search.meaning.coverage(text),
  ]);
  if (near === null || coverage === null) throw refusedFor('meaning-missing', {});
  const fits = new Map<string, MeaningFit>();
  // Results come nearest first, so the first of equals wins.
  for (const { sessionId, similarity: score, position, passage } of near) {
    const id = sidebarIdOfContext(sessionId);
    if (id !== null && score >= least && score > (fits.get(id)?.score ?? -1)) fits.set(id, { score, position, ...passage });
  }
  return { fits, coverage };
};

const endOf = <S extends Sidebar>({ archive }: S): S['archive'] => archive;

/** ARCHIVE-4: if both text queries are given, both must match and their ranks are added up. Ties go to the most recently archived. */
const ranked = (
  fitting: readonly Archived[],
  words: ReadonlyMap<string, WordFit> | null,
  meaning: ReadonlyMap<string, MeaningFit> | null,
): readonly Found[] => {
  const found = fitting
    .map((sidebar) => ({ sidebar, words: words?.get(sidebar.id) ?? null, meaning: meaning?.get(sidebar.id) ?? null }))
    .filter((one) => (words === null || one.words !== null) && (meaning === null || one.meaning !== null));
  const scoreOf = scorerFor(found, words !== null, meaning !== null);
  return found
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .toSorted(
      (a, b) => (b.score ?? 0) - (a.score ?? 0) || endOf(b.sidebar).at - endOf(a.sidebar).at || endOf(b.sidebar).position - endOf(a.sidebar).position,
    );
};

type Unscored = Omit<Found, 'score'>;

const scorerFor = (found: readonly Unscored[], hasWords: boolean, hasMeaning: boolean): ((one: Unscored) => number | null) => {
  if (!hasWords && !hasMeaning) return () => null;
  if (!hasMeaning) return ({ words }) => words?.score ?? 0;
  if (!hasWords) return ({ meaning }) => meaning?.score ?? 0;
  const ranksBy = (scoreOf: (one: Unscored) => number): ReadonlyMap<Unscored, number> =>
    new Map(
      found.toSorted((a, b) => scoreOf(b) - scoreOf(a) || endOf(b.sidebar).position - endOf(a.sidebar).position).map((one, rank) => [one, rank + 1]),
    );
  const byWords = ranksBy(({ words }) => words?.score ?? 0);
  const byMeaning = ranksBy(({ meaning }) => meaning?.score ?? 0);
  return (one) => 1 / (FUSED + (byWords.get(one) ?? 0)) + 1 / (FUSED + (byMeaning.get(one) ?? 0));
};

const hitOf = async (needs: ArchiveNeeds, board: Board, { sidebar, score, words, meaning }: Found, isFull: boolean) => {
  const { sidebarSnapshot, scratchpadSnapshot, ...row } = archivedView(board, sidebar);
  return {
    sidebarId: sidebar.ref,
    uuid: sidebar.id,
    taskDescription: sidebar.task,
    taskType: sidebar.taskType,
    participants: sidebar.participants,
    ...row,
    sidebarSnapshot: isFull ? sidebarSnapshot : null,
    scratchpadSnapshot: isFull ? scratchpadSnapshot : null,
    score,
    matched: [
      ...(words === null ? [] : [await wordMatch(needs, board, sidebar, words)]),
      ...(meaning === null ? [] : [await meaningMatch(needs, sidebar, meaning)]),
    ],
  };
};

type Match = {
  readonly by: 'fuzzy_text' | 'query_text';
  readonly field: ArchiveField;
  readonly score: number;
  readonly snippet: string;
  readonly highlights: Snippet['highlights'];
};

/** An excerpt of the field with the most matching words, cut around them. */
const wordMatch = async ({ store }: ArchiveNeeds, board: Board, sidebar: Sidebar, { field, score, words }: WordFit): Promise<Match> => {
  const snip = createSnipper(parseQuery(words.join(' ')), new Map());
  const texts = archiveTextsOf(board, sidebar).flatMap((one) => (one.field === field ? [one.text] : []));
  const said =
    texts.length > 0 ? null : await store.search.find({ text: words.join(' '), filters: { sessionId: sidebar.contextId }, limit: 1, cursor: null });
  const position = said?.hits[0]?.position;
  if (position !== undefined) texts.push(await textAt(store, position));
  const [best = ''] = texts.toSorted((a, b) => countIn(b, words) - countIn(a, words));
  const { text, highlights } = snip(maskSecrets(best).text);
  return { by: 'fuzzy_text', field, score, snippet: text, highlights };
};

const countIn = (text: string, words: readonly string[]): number => {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(word)).length;
};

const meaningMatch = async ({ store }: ArchiveNeeds, sidebar: Sidebar, { score, position, from, to }: MeaningFit): Promise<Match> => {
  const { scratchpad, archive, position: spawned } = sidebar;
  const finding = scratchpad.findings.find((one) => one.position === position);
  const field = ((): ArchiveField => {
    if (position === spawned) return 'task';
    if (position === archive?.position) return 'summary';
    if (finding === undefined) return 'said';
    return finding.status === 'rejected' ? 'rejected_finding' : 'finding';
  })();
  const text = (await textAt(store, position)).slice(from, to).trim();
  return { by: 'query_text', field, score, snippet: maskSecrets(text).text.slice(0, LONGEST_SNIPPET), highlights: [] };
};

const textAt = async ({ log }: ArchiveNeeds['store'], position: number): Promise<string> => {
  const [entry, payloads] = await Promise.all([log.entryAt(position), log.payloadsOf([position])]);
  const bytes = payloads.get(position) ?? null;
  return entry === null ? '' : proseOf({ type: entry.type, note: entry.note, copyOf: null }, bytes === null ? null : Buffer.from(bytes));
};

const MOST_NEAR = 2000;
const FUSED = 60;
const LONGEST_SNIPPET = 300;
