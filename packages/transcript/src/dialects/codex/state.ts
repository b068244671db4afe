import type { Base, Context, LinePlace } from '../../dialect.ts';
import type { JsonObject } from '../../json.ts';

/** What is known of a rollout behind its last line. It is never changed, and small: most lines change nothing of it. */
export type State = {
  readonly file: Context;
  readonly base: Base | null;
  /** Whose thread it is; null before its first line. */
  readonly thread: string | null;
  readonly begunAt: number;
  /** Whose lines are being read: of a fork, the other thread's while they are copies of those. */
  readonly owner: string;
  readonly copying: Copying | null;
  readonly facts: JsonObject;
  readonly model: string | null;
  /** The record that the next one goes on after. */
  readonly tip: string | null;
  readonly turns: Turn | null;
  readonly turnId: string | null;
  /** How many there were of each kind that has no id of its own. */
  readonly counts: Readonly<Record<Kind, number>>;
  readonly response: 'closed' | 'open' | 'answered';
  /** Whether the response that is open has called something. */
  readonly hasCalls: boolean;
  /** Whether the response before was counted without a call: older versions write down what it called behind that. */
  readonly mayCall: boolean;
  /** Whether the file has marks between responses, as the first versions wrote them. */
  readonly hasMarks: boolean;
  /** The totals that were told last, and the usage of a response that was counted already. */
  readonly total: string;
  readonly recorded: string;
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly hasPrompt: boolean;
};

/** `isOver`: where a sub-agent's own lines begin, or null where its turns tell. */
export type Copying =
  { readonly kind: 'fork'; readonly next: number; readonly hasTurns: boolean } | { readonly kind: 'agent'; readonly until: number | null };

/** A turn, and what stood before it: a turn that is taken back is gone on from there. */
export type Turn = { readonly id: string | null; readonly before: string | null; readonly earlier: Turn | null };

export type OpenCall = { readonly isScript: boolean; readonly failed: boolean; readonly agentId: string | null };

/**
 * What has no id of its own is told apart by its kind and how many there were before. A file that is written anew in another form keeps these
 * numbers, so that its messages are known again.
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

/** A record of the conversation, behind the one before it. `name` tells it from the others of its thread, however often the file is written anew. */
export const say = (state: State, at: Said, name: string, said: JsonObject): Step => {
  // Without the other thread's file, or turns, nothing proves what was copied: then it is this one's own.
  const owned = state.copying?.kind === 'fork' && !state.copying.hasTurns && state.base === null ? owning(state) : state;
  const uuid = `codex/${owned.owner}/${name}`;
  return { state: { ...owned, tip: uuid }, record: { ...frameOf(owned, at), uuid, parentUuid: owned.tip, ...said } };
};

/** A line that says nothing in the conversation: kept, and counted by its kind. */
export const pass = (state: State, at: Said, kind: string, more: JsonObject = {}): Step => ({
  state,
  record: { ...frameOf(state, at), type: kind.length > 80 ? `${kind.slice(0, 80)}…` : kind, ...more },
});

/** From here on the lines are its own. */
export const owning = (state: State): State => ({ ...state, copying: null, owner: ownerOf(state) });

export const ownerOf = ({ thread, file }: Pick<State, 'thread' | 'file'>): string => thread ?? file.agentId ?? file.sessionId;

/** The number of the next one of its kind. */
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
