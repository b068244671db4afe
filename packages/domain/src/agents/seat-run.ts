import type { Payloads } from '../messages/catalogue.ts';
import type { Reach, RespondsTo } from '../messages/runtimes.ts';

/** What the operator gave an agent so that it acts by itself. */
export type Equipment = {
  readonly agent: string;
  /** The name of a runtime of the settings; null for an agent that comes through a door. */
  readonly runtime: string | null;
  readonly model: string | null;
  /** A mind of its own: what it is told about itself. */
  readonly instructions: string | null;
  readonly respondsTo: RespondsTo;
  readonly reach: Reach;
  readonly isResting: boolean;
};

/** What a seat's process did. All limits are counted from here, so that no restart gives anything back. */
export type SeatRun = {
  readonly agent: string;
  readonly sidebarId: string;
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
  readonly tokens: number;
  readonly usd: number;
  /** Cost of the day that the last turn ended on, as days since 1970. */
  readonly today: { readonly day: number; readonly usd: number };
  readonly granted: { readonly turns: number; readonly tokens: number; readonly usd: number };
  /** When it crashed, the latest few. */
  readonly crashes: readonly number[];
};
