import type { ArchiveField, ArchiveReason } from '@yarnboard/domain';

/** Why a sidebar was archived. */
export const reasonWords = (reason: ArchiveReason): string => REASONS.get(reason) ?? reason;

const REASONS: ReadonlyMap<ArchiveReason, string> = new Map([
  ['merged', 'After its merge'],
  ['manual', 'By hand'],
  ['failed', 'After it failed'],
  ['timeout', 'Went stale'],
  ['test_discard', 'Discarded test'],
]);

/** Which of the texts of a sidebar fits what was asked. */
export const fieldWords = (field: ArchiveField): string =>
  field === 'said' ? 'conversation' : field === 'gold' ? 'GOLD' : field.replaceAll('_', ' ');
