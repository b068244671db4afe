/** A completely uploaded file. */
export type StoredMedia = { readonly sha256: string; readonly size: number; readonly parts: number; readonly at: number };

/** What a sweep removed. */
export type SweptMedia = { readonly uploads: number; readonly files: number; readonly bytes: number };

/**
 * The bytes of large files, in parts, by their hash. They aren't payloads: the entry that attaches a file states its hash and size, and so vouches
 * for them. Nothing refers to an unfinished upload.
 */
export type MediaPort = {
  /** STORE-30: one part of an upload, durable when it resolves. Parts are numbered from 0; the first begins the upload. */
  readonly put: (upload: string, part: number, bytes: Uint8Array) => Promise<void>;
  /** Completes the upload. If the same bytes already exist, they are kept once. */
  readonly finish: (upload: string, sha256: string) => Promise<StoredMedia>;
  readonly abandon: (upload: string) => Promise<void>;
  readonly find: (sha256: string) => Promise<StoredMedia | null>;
  /** The same, and marks it as used now: a sweep spares it for as long as a new one. */
  readonly claim: (sha256: string) => Promise<StoredMedia | null>;
  readonly part: (sha256: string, part: number) => Promise<Uint8Array | null>;
  /** Removes unfinished uploads, and finished files that nothing keeps, if they are older than `before`. */
  readonly sweep: (before: number, kept: readonly string[]) => Promise<SweptMedia>;
  /** Deletes the bytes of a file for good. */
  readonly drop: (sha256: string) => Promise<boolean>;
  readonly usage: () => Promise<{ readonly files: number; readonly bytes: number; readonly unfinished: number }>;
};
