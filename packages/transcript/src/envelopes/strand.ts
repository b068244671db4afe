import { normalise } from '../prompts.ts';
import { agentKey, bind, callKey, findCall, hold, noteAgent, waitingAs, type Told } from './calls.ts';
import { lookUp, put } from './layered.ts';
import { doNext, type RecordInput, type Waiting, type Work } from './state.ts';

/** What to do with a record of a sub-agent whose call is known. */
export type Aside = (work: Work, callId: string, input: RecordInput) => void;

/** Whether a record belongs to a sub-agent. Tool messages that were extracted from their records are flagged, too, and belong to no conversation. */
export const isOfSidechain = ({ agentId, entry }: RecordInput): boolean =>
  agentId !== null || entry.more?.parentToolUseId != null || (entry.isSidechain && entry.type !== 'tool_use' && entry.type !== 'tool_result');

/** Sends a record of a sub-agent, or holds it back until its call is known. */
export const takeSidechain = (work: Work, input: RecordInput, aside: Aside): void => {
  const { key, isInline } = strandOf(work, input);
  if (isInline) {
    work.inline = key;
    work.strandAt = put(work.strandAt, input.uuid, key);
  }
  const about = aboutOf(input, key);
  doNext(
    work,
    () => {
      if (about.agentId !== null && about.callId !== null) noteAgent(work, about.agentId, about.callId, toldBy(work, aside));
    },
    () => tellOrHold(work, key, input, about, aside),
  );
};

const tellOrHold = (work: Work, key: string, input: RecordInput, about: Omit<Waiting, 'held'>, aside: Aside): void => {
  const bound = lookUp(work.strands, key);
  if (bound !== undefined) {
    aside(work, bound, input);
    return;
  }
  const found = waitingAs(work, key) === null ? findCall(work, key, about) : null;
  hold(work, key, input, about);
  if (found !== null) bind(work, key, found, toldBy(work, aside));
};

/** ENV-24: an inline conversation belongs to the call whose result directly follows it. */
export const bindByPlace = (work: Work, key: string, callId: string, told: Told): void => {
  const call = lookUp(work.calls, callId);
  if (waitingAs(work, key) !== null && call?.strand === null) bind(work, key, callId, told);
};

/** Held records are sent one by one, each with all its consequences, before anything else. */
export const toldBy =
  (work: Work, aside: Aside): Told =>
  (callId, inputs) => {
    const from = (index: number) => (): void => {
      const input = inputs[index];
      if (input === undefined) return;
      doNext(work, from(index + 1));
      aside(work, callId, input);
    };
    doNext(work, from(0));
  };

const strandOf = (work: Work, input: RecordInput): { readonly key: string; readonly isInline: boolean } => {
  const { entry, uuid } = input;
  const agentId = input.agentId ?? (entry.isSidechain ? entry.agentId : null);
  if (agentId !== null) return { key: agentKey(agentId), isInline: false };
  const callId = entry.more?.parentToolUseId ?? null;
  if (callId !== null) {
    work.strandAt = put(work.strandAt, uuid, callKey(callId));
    return { key: callKey(callId), isInline: false };
  }
  const parent = typeof entry.parentUuid === 'string' ? entry.parentUuid : null;
  const above = parent === null ? undefined : lookUp(work.strandAt, parent);
  if (above !== undefined && parent !== null) return { key: beginsNested(work, input, parent) ? inlineKey(uuid) : above, isInline: true };
  // If it doesn't say, or its parent is missing, it continues the line before it. Below a record of the main conversation, it begins a conversation
  // of its own.
  const isLoose = entry.parentUuid === undefined || (parent !== null && lookUp(work.seen, parent) === undefined);
  return { key: isLoose && work.inline !== null ? work.inline : inlineKey(uuid), isInline: true };
};

const beginsNested = (work: Work, { entry }: RecordInput, parent: string): boolean => {
  if (entry.role !== 'prompt' || entry.text === null) return false;
  const prompt = normalise(entry.text);
  return (lookUp(work.callsIn, parent) ?? []).some((id) => lookUp(work.calls, id)?.prompt === prompt);
};

const aboutOf = ({ entry, agentId }: RecordInput, key: string): Omit<Waiting, 'held'> => ({
  agentId: agentId ?? (entry.isSidechain ? entry.agentId : null),
  callId: entry.more?.parentToolUseId ?? null,
  parentUuid: typeof entry.parentUuid === 'string' && !key.startsWith('call:') ? entry.parentUuid : null,
  prompt: entry.role === 'prompt' && entry.text !== null ? normalise(entry.text) : null,
});

const inlineKey = (uuid: string): string => `inline:${uuid}`;
