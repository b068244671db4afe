import type { EntryDetails } from '../entry.ts';
import type { Asking } from './asking.ts';
import type { Envelope, TurnStatus } from './envelope.ts';
import type { MapperInput, MapperOptions } from './input.ts';
import { NOTHING_LAYERED, type Layered } from './layered.ts';
import type { Marks } from './marks.ts';
import type { Meter } from './meter.ts';

export type RecordInput = Extract<MapperInput, { kind: 'record' }>;

/** The turn that is open. */
export type Turn = {
  readonly id: string;
  /** Of the record that began it. */
  readonly uuid: string;
  /** Calls of the main conversation, to tools and agents, without a result so far. */
  readonly open: Marks;
  /** The model said that it is finished, or fell silent after a text, which is all that old versions have; and the message that says so. */
  readonly ending: { readonly how: 'said' | 'likely'; readonly messageId: string | null } | null;
  /** It ends with a call that was rejected or cut off, or with a result that the model hasn't answered. */
  readonly isCut: boolean;
  /** Its records have stop reasons, or nothing is known yet: in the protocol's first version they don't. */
  readonly hasReasons: boolean;
  readonly meter: Meter;
};

/** A Task or Agent call, which is a sub-agent from here on. */
export type Call = {
  readonly id: string;
  /** The record and block of the call; the ids of its life-cycle envelopes derive from them. */
  readonly uuid: string;
  readonly block: number;
  readonly subagent: string;
  readonly parent: string | null;
  /** The turn it was called in; it never changes. */
  readonly turn: string | null;
  readonly prompt: string;
  readonly title: string | null;
  readonly agent: string | null;
  /** The agent that answers it, if ids say so. */
  readonly agentId: string | null;
  /** Its own conversation. */
  readonly strand: string | null;
  readonly status: 'called' | 'running' | TurnStatus;
  readonly isBackground: boolean;
  readonly isPromptTold: boolean;
  readonly isOrphan: boolean;
  readonly starts: number;
  readonly stops: number;
  /** Its end was assumed because its process was gone or silent; later information replaces it. */
  readonly isAssumed: boolean;
  readonly open: Marks;
  readonly meter: Meter;
};

/** An ordinary tool call. */
export type Tool = {
  readonly uuid: string;
  readonly block: number;
  readonly turn: string | null;
  /** The call of the sub-agent that uses it. */
  readonly caller: string | null;
  readonly messageId: string | null;
  /** `early`: its result came first. */
  readonly state: 'open' | 'interrupted' | 'ended' | 'early';
};

/** Records of a sub-agent whose call isn't known yet, newest first. */
export type Held = { readonly input: RecordInput; readonly bytes: number; readonly before: Held | null };

export type Waiting = {
  readonly agentId: string | null;
  /** The call its records name. */
  readonly callId: string | null;
  readonly parentUuid: string | null;
  /** Its task, if its first record has it. */
  readonly prompt: string | null;
  readonly held: Held;
};

/** The mapper's memory of a session. Immutable: each step makes a new one. */
export type MapperState = {
  readonly time: number;
  readonly title: EntryDetails['title'];
  readonly turn: Turn | null;
  readonly seen: Layered<true>;
  readonly calls: Layered<Call>;
  /** Calls that are neither answered nor ended. */
  readonly live: Layered<true | null>;
  readonly tools: Layered<Tool>;
  /** The call that an agent answers, and the owner of a call that hasn't been seen yet. */
  readonly callOfAgent: Layered<string>;
  readonly agentsOfCall: Layered<readonly string[]>;
  /** All calls of an agent: it may be called again. */
  readonly callsOfAgent: Layered<readonly string[]>;
  /** Reported ends of calls that haven't been seen yet. */
  readonly noticed: Layered<{ readonly status: TurnStatus; readonly at: number }>;
  /** Prompts of calls whose message may continue: another call with the same prompt may follow. */
  readonly asked: readonly { readonly prompt: string; readonly agentId: string | null; readonly messageId: string | null }[];
  /** Calls by their record, and those not yet claimed by their prompt. */
  readonly callsIn: Layered<readonly string[]>;
  readonly callsAsking: Layered<Asking>;
  /** Conversations that have their call. */
  readonly strands: Layered<string>;
  readonly waiting: Layered<Waiting | null>;
  readonly waitingOn: Layered<readonly string[]>;
  /** The conversation of each record inside the main file. */
  readonly strandAt: Layered<string>;
  /** The conversation of the preceding record in the main file. */
  readonly inline: string | null;
  /** How much is held back, in characters. */
  readonly heldBytes: number;
  /** What made no envelope, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
};

/** A step in progress: the new state, its output, and its remaining tasks, the next one last. */
export type Work = { -readonly [K in keyof MapperState]: MapperState[K] } & {
  readonly out: Envelope[];
  readonly agenda: (() => void)[];
  readonly options: MapperOptions;
};

export const initialMapper: MapperState = {
  time: 0,
  title: null,
  turn: null,
  callsOfAgent: NOTHING_LAYERED,
  noticed: NOTHING_LAYERED,
  asked: [],
  seen: NOTHING_LAYERED,
  calls: NOTHING_LAYERED,
  live: NOTHING_LAYERED,
  tools: NOTHING_LAYERED,
  callOfAgent: NOTHING_LAYERED,
  agentsOfCall: NOTHING_LAYERED,
  callsIn: NOTHING_LAYERED,
  callsAsking: NOTHING_LAYERED,
  strands: NOTHING_LAYERED,
  waiting: NOTHING_LAYERED,
  waitingOn: NOTHING_LAYERED,
  strandAt: NOTHING_LAYERED,
  inline: null,
  heldBytes: 0,
  dropped: new Map(),
};

// Field by field, both ways: a step does little else, and spreading takes several times as long.
export const beginWork = (state: MapperState, options: MapperOptions): Work => ({
  time: state.time,
  title: state.title,
  turn: state.turn,
  callsOfAgent: state.callsOfAgent,
  noticed: state.noticed,
  asked: state.asked,
  seen: state.seen,
  calls: state.calls,
  live: state.live,
  tools: state.tools,
  callOfAgent: state.callOfAgent,
  agentsOfCall: state.agentsOfCall,
  callsIn: state.callsIn,
  callsAsking: state.callsAsking,
  strands: state.strands,
  waiting: state.waiting,
  waitingOn: state.waitingOn,
  strandAt: state.strandAt,
  inline: state.inline,
  heldBytes: state.heldBytes,
  dropped: state.dropped,
  out: [],
  agenda: [],
  options,
});

export const endWork = (work: Work): MapperState => ({
  time: work.time,
  title: work.title,
  turn: work.turn,
  callsOfAgent: work.callsOfAgent,
  noticed: work.noticed,
  asked: work.asked,
  seen: work.seen,
  calls: work.calls,
  live: work.live,
  tools: work.tools,
  callOfAgent: work.callOfAgent,
  agentsOfCall: work.agentsOfCall,
  callsIn: work.callsIn,
  callsAsking: work.callsAsking,
  strands: work.strands,
  waiting: work.waiting,
  waitingOn: work.waitingOn,
  strandAt: work.strandAt,
  inline: work.inline,
  heldBytes: work.heldBytes,
  dropped: work.dropped,
});

/** Runs these next, in this order, before all other tasks. Not by recursion: waiting records may be nested arbitrarily deep. */
export const doNext = (work: Work, ...tasks: readonly (() => void)[]): void => doAll(work, tasks);

export const doAll = (work: Work, tasks: readonly (() => void)[]): void => {
  for (let i = tasks.length - 1; i >= 0; i -= 1) {
    const task = tasks[i];
    if (task !== undefined) work.agenda.push(task);
  }
};

export const tell = (work: Work, at: number, envelope: Omit<Envelope, 'time'>): void => {
  if (at > work.time) work.time = at;
  work.out.push({ ...envelope, time: work.time });
};

/** Kinds come from the author of the records: beyond a limit, they are counted as one. */
export const countDropped = (work: Work, kind: string): void => {
  const name = work.dropped.has(kind) || work.dropped.size < MOST_KINDS ? kind : 'other';
  work.dropped = new Map(work.dropped).set(name, (work.dropped.get(name) ?? 0) + 1);
};

const MOST_KINDS = 100;
