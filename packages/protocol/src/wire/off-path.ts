import type { OffPathReason } from '@yarnboard/transcript';
import * as z from 'zod';

/** Why a message is on no branch, under its wire names. */
export const OFF_PATH_NAMES = {
  replayed: 'replayed',
  'other root': 'other_root',
  'dead end': 'dead_end',
} as const satisfies Record<OffPathReason, string>;

export const offPathReason = z.enum(['replayed', 'other_root', 'dead_end']);
