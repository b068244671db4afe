import type { Payloads } from '../messages/catalogue.ts';

/** A seat's request for permission. */
export type Permission = {
  readonly id: string;
  readonly agent: string;
  readonly sidebarId: string;
  /** The program's own name for it. */
  readonly key: string;
  readonly tool: string;
  /** As JSON; once answered, only its subject. */
  readonly input: string;
  readonly directory: string | null;
  readonly askedAt: number;
  readonly remindedAt: number | null;
  readonly outcome: PermissionOutcome | null;
};

export type PermissionOutcome = Pick<Payloads['permission.decided'], 'decision' | 'means' | 'message' | 'rule'> & {
  readonly by: string;
  readonly at: number;
  /** Whether something else was allowed than what was requested. */
  readonly isChanged?: true;
};

/** What may be done without asking again. */
export type PermissionRule = {
  readonly id: string;
  readonly agent: string;
  /** Null: in all its sidebars. */
  readonly sidebarId: string | null;
  readonly tool: string;
  readonly pattern: string;
  readonly directory: string | null;
  readonly by: string;
  readonly at: number;
  readonly usedAt: number | null;
  readonly uses: number;
};
