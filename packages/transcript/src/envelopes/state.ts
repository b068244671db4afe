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
  /** Calls of the main conversation, to tools and to agents, that have no result yet. */
  readonly open: Marks;
  /** The model said that it is done, or fell silent after a text, which in old versions is all there is; with the message that said so. */
  readonly ending: { readonly how: 'said' | 'likely'; readonly messageId: string | null } | null;
  /** The last thing in it is a call that was rejected or cut off, or a result that the model has not answered. */
  readonly isCut: boolean;
  /** Its records say why messages ended, or that nothing is known of it: those of the protocol's first description do not. */
  readonly hasReasons: boolean;
  readonly meter: Meter;
};

/** A Task or Agent call, which is a sub-agent from here on. */
export type Call = {
  readonly id: string;
  /** The record and block that called it; envelopes of its life are named after them. */
  readonly uuid: string;
  readonly block: number;
  readonly subagent: string;
  readonly parent: string | null;
  /** The turn it was called in, which it keeps. */
  readonly turn: string | null;
  readonly prompt: string;
  readonly title: string | null;
  readonly agent: string | null;
  /** Who answers it, where ids tell. */
  readonly agentId: string | null;
  /** The conversation that is its own. */
  readonly strand: string | null;
  readonly status: 'called' | 'running' | TurnStatus;
  readonly isBackground: boolean;
  readonly isPromptTold: boolean;
  readonly isOrphan: boolean;
  readonly starts: number;
  readonly stops: number;
  /** Its end was assumed when its process was gone or silent; what is known later counts. */
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

/** Records of a sub-agent whose call is not known yet, the newest first. */
export type Held = { readonly input: RecordInput; readonly bytes: number; readonly before: Held | null };

export type Waiting = {
  readonly agentId: string | null;
  /** The call its records name. */
  readonly callId: string | null;
  readonly parentUuid: string | null;
  /** What it was asked, when its first record says so. */
  readonly prompt: string | null;
  readonly held: Held;
};

/** All that the mapper remembers of a session. Nothing of it ever changes: a step makes another one. */
export type MapperState = {
  readonly time: number;
  readonly title: EntryDetails['title'];
  readonly turn: Turn | null;
  readonly seen: Layered<true>;
  readonly calls: Layered<Call>;
  /** Calls that are neither answered nor ended. */
  readonly live: Layered<true | null>;
  readonly tools: Layered<Tool>;
  /** Which call an agent answers, and whom a call that was not seen yet belongs to. */
  readonly callOfAgent: Layered<string>;
  readonly agentsOfCall: Layered<readonly string[]>;
  /** All calls of an agent: one may be called again. */
  readonly callsOfAgent: Layered<readonly string[]>;
  /** Ends that were reported of calls that were not seen yet. */
  readonly noticed: Layered<{ readonly status: TurnStatus; readonly at: number }>;
  /** Prompts of calls whose message may go on: a call with the same prompt may follow. */
  readonly asked: readonly { readonly prompt: string; readonly agentId: string | null; readonly messageId: string | null }[];
  /** Calls by the record that holds them, and those nobody has claimed by their prompt. */
  readonly callsIn: Layered<readonly string[]>;
  readonly callsAsking: Layered<Asking>;
  /** Conversations that have their call. */
  readonly strands: Layered<string>;
  readonly waiting: Layered<Waiting | null>;
  readonly waitingOn: Layered<readonly string[]>;
  /** The conversation that a record inside the main file belongs to. */
  readonly strandAt: Layered<string>;
  /** The conversation whose record stands right before, in the main file. */
  readonly inline: string | null;
  /** How much is held back, in characters. */
  readonly heldBytes: number;
  /** What made no envelope, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
};

/** A step at work: what it will make of the state, what it tells, and what it still has to do, the next thing last. */
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

/** These next, in this order, before anything else that is to be done. Not by calling: what waits may be nested as deep as somebody wishes. */
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

/** Kinds are named by whoever writes the records: beyond so many they are counted as one. */
export const countDropped = (work: Work, kind: string): void => {
  const name = work.dropped.has(kind) || work.dropped.size < MOST_KINDS ? kind : 'other';
  work.dropped = new Map(work.dropped).set(name, (work.dropped.get(name) ?? 0) + 1);
};

const MOST_KINDS = 100;
