import { countOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';
import { pass, say, type Said, type State, type Step } from './state.ts';

/** The id shared by all records of the current response. */
const responseId = ({ owner, counts }: State, back = 0): string => `codex/${owner}/response/${counts.response - back}`;

/** A part of the model's answer. A result or a new prompt ends the response before it, even if nothing reported its cost. */
export const reply = (before: State, at: Said, name: string, block: JsonObject): Step => {
  const isCall = block['type'] === 'tool_use';
  const isLate = isCall && before.mayCall;
  const state = before.response === 'answered' ? nextResponse(before) : before;
  const { record, state: then } = say(state, at, name, {
    type: 'assistant',
    message: { role: 'assistant', id: responseId(state, isLate ? 1 : 0), model: state.model, content: [block] },
  });
  return { record, state: isLate ? then : { ...then, response: 'open', hasCalls: state.hasCalls || isCall, mayCall: false } };
};

/** Ends the open response. */
export const endResponse = (state: State): State =>
  state.response !== 'closed' ? nextResponse(state) : state.mayCall ? { ...state, mayCall: false } : state;

/** CODEX-8: newer versions write one usage line per response, with the thread it belongs to. */
export const takeUsageRecord = (state: State, at: Said, payload: JsonObject): Step => {
  const usage = objectOf(payload['usage']);
  const thread = stringOf(payload['thread_id']);
  if (usage === null || (thread !== null && thread !== state.thread)) return pass(state, at, 'codex/token_usage_record');
  return count({ ...state, recorded: keyOf(usage) }, at, usage);
};

/** Older versions repeat the running totals; every change of the totals is one response. */
export const takeTokenCount = (state: State, at: Said, payload: JsonObject): Step => {
  const info = objectOf(payload['info']);
  const last = objectOf(info?.['last_token_usage']);
  const total = keyOf(objectOf(info?.['total_token_usage']));
  const kind = 'codex/event_msg/token_count';
  if (last === null || total === NOTHING || total === state.total) return pass(state, at, kind);
  const known: State = { ...state, total };
  if (keyOf(last) === state.recorded) return pass({ ...known, recorded: '' }, at, kind);
  if (isNothing(last)) return pass(known, at, kind);
  const { record, state: then } = count(known, at, last);
  return { record, state: { ...then, mayCall: !known.hasCalls } };
};

const count = (state: State, at: Said, usage: JsonObject): Step => {
  const { record, state: then } = say(state, at, `usage/${state.counts.response}`, {
    type: 'assistant',
    message: { role: 'assistant', id: responseId(state), model: state.model, content: [], usage: usageOf(usage) },
  });
  return { record, state: nextResponse(then) };
};

const nextResponse = (state: State): State => ({
  ...state,
  response: 'closed',
  hasCalls: false,
  mayCall: false,
  counts: { ...state.counts, response: state.counts.response + 1 },
});

// Codex counts cached input as part of the input, and reasoning as part of the output.
const usageOf = (usage: JsonObject): JsonObject => {
  const cached = tokens(usage['cached_input_tokens']);
  const written = tokens(usage['cache_write_input_tokens']);
  return {
    input_tokens: Math.max(0, tokens(usage['input_tokens']) - cached - written),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: tokens(usage['output_tokens']),
  };
};

const tokens = (value: Json | undefined): number => countOf(value) ?? 0;

const keyOf = (usage: JsonObject | null): string =>
  usage === null ? NOTHING : ['input_tokens', 'cached_input_tokens', 'output_tokens'].map((key) => tokens(usage[key])).join(' ');

const isNothing = (usage: JsonObject): boolean => keyOf(usage) === '0 0 0';

const NOTHING = '-';
