/** What a bridge is started for: a program that speaks something else than our JSON lines. */
export type BridgeTask = {
  readonly speaks: 'acp' | 'mcp';
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The model that its runtime names. */
  readonly model: string | null;
  /** The folder of the SDK that speaks its protocol; null where none is needed. */
  readonly sdk: string | null;
  readonly version: string;
};
