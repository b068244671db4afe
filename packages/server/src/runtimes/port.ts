import type { AgentId, Board, SeatRun, Segment, Sidebar, SidebarId } from '@yarnboard/domain';
import type { SeatEvent, SeatUsage } from '@yarnboard/protocol';
import type { Memory } from '../engine/memory.ts';

/** What a seat is: an agent's place in one sidebar. One conversation, one process, one token. */
export type SeatPlace = { readonly agent: AgentId; readonly sidebarId: SidebarId };

/** What a seat is started with. The token is the seat's own, and dies with it. */
export type SeatStart = {
  readonly place: SeatPlace;
  /** SB-n: what its program calls the sidebar. */
  readonly sidebarRef: string;
  readonly model: string | null;
  readonly instructions: string | null;
  readonly token: string;
  /** Where the server can be reached; null where nothing is served. */
  readonly url: string | null;
  /** Null for a seat that goes on with a conversation in which it was briefed. */
  readonly briefing: { readonly text: string; readonly hash: string } | null;
  readonly context: SeatContext;
  /** Which copy of the agent sits there. */
  readonly instance: string | null;
};

/** What a seat begins with besides its briefing. */
export type SeatContext = {
  readonly kind: 'briefing' | 'fork' | 'rebuilt';
  /** Whether it goes on with a conversation of its own. */
  readonly isResumed: boolean;
  /** Where it works; null for where its runtime says. */
  readonly cwd: string | null;
  /** The session it goes on from, and the message; null where there is none. */
  readonly native: { readonly sessionId: string; readonly leafUuid: string | null; readonly isFork: boolean } | null;
  /** What it knows by that and need not be told. */
  readonly told: Segment | null;
};

export type ContextWish = { readonly memory: Memory; readonly board: Board; readonly sidebar: Sidebar; readonly last: SeatRun | null };

export const BRIEFED: SeatContext = { kind: 'briefing', isResumed: false, cwd: null, native: null, told: null };

/** What comes out of a seat, whichever runtime makes it act. `died` is the last, and comes once. */
export type SeatFact =
  /** `sessionId` where it keeps its own transcript, and it goes on in that session. */
  | { readonly kind: 'ready'; readonly name: string | null; readonly version: string | null; readonly sessionId?: string }
  /** It cannot be ready yet, and that is not its doing: the time it has for it begins anew. */
  | { readonly kind: 'held-up' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'tool-result'; readonly id: string; readonly output: string; readonly isError: boolean }
  /** It wants something of the registry; `answer` brings what came of it. */
  | { readonly kind: 'command'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'usage'; readonly usage: SeatUsage }
  | { readonly kind: 'permission'; readonly requestId: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** It does not wait for an answer any more. */
  | { readonly kind: 'permitted'; readonly requestId: string }
  | { readonly kind: 'turn-ended'; readonly turnId: string; readonly status: TurnEnd; readonly text: string | null; readonly why: string | null }
  | { readonly kind: 'decline'; readonly reason: string; readonly note: string | null }
  /** A provider's limit or quota: no crash. Every seat of the runtime rests until then. */
  | { readonly kind: 'rest'; readonly until: number; readonly why: string }
  /** Something it should not have done; contained, and counted. */
  | { readonly kind: 'fault'; readonly code: SeatFaultCode; readonly text: string }
  | { readonly kind: 'died'; readonly why: string };

export type TurnEnd = 'completed' | 'failed' | 'cancelled';

export const SEAT_FAULTS = ['not-json', 'unknown-frame', 'bad-frame', 'wrong-version', 'line-too-long', 'flood', 'not-ready', 'out-of-turn'] as const;
export type SeatFaultCode = (typeof SEAT_FAULTS)[number];

/** How somebody answered what a seat asked leave for. */
export type SeatAnswer = {
  readonly decision: 'allow' | 'deny';
  readonly message: string | null;
  /** RT-69: what the tool is to be used with instead; null for what was asked for. */
  readonly input: Readonly<Record<string, unknown>> | null;
};

/** A seat that acts. */
export type SeatProcess = {
  /** Null where it could not be started. */
  readonly pid: number | null;
  /** Begins a turn with what concerns it. */
  readonly turn: (turnId: string, events: readonly SeatEvent[]) => void;
  /** Something that came while the turn goes on; it is taken up at the next step. */
  readonly tell: (turnId: string, event: SeatEvent) => void;
  readonly answer: (id: string, isDone: boolean, answer: unknown) => void;
  readonly permit: (requestId: string, answer: SeatAnswer) => void;
  readonly cancel: (turnId: string) => void;
  /** Resolves when neither the process nor anything it started is left. */
  readonly stop: (reason: string) => Promise<void>;
};

/** RT-1: what makes seats act. Every adapter passes the same suite (`test/runtimes/contract.ts`). */
export type Runtime = {
  readonly name: string;
  /** What its seats say is on the log without our doing. */
  readonly keepsRecords?: true;
  /** What a seat is to begin with; a briefing alone where there is no such thing. */
  readonly contextFor?: (wish: ContextWish) => Promise<SeatContext>;
  readonly start: (start: SeatStart, hear: (fact: SeatFact) => void) => SeatProcess;
};
