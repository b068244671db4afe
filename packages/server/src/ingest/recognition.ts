import { sha256, type FileMark } from '@yarnboard/store';
import { bytesAt, type Handle } from './bytes.ts';

/** How many of a file's first bytes are compared. */
export const HEAD = 4096;

/**
 * What identifies a file later, as stored in its mark: the hash of its first bytes, and the end, length and hash of the last record read. A
 * truncated, replaced or rewritten file differs in one of them.
 */
export const sealOf = (head: string, end: number, length: number, hash: string): string => [head, end, length, hash].join(':');

export const hashOfHead = (head: Buffer, bytes: number): string => sha256(head.subarray(0, bytes)).toString('hex').slice(0, 32);

/** Whether a file is the one its mark was made from, possibly grown. */
export const isKnown = async (handle: Handle, { headHash, headBytes }: Pick<FileMark, 'headHash' | 'headBytes'>): Promise<boolean> => {
  const [head = '', end = '', length = '', hash = ''] = headHash.split(':');
  if (head !== hashOfHead(await bytesAt(handle, 0, headBytes), headBytes)) return false;
  const [to, many] = [Number(end), Number(length)];
  if (!Number.isInteger(to) || !Number.isInteger(many) || many > to) return false;
  return sha256(await bytesAt(handle, to - many, many)).toString('hex') === hash;
};

/** The same for a file this process has read: the last bytes read, and where they ended. */
export type Recent = { readonly bytes: Buffer; readonly end: number };

export const withRecent = (recent: Recent | null, bytes: Uint8Array, end: number): Recent => {
  if (bytes.length >= HEAD || recent === null || recent.end !== end - bytes.length) return { bytes: Buffer.from(bytes.subarray(-HEAD)), end };
  return { bytes: Buffer.from(Buffer.concat([recent.bytes, bytes]).subarray(-HEAD)), end };
};

export const isStill = async (handle: Handle, head: Buffer, { bytes, end }: Recent): Promise<boolean> =>
  head.equals(await bytesAt(handle, 0, head.length)) && bytes.equals(await bytesAt(handle, end - bytes.length, bytes.length));
