import { assertNever, readEntry, type Entry as Reading, type JsonObject } from '@yarnboard/transcript';
import { NOWHERE, uuidFor } from '@yarnboard/store';
import { boundaryRecord, interruptedRecord, noticeRecord, promptRecord, rootRecord, saidRecord, type Frame } from './convert-records.ts';
import type { PromptWords } from './prompt-content.ts';
import { readSdkMessage, type Outcome, type SdkMessage } from './sdk-message.ts';

/** A tool call that has no result yet. */
export type OpenCall = {
  /** The record that contains the call. */
  readonly uuid: string;
  readonly sessionId: string;
  /** The call that began the sub-agent that made this one; null in the main conversation. */
  readonly owner: string | null;
};

/** The state needed to turn the next message of a stream into records. */
export type Converter = {
  readonly sessionId: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
  /** The available slash commands. */
  readonly slashCommands: readonly string[];
  /** The last record of each open conversation, keyed by the call that began the sub-agent; the main conversation has the key ''. */
  readonly tips: ReadonlyMap<string, string>;
  readonly open: ReadonlyMap<string, OpenCall>;
  /** Task and Agent calls whose prompt has not appeared yet. */
  readonly unasked: ReadonlyMap<string, { readonly prompt: string; readonly sessionId: string }>;
  /** The agent that each call began. */
  readonly agents: ReadonlyMap<string, string>;
  /** Tasks that are background commands, not agents. */
  readonly commands: ReadonlySet<string>;
  readonly isSummaryNext: boolean;
  readonly isInterrupted: boolean;
  /** Number of messages that produced no record, by type. */
  readonly left: ReadonlyMap<string, number>;
  /** Number of messages without a uuid of their own. */
  readonly unnamed: number;
};

/** What a message tells us besides its text. */
export type Fact =
  /** The session id became known, or changed. */
  | { readonly kind: 'session'; readonly id: string }
  /** A turn is in progress. */
  | { readonly kind: 'working' }
  /** The turn is over, and the next message may be sent. */
  | { readonly kind: 'ready'; readonly costUsd: number | null }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly why: string };

export type Converted = { readonly state: Converter; readonly records: readonly JsonObject[]; readonly facts: readonly Fact[] };

/** `tip` is the record that the conversation continues from, if known. */
export const initialConverter = (known: {
  readonly sessionId?: string | null;
  readonly cwd?: string | null;
  readonly tip?: string | null;
}): Converter => ({
  sessionId: known.sessionId ?? null,
  cwd: known.cwd ?? null,
  version: null,
  slashCommands: [],
  tips: known.tip == null ? new Map() : new Map([[MAIN, known.tip]]),
  open: new Map(),
  unasked: new Map(),
  agents: new Map(),
  commands: new Set(),
  isSummaryNext: false,
  isInterrupted: false,
  left: new Map(),
  unnamed: 0,
});

/** RUN-1: turns the next message of an SDK stream into transcript records. `at` is used where the message has no timestamp. */
export const convert = (before: Converter, value: unknown, at: number): Converted => {
  const message = readSdkMessage(value);
  const { state, facts } = movedTo(before, message.sessionId);
  const { state: after, records, facts: more } = convertRead(state, message, at);
  return { state: after, records, facts: [...facts, ...more] };
};

export type Prompt = PromptWords & {
  readonly uuid: string;
  readonly at: number;
  /** Sent during a turn: Claude Code reads it in between, and the turn continues. */
  readonly isQueued: boolean;
};

/** Records a prompt under the uuid we send it with. The SDK does not echo our prompts. */
export const convertPrompt = (state: Converter, said: Prompt): Converted => {
  const record = promptRecord(frameOf(state, said.at, null), { ...said, parentUuid: state.tips.get(MAIN) ?? null });
  return { state: { ...state, tips: withKey(state.tips, MAIN, said.uuid) }, records: [record], facts: NONE };
};

/**
 * RUN-5: makes results for calls that will never get one, innermost first: a sub-agent's calls before the call that began it. `turn` skips background
 * work, which outlives the turn.
 */
export const interrupt = (state: Converter, at: number, which: 'turn' | 'everything'): Converted => {
  const lines = linesOf(state.open);
  const isCut = (id: string): boolean => which === 'everything' || lines.get(id)?.isInTurn === true;
  const { state: asked, records } = ask(
    state,
    [...state.unasked.keys()].filter((id) => which === 'everything' || isCut(id)),
    at,
  );
  const cut = cutOff(asked, lines, isCut, at);
  return { state: cut.state, records: [...records, ...cut.records], facts: NONE };
};

/** Cuts off the open work of the agents these calls began: they have answered, or never will. */
const cutOffBelow = (
  state: Converter,
  calls: readonly string[],
  at: number,
): { readonly state: Converter; readonly records: readonly JsonObject[] } => {
  const ended = new Set(calls);
  if (![...state.open.values()].some(({ owner }) => owner !== null && ended.has(owner))) return { state, records: NONE };
  const lines = linesOf(state.open);
  return cutOff(state, lines, (id) => lines.get(id)?.owners.some((owner) => ended.has(owner)) === true, at);
};

const cutOff = (
  state: Converter,
  lines: ReadonlyMap<string, Line>,
  isCut: (id: string) => boolean,
  at: number,
): { readonly state: Converter; readonly records: readonly JsonObject[] } => {
  const calls = [...state.open]
    .filter(([id]) => isCut(id))
    .sort(([a], [b]) => (lines.get(b)?.owners.length ?? 0) - (lines.get(a)?.owners.length ?? 0));
  const open = new Map(state.open);
  const tips = new Map(state.tips);
  const records = calls.map(([id, call]) => {
    const uuid = uuidFor(`interrupted|${id}`);
    open.delete(id);
    tips.delete(id);
    if (call.sessionId === state.sessionId && tips.has(call.owner ?? MAIN)) tips.set(call.owner ?? MAIN, uuid);
    return interruptedRecord(frameOf(state, at, call.owner, call.sessionId), id, call, uuid);
  });
  return { state: { ...state, tips, open }, records };
};

/** Replays a logged record into the state, so that calls which a crash cut off are known. */
export const observe = (state: Converter, record: JsonObject): Converter => {
  const reading = readEntry(record, NOWHERE);
  if (reading.uuid === null) return state;
  const owner = reading.more?.parentToolUseId ?? null;
  const known = {
    ...state,
    sessionId: reading.sessionId ?? state.sessionId,
    cwd: reading.cwd ?? state.cwd,
    version: reading.version ?? state.version,
  };
  const named = reading.agentId === null || owner === null ? known : { ...known, agents: withKey(known.agents, owner, reading.agentId) };
  const told = owner === null ? named : { ...named, unasked: withoutKey(named.unasked, owner) };
  return note({ ...told, tips: withKey(told.tips, owner ?? MAIN, reading.uuid) }, reading, owner);
};

/** Takes only the results from a transcript's record. Everything else comes from the stream. */
export const observeResults = (state: Converter, reading: Reading): Converter => note(state, { ...reading, uses: NONE }, null);

// RUN-3: only a different session starts new conversations. The same id again, or the first one, changes nothing.
const movedTo = (state: Converter, sessionId: string | null): { readonly state: Converter; readonly facts: readonly Fact[] } => {
  if (sessionId === null || sessionId === state.sessionId) return { state, facts: NONE };
  const isOther = state.sessionId !== null;
  return { state: { ...state, sessionId, tips: isOther ? new Map() : state.tips }, facts: [{ kind: 'session', id: sessionId }] };
};

const convertRead = (state: Converter, message: SdkMessage, at: number): Converted => {
  switch (message.kind) {
    case 'init':
      return only({ ...state, cwd: message.cwd ?? state.cwd, version: message.version ?? state.version, slashCommands: message.slashCommands }, [
        { kind: 'working' },
      ]);
    case 'said':
      return convertSaid(state, message, at);
    case 'boundary':
      return {
        state: { ...state, tips: withKey(state.tips, MAIN, message.uuid), isSummaryNext: true },
        records: [boundaryRecord(frameOf(state, at, null), message, message.logicalParentUuid ?? state.tips.get(MAIN) ?? null)],
        facts: NONE,
      };
    case 'task-started':
      return startTask(state, message, at);
    case 'task-ended':
      return endTask(state, message, at);
    case 'result':
      return only({ ...state, isInterrupted: false }, [factOf(state, message.outcome)]);
    case 'other':
      return only(leave(state, message.name));
    default:
      return assertNever(message);
  }
};

type Said = Extract<SdkMessage, { readonly kind: 'said' }>;

const convertSaid = (start: Converter, said: Said, at: number): Converted => {
  const owner = said.parentToolUseId;
  const thread = owner ?? MAIN;
  const named = said.agentId === null || owner === null ? start : { ...start, agents: withKey(start.agents, owner, said.agentId) };
  const uuid = said.uuid ?? uuidFor(`unnamed|${named.sessionId ?? ''}|${named.unnamed}|${JSON.stringify(said.message)}`);
  const isSummary = named.isSummaryNext && owner === null && said.type === 'user' && (said.isSynthetic || said.isReplay === false);
  const draft = saidRecord(frameOf(named, at, owner), said, { uuid, isSummary });
  const reading = readEntry(draft, NOWHERE);
  // A sub-agent's missing prompt goes in before the call's result, and before anything else in its conversation.
  const waiting = [...(owner === null || reading.role === 'prompt' ? NONE : [owner]), ...reading.results.map(({ toolUseId }) => toolUseId)];
  const { state: asked, records: roots } = ask(named, waiting, at);
  const answered = reading.results.filter(({ answer }) => answer !== 'stub').map(({ toolUseId }) => toolUseId);
  const { state, records: cut } = cutOffBelow(asked, answered, at);
  const before = [...roots, ...cut];
  const told = owner === null ? state : { ...state, unasked: withoutKey(state.unasked, owner) };
  const [result] = reading.results;
  const parentUuid = (result === undefined ? undefined : told.open.get(result.toolUseId)?.uuid) ?? told.tips.get(thread) ?? null;
  // Our own prompt, echoed by the SDK after all: it is already the last record.
  if (parentUuid === uuid) return { state: leave(told, 'user/replay'), records: before, facts: NONE };
  const after: Converter = {
    ...told,
    tips: withKey(told.tips, thread, uuid),
    isSummaryNext: told.isSummaryNext && owner !== null,
    isInterrupted: owner === null ? reading.role === 'interruption' || (told.isInterrupted && said.type === 'user') : told.isInterrupted,
    unnamed: told.unnamed + (said.uuid === null ? 1 : 0),
  };
  return {
    state: note(after, reading, owner),
    records: [...before, { ...draft, parentUuid }],
    facts: owner === null && said.type === 'assistant' ? WORKING : NONE,
  };
};

/** Opens the record's calls and closes those it answers. */
const note = (state: Converter, reading: Reading, owner: string | null): Converter => {
  if (reading.uses.length === 0 && reading.results.length === 0) return state;
  const open = new Map(state.open);
  const unasked = new Map(state.unasked);
  const tips = new Map(state.tips);
  let { agents } = state;
  const sessionId = state.sessionId ?? '';
  for (const { id, call } of reading.uses) {
    open.set(id, { uuid: reading.uuid ?? '', sessionId, owner });
    if (call !== null) unasked.set(id, { prompt: call.prompt, sessionId });
  }
  for (const { toolUseId, agentId, answer } of reading.results) {
    open.delete(toolUseId);
    if (agentId !== null && !agents.has(toolUseId)) agents = withKey(agents, toolUseId, agentId);
    if (answer !== 'stub') tips.delete(toolUseId); // an agent that was only launched is still running
  }
  return { ...state, open, unasked, tips, agents };
};

type Started = Extract<SdkMessage, { readonly kind: 'task-started' }>;

const startTask = (state: Converter, { taskId, toolUseId, isAgent, isBackground }: Started, at: number): Converted => {
  if (!isAgent) return only({ ...leave(state, 'system/task_started'), commands: new Set([...state.commands, taskId]) });
  const named = toolUseId === null ? state : { ...state, agents: withKey(state.agents, toolUseId, taskId) };
  // The stream leaves out the prompt of a background agent.
  return toolUseId === null || !isBackground ? only(named) : { ...ask(named, [toolUseId], at), facts: NONE };
};

type Ended = Extract<SdkMessage, { readonly kind: 'task-ended' }>;

// The notice stands beside the conversation: the file has it under another uuid, so nothing may use this one as a parent.
const endTask = (state: Converter, ended: Ended, at: number): Converted => {
  if (state.commands.has(ended.taskId)) {
    const commands = new Set(state.commands);
    commands.delete(ended.taskId);
    return only({ ...leave(state, 'system/task_notification'), commands });
  }
  const { state: asked, records } = ended.toolUseId === null ? { state, records: NONE } : ask(state, [ended.toolUseId], at);
  const notice = noticeRecord(frameOf(asked, at, null), ended, asked.tips.get(MAIN) ?? null);
  const isOver = ended.toolUseId !== null && !asked.open.has(ended.toolUseId);
  return { state: isOver ? { ...asked, tips: withoutKey(asked.tips, ended.toolUseId ?? MAIN) } : asked, records: [...records, notice], facts: NONE };
};

/** RUN-4: makes the first record of a sub-agent's conversation if the stream did not bring it. */
const ask = (state: Converter, calls: readonly string[], at: number): { readonly state: Converter; readonly records: readonly JsonObject[] } => {
  const found = [...new Set(calls)].flatMap((id) => {
    const call = state.unasked.get(id);
    return call === undefined ? [] : [{ id, call }];
  });
  if (found.length === 0) return { state, records: NONE };
  const unasked = new Map(state.unasked);
  const tips = new Map(state.tips);
  const records = found.map(({ id, call }) => {
    unasked.delete(id);
    tips.set(id, rootUuid(id));
    return rootOf(state, id, call, at);
  });
  return { state: { ...state, unasked, tips }, records };
};

const rootOf = (state: Converter, id: string, call: { readonly prompt: string; readonly sessionId: string }, at: number): JsonObject =>
  rootRecord(frameOf(state, at, id, call.sessionId), call.prompt, rootUuid(id));

const rootUuid = (callId: string): string => uuidFor(`sidechain-root|${callId}`);

const factOf = (state: Converter, { isError, isAborted, subtype, why, costUsd }: Outcome): Fact => {
  if (isAborted || (subtype === 'error_during_execution' && state.isInterrupted)) return { kind: 'cancelled' };
  if (!isError) return { kind: 'ready', costUsd };
  return { kind: 'failed', why: why ?? WHY.get(subtype) ?? `the SDK says "${subtype}"` };
};

const WHY: ReadonlyMap<string, string> = new Map([
  ['error_max_turns', 'as many turns as it was allowed are used up'],
  ['error_max_budget_usd', 'as much as it was allowed is spent'],
  ['error_during_execution', 'it broke off'],
]);

/** The open calls above a call, nearest first, and whether they lead back to the running turn. */
type Line = { readonly owners: readonly string[]; readonly isInTurn: boolean };

const linesOf = (open: ReadonlyMap<string, OpenCall>): ReadonlyMap<string, Line> =>
  new Map(
    [...open].map(([id, call]) => {
      const owners: string[] = [];
      let { owner } = call;
      // The ids come from outside: a call may claim to have begun itself.
      while (owner !== null && owner !== id && owners.length < DEEPEST && !owners.includes(owner)) {
        owners.push(owner);
        const above = open.get(owner);
        if (above === undefined) return [id, { owners, isInTurn: false }];
        owner = above.owner;
      }
      return [id, { owners, isInTurn: owner === null }];
    }),
  );

const frameOf = (state: Converter, at: number, owner: string | null, sessionId = state.sessionId ?? ''): Frame => ({
  at,
  sessionId,
  owner,
  agentId: owner === null ? null : (state.agents.get(owner) ?? null),
  cwd: state.cwd,
  version: state.version,
});

const leave = (state: Converter, name: string): Converter => ({ ...state, left: withKey(state.left, name, (state.left.get(name) ?? 0) + 1) });

const only = (state: Converter, facts: readonly Fact[] = NONE): Converted => ({ state, records: NONE, facts });

const withKey = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> =>
  map.get(key) === value ? map : new Map(map).set(key, value);

const withoutKey = <V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> => {
  if (!map.has(key)) return map;
  const less = new Map(map);
  less.delete(key);
  return less;
};

const MAIN = '';
/** Far deeper than agents can be nested. */
const DEEPEST = 64;
const NONE: readonly never[] = [];
const WORKING: readonly Fact[] = [{ kind: 'working' }];
