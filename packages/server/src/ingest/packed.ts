import { readFileSync } from 'node:fs';
import { Decompress } from 'fzstd';

/** Whether a file is one that was packed after nobody wrote to it for a while. What is in it is read like any other; places are those in the unpacked text. */
export const isPacked = (path: string): boolean => path.endsWith('.zst');

/** The text of a packed file. Throws where it is damaged, or larger than anything that is read at once. */
export const unpacked = (path: string): Buffer => unpack(readFileSync(path));

// A small file may hold very much: it is stopped before it fills the memory, whatever it says of its own size.
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
