import type { ArchiveReason, ArchiveField } from '@yarnboard/domain';

/** Why a sidebar was archived. */
export const REASON_WORDS: Readonly<Record<ArchiveReason, string>> = {
  merged: 'After its merge',
  manual: 'By hand',
  failed: 'After it failed',
  timeout: 'Went stale',
  test_discard: 'Discarded test',
};

/** Which of the texts of a sidebar fits what was asked. */
export const FIELD_WORDS: Readonly<Record<ArchiveField, string>> = {
  task: 'task',
  success_criteria: 'success criteria',
  summary: 'summary',
  finding: 'finding',
  rejected_finding: 'rejected finding',
  gold: 'GOLD',
  tag: 'tag',
  said: 'conversation',
};
