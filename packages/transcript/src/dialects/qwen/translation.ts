import type { Base, Context, LinePlace, Translation } from '../../dialect.ts';
import { countOf, isObject, listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { emptyLedger, type Ledger } from '../../ledger.ts';
import { exitIn, toolUseOf } from '../gemini/calls.ts';
import { answerIn } from '../gemini/replay.ts';

/** QWEN-3: a chat, line by line. More than half of the lines add nothing, but connect those that do. */
export const beginChat = (file: Context, _base: Base | null = null, beside: JsonObject | null = null): Translation =>
  behind({ file, model: stringOf(beside?.['model']), lines: emptyLedger(), tip: null, response: null });

type State = {
  readonly file: Context;
  /** The model, from the file next to a sub-agent's; the sub-agent's own lines don't name it. */
  readonly model: string | null;
  /** The record that the followers of each line continue from: its own, or the previous one if it adds nothing. */
  readonly lines: Ledger<string | null>;
  readonly tip: string | null;
  /** The current response: a sub-agent's spans several lines, of which the first one counts. */
  readonly response: string | null;
};

const behind = (state: State): Translation => ({
  tip: state.tip,
  take: (value, at) => {
    const { record, next } = takeLine(state, value, at);
    return { record, next: behind(next) };
  },
});

const takeLine = (state: State, value: JsonObject, at: LinePlace): { readonly record: JsonObject; readonly next: State } => {
  const { sessionId, agentId } = state.file;
  const uuid = stringOf(value['uuid']) ?? `qwen/${agentId ?? sessionId}/${at.line}.${at.part}`;
  const above = value['parentUuid'];
  const known = above === null ? null : state.lines.get(stringOf(above) ?? '');
  const parent = known === undefined ? state.tip : known;
  const { said, response } = saidIn(value, uuid, state);
  const stands = said === null ? parent : uuid;
  const time = stringOf(value['timestamp']);
  const frame = {
    sessionId,
    isSidechain: agentId !== null,
    ...(agentId === null ? {} : { agentId }),
    ...(time === null ? {} : { timestamp: time }),
    cwd: stringOf(value['cwd']) ?? undefined,
    version: stringOf(value['version']) ?? undefined,
    gitBranch: stringOf(value['gitBranch']) ?? undefined,
  };
  const next: State = { ...state, tip: stands, response, lines: state.lines.with(uuid, stands) };
  if (said !== null) return { record: { ...frame, uuid, parentUuid: parent, ...said }, next };
  const told = agentId === null ? toldOf(value, uuid) : null;
  if (told !== null) return { record: { ...frame, uuid, parentUuid: parent, ...told }, next };
  return { record: { ...frame, ...(isRewind(value) ? takingBack(parent) : stateIn(value)) }, next };
};

/**
 * QWEN-10: versions without sub-agent files report only the tokens of each sub-agent's responses. Versions with such files give the origin of each
 * line, and repeat the same there.
 */
const toldOf = (value: JsonObject, uuid: string): JsonObject | null => {
  const event =
    value['subtype'] === 'ui_telemetry' && value['provenance'] === undefined ? objectOf(objectOf(value['systemPayload'])?.['uiEvent']) : null;
  const agent = event?.['event.name'] === 'qwen-code.api_response' ? /^[^#]+#([^#]+)#\d+$/u.exec(stringOf(event['prompt_id']) ?? '')?.[1] : undefined;
  if (event === null || agent === undefined) return null;
  const cached = countOf(event['cached_content_token_count']) ?? 0;
  const usage = {
    input_tokens: Math.max(0, (countOf(event['input_token_count']) ?? 0) - cached),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: countOf(event['output_token_count']) ?? 0,
  };
  const id = `${uuid}/response`;
  const message = { role: 'assistant', id, model: stringOf(event['model']), content: [], usage };
  const said = { type: 'assistant', uuid: id, timestamp: stringOf(value['timestamp']) ?? undefined, message };
  return { type: 'progress', data: { type: 'agent_progress', agentId: agent, message: said } };
};

/** QWEN-9: everything said after the record it names was taken back. */
const isRewind = (value: JsonObject): boolean => value['type'] === 'system' && value['subtype'] === 'rewind';

const takingBack = (to: string | null): JsonObject => ({ type: 'last-prompt', leafUuid: to ?? undefined, takesBack: true });

const stateIn = (value: JsonObject): JsonObject => {
  const kind = [stringOf(value['type']) ?? '', stringOf(value['subtype'])].filter((part) => part !== null).join('/');
  const payload = objectOf(value['systemPayload']);
  const title = kind.includes('title') ? (stringOf(payload?.['customTitle']) ?? stringOf(payload?.['title'])) : null;
  return title === null ? { type: `qwen/${kind}`.slice(0, 80), writtenBy: 'Qwen Code' } : { type: 'custom-title', customTitle: title };
};

type Said = { readonly said: JsonObject | null; readonly response: string | null };

const saidIn = (value: JsonObject, uuid: string, { response, model: known }: State): Said => {
  const parts = listOf(objectOf(value['message'])?.['parts']).filter(isObject);
  switch (stringOf(value['type']) ?? '') {
    case 'user':
      return { said: promptIn(value, parts), response: null };
    case 'assistant': {
      const usage = objectOf(value['usageMetadata']);
      const id = usage === null ? (response ?? uuid) : uuid;
      const content = parts.flatMap(blockOf);
      const message = {
        role: 'assistant',
        id,
        model: stringOf(value['model']) ?? known,
        content,
        ...(usage === null ? {} : { usage: usageOf(usage) }),
      };
      return { said: { type: 'assistant', message }, response: id };
    }
    case 'tool_result':
      return { said: resultIn(value, parts), response: null };
    case 'system':
      return { said: systemIn(value), response };
    default:
      return { said: null, response };
  }
};

/** QWEN-4: text that the CLI writes in the user's name is marked as such; the end of a sub-agent becomes a notice. */
const promptIn = (value: JsonObject, parts: readonly JsonObject[]): JsonObject | null => {
  const text = textIn(parts);
  if (text === '') return null;
  const isNotice = value['subtype'] === 'notification' || text.startsWith('<task-notification>');
  const isOurs = !isNotice && (stringOf(value['provenance']) ?? 'real_user') === 'real_user' && stringOf(value['subtype']) === null;
  return {
    type: 'user',
    ...(isOurs ? { promptSource: 'typed' } : { isMeta: true }),
    ...(isNotice ? { origin: { kind: 'task-notification' } } : {}),
    message: { role: 'user', content: text },
  };
};

const blockOf = (part: JsonObject): readonly JsonObject[] => {
  const text = stringOf(part['text']);
  if (text !== null && text !== '') return [part['thought'] === true ? { type: 'thinking', thinking: text } : { type: 'text', text }];
  const call = objectOf(part['functionCall']);
  if (call === null) return [];
  return [{ type: 'tool_use', id: stringOf(call['id']) ?? '', ...toolUseOf(stringOf(call['name']) ?? '', objectOf(call['args']) ?? {}) }];
};

/** QWEN-5: a call has failed if its status or its answer says so, or if a command exited with a code other than 0; a cancelled call has not. */
const resultIn = (value: JsonObject, parts: readonly JsonObject[]): JsonObject | null => {
  const report = objectOf(value['toolCallResult']);
  let agentId: string | null = null;
  const results = parts.flatMap((part) => {
    const answer = objectOf(part['functionResponse']);
    if (answer === null) return [];
    const { text, isError } = answerIn(answer);
    const isCancelled = report?.['status'] === 'cancelled' || text.startsWith('[Operation Cancelled]');
    const failed =
      !isCancelled && (isError || report?.['status'] === 'error' || (answer['name'] === 'run_shell_command' && (exitIn(text) ?? 0) !== 0));
    agentId ??= /^Background agent launched[^\n]*\ntask_id: (\S+)/u.exec(text)?.[1] ?? null;
    return [{ type: 'tool_result', tool_use_id: stringOf(answer['id']) ?? '', is_error: failed, content: [{ type: 'text', text }] }];
  });
  if (results.length === 0) return null;
  return {
    type: 'user',
    message: { role: 'user', content: results },
    ...(agentId === null ? {} : { toolUseResult: { status: 'async_launched', agentId } }),
  };
};

const systemIn = (value: JsonObject): JsonObject | null => {
  const payload = objectOf(value['systemPayload']);
  switch (stringOf(value['subtype']) ?? '') {
    case 'chat_compression': {
      const [first] = listOf(payload?.['compressedHistory']);
      // Drops the instruction to the model to continue.
      const text = withoutOrder(textIn(listOf(objectOf(first)?.['parts']).filter(isObject)));
      return { type: 'user', isCompactSummary: true, compactMetadata: {}, message: { role: 'user', content: text } };
    }
    case 'slash_command': {
      const command = stringOf(payload?.['rawCommand']);
      if (command === null || payload?.['phase'] !== 'invocation') return null;
      const [name = '', ...rest] = command.split(/\s+/u);
      const content = `<command-name>${name}</command-name>\n<command-args>${rest.join(' ')}</command-args>`;
      return { type: 'user', message: { role: 'user', content } };
    }
    case 'ui_telemetry':
      return errorIn(objectOf(payload?.['uiEvent']) ?? {});
    default:
      return null;
  }
};

/** QWEN-11: only this event reports that the API failed. Requests of sub-agents, and those the CLI makes for itself, have other names. */
const errorIn = (event: JsonObject): JsonObject | null => {
  const [message, kind] = [stringOf(event['error_message']) ?? '', stringOf(event['error_type']) ?? ''];
  if (event['event.name'] !== 'qwen-code.api_error' || !/^(?:[\da-f]+|.*#{8}\d+(?:\/automatic\/\d+)?)$/u.test(stringOf(event['prompt_id']) ?? ''))
    return null;
  if (/abort/iu.test(kind) || /\baborted\b/iu.test(message)) return null;
  const text = `API Error: ${message === '' ? kind : message}`;
  return { type: 'assistant', isApiErrorMessage: true, message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] } };
};

const withoutOrder = (text: string): string => {
  const at = text.lastIndexOf('\n') + 1;
  return text.startsWith('Resume the prior task using the summary above.', at) ? text.slice(0, at).trimEnd() : text;
};

const textIn = (parts: readonly JsonObject[]): string => parts.flatMap((part) => stringOf(part['text']) ?? []).join('\n');

/** QWEN-6: Qwen counts cached input as part of the input, and thoughts as part of the output. */
const usageOf = (usage: JsonObject): JsonObject => {
  const cached = countOf(usage['cachedContentTokenCount']) ?? 0;
  return {
    input_tokens: Math.max(0, (countOf(usage['promptTokenCount']) ?? 0) - cached),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: countOf(usage['candidatesTokenCount']) ?? 0,
  };
};
