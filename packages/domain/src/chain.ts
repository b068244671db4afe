import { canonicalOf, type Entry } from './entry.ts';

/** SHA-256; passed in, since a pure package has none. */
export type Sha256 = (bytes: string | Uint8Array) => Uint8Array;

/** The head of a board's chain: the number of entries and the checksum of the last. */
export type Head = { readonly count: number; readonly checksum: Uint8Array };

/** LOG-3: a board's chain begins with its own id, so that entries of one board don't fit another. */
export const genesisOf = (boardId: string, sha256: Sha256): Head => ({ count: 0, checksum: sha256(`yarnboard board ${boardId}`) });

export const innerHashOf = (entry: Entry, sha256: Sha256): Uint8Array => sha256(canonicalOf(entry));

/** LOG-3: SHA-256 over the previous checksum and the entry's own hash. */
export const linkOf = (previous: Uint8Array, innerHash: Uint8Array, sha256: Sha256): Uint8Array => {
  const both = new Uint8Array(previous.length + innerHash.length);
  both.set(previous, 0);
  both.set(innerHash, previous.length);
  return sha256(both);
};
