import type { Actor } from '@yarnboard/domain';

/** Who asks: `actor` is who the token says, or nobody. */
export type Asker = { readonly isOperator: boolean; readonly actor: Actor | null };

export const NOBODY: Asker = { isOperator: false, actor: null };

/** What a handler knows besides its input. */
export type Asking = {
  readonly asker: Asker;
  readonly messageId: string | null;
  readonly client: string;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
};
