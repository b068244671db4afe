import type { Base, Context, LinePlace } from '../../dialect.ts';
import type { JsonObject } from '../../json.ts';

/** The state of a rollout after the lines read so far. It is immutable and small: most lines change nothing in it. */
export type State = {
  readonly file: Context;
  readonly base: Base | null;
  /** The thread the file belongs to; null before its first line. */
  readonly thread: string | null;
  readonly begunAt: number;
  /** The thread whose lines are being read: in a fork, the other thread, as long as its lines are copies. */
  readonly owner: string;
  readonly copying: Copying | null;
  readonly facts: JsonObject;
  readonly model: string | null;
  /** The record that the next one follows. */
  readonly tip: string | null;
  readonly turns: Turn | null;
  readonly turnId: string | null;
  /** How many records of each kind without ids of their own have come so far. */
  readonly counts: Readonly<Record<Kind, number>>;
  readonly response: 'closed' | 'open' | 'answered';
  /** Whether the open response has made a call. */
  readonly hasCalls: boolean;
  /** Whether the previous response was counted without a call: older versions write its calls after the count. */
  readonly mayCall: boolean;
  /** Whether the file has marks between responses, as the first versions wrote them. */
  readonly hasMarks: boolean;
  /** The latest totals, and the usage of a response that was already counted. */
  readonly total: string;
  readonly recorded: string;
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly hasPrompt: boolean;
};

/** `until`: the number of a sub-agent's first own line, or null if its turns show where they begin. */
export type Copying =
  { readonly kind: 'fork'; readonly next: number; readonly hasTurns: boolean } | { readonly kind: 'agent'; readonly until: number | null };

/** A turn, and the record before it: when the turn is taken back, the conversation continues from there. */
export type Turn = { readonly id: string | null; readonly before: string | null; readonly earlier: Turn | null };

export type OpenCall = { readonly isScript: boolean; readonly failed: boolean; readonly agentId: string | null };

/**
 * Records without an id of their own are identified by their kind and a running number. A file that is rewritten in another form keeps these numbers,
 * so that its messages are recognised.
 */
export type Kind = 'prompt' | 'words' | 'thoughts' | 'note' | 'task' | 'call' | 'error' | 'interruption' | 'boundary' | 'summary' | 'response';

export type Step = { readonly state: State; readonly record: JsonObject };

export const begin = (file: Context, base: Base | null): State => ({
  file,
  base,
  thread: null,
  begunAt: Number.NaN,
  owner: file.agentId ?? file.sessionId,
  copying: null,
  facts: {},
  model: null,
  tip: null,
  turns: null,
  turnId: null,
  counts: NOTHING_YET,
  response: 'closed',
  hasCalls: false,
  mayCall: false,
  hasMarks: false,
  total: '',
  recorded: '',
  calls: NO_CALLS,
  hasPrompt: false,
});

/** Adds a record to the conversation, after the previous one. `name` identifies it within its thread, however often the file is rewritten. */
export const say = (state: State, at: Said, name: string, said: JsonObject): Step => {
  // Without the other thread's file, or turns, nothing proves that it is a copy: so treat it as this thread's own.
  const owned = state.copying?.kind === 'fork' && !state.copying.hasTurns && state.base === null ? owning(state) : state;
  const uuid = `codex/${owned.owner}/${name}`;
  return { state: { ...owned, tip: uuid }, record: { ...frameOf(owned, at), uuid, parentUuid: owned.tip, ...said } };
};

/** A line that adds nothing to the conversation: kept, and counted by its kind. */
export const pass = (state: State, at: Said, kind: string, more: JsonObject = {}): Step => ({
  state,
  record: { ...frameOf(state, at), type: kind.length > 80 ? `${kind.slice(0, 80)}…` : kind, ...more },
});

/** From here on, the lines are the file's own. */
export const owning = (state: State): State => ({ ...state, copying: null, owner: ownerOf(state) });

export const ownerOf = ({ thread, file }: Pick<State, 'thread' | 'file'>): string => thread ?? file.agentId ?? file.sessionId;

/** The number of the next record of its kind. */
export const counted = (state: State, kind: Kind): { readonly state: State; readonly name: string } => ({
  state: { ...state, counts: { ...state.counts, [kind]: state.counts[kind] + 1 } },
  name: `${kind}/${state.counts[kind]}`,
});

export type Said = LinePlace & { readonly time: string | null };

const frameOf = ({ file: { sessionId, agentId }, facts }: State, { time }: Said): JsonObject => ({
  sessionId,
  isSidechain: agentId !== null,
  ...(agentId === null ? {} : { agentId }),
  ...(time === null ? {} : { timestamp: time }),
  ...facts,
});

const NOTHING_YET: Readonly<Record<Kind, number>> = {
  prompt: 0,
  words: 0,
  thoughts: 0,
  note: 0,
  task: 0,
  call: 0,
  error: 0,
  interruption: 0,
  boundary: 0,
  summary: 0,
  response: 0,
};

const NO_CALLS: ReadonlyMap<string, OpenCall> = new Map();
