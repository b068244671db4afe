import { withoutContext } from '../injected.ts';
import { isObject, objectOf, stringOf, type JsonObject } from '../json.ts';
import type { ToolUse } from '../tools.ts';
import { blocksOf, fileOf, resultOf, type FoundFile } from './blocks.ts';
import { keep, placeOf, registerCall, type Told } from './calls.ts';
import type { EnvelopeEvent, EnvelopeRole } from './envelope.ts';
import { idOf } from './ids.ts';
import { lookUp, put } from './layered.ts';
import { isMarked, mark, NO_MARKS, unmark } from './marks.ts';
import { metered } from './meter.ts';
import { countDropped, tell, type RecordInput, type Work } from './state.ts';
import { answerInTurn, interruptTools, openTurn } from './turns.ts';

/** The speaker: the main conversation, or a sub-agent, by its call. */
export type Speaker = { readonly callId: string | null };

/** ENV-13: a model's message, block by block. */
export const tellReply = (work: Work, input: RecordInput, speaker: Speaker, told: Told): void => {
  const { entry, record } = input;
  if (entry.uses.length > 0 && record['subtype'] === 'tool_use') {
    // The seed's form: the call is the record itself.
    entry.uses.forEach((use, block) => tellUse(work, input, speaker, { use, block, args: objectOf(record['toolArguments']) ?? {} }, told));
  } else tellBlocks(work, input, speaker, told);
  meterReply(work, input, speaker);
};

const tellBlocks = (work: Work, input: RecordInput, speaker: Speaker, told: Told): void => {
  const { entry, record } = input;
  const called = entry.uses.flatMap((use) => (use.call === null ? [] : [use.id]));
  if (called.length > 0) work.callsIn = put(work.callsIn, input.uuid, called);
  const uses = entry.uses.values();
  blocksOf(record).forEach((value, block) => {
    const type = isObject(value) ? stringOf(value['type']) : null;
    if (!isObject(value)) countDropped(work, 'block');
    else if (type === 'text') tellText(work, input, speaker, { block, text: stringOf(value['text']) ?? '', isThinking: false });
    else if (type === 'thinking') tellText(work, input, speaker, { block, text: stringOf(value['thinking']) ?? '', isThinking: true });
    else if (type === 'redacted_thinking') tellText(work, input, speaker, { block, text: '[redacted]', isThinking: true });
    else if (type === 'tool_use') {
      const use = uses.next();
      if (use.done !== true) tellUse(work, input, speaker, { use: use.value, block, args: objectOf(value['input']) ?? {} }, told);
    } else if (type === 'server_tool_use') {
      const use = { id: stringOf(value['id']) ?? `${input.uuid}#${block}`, name: stringOf(value['name']) ?? '', call: null };
      tellUse(work, input, speaker, { use, block, args: objectOf(value['input']) ?? {} }, told);
    } else if (type?.endsWith('_tool_result') === true) tellResult(work, input, speaker, value, block);
    else tellFile(work, input, speaker, fileOf(value, input.uuid, [block]), block, `block:${type ?? 'unknown'}`);
  });
};

type TextBlock = { readonly block: number; readonly text: string; readonly isThinking: boolean };

const tellText = (work: Work, input: RecordInput, speaker: Speaker, { block, text, isThinking }: TextBlock): void => {
  // Some versions keep only the signature of a thought.
  if (text === '') countDropped(work, isThinking ? 'empty-thinking' : 'empty-text');
  else {
    const { model } = input.entry;
    say(work, input, speaker, block, { t: 'text', text, ...(isThinking ? { thinking: true } : {}), ...(model === null ? {} : { model }) });
  }
};

type Use = { readonly use: ToolUse; readonly block: number; readonly args: JsonObject };

const tellUse = (work: Work, input: RecordInput, speaker: Speaker, { use, block, args }: Use, told: Told): void => {
  const { uuid, entry } = input;
  const caller = speaker.callId === null ? undefined : lookUp(work.calls, speaker.callId);
  const known = lookUp(work.tools, use.id);
  // Rewritten history keeps its message id; an endpoint that restarts its call ids with every message doesn't.
  const isReplayed = known !== undefined && known.state !== 'early' && known.messageId === entry.messageId;
  if (isReplayed || lookUp(work.calls, use.id) !== undefined) {
    countDropped(work, 'repeated-call');
    return;
  }
  const isAnswered = known?.state === 'early';
  const turn = speaker.callId === null ? openTurn(work, uuid, block, entry.at).id : (caller?.turn ?? null);
  if (work.turn !== null && speaker.callId === null) {
    work.turn = { ...work.turn, open: isAnswered ? work.turn.open : mark(work.turn.open, use.id), ending: null };
  }
  if (use.call !== null) {
    // ENV-14: the call itself isn't sent; the sub-agent it starts is.
    const said = { agentId: input.agentId, messageId: entry.messageId };
    registerCall(work, use, { uuid, block, turn, parent: caller?.subagent ?? null }, said, told);
    return;
  }
  const { messageId } = entry;
  work.tools = put(work.tools, use.id, { uuid, block, turn, caller: speaker.callId, messageId, state: isAnswered ? 'ended' : 'open' });
  if (caller !== undefined && !isAnswered) keep(work, { ...caller, open: mark(caller.open, use.id) });
  const title = `${use.name} call`;
  const description = stringOf(args['description']) ?? title;
  say(work, input, speaker, block, { t: 'tool-call-start', call: use.id, name: use.name, title, description, args });
};

/** The result of an ordinary call. It belongs to the turn that made the call, even if that is over. */
export const tellResult = (work: Work, input: RecordInput, speaker: Speaker, value: JsonObject, block: number): void => {
  const call = stringOf(value['tool_use_id']) ?? '';
  const tool = lookUp(work.tools, call);
  // Synthesized when the call was cut off: an actual result is still sent.
  const isMadeUp = tool !== undefined && input.record['synthetic'] === 'interrupted';
  if (tool?.state === 'ended' || tool?.state === 'early' || (isMadeUp && tool.state === 'interrupted')) {
    countDropped(work, 'repeated-result');
    return;
  }
  if (tool !== undefined && !isMadeUp) work.tools = put(work.tools, call, { ...tool, state: 'ended' });
  const { uuid } = input;
  // A result that names no call ends none.
  if (tool === undefined && call !== '')
    work.tools = put(work.tools, call, { uuid, block, turn: null, caller: speaker.callId, messageId: null, state: 'early' });
  answerInTurn(work, call);
  const callerId = tool === undefined ? speaker.callId : tool.caller;
  const caller = callerId === null ? undefined : lookUp(work.calls, callerId);
  if (caller !== undefined && isMarked(caller.open, call)) keep(work, { ...caller, open: unmark(caller.open, call) });
  if (isMadeUp) {
    interruptTools(work, mark(NO_MARKS, call), input.entry.at);
    return;
  }
  const { result, files } = resultOf(value, input.uuid, block);
  const turn = tool === undefined ? (callerId === null ? openTurn(work, input.uuid, block, input.entry.at).id : (caller?.turn ?? null)) : tool.turn;
  const place = { ...(turn === null ? {} : { turn }), ...(caller === undefined ? {} : { subagent: caller.subagent }) };
  const ordinal = tool?.state === 'interrupted' ? 1 : 0;
  tell(work, input.entry.at, {
    id: tool === undefined ? idOf(input.uuid, block, 'tool-call-end', 0) : idOf(tool.uuid, tool.block, 'tool-call-end', ordinal),
    role: 'agent',
    ...place,
    ev: { t: 'tool-call-end', call, result, isError: value['is_error'] === true, ...sourceOf(input) },
  });
  files.forEach((file, index) =>
    tell(work, input.entry.at, {
      id: idOf(input.uuid, block, 'file', index),
      role: 'agent',
      ...place,
      ev: { t: 'file', ...file, call, ...sourceOf(input) },
    }),
  );
};

/** ENV-15: a typed prompt with its attachments. */
export const tellPrompt = (work: Work, input: RecordInput): void => {
  blocksOf(input.record).forEach((value, block) => {
    const type = isObject(value) ? stringOf(value['type']) : null;
    const whole = isObject(value) && type === 'text' ? (stringOf(value['text']) ?? '') : '';
    const { words: text, forms } = withoutContext(whole);
    for (const form of forms) countDropped(work, `context:${form}`);
    if (text !== '') {
      const ev = { t: 'text', text, ...sourceOf(input) } as const;
      tell(work, input.entry.at, { id: idOf(input.uuid, block, 'text', 0), role: 'user', ev });
      if (work.options.shadow === true) tell(work, input.entry.at, { id: idOf(input.uuid, block, 'text', 1), role: 'session', ev });
    } else if (type === 'text') {
      if (forms.length === 0) countDropped(work, 'empty-text');
    } else tellFile(work, input, null, isObject(value) ? fileOf(value, input.uuid, [block]) : null, block, `block:${type ?? 'unknown'}`);
  });
};

const tellFile = (work: Work, input: RecordInput, speaker: Speaker | null, file: FoundFile | null, block: number, kind: string): void => {
  if (file === null) countDropped(work, kind);
  else if (speaker === null) {
    tell(work, input.entry.at, { id: idOf(input.uuid, block, 'file', 0), role: 'user', ev: { t: 'file', ...file, ...sourceOf(input) } });
  } else say(work, input, speaker, block, { t: 'file', ...file });
};

/** Something the agent says or does: it opens a turn, or belongs to the one its sub-agent was called in. */
export const say = (work: Work, input: RecordInput, speaker: Speaker, block: number, ev: EnvelopeEvent): void => {
  const { uuid, entry } = input;
  const caller = speaker.callId === null ? undefined : lookUp(work.calls, speaker.callId);
  const place = caller === undefined ? { turn: openTurn(work, uuid, block, entry.at).id } : placeOf(caller);
  const role: EnvelopeRole = 'agent';
  tell(work, entry.at, { id: idOf(uuid, block, ev.t, 0), role, ...place, ev: { ...ev, ...sourceOf(input) } });
};

export const sourceOf = ({ source }: RecordInput): { readonly source?: string } => (source === null ? {} : { source });

/** Counts a reply's usage, and again when its record reappears, since the file knows more than the stream. */
export const meterReply = (work: Work, { entry, uuid }: RecordInput, { callId }: Speaker): void => {
  if (entry.usage === null) return;
  const messageId = entry.messageId ?? uuid;
  if (callId !== null) {
    const caller = lookUp(work.calls, callId);
    if (caller !== undefined) keep(work, { ...caller, meter: metered(caller.meter, messageId, entry.usage) });
    // A record without words opens no turn; its message will repeat the figures.
  } else if (work.turn !== null) work.turn = { ...work.turn, meter: metered(work.turn.meter, messageId, entry.usage) };
};
