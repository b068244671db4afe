import { normalise } from '../prompts.ts';
import type { ToolUse } from '../tools.ts';
import { addAsking, NOBODY_ASKS, onlyOneAsking, settleAsking, type Asking } from './asking.ts';
import type { TurnStatus } from './envelope.ts';
import { idOf } from './ids.ts';
import { lookUp, put } from './layered.ts';
import { NO_MARKS } from './marks.ts';
import { NO_METER, usageIn } from './meter.ts';
import { doNext, tell, type Call, type Held, type RecordInput, type Waiting, type Work } from './state.ts';
import { answerInTurn, interruptTools } from './turns.ts';

/** A Task or Agent call was made: whatever waited for it can be sent now. `told` handles what was held back. */
export const registerCall = (
  work: Work,
  use: ToolUse,
  place: CallPlace,
  said: { readonly agentId: string | null; readonly messageId: string | null },
  told: Told,
): void => {
  if (lookUp(work.calls, use.id) !== undefined) return;
  const prompt = normalise(use.call?.prompt ?? '');
  const [agentId] = lookUp(work.agentsOfCall, use.id) ?? [];
  const call: Call = {
    ...NEW_CALL,
    ...place,
    id: use.id,
    subagent: idOf('subagent', use.id),
    prompt,
    title: use.call?.description ?? null,
    agent: use.call?.agent ?? null,
    agentId: agentId ?? null,
  };
  keep(work, call);
  if (prompt !== '' && agentId === undefined) work.callsAsking = put(work.callsAsking, prompt, addAsking(askingFor(work, prompt), use.id));
  // A call that resumes an agent: from here on, the agent's messages answer this call.
  const resumed = use.call?.resume ?? null;
  const before = resumed === null ? undefined : lookUp(work.strands, agentKey(resumed));
  if (resumed !== null && before !== undefined) {
    work.strands = put(work.strands, agentKey(resumed), use.id);
    keep(work, { ...call, strand: agentKey(resumed) });
    leaveOut(work, prompt, use.id);
  }
  wake(work, callKey(use.id), told);
  for (const one of lookUp(work.agentsOfCall, use.id) ?? []) wake(work, agentKey(one), told);
  for (const key of lookUp(work.waitingOn, parentKey(place.uuid)) ?? []) wake(work, key, told);
  // The next block of the same message may make a call with exactly the same prompt: whatever waits with this prompt waits until the message is
  // complete.
  if (stillWaiting(work, prompt).length > 0) work.asked = [...work.asked, { prompt, ...said }];
  const noticed = lookUp(work.noticed, use.id);
  if (noticed !== undefined) {
    answerInTurn(work, use.id);
    doNext(work, () => stopCall(work, use.id, noticed.status, noticed.at));
  }
};

type CallPlace = { readonly uuid: string; readonly block: number; readonly turn: string | null; readonly parent: string | null };

/** A record of the same conversation arrived that isn't part of the message: all its calls are known. */
export const settleAsked = (work: Work, agentId: string | null, messageId: string | null, told: Told): void => {
  if (work.asked.length === 0) return;
  const isOver = (one: Work['asked'][number]): boolean => one.agentId === agentId && (messageId === null || one.messageId !== messageId);
  settleWhere(work, isOver, told);
};

export const settleAllAsked = (work: Work, told: Told): void => settleWhere(work, () => true, told);

const settleWhere = (work: Work, isOver: (one: Work['asked'][number]) => boolean, told: Told): void => {
  const over = work.asked.filter(isOver);
  work.asked = work.asked.filter((one) => !isOver(one));
  for (const { prompt } of over) wakeAsking(work, prompt, told);
};

/** What to do with the records of a conversation whose call was found. */
export type Told = (call: string, inputs: readonly RecordInput[]) => void;

/** A record names both an agent and the call it answers. */
export const noteAgent = (work: Work, agentId: string, callId: string, told: Told): void => {
  if (lookUp(work.tools, callId) !== undefined) return; // background shells report like agents
  const mine = lookUp(work.callsOfAgent, agentId) ?? NONE;
  if (!mine.includes(callId)) work.callsOfAgent = put(work.callsOfAgent, agentId, [...mine, callId]);
  const known = lookUp(work.callOfAgent, agentId);
  if (known === undefined) work.callOfAgent = put(work.callOfAgent, agentId, callId); // the first evidence counts: the most reliable comes first
  const call = lookUp(work.calls, callId);
  if (call === undefined) {
    const agents = lookUp(work.agentsOfCall, callId) ?? [];
    if (!agents.includes(agentId)) work.agentsOfCall = put(work.agentsOfCall, callId, [...agents, agentId]);
  } else if (call.agentId === null) {
    keep(work, { ...call, agentId });
    leaveOut(work, call.prompt, callId);
  }
  wake(work, agentKey(agentId), told);
  if (call !== undefined) wakeAsking(work, call.prompt, told);
};

/** Holds a record back until the call of its conversation is known. */
export const hold = (work: Work, key: string, input: RecordInput, about: Omit<Waiting, 'held'>): void => {
  const known = waitingAs(work, key);
  const bytes = JSON.stringify(input.record).length;
  work.heldBytes += bytes;
  work.waiting = put(work.waiting, key, { ...(known ?? about), held: { input, bytes, before: known?.held ?? null } });
  if (known !== null) return;
  for (const on of [about.prompt === null ? null : promptKey(about.prompt), about.parentUuid === null ? null : parentKey(about.parentUuid)]) {
    if (on !== null) work.waitingOn = put(work.waitingOn, on, [...(lookUp(work.waitingOn, on) ?? []), key]);
  }
};

/**
 * ENV-20: the call that a conversation belongs to, by the best available evidence: ids (named by an agent's meta file, result, progress or
 * notification), the call named by its records, the parent record, its prompt. Never by guessing: if several calls match, it waits for more evidence.
 */
export const findCall = (work: Work, key: string, about: Omit<Waiting, 'held'>): string | null => {
  const named = about.agentId === null ? undefined : lookUp(work.callOfAgent, about.agentId);
  if (named !== undefined) return lookUp(work.calls, named) === undefined ? null : named;
  if (about.callId !== null) return lookUp(work.calls, about.callId) === undefined ? null : about.callId;
  const above = about.parentUuid === null ? undefined : lookUp(work.callsIn, about.parentUuid);
  if (above !== undefined) {
    const [only, another] = above;
    if (only !== undefined && another === undefined) return isFree(work, only, key) ? only : null;
    const alike = above.filter((id) => isFree(work, id, key) && lookUp(work.calls, id)?.prompt === about.prompt);
    if (alike.length > 0) return alike[0] ?? null;
  }
  return about.prompt === null ? null : onlyAsking(work, about.prompt, key);
};

const isFree = (work: Work, id: string, key: string): boolean => {
  const call = lookUp(work.calls, id);
  return call !== undefined && (call.strand === null || call.strand === key) && call.agentId === null;
};

// One open call and one conversation with this prompt: they belong together. Anything else is ambiguous.
const onlyAsking = (work: Work, prompt: string, key: string): string | null => {
  const call = onlyOneAsking(askingFor(work, prompt));
  if (call === null) return null;
  return stillWaiting(work, prompt).every((other) => other === key) ? call : null;
};

export const askingFor = (work: Work, prompt: string): Asking => lookUp(work.callsAsking, prompt) ?? NOBODY_ASKS;

/** Those waiting with this prompt, in the order they arrived. */
const stillWaiting = (work: Work, prompt: string): readonly string[] =>
  (lookUp(work.waitingOn, promptKey(prompt)) ?? NONE).filter((key) => waitingAs(work, key) !== null);

export const waitingAs = (work: Work, key: string): Waiting | null => lookUp(work.waiting, key) ?? null;

/** Assigns a conversation to a call; what was held back of it is sent. */
export const bind = (work: Work, key: string, callId: string, told: Told): void => {
  work.strands = put(work.strands, key, callId);
  const call = lookUp(work.calls, callId);
  if (call !== undefined) {
    if (call.strand === null) keep(work, { ...call, strand: key });
    leaveOut(work, call.prompt, callId);
  }
  const waiting = waitingAs(work, key);
  if (waiting !== null) {
    work.waiting = put(work.waiting, key, null);
    for (let at: Held | null = waiting.held; at !== null; at = at.before) work.heldBytes -= at.bytes;
    if (waiting.prompt !== null) work.waitingOn = put(work.waitingOn, promptKey(waiting.prompt), stillWaiting(work, waiting.prompt));
  }
  if (call !== undefined) wakeAsking(work, call.prompt, told);
  // Last, so that it is sent before whatever it unblocked.
  if (waiting !== null) told(callId, inOrder(waiting.held));
};

const wake = (work: Work, key: string, told: Told): void => {
  const waiting = waitingAs(work, key);
  if (waiting === null) return;
  const call = findCall(work, key, waiting);
  if (call !== null) bind(work, key, call, told);
};

// A conversation with this prompt found its call, or a call its agent: of two that were ambiguous, only one may be left.
const wakeAsking = (work: Work, prompt: string, told: Told): void => {
  const waiting = prompt === '' ? NONE : stillWaiting(work, prompt);
  const [only, another] = waiting;
  if (only !== undefined && another === undefined) wake(work, only, told);
};

/** ENV-21: a sub-agent starts once, before anything of it is sent; and again only if it is asked again after it had stopped. */
export const startCall = (work: Work, id: string, at: number): void => {
  const call = lookUp(work.calls, id);
  if (call === undefined || call.status === 'running') return;
  keep(work, { ...call, status: 'running', starts: call.starts + 1 });
  tell(work, at, {
    id: idOf(call.uuid, call.block, 'start', call.starts),
    role: 'agent',
    ...placeOf(call),
    ev: {
      t: 'start',
      ...(call.title === null ? {} : { title: call.title }),
      ...(call.agent === null ? {} : { agent: call.agent }),
      ...(call.parent === null ? {} : { parent: call.parent }),
      ...(call.isOrphan ? { isOrphan: true } : {}),
    },
  });
};

/** ENV-22: stops a sub-agent in the turn it was called in, however long ago that ended; opens no turn. */
export const stopCall = (work: Work, id: string, status: TurnStatus, at: number, isAssumed = false): void => {
  const known = lookUp(work.calls, id);
  // An assumed end is corrected if the actual one differs.
  if (known === undefined || (!isOpen(known) && (isAssumed || !known.isAssumed))) return;
  if (!isOpen(known) && known.status === status) {
    keep(work, { ...known, isAssumed });
    return;
  }
  startCall(work, id, at);
  const call = lookUp(work.calls, id);
  if (call === undefined) return;
  if (status !== 'completed') interruptTools(work, call.open, at);
  const stopped = lookUp(work.calls, id) ?? call;
  keep(work, { ...stopped, status, stops: call.stops + 1, isAssumed, open: status === 'completed' ? stopped.open : NO_MARKS });
  leaveOut(work, call.prompt, id);
  tell(work, at, {
    id: idOf(call.uuid, call.block, 'stop', call.stops),
    role: 'agent',
    ...placeOf(call),
    ev: { t: 'stop', status, ...usageIn(call.meter) },
  });
};

export const placeOf = (call: Call): { readonly turn?: string; readonly subagent: string } => ({
  ...(call.turn === null ? {} : { turn: call.turn }),
  subagent: call.subagent,
});

export const isOpen = (call: Call | undefined): boolean => call?.status === 'called' || call?.status === 'running';

export const keep = (work: Work, call: Call): void => {
  work.calls = put(work.calls, call.id, call);
  const isLive = isOpen(call) || call.open.count > 0;
  if (isLive !== (lookUp(work.live, call.id) ?? false)) work.live = put(work.live, call.id, isLive ? true : null);
};

/** The call that stands in for a conversation whose caller was never found. */
export const orphanCall = (key: string, first: RecordInput): Call => ({
  ...NEW_CALL,
  id: key,
  uuid: first.uuid,
  block: -1, // none: its first record may itself make a call
  subagent: idOf('subagent', key),
  parent: null,
  turn: null,
  strand: key,
  isOrphan: true,
});

const leaveOut = (work: Work, prompt: string, id: string): void => {
  const known = lookUp(work.callsAsking, prompt);
  if (known !== undefined) work.callsAsking = put(work.callsAsking, prompt, settleAsking(known, id));
};

const inOrder = (held: Held): readonly RecordInput[] => {
  const inputs: RecordInput[] = [];
  for (let at: Held | null = held; at !== null; at = at.before) inputs.push(at.input);
  return inputs.reverse();
};

export const agentKey = (agentId: string): string => `agent:${agentId}`;
export const callKey = (callId: string): string => `call:${callId}`;
const promptKey = (prompt: string): string => `prompt:${prompt}`;
const parentKey = (uuid: string): string => `parent:${uuid}`;

const NONE: readonly never[] = [];
const NEW_CALL = {
  prompt: '',
  title: null,
  agent: null,
  agentId: null,
  strand: null,
  status: 'called',
  isBackground: false,
  isPromptTold: false,
  isOrphan: false,
  starts: 0,
  stops: 0,
  isAssumed: false,
  open: NO_MARKS,
  meter: NO_METER,
} as const;
