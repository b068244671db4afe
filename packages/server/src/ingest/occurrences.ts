import { createReader } from '@yarnboard/transcript';
import { sha256 } from '@yarnboard/store';
import type { Handle } from './bytes.ts';
import { createDecoder } from './record-reader.ts';

/** How often each line occurred in a file. Nearly all occur once; those are stored as a number, not as their whole hash. */
export type Occurrences = { readonly next: (hash: string) => number };

export const createOccurrences = (): Occurrences => {
  const once = new Set<number>();
  const more = new Map<string, number>();
  return {
    next: (hash) => {
      const short = Number.parseInt(hash.slice(0, 13), 16);
      if (!once.has(short)) {
        once.add(short);
        return 1;
      }
      const count = (more.get(hash) ?? 1) + 1;
      more.set(hash, count);
      return count;
    },
  };
};

/** Counts the lines before an offset, for the rare line that repeats one of them. */
export const countBefore = async (handle: Handle, end: number): Promise<Occurrences> => {
  const counted = createOccurrences();
  const count = (raw: Uint8Array): void => {
    counted.next(sha256(raw).toString('hex'));
  };
  const reader = createReader({
    decode: createDecoder(),
    sink: { record: (_value, _place, raw) => count(raw), quarantine: (_found, raw) => count(raw) },
  });
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; at < end;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK, end - at), at);
    if (bytesRead === 0) break;
    reader.feed(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  reader.end();
  return counted;
};

const CHUNK = 1024 * 1024;
