import type { z } from 'zod';

/**
 * Who may call. Without a token the machine's own users may read, masked. A member is whoever has a token: the human operator, or an agent that was
 * registered; what it may do in a sidebar is decided there.
 */
export type Caller = 'anyone' | 'member' | 'operator';

/** How it is called from a terminal: `yarnboard` and these words, then what comes without a flag; everything else is a flag. */
export type Terminal = {
  readonly words: readonly [string, ...string[]];
  readonly given: readonly string[];
  /** Takes effect only in a running server, which the terminal says where none is. */
  readonly isForServer?: true;
  /** Other words for the same. */
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
   * WIRE-33: fields that the seed's message has and that Yarnboard knows by itself. They are checked against what is so, and are no inputs: tools and
   * flags are not made of them.
   */
  readonly claims?: z.ZodObject;
  readonly output: z.ZodType;
  readonly terminal?: Terminal;
  /** Its answer is not masked: it is a secret that the operator asked for. */
  readonly isShownWhole?: boolean;
  /** For a person in front of a browser: agents are not offered it. */
  readonly isNoTool?: boolean;
};
