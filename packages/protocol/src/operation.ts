import type { z } from 'zod';

/**
 * Who may call it. Without a token, users of this machine may read, masked. A member is anyone with a token: the human operator, or a registered
 * agent; the sidebar decides what a member may do there.
 */
export type Caller = 'anyone' | 'member' | 'operator';

/** The terminal form: `yarnboard` and these words, then the positional inputs; everything else is a flag. */
export type Terminal = {
  readonly words: readonly [string, ...string[]];
  readonly given: readonly string[];
  /** Only takes effect in a running server; the terminal says so if none is running. */
  readonly isForServer?: true;
  /** Synonyms. */
  readonly also?: readonly Terminal[];
};

export type Operation = {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Below /api/v1; parts in braces are parameters. */
  readonly path: string;
  readonly who: Caller;
  readonly help: string;
  /** Parameters of the path and the query, or the body of a command. */
  readonly input: z.ZodObject;
  /**
   * WIRE-33: fields of the seed's message that Yarnboard knows by itself. They are checked against the facts and aren't inputs: tools and flags don't
   * include them.
   */
  readonly claims?: z.ZodObject;
  readonly output: z.ZodType;
  readonly terminal?: Terminal;
  /** Its answer isn't masked: it is a secret that the operator asked for. */
  readonly isShownWhole?: boolean;
  /** For a person at a browser: agents aren't offered it. */
  readonly isNoTool?: boolean;
};
