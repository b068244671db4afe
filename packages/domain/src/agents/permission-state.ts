import type { Payloads } from '../messages/catalogue.ts';

/** Something that a seat asks leave for. */
export type Permission = {
  readonly id: string;
  readonly agent: string;
  readonly sidebarId: string;
  /** What its program calls it. */
  readonly key: string;
  readonly tool: string;
  /** As JSON; only what it is about, once it was answered. */
  readonly input: string;
  readonly directory: string | null;
  readonly askedAt: number;
  readonly remindedAt: number | null;
  readonly outcome: PermissionOutcome | null;
};

export type PermissionOutcome = Pick<Payloads['permission.decided'], 'decision' | 'means' | 'message' | 'rule'> & {
  readonly by: string;
  readonly at: number;
  /** Whether something else was allowed than what was asked for. */
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
