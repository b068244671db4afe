import { firstTextOf, type ToolResult } from '../tools.ts';
import { isObject, objectOf, stringOf } from '../json.ts';
import type { Notice } from '../notices.ts';
import { normalise } from '../prompts.ts';
import { assertNever } from '../never.ts';
import { slashCommandIn } from '../slash-command.ts';
import { blocksOf } from './blocks.ts';
import { agentKey, keep, noteAgent, settleAsked, startCall, stopCall, type Told } from './calls.ts';
import { endCall, keepBackground, startIfNew, statusOf } from './answers.ts';
import { cutTurn, takeClose } from './closing.ts';
import type { Envelope, TurnStatus } from './envelope.ts';
import { idOf } from './ids.ts';
import type { MapperInput, MapperOptions } from './input.ts';
import { entriesIn, lookUp, put } from './layered.ts';
import { isMetered } from './meter.ts';
import { meterReply, say, sourceOf, tellPrompt, tellReply, tellResult, type Speaker } from './speech.ts';
import { beginWork, countDropped, doAll, doNext, endWork, tell, type MapperState, type RecordInput, type Work } from './state.ts';
import { bindByPlace, isOfSidechain, takeSidechain, toldBy } from './strand.ts';
import { answerInTurn, closeTurn, judgeTurn, settleTurn } from './turns.ts';

export { initialMapper, type MapperState } from './state.ts';

export type Mapped = { readonly state: MapperState; readonly envelopes: readonly Envelope[] };

/** ENV-4: processes one more input of a session and returns its envelopes. Pure: the same state and input always give the same result. */
export const step = (state: MapperState, input: MapperInput, options: MapperOptions = {}): Mapped => {
  const work = beginWork(state, options);
  take(work, input);
  for (let task = work.agenda.pop(); task !== undefined; task = work.agenda.pop()) task();
  return { state: endWork(work), envelopes: work.out };
};

/** The open turn of a session, and whether the model has said that it is finished. */
export const openTurnOf = ({ turn }: MapperState): { readonly id: string; readonly isSaidToBeOver: boolean } | null =>
  turn === null ? null : { id: turn.id, isSaidToBeOver: turn.ending?.how === 'said' && turn.open.count === 0 };

/** How much text is held back for conversations whose call isn't known yet. */
export const heldBytesOf = ({ heldBytes }: MapperState): number => heldBytes;

/** Whether sub-agents still run, or records still wait for the call of their conversation. */
export const hasLooseEnds = ({ live, waiting }: MapperState): boolean => entriesIn(live).length > 0 || entriesIn(waiting).length > 0;

const take = (work: Work, input: MapperInput): void => {
  switch (input.kind) {
    case 'record':
      takeRecord(work, input);
      break;
    case 'meta':
      if (input.meta.toolUseId !== null) noteAgent(work, input.agentId, input.meta.toolUseId, teller(work));
      break;
    case 'close':
      takeClose(work, input, teller(work));
      break;
    case 'service':
      if (isNew(work, input.uuid)) {
        const { uuid, at, service, text, data, source } = input;
        const sourced = source === undefined ? {} : { source };
        const turn = work.turn === null ? {} : { turn: work.turn.id };
        tell(work, at, { id: idOf(uuid, 0, 'service', 0), role: 'agent', ...turn, ev: { t: 'service', kind: service, text, data, ...sourced } });
      }
      break;
    default:
      assertNever(input);
  }
};

const isNew = (work: Work, uuid: string): boolean => {
  if (lookUp(work.seen, uuid) === true) return false;
  work.seen = put(work.seen, uuid, true);
  return true;
};

const takeRecord = (work: Work, input: RecordInput): void => {
  const { entry, uuid } = input;
  if (!isNew(work, uuid)) {
    countDropped(work, 'repeated');
    meterAgain(work, input);
    return;
  }
  if (entry.more?.title != null) work.title = entry.more.title;
  const notice = entry.more?.notice ?? null;
  const rest = (): void => (isOfSidechain(input) ? takeSidechain(work, input, tellAside) : takeMain(work, input));
  if (notice === null && work.asked.length === 0) {
    rest();
    return;
  }
  doNext(
    work,
    () => settleAsked(work, input.agentId, entry.messageId, teller(work)),
    () => {
      if (notice !== null) noteNotice(work, notice);
    },
    () => {
      if (notice !== null) endByNotice(work, notice, entry.at);
    },
    rest,
  );
};

const meterAgain = (work: Work, input: RecordInput): void => {
  const { entry, agentId } = input;
  const callId = (agentId === null ? entry.more?.parentToolUseId : lookUp(work.strands, agentKey(agentId))) ?? null;
  const meter = callId === null ? work.turn?.meter : lookUp(work.calls, callId)?.meter;
  if (meter !== undefined && entry.messageId !== null && isMetered(meter, entry.messageId)) meterReply(work, input, { callId });
};

const teller = (work: Work): Told => toldBy(work, tellAside);

const noteNotice = (work: Work, notice: Notice): void => {
  if (notice.toolUseId !== null) noteAgent(work, notice.agentId, notice.toolUseId, teller(work));
};

// ENV-23: a background agent ends when its end is reported, even turns later.
const endByNotice = (work: Work, notice: Notice, at: number): void => {
  if (notice.status === null) return;
  const named = notice.toolUseId !== null && lookUp(work.calls, notice.toolUseId) !== undefined ? notice.toolUseId : undefined;
  const id = named ?? lookUp(work.strands, agentKey(notice.agentId)) ?? lookUp(work.callOfAgent, notice.agentId);
  const status = STATUS_OF_NOTICE.get(notice.status) ?? 'cancelled';
  if (id !== undefined && lookUp(work.calls, id) !== undefined) stopCall(work, id, status, at);
  else if (notice.toolUseId !== null) work.noticed = put(work.noticed, notice.toolUseId, { status, at });
};

const STATUS_OF_NOTICE: ReadonlyMap<string, TurnStatus> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['error', 'failed'],
]);

const takeMain = (work: Work, input: RecordInput): void => {
  const { entry, record } = input;
  const { role, at } = entry;
  const before = work.inline;
  if (role !== 'state') work.inline = null;
  switch (role) {
    case 'prompt':
      // A prompt sent while the agent was working belongs to the same turn.
      if (record['isQueued'] !== true) {
        settleTurn(work, null, at);
        closeTurn(work, judgeTurn(work), at);
      }
      if (isClearing(work, input)) tellClearing(work, input);
      tellPrompt(work, input);
      break;
    case 'reply':
      settleTurn(work, entry.messageId, at);
      tellReply(work, input, MAIN, teller(work));
      noteEnding(work, input);
      break;
    case 'result':
      settleTurn(work, null, at);
      if (work.turn !== null)
        work.turn = { ...work.turn, ending: null, isCut: work.turn.hasReasons || entry.results.some(({ answer }) => answer === 'void') };
      takeResults(work, input, MAIN, before);
      break;
    case 'synthetic':
      if (entry.isApiError) {
        settleTurn(work, null, at);
        tellReply(work, input, MAIN, teller(work));
        cutTurn(work, 'failed', at);
      } else drop(work, input);
      break;
    case 'interruption':
      settleTurn(work, null, at);
      cutTurn(work, 'cancelled', at);
      drop(work, input);
      break;
    case 'boundary': {
      settleTurn(work, null, at);
      const tokens = entry.more?.compaction?.preTokens ?? null;
      const text = tokens === null ? 'Conversation compacted' : `Conversation compacted (${tokens} tokens before)`;
      tellService(work, input, { t: 'service', kind: 'compaction', text });
      break;
    }
    case 'command':
      settleTurn(work, null, at);
      if (work.turn?.ending != null) closeTurn(work, judgeTurn(work), at);
      tellService(work, input, { t: 'service', kind: 'command', text: slashCommandIn(textIn(input)) ?? textIn(input) });
      break;
    case 'notice':
      settleTurn(work, null, at);
      if (work.turn?.ending != null) closeTurn(work, judgeTurn(work), at);
      if (entry.more?.notice != null) drop(work, input);
      else tellService(work, input, { t: 'service', kind: 'notice', text: textIn(input) });
      break;
    case 'attachment':
    case 'progress':
      if (isClearing(work, input)) {
        settleTurn(work, null, at);
        closeTurn(work, judgeTurn(work), at);
        tellClearing(work, input);
      } else if (role === 'attachment') takeAttachment(work, input);
      else drop(work, input);
      break;
    case 'system':
      // Written when the prompt returns: the surest sign there is.
      if (record['subtype'] === 'turn_duration' && work.turn?.ending != null) closeTurn(work, judgeTurn(work), at);
      drop(work, input);
      break;
    case 'summary':
    case 'meta':
    case 'output':
    case 'bash':
    case 'memory':
    case 'state':
      drop(work, input);
      break;
    default:
      assertNever(role);
  }
};

/** The same for a sub-agent, once its call is known. */
const tellAside = (work: Work, callId: string, input: RecordInput): void => {
  const { entry } = input;
  const speaker: Speaker = { callId };
  switch (entry.role) {
    case 'prompt':
      tellAsked(work, callId, input);
      break;
    case 'reply':
      startIfNew(work, callId, entry.at);
      tellReply(work, input, speaker, teller(work));
      break;
    case 'synthetic':
      if (entry.isApiError) {
        startIfNew(work, callId, entry.at);
        tellReply(work, input, speaker, teller(work));
      } else drop(work, input);
      break;
    case 'result':
      startIfNew(work, callId, entry.at);
      takeResults(work, input, speaker, null);
      break;
    case 'boundary':
      startIfNew(work, callId, entry.at);
      say(work, input, speaker, 0, { t: 'service', kind: 'compaction', text: 'Conversation compacted' });
      break;
    case 'summary':
    case 'meta':
    case 'command':
    case 'output':
    case 'bash':
    case 'memory':
    case 'notice':
    case 'interruption':
    case 'attachment':
    case 'progress':
    case 'system':
    case 'state':
      drop(work, input);
      break;
    default:
      assertNever(entry.role);
  }
};

// Its task is sent once, whether it arrives by the stream, the file or both; an agent that is asked again continues.
const tellAsked = (work: Work, callId: string, input: RecordInput): void => {
  const call = lookUp(work.calls, callId);
  if (call === undefined) return;
  const { entry } = input;
  const text = textIn(input);
  const isFirst = !call.isPromptTold;
  const asked = normalise(text);
  // Called again: from here on, it answers that call.
  const next = isFirst || call.agentId === null ? undefined : (lookUp(work.callsOfAgent, call.agentId) ?? []).find((id) => isAsking(work, id, asked));
  if (next !== undefined && call.agentId !== null) {
    work.strands = put(work.strands, agentKey(call.agentId), next);
    doNext(work, () => tellAsked(work, next, input));
    return;
  }
  if (!isFirst && asked === call.prompt) {
    countDropped(work, 'repeated-prompt');
    return;
  }
  if (!isFirst || call.status === 'called') startCall(work, callId, entry.at);
  const started = lookUp(work.calls, callId) ?? call;
  if (isFirst) keep(work, { ...started, isPromptTold: true, prompt: started.prompt === '' ? asked : started.prompt });
  const ev = { t: 'text', text, prompt: true } as const;
  // Named after the call, on which the stream and the file agree; on the record they don't.
  if (isFirst && !call.isOrphan) {
    tell(work, entry.at, {
      id: idOf(call.uuid, call.block, 'text', 0),
      role: 'agent',
      ...(call.turn === null ? {} : { turn: call.turn }),
      subagent: call.subagent,
      ev: { ...ev, ...sourceOf(input) },
    });
  } else say(work, input, { callId }, 0, ev);
};

const isAsking = (work: Work, id: string, prompt: string): boolean => {
  const call = lookUp(work.calls, id);
  return call !== undefined && !call.isPromptTold && call.prompt === prompt;
};

const takeResults = (work: Work, input: RecordInput, speaker: Speaker, before: string | null): void => {
  const results = blocksOf(input.record).flatMap((value, block) => (isObject(value) && value['type'] === 'tool_result' ? [{ value, block }] : []));
  const agents = input.entry.results.filter(({ toolUseId }) => lookUp(work.calls, toolUseId) !== undefined);
  const answers = input.entry.results.values();
  const tasks = results.flatMap(({ value, block }) => {
    const { value: answer } = answers.next();
    const call = answer === undefined ? undefined : lookUp(work.calls, answer.toolUseId);
    if (answer !== undefined && call === undefined && answer.agentId !== null && lookUp(work.tools, answer.toolUseId) === undefined)
      return [() => noteEarlyAnswer(work, answer, input.entry.at)];
    if (answer === undefined || call === undefined) return [() => tellResult(work, input, speaker, value, block)];
    return [
      () => {
        answerInTurn(work, call.id);
        if (answer.agentId !== null) noteAgent(work, answer.agentId, call.id, teller(work));
        // Up to 2.0.26, a sub-agent's records come right before the result of its call, and nothing else identifies them.
        if (before !== null && agents.length === 1) bindByPlace(work, before, call.id, teller(work));
      },
      () => {
        if (answer.answer === 'stub') keepBackground(work, call.id);
        else endCall(work, input, call.id, { answer, value, block });
      },
    ];
  });
  const beside = blocksOf(input.record).length - results.length;
  if (beside > 0) countDropped(work, 'beside-result');
  doAll(work, tasks);
};

// The answer of an agent whose call hasn't been seen yet: the call ends when it is seen.
const noteEarlyAnswer = (work: Work, answer: ToolResult, at: number): void => {
  countDropped(work, 'answer-before-call');
  if (answer.agentId !== null) noteAgent(work, answer.agentId, answer.toolUseId, teller(work));
  if (answer.answer !== 'stub') work.noticed = put(work.noticed, answer.toolUseId, { status: statusOf(answer), at });
};

const noteEnding = (work: Work, { record, entry }: RecordInput): void => {
  const { turn } = work;
  if (turn === null) return;
  const reason = stringOf(objectOf(record['message'])?.['stop_reason']);
  const isGoingOn = reason === 'tool_use' || reason === 'pause_turn' || entry.uses.length > 0;
  // Text without a stop reason may be the final message; thinking never is.
  const last = blocksOf(record).at(-1);
  const how = reason !== null ? 'said' : isObject(last) && last['type'] === 'text' ? 'likely' : null;
  const hasReasons = turn.hasReasons || objectOf(record['message'])?.['stop_reason'] !== undefined;
  work.turn = { ...turn, isCut: false, hasReasons, ending: isGoingOn || how === null ? null : { how, messageId: entry.messageId } };
};

// Text typed while the agent was working arrives as an attachment; it interrupts nothing.
const takeAttachment = (work: Work, input: RecordInput): void => {
  const attachment = objectOf(input.record['attachment']);
  const prompt = attachment?.['type'] === 'queued_command' && input.entry.more?.notice == null ? firstTextOf(attachment['prompt']) : null;
  const isTyped = prompt !== null && prompt !== '' && attachment?.['commandMode'] === 'prompt' && attachment['isMeta'] !== true;
  const sent = stringOf(attachment?.['source_uuid']);
  if (!isTyped) drop(work, input);
  // Its sender has already reported it, under the uuid it was sent with.
  else if (sent !== null && !isNew(work, sent)) countDropped(work, 'repeated');
  else tell(work, input.entry.at, { id: idOf(sent ?? input.uuid, 0, 'text', 0), role: 'user', ev: { t: 'text', text: prompt, ...sourceOf(input) } });
};

const textIn = (input: RecordInput): string =>
  blocksOf(input.record)
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');

// ENV-53: a fresh start clears the context if something was said before.
const isClearing = (work: Work, { entry }: RecordInput): boolean => entry.more?.isFreshStart === true && work.time > 0;

const tellClearing = (work: Work, input: RecordInput): void => tellService(work, input, { t: 'service', kind: 'clear', text: 'Context cleared' });

const tellService = (work: Work, input: RecordInput, ev: Extract<Envelope['ev'], { t: 'service' }>): void => {
  tell(work, input.entry.at, {
    id: idOf(input.uuid, 0, 'service', 0),
    role: 'agent',
    ...(work.turn === null ? {} : { turn: work.turn.id }),
    ev: { ...ev, ...sourceOf(input) },
  });
};

// ENV-17: counted, and sent on request for everything.
const drop = (work: Work, input: RecordInput): void => {
  countDropped(work, input.entry.role === 'system' || input.entry.role === 'state' ? input.entry.kind : input.entry.role);
  if (work.options.everything !== true) return;
  tellService(work, input, { t: 'service', kind: 'record', text: input.entry.kind, data: input.record });
};

const MAIN: Speaker = { callId: null };
