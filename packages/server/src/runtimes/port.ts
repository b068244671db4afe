import type { AgentId, Board, SeatRun, Segment, Sidebar, SidebarId } from '@yarnboard/domain';
import type { SeatEvent, SeatUsage } from '@yarnboard/protocol';
import type { Memory } from '../engine/memory.ts';

/** A seat: an agent's place in one sidebar. One conversation, one process, one token. */
export type SeatPlace = { readonly agent: AgentId; readonly sidebarId: SidebarId };

/** What a seat is started with. The token is the seat's own and dies with it. */
export type SeatStart = {
  readonly place: SeatPlace;
  /** SB-n, the name by which its program knows the sidebar. */
  readonly sidebarRef: string;
  readonly model: string | null;
  readonly instructions: string | null;
  readonly token: string;
  /** The server's address; null if it doesn't serve HTTP. */
  readonly url: string | null;
  /** Null for a seat that resumes a conversation in which it was already briefed. */
  readonly briefing: { readonly text: string; readonly hash: string } | null;
  readonly context: SeatContext;
  /** The instance of the agent that takes the seat. */
  readonly instance: string | null;
};

/** What a seat starts from besides its briefing. */
export type SeatContext = {
  readonly kind: 'briefing' | 'fork' | 'rebuilt';
  /** Whether it resumes its own conversation. */
  readonly isResumed: boolean;
  /** Its working directory; null for the runtime's default. */
  readonly cwd: string | null;
  /** The session and message it continues from; null if there is none. */
  readonly native: { readonly sessionId: string; readonly leafUuid: string | null; readonly isFork: boolean } | null;
  /** What it knows from that session and needn't be told. */
  readonly told: Segment | null;
};

export type ContextWish = { readonly memory: Memory; readonly board: Board; readonly sidebar: Sidebar; readonly last: SeatRun | null };

export const BRIEFED: SeatContext = { kind: 'briefing', isResumed: false, cwd: null, native: null, told: null };

/** What a seat reports, whatever its runtime. `died` comes once, last. */
export type SeatFact =
  /** `sessionId` is set if it keeps its own transcript, in that session. */
  | { readonly kind: 'ready'; readonly name: string | null; readonly version: string | null; readonly sessionId?: string }
  /** It can't be ready yet through no fault of its own, so its start time begins again. */
  | { readonly kind: 'held-up' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'tool-result'; readonly id: string; readonly output: string; readonly isError: boolean }
  /** It wants to run an operation; `answer` brings the result. */
  | { readonly kind: 'command'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'usage'; readonly usage: SeatUsage }
  | { readonly kind: 'permission'; readonly requestId: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** It no longer waits for an answer. */
  | { readonly kind: 'permitted'; readonly requestId: string }
  | { readonly kind: 'turn-ended'; readonly turnId: string; readonly status: TurnEnd; readonly text: string | null; readonly why: string | null }
  | { readonly kind: 'decline'; readonly reason: string; readonly note: string | null }
  /** The provider's limit or quota, not a crash. All seats of the runtime rest until then. */
  | { readonly kind: 'rest'; readonly until: number; readonly why: string }
  /** A protocol violation; contained and counted. */
  | { readonly kind: 'fault'; readonly code: SeatFaultCode; readonly text: string }
  | { readonly kind: 'died'; readonly why: string };

export type TurnEnd = 'completed' | 'failed' | 'cancelled';

export const SEAT_FAULTS = ['not-json', 'unknown-frame', 'bad-frame', 'wrong-version', 'line-too-long', 'flood', 'not-ready', 'out-of-turn'] as const;
export type SeatFaultCode = (typeof SEAT_FAULTS)[number];

/** The answer to a seat's permission request. */
export type SeatAnswer = {
  readonly decision: 'allow' | 'deny';
  readonly message: string | null;
  /** RT-69: replacement input for the tool; null to use the original. */
  readonly input: Readonly<Record<string, unknown>> | null;
};

/** A running seat. */
export type SeatProcess = {
  /** Null if it couldn't be started. */
  readonly pid: number | null;
  /** Starts a turn with these events. */
  readonly turn: (turnId: string, events: readonly SeatEvent[]) => void;
  /** Sends an event that arrived during the turn; the seat reads it at its next step. */
  readonly tell: (turnId: string, event: SeatEvent) => void;
  readonly answer: (id: string, isDone: boolean, answer: unknown) => void;
  readonly permit: (requestId: string, answer: SeatAnswer) => void;
  readonly cancel: (turnId: string) => void;
  /** Resolves when the process and everything it started are gone. */
  readonly stop: (reason: string) => Promise<void>;
};

/** RT-1: drives seats. Every adapter passes the same tests (`test/runtimes/contract.ts`). */
export type Runtime = {
  readonly name: string;
  /** Its seats' messages reach the log without our help. */
  readonly keepsRecords?: true;
  /** What a seat starts from; without this, a briefing alone. */
  readonly contextFor?: (wish: ContextWish) => Promise<SeatContext>;
  readonly start: (start: SeatStart, hear: (fact: SeatFact) => void) => SeatProcess;
};
