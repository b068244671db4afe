/** A file that is attached to a sidebar. */
export type MediaFile = {
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly sha256: string;
  /** From one byte up to, and without, another. */
  readonly read: (from: number, to: number) => AsyncGenerator<Uint8Array, void, undefined>;
};
