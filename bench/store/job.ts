export const KINDS = ['said', 'lines'] as const;
export type Kind = (typeof KINDS)[number];

export type AppendsOrder = {
  readonly folder: string;
  readonly kind: Kind;
  readonly writers: readonly number[];
  readonly rounds: number;
  readonly seed: number;
};

/** Appends a second with so many writers at once; the best of several rounds that took turns. */
export type AppendsResult = {
  readonly kind: Kind;
  readonly writers: number;
  readonly appends: number;
  readonly bytesEach: number;
  /** How many appends shared a commit. */
  readonly shared: number;
  readonly ours: number;
  /** Payload and hashes into one table without an index, nothing computed, nothing checked. */
  readonly raw: number;
  /** The rows that we write, into our tables, nothing computed, nothing checked. */
  readonly rows: number;
};

export type VerifyOrder = {
  readonly folder: string;
  readonly small: number;
  readonly large: number;
  readonly seed: number;
  /** The built programs of the server's threads. */
  readonly programs: string;
};

export type VerifyResult = {
  readonly entries: number;
  readonly bytes: number;
  /** Bytes that have to be hashed: payloads, entries in canonical form, links. */
  readonly hashed: number;
  readonly bareSeconds: number;
  readonly oneSeconds: number;
  readonly allSeconds: number;
  readonly growth: {
    readonly small: number;
    /** Microseconds for an entry: the first ones, and the last ones of the large board. */
    readonly append: { readonly first: number; readonly last: number };
    readonly verify: { readonly small: number; readonly large: number };
  };
};
