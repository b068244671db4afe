import type { SeatEvent, SeatUsage } from '@yarnboard/protocol';
import type { Budget } from './budgets.ts';

/** The turn that a seat is in. */
export type OpenTurn = {
  readonly id: string;
  readonly events: readonly SeatEvent[];
  readonly beganAt: number;
  /** When it last gave a sign of life. */
  readonly heardAt: number;
  /** How far its patience goes: asked whether it is there, told to end, ended. */
  readonly nudged: 'no' | 'asked' | 'cancelled';
  readonly cancelledAt: number | null;
  readonly why: string | null;
  /** What it has said since its last tool use. */
  readonly words: string;
  /** What it used in this turn, each once. */
  readonly tools: readonly string[];
  /** What it said in the sidebar itself. */
  readonly said: readonly string[];
  /** Permissions that somebody has to answer, and since when; waiting for them does not count. */
  readonly asking: readonly string[];
  readonly askingSince: number;
  readonly waited: number;
  readonly usage: SeatUsage | null;
  /** The budget it went through. */
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

/** The same turn on a clock that has jumped. */
export const turnLater = (turn: OpenTurn, by: number): OpenTurn => ({
  ...turn,
  beganAt: turn.beganAt + by,
  heardAt: turn.heardAt + by,
  askingSince: turn.askingSince + by,
  cancelledAt: turn.cancelledAt === null ? null : turn.cancelledAt + by,
});

/** RT-65: what a turn took up to its last words: milliseconds, without waiting for somebody, and what the model wrote. */
export type Effort = { readonly took: number; readonly tools: readonly string[]; readonly tokens: number | null };

export const effortOf = ({ beganAt, waited, tools, usage }: OpenTurn, at: number): Effort => ({
  took: Math.max(0, at - beganAt - waited),
  tools,
  tokens: usage?.outputTokens ?? null,
});

/** Where the last word stands that it was told. */
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
