import { createHash, hash as hashOnce } from 'node:crypto';
import type { Sha256 } from '@yarnboard/domain';

// Where Node has it (20.12), one call without an object to allocate and collect.
export const sha256 = ((bytes: string | Uint8Array): Buffer =>
  typeof hashOnce === 'function' ? hashOnce('sha256', bytes, 'buffer') : createHash('sha256').update(bytes).digest()) satisfies Sha256;

/** A deterministic uuid for a key: version 8, made from its hash. */
export const uuidFor = (key: string): string => {
  const bytes = Buffer.from(sha256(key).subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
