import type { AgentId, SidebarId } from '../ids.ts';
import type { Payloads } from '../messages/catalogue.ts';
import type { Reach, RespondsTo } from '../messages/runtimes.ts';

/** What the operator gave an agent so that it acts by itself. */
export type Equipment = {
  readonly agent: AgentId;
  /** The name of a runtime of the settings; null for an agent that comes through a door. */
  readonly runtime: string | null;
  readonly model: string | null;
  /** A mind of its own: what it is told about itself. */
  readonly instructions: string | null;
  readonly respondsTo: RespondsTo;
  readonly reach: Reach;
  readonly isResting: boolean;
  /** What was spent on the latest day on which anything was, as days since 1970, and what was granted for it. Of everybody together in the row of all. */
  readonly today: Today;
  /** RT-60: when it started sidebars, and brought agents into some, the latest of each. */
  readonly deeds: { readonly spawns: readonly number[]; readonly recruitments: readonly number[] };
};

export type Today = { readonly day: number; readonly usd: number; readonly granted: number };

/** What a seat's process did. All limits are counted from here, so that no restart gives anything back. */
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
  /** The turn it is in, and what it had been told before. */
  readonly turn: { readonly id: string; readonly at: number; readonly toldBefore: number } | null;
  /** Where on the log the last word stands that it was told. */
  readonly toldUpTo: number;
  readonly turns: number;
  /** Of these, those whose provider did not answer, so that they were asked again: no budget counts them. */
  readonly unanswered: number;
  readonly tokens: number;
  readonly usd: number;
  readonly granted: { readonly turns: number; readonly tokens: number; readonly usd: number };
  /** When it crashed, the latest few. */
  readonly crashes: readonly number[];
  /** RT-66: the server that has it, on a board that several share. */
  readonly heldBy?: { readonly server: string; readonly host: string | null } | null;
};
