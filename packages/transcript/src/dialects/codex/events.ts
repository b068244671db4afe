import { countOf, isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';
import { reportOf } from './reports.ts';
import { counted, pass, say, type OpenCall, type Said, type State, type Step, type Turn } from './state.ts';
import { endResponse, reply, takeTokenCount } from './usage.ts';

/** CODEX-3: what the user saw. Every text occurs here once. */
export const takeEvent = (state: State, event: JsonObject, at: Said): Step => {
  const type = stringOf(event['type']) ?? '';
  switch (type) {
    case 'user_message':
      return takePrompt(state, at, contentOf(stringOf(event['message']) ?? '', listOf(event['images'])));
    case 'agent_message':
      return takeWords(state, at, type, stringOf(event['message']));
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return takeThoughts(state, at, type, [stringOf(event['text'])]);
    case 'item_completed':
      return takeCompleted(state, objectOf(event['item']) ?? {}, at);
    case 'token_count':
      return takeTokenCount(state, at, event);
    case 'task_started':
    case 'turn_started':
      return pass(endResponse(state), at, `codex/event_msg/${type}`);
    case 'task_complete':
    case 'turn_complete':
    case 'error':
      return takeEnd(state, event, at, type);
    case 'turn_aborted':
      return takeInterruption(state, at);
    case 'context_compacted':
      return takeBoundary(state, at);
    case 'thread_rolled_back':
      return takeBack(state, at, countOf(event['num_turns']) ?? 0);
    case 'thread_name_updated':
      return takeName(state, event, at);
    default:
      return pass(state, at, `codex/event_msg/${type}`);
  }
};

const takeCompleted = (state: State, item: JsonObject, at: Said): Step => {
  const type = stringOf(item['type']) ?? '';
  const kind = `codex/event_msg/item_completed/${type}`;
  switch (type) {
    case 'UserMessage':
      return takePrompt(state, at, contentOf(textIn(item['content']), listOf(item['content']).map(imageIn)));
    case 'AgentMessage':
      return takeWords(state, at, kind, textIn(item['content']));
    case 'Reasoning':
      return takeThoughts(state, at, kind, [...listOf(item['summary_text']), ...listOf(item['raw_content'])]);
    case 'ContextCompaction':
      return takeBoundary(state, at);
    case 'SubAgentActivity':
      return takeActivity(state, item, at, kind);
    default:
      return pass(withOutcome(state, item), at, kind);
  }
};

/** The end of a sub-agent comes as an event with its id; its answer follows in a message without an id. */
const takeActivity = (state: State, item: JsonObject, at: Said, kind: string): Step => {
  const [agentId, status] = [stringOf(item['agent_thread_id']), stringOf(item['kind'])];
  if (agentId === null || status === null || status === 'started' || status === 'interacted') return pass(withOutcome(state, item), at, kind);
  return pass(state, at, 'queue-operation', { content: reportOf(agentId, status, null) });
};

export const takePrompt = (before: State, at: Said, content: Json): Step => {
  const { state, name } = counted(endResponse(before), 'prompt');
  const isSame = state.turns !== null && state.turnId !== null && state.turns.id === state.turnId;
  const turns: Turn | null = isSame ? state.turns : { id: state.turnId, before: state.tip, earlier: state.turns };
  return say({ ...state, turns, hasPrompt: true }, at, name, {
    type: 'user',
    promptSource: 'typed',
    message: { role: 'user', content },
  });
};

export const takeWords = (state: State, at: Said, kind: string, text: string | null): Step => {
  if (text === null || text === '') return pass(state, at, kind);
  const { state: then, name } = counted(state, 'words');
  return reply(then, at, name, { type: 'text', text });
};

export const takeThoughts = (state: State, at: Said, kind: string, parts: readonly (Json | undefined)[]): Step => {
  const thinking = parts.filter((part): part is string => typeof part === 'string' && part !== '').join('\n\n');
  if (thinking === '') return pass(state, at, kind);
  const { state: then, name } = counted(state, 'thoughts');
  return reply(then, at, name, { type: 'thinking', thinking });
};

const takeEnd = (state: State, event: JsonObject, at: Said, type: string): Step => {
  const error = type === 'error' ? event : objectOf(event['error']);
  const message = stringOf(error?.['message']);
  if (message === null) return pass(endResponse(state), at, `codex/event_msg/${type}`);
  const { state: then, name } = counted(endResponse(state), 'error');
  return say(then, at, name, {
    type: 'assistant',
    isApiErrorMessage: true,
    message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: `API Error: ${message}` }] },
  });
};

const takeBoundary = (state: State, at: Said): Step => {
  const { state: then, name } = counted(state, 'boundary');
  return say(then, at, name, { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' });
};

/** CODEX-10: turns taken back stay where they are; the conversation continues from before them. */
const takeBack = (state: State, at: Said, many: number): Step => {
  let turn = state.turns;
  let { tip } = state;
  for (let left = many; left > 0 && turn !== null; left -= 1) {
    tip = turn.before;
    turn = turn.earlier;
  }
  const then = { ...endResponse(state), tip, turns: turn };
  const more = many === 0 ? {} : { takesBack: true };
  return tip === null ? pass(then, at, 'codex/event_msg/thread_rolled_back', more) : pass(then, at, 'last-prompt', { leafUuid: tip, ...more });
};

const takeName = (state: State, event: JsonObject, at: Said): Step => {
  const name = stringOf(event['thread_name']);
  return name === null ? pass(state, at, 'codex/event_msg/thread_name_updated') : pass(state, at, 'custom-title', { customTitle: name });
};

const takeInterruption = (before: State, at: Said): Step => {
  const { state, name } = counted(endResponse(before), 'interruption');
  return say(state, at, name, { type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } });
};

/** What an event says about a call before its result arrives: that it failed, or which agent it started. */
const withOutcome = (state: State, item: JsonObject): State => {
  const id = stringOf(item['id']) ?? '';
  const exit = item['exit_code'];
  const failed = item['status'] === 'failed' || (typeof exit === 'number' && exit !== 0);
  const agentId = agentOf(item);
  if (!failed && agentId === null) return state;
  // A script's command has no id of its own; it belongs to the oldest open script, because it comes before that script's result.
  const called = state.calls.has(id) ? id : item['type'] === 'CommandExecution' ? oldestScript(state) : null;
  const call = called === null ? undefined : state.calls.get(called);
  if (called === null || call === undefined) return state;
  const told: OpenCall = { ...call, failed: call.failed || failed, agentId: agentId ?? call.agentId };
  return { ...state, calls: new Map(state.calls).set(called, told) };
};

const agentOf = (item: JsonObject): string | null => {
  if (item['type'] === 'SubAgentActivity') return item['kind'] === 'started' ? stringOf(item['agent_thread_id']) : null;
  return item['type'] === 'CollabAgentToolCall' && item['tool'] === 'spawn_agent' ? stringOf(listOf(item['receiver_thread_ids'])[0]) : null;
};

const oldestScript = ({ calls }: State): string | null => [...calls].find(([, { isScript }]) => isScript)?.[0] ?? null;

const textIn = (content: Json | undefined): string =>
  listOf(content)
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');

const imageIn = (block: Json): Json => (isObject(block) && block['type'] === 'image' ? (block['image_url'] ?? null) : null);

export const contentOf = (text: string, images: readonly Json[]): Json => {
  const pictures = images.flatMap((image) => {
    const [, media_type, data] = typeof image === 'string' ? (/^data:(image\/[\w.+-]+);base64,(.*)$/su.exec(image) ?? []) : [];
    return media_type === undefined || data === undefined ? [] : [{ type: 'image', source: { type: 'base64', media_type, data } }];
  });
  return pictures.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures];
};
