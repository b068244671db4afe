import { conflictEnd, refOfEpisode, refOfItem, type Board, type Episode, type Scratchpad, type Sidebar } from '@yarnboard/domain';
import { foreign } from '@yarnboard/protocol';
import { findingName, namesOf, sidebarName } from './names.ts';

/** An item of a list with its number, from 1. */
export type Numbered<T> = { readonly one: T; readonly number: number };

type Conflict = Scratchpad['conflicts'][number];
type Checkpoint = Scratchpad['checkpoints'][number];

export const conflictView = (board: Board, sidebar: Sidebar, { one, number }: Numbered<Conflict>) => {
  const end = conflictEnd(sidebar.scratchpad, one);
  const named = (id: string): string => findingName(board, id, sidebar.contextId);
  return {
    conflictId: `${sidebar.ref}:CONFLICT-${number}`,
    uuid: one.id,
    entryIds: one.findings.map(named),
    conflictDescription: one.description,
    detectedAt: time(one.at),
    // If an entry was forgotten, nobody can tell any more what its conflict was about.
    isOpen: end === null && one.findings.length > 1,
    resolutionSidebar: one.resolution === null ? null : sidebarName(board, one.resolution),
    outcome: end?.outcome ?? null,
    outcomeEntryId: end === null || end.outcome === 'settled' ? null : named(end.finding),
    resolvedBy: end?.by ?? null,
    resolvedAt: end === null ? null : timeOrNull(end.at),
    notes: end?.notes ?? null,
  };
};

export const checkpointView = (sidebar: Sidebar, { one, number }: Numbered<Checkpoint>, named: (finding: string) => string) => ({
  checkpointId: `${sidebar.ref}:CHECKPOINT-${number}`,
  uuid: one.id,
  createdAt: time(one.createdAt),
  createdBy: one.createdBy,
  summary: one.summary,
  findingsAtCheckpoint: one.findings.map(named),
  agentAnnotations: foreign(one.annotations),
});

export const episodeView = (board: Board, episode: Episode) => {
  const sidebar = episode.sourceSidebar === null ? undefined : board.sidebars.get(episode.sourceSidebar);
  const { sourceCheckpoint: checkpoint } = episode;
  return {
    entryId: refOfEpisode(board, episode.id),
    uuid: episode.id,
    content: episode.content,
    archiveReason: episode.trigger,
    sourceSidebar: sidebar?.ref ?? null,
    sourceCheckpoint: checkpoint === null || sidebar === undefined ? checkpoint : refOfItem(sidebar, 'CHECKPOINT', checkpoint),
    finding: episode.finding === null || sidebar === undefined ? null : findingName(board, episode.finding, sidebar.contextId),
    goldId: episode.gold === null ? null : namesOf(board).gold(episode.gold),
    provisional: episode.isProvisional,
    finalizedAt: timeOrNull(episode.finalisedAt),
    superseded: episode.isSuperseded,
    supersededBy: episode.supersededBy === null ? null : refOfEpisode(board, episode.supersededBy),
    supersedes: episode.supersedes === null ? null : refOfEpisode(board, episode.supersedes),
    why: episode.why,
    tags: episode.tags,
    about: episode.about,
    sourceRefs: episode.sources,
    pointers: episode.pointers,
    priority: episode.priority,
    // Protection isn't validation: the flag stays until the final verdict.
    requiresValidation: episode.requiresValidation && episode.isProvisional,
    verification: episode.mark,
    note: episode.note,
    archivedAt: time(episode.at),
    archivedBy: episode.by,
  };
};

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));
