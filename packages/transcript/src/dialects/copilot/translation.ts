import type { Context, LinePlace, Translation } from '../../dialect.ts';
import { countOf, isObject, listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { toolUseOf } from './calls.ts';

/** COPI-3: a session, event by event. Sub-agents stand between the others, each with its id. */
export const beginEvents = (file: Context): Translation => behind({ file, facts: {}, threads: new Map(), agents: new Map() });

type State = {
  readonly file: Context;
  readonly facts: JsonObject;
  /** By agent; the session's own goes by ''. There are never many. */
  readonly threads: ReadonlyMap<string, Strand>;
  /** Which agent a call has started. */
  readonly agents: ReadonlyMap<string, string>;
};

/** Where a conversation stands, and the response whose usage was told already. */
type Strand = { readonly tip: string | null; readonly response: string | null };

const behind = (state: State): Translation => {
  const here: Translation = {
    tip: state.threads.get('')?.tip ?? null,
    take: (value, at) => {
      const { record, next } = takeEvent(state, value, at);
      return { record, next: next === state ? here : behind(next) };
    },
  };
  return here;
};

const takeEvent = (state: State, value: JsonObject, at: LinePlace): { readonly record: JsonObject; readonly next: State } => {
  const type = stringOf(value['type']) ?? '';
  const data = objectOf(value['data']) ?? {};
  const agent = stringOf(value['agentId']) ?? '';
  const thread = agent === '' ? state.file.sessionId : agent;
  const name = `copilot/${thread}/${stringOf(value['id']) ?? `${at.line}.${at.part}`}`;
  const strand = state.threads.get(agent) ?? NOTHING_YET;
  const known = withFacts(state, type, { ...data, ...(agent === '' ? {} : { agentId: agent }) });
  const time = stringOf(value['timestamp']);
  const frame = {
    sessionId: state.file.sessionId,
    isSidechain: agent !== '',
    ...(agent === '' ? {} : { agentId: agent }),
    ...(time === null ? {} : { timestamp: time }),
    ...known.facts,
  };
  const said = saidIn(type, data, name, strand, known);
  if (said === null) return { record: { ...frame, ...stateIn(type, data, agent) }, next: known };
  const { response, ...record } = said;
  const threads = new Map(known.threads).set(agent, { tip: name, response });
  return { record: { ...frame, uuid: name, parentUuid: strand.tip, ...record }, next: { ...known, threads } };
};

const withFacts = (state: State, type: string, data: JsonObject): State => {
  const context = objectOf(data['context']);
  if ((type === 'session.start' || type === 'session.resume') && context !== null) {
    const facts = {
      cwd: stringOf(context['cwd']) ?? state.facts['cwd'],
      gitBranch: stringOf(context['branch']) ?? state.facts['gitBranch'],
      version: stringOf(data['copilotVersion']) ?? state.facts['version'],
    };
    return { ...state, facts };
  }
  const [call, agent] = [stringOf(data['toolCallId']), stringOf(data['agentId'])];
  return type === 'subagent.started' && call !== null && agent !== null ? { ...state, agents: new Map(state.agents).set(call, agent) } : state;
};

const stateIn = (type: string, data: JsonObject, agent: string): JsonObject => {
  const title = agent === '' && /title|name/u.test(type) ? (stringOf(data['title']) ?? stringOf(data['name'])) : null;
  if (title !== null) return { type: 'custom-title', customTitle: title };
  return { type: `copilot/${type}`.slice(0, 80), ...(type === 'session.start' ? { writtenBy: 'Copilot CLI' } : {}) };
};

type Said = JsonObject & { readonly response: string | null };

const saidIn = (type: string, data: JsonObject, name: string, strand: Strand, state: State): Said | null => {
  switch (type) {
    case 'user.message': {
      const source = stringOf(data['source']) ?? 'user';
      const isOurs = source === 'user' || source.startsWith('agent-');
      const content = stringOf(data['content']) ?? '';
      return { type: 'user', ...(isOurs ? { promptSource: 'typed' } : { isMeta: true }), message: { role: 'user', content }, response: null };
    }
    case 'session.usage_record': {
      const usage = objectOf(data['usage']) ?? data;
      return { type: 'assistant', message: { ...messageOf(name, usage['model']), content: [], usage: usageOf(usage) }, response: name };
    }
    case 'assistant.message':
      return replyIn(data, name, strand);
    case 'tool.execution_complete':
      return { ...resultIn(data, state), response: null };
    case 'session.compaction_complete': {
      const summary = stringOf(data['summaryContent']);
      return summary === null || data['success'] === false
        ? null
        : { type: 'user', isCompactSummary: true, compactMetadata: {}, message: { role: 'user', content: summary }, response: null };
    }
    case 'abort':
      return { type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] }, response: null };
    case 'session.error': {
      const text = `API Error: ${stringOf(data['message']) ?? stringOf(data['errorType']) ?? ''}`;
      const message = { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] };
      return { type: 'assistant', isApiErrorMessage: true, message, response: null };
    }
    default:
      return null;
  }
};

const messageOf = (id: string, model: JsonObject[string]): JsonObject => ({ role: 'assistant', id, model: stringOf(model) });

/** COPI-6: newer versions tell the usage of a response before it; of older ones only the output is known. */
const replyIn = (data: JsonObject, name: string, { response }: Strand): Said => {
  const [thinking, text] = [stringOf(data['reasoningText']) ?? '', stringOf(data['content']) ?? ''];
  const content = [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...listOf(data['toolRequests'])
      .filter(isObject)
      .map((call) => ({
        type: 'tool_use',
        id: stringOf(call['toolCallId']) ?? '',
        ...toolUseOf(stringOf(call['name']) ?? '', objectOf(call['arguments']) ?? {}),
      })),
  ];
  const output = countOf(data['outputTokens']);
  const usage = response !== null || output === null ? {} : { usage: { input_tokens: 0, output_tokens: output } };
  return { type: 'assistant', message: { ...messageOf(response ?? name, data['model']), content, ...usage }, response: null };
};

/** COPI-5: a call has failed if Copilot says so, or a command ended with another code than 0; one that was stopped has not. */
const resultIn = (data: JsonObject, { agents }: State): JsonObject => {
  const id = stringOf(data['toolCallId']) ?? '';
  const exit = objectOf(data['shellExecution'])?.['exitCode'];
  const text = stringOf(objectOf(data['result'])?.['content']) ?? stringOf(objectOf(data['error'])?.['message']) ?? '';
  const wasStopped =
    /interrupt|abort|cancel/iu.test(stringOf(objectOf(data['error'])?.['code']) ?? '') || text.startsWith('Tool execution was interrupted');
  const failed = (data['success'] === false && !wasStopped) || (typeof exit === 'number' && exit !== 0);
  const agentId = agents.get(id);
  const result = { type: 'tool_result', tool_use_id: id, is_error: failed, content: [{ type: 'text', text }] };
  return {
    type: 'user',
    message: { role: 'user', content: [result] },
    ...(agentId === undefined ? {} : { toolUseResult: { status: 'completed', agentId } }),
  };
};

/** Cached input is part of the input there. */
const usageOf = (usage: JsonObject): JsonObject => {
  const read = countOf(usage['cacheReadTokens']) ?? 0;
  const written = countOf(usage['cacheWriteTokens']) ?? 0;
  return {
    input_tokens: Math.max(0, (countOf(usage['inputTokens']) ?? 0) - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: countOf(usage['outputTokens']) ?? 0,
  };
};

const NOTHING_YET: Strand = { tip: null, response: null };
