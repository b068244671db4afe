/** A file attached to a sidebar. */
export type MediaFile = {
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly sha256: string;
  /** Reads bytes `from` (inclusive) to `to` (exclusive). */
  readonly read: (from: number, to: number) => AsyncGenerator<Uint8Array, void, undefined>;
};
