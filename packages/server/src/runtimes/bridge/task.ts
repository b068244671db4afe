/** What a bridge is started for: a program that doesn't speak our JSON lines. */
export type BridgeTask = {
  readonly speaks: 'acp' | 'mcp';
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The model set in its runtime. */
  readonly model: string | null;
  /** The folder of the SDK for its protocol; null if none is needed. */
  readonly sdk: string | null;
  readonly version: string;
};
