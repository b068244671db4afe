import { isObject, listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { agentIn, isReadable, returnedBy, toolUseOf } from './calls.ts';
import { reportIn } from './reports.ts';
import { counted, pass, say, type OpenCall, type Said, type State, type Step } from './state.ts';
import { reply } from './usage.ts';

/** What the model saw. Calls and their results occur only here; texts also come as events, and are taken from those. */
export const takeItem = (state: State, item: JsonObject, at: Said): Step => {
  const type = stringOf(item['type']) ?? '';
  if (type === 'message') return takeMessage(state, item, at);
  if (type === 'agent_message') return takeAgentMessage(state, item, at);
  if (type.endsWith('_call')) return takeCall(state, item, at);
  if (type.endsWith('_output') && stringOf(item['call_id']) !== null) return takeOutput(state, item, at);
  return pass(state, at, `codex/response_item/${type}`);
};

/** CODEX-4: messages that the CLI writes in the user's name become notes; what the user typed comes from its event. */
const takeMessage = (state: State, item: JsonObject, at: Said): Step => {
  const role = stringOf(item['role']) ?? '';
  const text = textIn(item);
  if (role !== 'user' || isTyped(item, text)) return pass(state, at, `codex/response_item/message/${role}`);
  const { state: then, name } = counted(state, 'note');
  const report = reportIn(text);
  return say(then, at, name, {
    type: 'user',
    isMeta: true,
    ...(report === null ? {} : { origin: { kind: 'task-notification' } }),
    message: { role: 'user', content: report ?? text },
  });
};

/** Second-generation agents talk in messages of their own: a task begins a sub-agent's conversation, anything else becomes a notice. */
const takeAgentMessage = (state: State, item: JsonObject, at: Said): Step => {
  const { state: then, name } = counted(state, 'task');
  const told = textIn(item);
  const secret = listOf(item['content']).flatMap((block) => (isObject(block) ? [stringOf(block['encrypted_content'])] : []));
  const readable = secret.filter((text): text is string => text !== null && isReadable(text));
  const recipient = stringOf(item['recipient']) ?? '';
  if (state.file.agentId !== null && !state.hasPrompt) {
    const text = readable.length > 0 ? readable.join('\n') : /\nPayload:\n([\s\S]+)$/u.exec(told)?.[1];
    const content = text ?? `The task of ${recipient} is encrypted.`;
    return say({ ...then, hasPrompt: true }, at, name, { type: 'user', promptSource: 'typed', message: { role: 'user', content } });
  }
  const said = [told, ...readable].join('').trim();
  return say(then, at, name, {
    type: 'user',
    isMeta: true,
    origin: { kind: 'task-notification' },
    message: { role: 'user', content: said },
  });
};

const takeCall = (state: State, item: JsonObject, at: Said): Step => {
  const { id, name, input } = toolUseOf(item);
  const { state: numbered, name: place } = counted(state, 'call');
  const callId = id ?? `codex/${state.owner}/${place}`;
  const { record, state: then } = reply(id === null ? numbered : state, at, `call/${callId}`, { type: 'tool_use', id: callId, name, input });
  const open: OpenCall = { isScript: name === 'exec', failed: false, agentId: null };
  return { record, state: { ...then, calls: withCall(then.calls, callId, open) } };
};

const takeOutput = (state: State, item: JsonObject, at: Said): Step => {
  const id = stringOf(item['call_id']) ?? '';
  const call = state.calls.get(id);
  const { texts, failed } = returnedBy(item, call?.failed === true);
  const agentId = call?.agentId ?? agentIn(item);
  const result = { type: 'tool_result', tool_use_id: id, is_error: failed, content: texts.map((text) => ({ type: 'text', text })) };
  const { record, state: then } = say(state, at, `result/${id}`, {
    type: 'user',
    message: { role: 'user', content: [result] },
    // The agent starts working now, and answers later.
    ...(agentId === null ? {} : { toolUseResult: { status: 'async_launched', agentId } }),
  });
  return { record, state: { ...then, calls: withoutCall(then.calls, id), response: then.response === 'open' ? 'answered' : then.response } };
};

/** Whether an event repeats this message as typed by the user. */
export const isTyped = (item: JsonObject, text: string): boolean => {
  const kinds = listOf(objectOf(item['internal_chat_message_metadata_passthrough'])?.['content_item_kinds']);
  if (kinds.length > 0) return kinds.some((kind) => typeof kind === 'string' && kind.startsWith('user.'));
  return !INJECTED.some((start) => text.startsWith(start));
};

export const textIn = (item: JsonObject): string =>
  listOf(item['content'])
    .flatMap((block) => (isObject(block) ? [stringOf(block['text'])] : []))
    .filter((text): text is string => text !== null)
    .join('\n');

// A killed process leaves its open calls here; there are never many at once.
const withCall = (calls: State['calls'], id: string, call: OpenCall): State['calls'] => {
  const all = new Map(calls).set(id, call);
  const [oldest] = all.keys();
  if (all.size > MOST_OPEN && oldest !== undefined) all.delete(oldest);
  return all;
};

const withoutCall = (calls: State['calls'], id: string): State['calls'] => {
  if (!calls.has(id)) return calls;
  const rest = new Map(calls);
  rest.delete(id);
  return rest;
};

const MOST_OPEN = 64;

const INJECTED = [
  '<environment_context>',
  '<user_instructions>',
  '<skills_instructions>',
  '<skill>',
  '<permissions instructions>',
  '<subagent_notification>',
  '<turn_aborted>',
  '<user_shell_command>',
  '<collaboration_mode>',
  '# AGENTS.md instructions for ',
] as const;
