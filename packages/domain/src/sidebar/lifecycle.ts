import type { ArchiveReason, Status } from '../messages/values.ts';
import { assertNever } from '../never.ts';

/** LIFE-1: the only table of moves. The server enforces it, and views derive their buttons from it. */
export const MOVES = {
  ACTIVE: ['PAUSED', 'WAITING', 'SPAWNING_CHILD', 'REVIEWING', 'CONSOLIDATING', 'FAILED', 'ARCHIVED'],
  TESTING: ['ACTIVE', 'ARCHIVED', 'FAILED'],
  PAUSED: ['ACTIVE', 'ARCHIVED'],
  WAITING: ['ACTIVE', 'FAILED', 'ARCHIVED'],
  REVIEWING: ['CONSOLIDATING', 'ACTIVE'],
  SPAWNING_CHILD: ['ACTIVE', 'WAITING'],
  CONSOLIDATING: ['MERGED', 'ACTIVE'],
  MERGED: ['ARCHIVED'],
  FAILED: ['ARCHIVED'],
  ARCHIVED: [],
} as const satisfies Readonly<Record<Status, readonly Status[]>>;

export const canMove = (from: Status, to: Status): boolean => (MOVES[from] as readonly Status[]).includes(to);

export const movesFrom = (from: Status): readonly Status[] => MOVES[from];

/** Work in it is over; only an archived one is closed for good. */
export const isEnded = (status: Status): boolean => status === 'MERGED' || status === 'FAILED' || status === 'ARCHIVED';

/** KEEP-2: the reason for archiving follows from the status; only staleness is stated explicitly. */
export const archiveReasonOf = (status: Status, isStale: boolean): ArchiveReason => {
  switch (status) {
    case 'MERGED':
      return 'merged';
    case 'FAILED':
      return 'failed';
    case 'TESTING':
      return 'test_discard';
    case 'ACTIVE':
    case 'PAUSED':
    case 'WAITING':
    case 'REVIEWING':
    case 'SPAWNING_CHILD':
    case 'CONSOLIDATING':
    case 'ARCHIVED':
      return isStale ? 'timeout' : 'manual';
    default:
      return assertNever(status);
  }
};
