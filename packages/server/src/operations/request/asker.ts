import type { Actor, Circumstances, Claims, Reach } from '@yarnboard/domain';

/** Who asks: `actor` is who the token says, or nobody. */
export type Asker = {
  readonly isOperator: boolean;
  readonly actor: Actor | null;
  /** SEC-21: without a token, and not known to be of the user who runs the server. `other`: known not to be. */
  readonly stranger?: 'other' | 'untold';
  /** RT-19: the seat whose token it is: it acts there and nowhere else, and looks no further than it may. */
  readonly seat?: { readonly sidebarId: string; readonly sidebarRef: string; readonly reach: Reach };
};

export const NOBODY: Asker = { isOperator: false, actor: null };

/** LOG-17: which kind of client somebody uses, and which version of it. */
export type ClientName = { readonly name: string; readonly version: string | null };

/** What a handler knows besides its input. */
export type Asking = {
  readonly asker: Asker;
  readonly messageId: string | null;
  readonly client: ClientName;
  /** What whoever asks says of how things stand. */
  readonly claims: Claims;
  /** And of how what it asks for came about. */
  readonly circumstances: Circumstances;
  /** REC-57: false for a client that would not understand that something is queued. */
  readonly canQueue?: boolean;
  /** Aborted when no one is waiting for the answer any longer. */
  readonly signal: AbortSignal;
};
