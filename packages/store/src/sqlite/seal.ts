import { sha256 } from '../hash.ts';

/** The columns that a seal covers, in their order. */
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

/** VERIFY-6: the log doesn't record how far a file was read; a hash over its row proves that it is unchanged. */
export const sealOf = (row: readonly unknown[]): string => sha256(JSON.stringify(row)).toString('hex');
