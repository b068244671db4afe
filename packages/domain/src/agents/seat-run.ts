import type { AgentId, SidebarId } from '../ids.ts';
import type { Payloads } from '../messages/catalogue.ts';
import type { Reach, RespondsTo } from '../messages/runtimes.ts';

/** What the operator gave an agent so that it acts by itself. */
export type Equipment = {
  readonly agent: AgentId;
  /** The name of a runtime in the settings; null for an agent that connects through a door. */
  readonly runtime: string | null;
  readonly model: string | null;
  /** Its instructions about its own role. */
  readonly instructions: string | null;
  readonly respondsTo: RespondsTo;
  readonly reach: Reach;
  readonly isResting: boolean;
  /**
   * The amount spent on the latest day with any spending, in days since 1970, and the amount granted for it. The row of all agents has the totals.
   */
  readonly today: Today;
  /** RT-60: when it started sidebars and recruited agents, the latest of each. */
  readonly deeds: { readonly spawns: readonly number[]; readonly recruitments: readonly number[] };
};

export type Today = { readonly day: number; readonly usd: number; readonly granted: number };

/** What a seat's process did. All limits are counted from here, so a restart doesn't reset them. */
export type SeatRun = {
  readonly agent: AgentId;
  readonly sidebarId: SidebarId;
  readonly state: Payloads['seat.told']['state'];
  readonly runtime: string;
  readonly model: string | null;
  readonly sessionId: string;
  readonly contextKind: Payloads['seat.told']['contextKind'];
  readonly why: string | null;
  readonly at: number;
  /** Its current turn, and what it had been told before. */
  readonly turn: { readonly id: string; readonly at: number; readonly toldBefore: number } | null;
  /** The log position of the last message it was told. */
  readonly toldUpTo: number;
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  readonly granted: { readonly turns: number; readonly tokens: number; readonly usd: number };
  /** When it crashed, the last few times. */
  readonly crashes: readonly number[];
  /** RT-66: the server that holds it, on a board shared by several. */
  readonly heldBy?: { readonly server: string; readonly host: string | null } | null;
};
