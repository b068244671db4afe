/** A file that was uploaded whole. */
export type StoredMedia = { readonly sha256: string; readonly size: number; readonly parts: number; readonly at: number };

/** What a sweep took away. */
export type SweptMedia = { readonly uploads: number; readonly files: number; readonly bytes: number };

/**
 * The bytes of large files, in parts, by their hash. They are no payloads: the entry that attaches a file says its hash and size, and so vouches for
 * them. Nothing refers to an upload that was not finished.
 */
export type MediaPort = {
  /** STORE-30: one part of an upload, durable when it resolves. Parts are numbered from 0; the first begins the upload. */
  readonly put: (upload: string, part: number, bytes: Uint8Array) => Promise<void>;
  /** The upload is whole. Where the same bytes are there already, they are kept once. */
  readonly finish: (upload: string, sha256: string) => Promise<StoredMedia>;
  readonly abandon: (upload: string) => Promise<void>;
  readonly find: (sha256: string) => Promise<StoredMedia | null>;
  /** The same, and counts as used now: a sweep leaves it alone for as long as one that came now. */
  readonly claim: (sha256: string) => Promise<StoredMedia | null>;
  readonly part: (sha256: string, part: number) => Promise<Uint8Array | null>;
  /** Takes away what nobody finished, and what was finished and nobody kept, if it is older than `before`. */
  readonly sweep: (before: number, kept: readonly string[]) => Promise<SweptMedia>;
  /** Takes the bytes of a file away for good. */
  readonly drop: (sha256: string) => Promise<boolean>;
  readonly usage: () => Promise<{ readonly files: number; readonly bytes: number; readonly unfinished: number }>;
};
