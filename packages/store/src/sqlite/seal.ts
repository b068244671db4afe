import { sha256 } from '../hash.ts';

/** The columns that a seal is over, in their order. */
export const SEALED_COLUMNS = [
  'path',
  'session',
  'agent',
  'role',
  'dialect',
  'identity',
  'offset',
  'line',
  'size',
  'modified',
  'head_hash',
  'head_bytes',
  'lines',
  'blank',
  'records',
  'quarantined',
] as const;

/** VERIFY-6: no log tells how far a file was read; a hash over its row shows that it is as it was written. */
export const sealOf = (row: readonly unknown[]): string => sha256(JSON.stringify(row)).toString('hex');
