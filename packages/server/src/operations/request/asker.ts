import type { Actor, Circumstances, Claims, Reach } from '@yarnboard/domain';

/** The caller: `actor` is whoever the token identifies, or null. */
export type Asker = {
  readonly isOperator: boolean;
  readonly actor: Actor | null;
  /** SEC-21: set without a token, unless the caller is known to be the user who runs the server. `other`: known to be someone else. */
  readonly stranger?: 'other' | 'untold';
  /** RT-19: the seat that the token belongs to. It acts only there, and sees no more than its reach allows. */
  readonly seat?: { readonly sidebarId: string; readonly sidebarRef: string; readonly reach: Reach };
};

export const NOBODY: Asker = { isOperator: false, actor: null };

/** LOG-17: the caller's client and its version. */
export type ClientName = { readonly name: string; readonly version: string | null };

/** What a handler knows besides its input. */
export type Asking = {
  readonly asker: Asker;
  readonly messageId: string | null;
  readonly client: ClientName;
  /** What the caller claims about the current state. */
  readonly claims: Claims;
  /** How the request came about, according to the caller. */
  readonly circumstances: Circumstances;
  /** REC-57: false for a client that wouldn't understand a queued answer. */
  readonly canQueue?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};
