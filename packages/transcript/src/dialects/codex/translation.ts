import type { Base, BaseNeed, Context, LinePlace, Translation } from '../../dialect.ts';
import { countOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { takeBare } from './bare.ts';
import { takeEvent } from './events.ts';
import { indexOf, timeIn } from './files.ts';
import { takeItem } from './items.ts';
import { takeMeta } from './meta.ts';
import { begin, counted, owning, pass, say, type Said, type State, type Step } from './state.ts';
import { endResponse, takeUsageRecord } from './usage.ts';

/** CODEX-3: a rollout, line by line. */
export const beginRollout = (file: Context, base: Base | null): Translation => behind(begin(file, base));

/** CODEX-10: what a rollout builds on: the part of another file that it points to, or the thread whose lines it copies. */
export const baseOf = (first: JsonObject): BaseNeed | null => {
  const payload = first['type'] === 'session_meta' ? objectOf(first['payload']) : null;
  const base = objectOf(payload?.['history_base']);
  const pointedAt = stringOf(base?.['thread_id']);
  if (pointedAt !== null) {
    const end = countOf(base?.['end_ordinal_exclusive']) ?? 0;
    return { id: pointedAt, holds: (line) => (countOf(line['ordinal']) ?? 0) < end, print: null, index: null };
  }
  const copied = stringOf(payload?.['forked_from_id']);
  const isAgent = payload?.['parent_thread_id'] !== undefined || objectOf(payload?.['source']) !== null;
  return copied === null || isAgent ? null : { id: copied, holds: () => true, print: printOf, index: indexOf };
};

const behind = (state: State): Translation => {
  const here: Translation = {
    tip: state.tip,
    take: (value, at) => {
      const step = takeLine(state, value, at);
      return { record: step.record, next: step.state === state ? here : behind(step.state) };
    },
  };
  return here;
};

const takeLine = (before: State, value: JsonObject, place: LinePlace): Step => {
  const at: Said = { ...place, time: stringOf(value['timestamp']) };
  const type = stringOf(value['type']) ?? '';
  const payload = objectOf(value['payload']);
  if (payload === null) return takeName(before, value, at) ?? takeBare(before, value, at) ?? pass(before, at, `codex/${type}`);
  const state = withTurn(copied(before, value, payload), payload);
  if (state.copying?.kind === 'agent' && type !== 'session_meta') return pass(contextOf(state, type, payload), at, 'codex/inherited');
  switch (type) {
    case 'session_meta':
      return takeMeta(state, payload, at);
    case 'turn_context':
      return pass(contextOf(state, type, payload), at, 'codex/turn_context');
    case 'response_item':
      return takeItem(state, payload, at);
    case 'event_msg':
      return takeEvent(contextOf(state, type, payload), payload, at);
    case 'token_usage_record':
      return takeUsageRecord(state, at, payload);
    case 'compacted':
      return takeCompaction(state, payload, at);
    default:
      return pass(state, at, `codex/${type}`);
  }
};

/** A name that somebody gave a thread, from the index of names. */
const takeName = (state: State, value: JsonObject, { time: _time, ...at }: Said): Step | null => {
  const [id, name] = [stringOf(value['id']), stringOf(value['thread_name'])];
  if (id === null || name === null) return null;
  const { record } = pass(state, { ...at, time: stringOf(value['updated_at']) }, 'custom-title', { sessionId: id, customTitle: name });
  return { state, record };
};

/** CODEX-9: the summary, without the text that introduces it to the model. */
const takeCompaction = (state: State, payload: JsonObject, at: Said): Step => {
  const text = stringOf(payload['message']) ?? '';
  const from = PREAMBLE.exec(text)?.[0].length ?? 0;
  const said = { type: 'user', isCompactSummary: true, message: { role: 'user', content: text.slice(from).trim() } };
  const { state: then, name } = counted(endResponse(state), 'summary');
  return say(then, at, name, said);
};

/** Updates whether the lines are still copies of another thread's. */
const copied = (state: State, value: JsonObject, payload: JsonObject): State => {
  const { copying, base } = state;
  if (copying === null || value['type'] === 'session_meta')
    return copying?.kind === 'fork' ? { ...state, copying: { ...copying, next: copying.next + 1 } } : state;
  const isNewTurn = (timeOfTurn(payload) ?? Number.NaN) >= state.begunAt;
  if (copying.kind === 'agent') {
    // A line without a number is judged by its turn.
    const ordinal = copying.until === null ? null : countOf(value['ordinal']);
    const isOver = copying.until === null || ordinal === null ? isNewTurn : ordinal >= copying.until;
    return isOver ? { ...state, copying: null } : state;
  }
  if (isNewTurn) return owning(state);
  const hasTurns = copying.hasTurns || timeOfTurn(payload) !== null;
  if (!hasTurns && base !== null && base.prints[copying.next] !== printOf(value)) return owning(state);
  return { ...state, copying: { ...copying, hasTurns, next: copying.next + 1 } };
};

const timeOfTurn = (payload: JsonObject): number | null => {
  const id = stringOf(payload['turn_id']);
  return id === null ? null : timeIn(id);
};

const withTurn = (state: State, payload: JsonObject): State => {
  const turnId = stringOf(payload['turn_id']);
  return turnId === null || turnId === state.turnId ? state : { ...state, turnId };
};

/** The model and the directory may change from turn to turn. */
const contextOf = (state: State, type: string, payload: JsonObject): State => {
  const context = type === 'turn_context' ? payload : payload['type'] === 'thread_settings_applied' ? objectOf(payload['thread_settings']) : null;
  if (context === null) return state;
  const model = stringOf(context['model']) ?? state.model;
  const cwd = stringOf(context['cwd']) ?? state.facts['cwd'];
  return model === state.model && cwd === state.facts['cwd'] ? state : { ...state, model, facts: { ...state.facts, cwd } };
};

/** Two lines with the same print say the same, whenever they were written. */
const printOf = (line: JsonObject): number => {
  const text = JSON.stringify([line['type'], line['payload']]);
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 11) * 4294967296 + (low >>> 0);
};

const PREAMBLE = /^Another language model started to solve this problem[^\n]*?:\s*/u;
