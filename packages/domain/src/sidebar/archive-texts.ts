import type { Board } from '../board/state.ts';
import type { Sidebar } from './state.ts';

/** The texts by which an archived sidebar can be found. */
export const ARCHIVE_FIELDS = ['task', 'success_criteria', 'summary', 'finding', 'rejected_finding', 'gold', 'tag', 'said'] as const;
export type ArchiveField = (typeof ARCHIVE_FIELDS)[number];

export type ArchiveText = { readonly field: ArchiveField; readonly text: string };

/** ARCHIVE-5: those that the board knows. Messages are on the log. */
export const archiveTextsOf = (board: Board, sidebar: Sidebar): readonly ArchiveText[] => {
  const { task, successCriteria, archive, scratchpad, golds, tags } = sidebar;
  const texts: readonly (readonly [ArchiveField, string | null | undefined])[] = [
    ['task', task],
    ['success_criteria', successCriteria],
    ['summary', archive?.summary],
    ['summary', archive?.note],
    ['summary', scratchpad.finalSummary],
    ...scratchpad.findings.map(({ status, content }) => [status === 'rejected' ? 'rejected_finding' : 'finding', content] as const),
    ...golds.flatMap((id) => {
      const gold = board.golds.get(id);
      return gold === undefined ? [] : [['gold', gold.keyInsight] as const, ['gold', gold.reusePattern] as const];
    }),
    ...tags.map((tag) => ['tag', tag] as const),
  ];
  return texts.flatMap(([field, text]) => (text === null || text === undefined || text === '' ? [] : [{ field, text }]));
};
