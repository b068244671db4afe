import { readFileSync } from 'node:fs';
import { Decompress } from 'fzstd';

/** Whether a file was packed after a period without writes. Its content is read like any other; places refer to the unpacked text. */
export const isPacked = (path: string): boolean => path.endsWith('.zst');

/** The text of a packed file. Throws if it is damaged, or exceeds the limit for reading at once. */
export const unpacked = (path: string): Buffer => unpack(readFileSync(path));

// A small file may unpack to any size: it is stopped before it fills the memory, whatever size it states.
export const unpack = (bytes: Buffer): Buffer => {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((part) => {
    length += part.length;
    if (length > MOST_UNPACKED) throw new Error(`too large to unpack: more than ${MOST_UNPACKED} bytes`);
    parts.push(part.slice());
  });
  for (let at = 0; at < bytes.length; at += PIECE) stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  return Buffer.concat(parts, length);
};

const PIECE = 64 * 1024;
const MOST_UNPACKED = 512 * 1024 * 1024;
