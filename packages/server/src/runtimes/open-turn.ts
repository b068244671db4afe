import type { SeatEvent, SeatUsage } from '@yarnboard/protocol';
import type { Budget } from './budgets.ts';

/** A seat's current turn. */
export type OpenTurn = {
  readonly id: string;
  readonly events: readonly SeatEvent[];
  readonly beganAt: number;
  /** Its last sign of life. */
  readonly heardAt: number;
  /** How far a silent seat was prompted: asked if it is there, or cancelled. */
  readonly nudged: 'no' | 'asked' | 'cancelled';
  readonly cancelledAt: number | null;
  readonly why: string | null;
  /** Its text since the last tool use. */
  readonly words: string;
  /** The tools used in this turn, each listed once. */
  readonly tools: readonly string[];
  /** What it said in the sidebar itself. */
  readonly said: readonly string[];
  /** Permission requests waiting for an answer, and since when; that time doesn't count. */
  readonly asking: readonly string[];
  readonly askingSince: number;
  readonly waited: number;
  readonly usage: SeatUsage | null;
  /** The budget that it exceeded. */
  readonly over: Budget | null;
};

export const newTurn = (id: string, events: readonly SeatEvent[], at: number): OpenTurn => ({
  id,
  events,
  beganAt: at,
  heardAt: at,
  nudged: 'no',
  cancelledAt: null,
  why: null,
  words: '',
  tools: [],
  said: [],
  asking: [],
  askingSince: at,
  waited: 0,
  usage: null,
  over: null,
});

/** The same turn after the clock has jumped. */
export const turnLater = (turn: OpenTurn, by: number): OpenTurn => ({
  ...turn,
  beganAt: turn.beganAt + by,
  heardAt: turn.heardAt + by,
  askingSince: turn.askingSince + by,
  cancelledAt: turn.cancelledAt === null ? null : turn.cancelledAt + by,
});

/** RT-65: the effort up to a turn's last words: milliseconds without waiting for others, tools used, and tokens written. */
export type Effort = { readonly took: number; readonly tools: readonly string[]; readonly tokens: number | null };

export const effortOf = ({ beganAt, waited, tools, usage }: OpenTurn, at: number): Effort => ({
  took: Math.max(0, at - beganAt - waited),
  tools,
  tokens: usage?.outputTokens ?? null,
});

/** The position of the last event that it was sent. */
export const upToOf = (events: readonly SeatEvent[]): number => events.reduce((most, { seq }) => Math.max(most, seq), 0);

export const withUsage = (a: SeatUsage | null, b: SeatUsage): SeatUsage =>
  a === null
    ? b
    : {
        model: b.model ?? a.model,
        inputTokens: a.inputTokens + b.inputTokens,
        outputTokens: a.outputTokens + b.outputTokens,
        cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
        cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
        costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
      };
