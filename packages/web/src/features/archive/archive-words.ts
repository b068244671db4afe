import { isEnded, type ArchiveField, type ArchiveReason, type Status } from '@yarnboard/domain';
import { STATUS_LOOKS, type StatusLook } from '../../shared/status-badge.tsx';

/** PAGE-503: how an archived sidebar ended. One that was neither merged nor failed was closed as it stood and does not go on. */
export const endingLook = (status: Status): StatusLook => {
  if (isEnded(status)) return STATUS_LOOKS[status];
  const { icon, tone, says } = STATUS_LOOKS.ARCHIVED;
  return { icon, tone, word: `Archived while ${STATUS_LOOKS[status].word.toLowerCase()}`, says };
};

/** Why a sidebar was archived. */
export const reasonWords = (reason: ArchiveReason): string => REASONS.get(reason) ?? reason;

const REASONS: ReadonlyMap<ArchiveReason, string> = new Map([
  ['merged', 'After its merge'],
  ['manual', 'By hand'],
  ['failed', 'After it failed'],
  ['timeout', 'Went stale'],
  ['test_discard', 'Discarded test'],
]);

/** Which text of a sidebar matched. */
export const fieldWords = (field: ArchiveField): string =>
  field === 'said' ? 'conversation' : field === 'gold' ? 'GOLD' : field.replaceAll('_', ' ');
