import type { Context, LinePlace, Translation } from '../../dialect.ts';
import { countOf, isObject, listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { emptyLedger, type Ledger } from '../../ledger.ts';
import { toolUseOf } from './calls.ts';

/** COPI-3: a session, event by event. Events of sub-agents come in between, each with its agent's id. */
export const beginEvents = (file: Context): Translation =>
  behind({
    file,
    facts: {},
    tips: emptyLedger(),
    responses: emptyLedger(),
    agents: emptyLedger(),
    commands: emptyLedger(),
    asked: emptyLedger(),
    last: null,
    isRecorded: false,
  });

type State = {
  readonly file: Context;
  readonly facts: JsonObject;
  /** The last record of each conversation, by agent; '' is the session's own. */
  readonly tips: Ledger<string>;
  /** The response of each conversation whose usage has already been reported. */
  readonly responses: Ledger<string | null>;
  /** The agent that each call started. */
  readonly agents: Ledger<string>;
  /** The calls that run a shell command. */
  readonly commands: Ledger<boolean>;
  /** The task in each call that starts a sub-agent; such a sub-agent has the id of its call. */
  readonly asked: Ledger<string>;
  /** The session's last answer in this run, unless its usage came before it. Older versions report its output, some not even that. */
  readonly last: { readonly id: string; readonly output: number | null } | null;
  /** Whether this run reports the usage of each response. */
  readonly isRecorded: boolean;
};

type Strand = { readonly tip: string | null; readonly response: string | null };

const behind = (state: State): Translation => {
  const here: Translation = {
    tip: state.tips.get('') ?? null,
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
  const strand: Strand = { tip: state.tips.get(agent) ?? null, response: state.responses.get(agent) ?? null };
  const known = withFacts(state, type, { ...data, ...(agent === '' ? {} : { agentId: agent }) });
  const time = stringOf(value['timestamp']);
  const frame = {
    sessionId: state.file.sessionId,
    isSidechain: agent !== '',
    ...(agent === '' ? {} : { agentId: agent }),
    ...(time === null ? {} : { timestamp: time }),
    ...known.facts,
  };
  const said = saidIn(type, data, name, strand, known, agent);
  if (said === null) return { record: { ...frame, ...stateIn(type, data, agent) }, next: known };
  const { response, ...record } = said;
  const tips = known.tips.with(agent, name);
  const responses = response === strand.response ? known.responses : known.responses.with(agent, response);
  const last = agent === '' && type === 'assistant.message' ? lastOf(data, name, strand) : known.last;
  return { record: { ...frame, uuid: name, parentUuid: strand.tip, ...record }, next: { ...known, tips, responses, last } };
};

const withFacts = (state: State, type: string, data: JsonObject): State => {
  const context = objectOf(data['context']);
  if ((type === 'session.start' || type === 'session.resume') && context !== null) {
    const facts = {
      cwd: stringOf(context['cwd']) ?? state.facts['cwd'],
      gitBranch: stringOf(context['branch']) ?? state.facts['gitBranch'],
      version: stringOf(data['copilotVersion']) ?? state.facts['version'],
    };
    return { ...state, facts, last: null, isRecorded: false };
  }
  if (type === 'session.usage_record') return { ...state, isRecorded: true };
  const [call, agent] = [stringOf(data['toolCallId']), stringOf(data['agentId'])];
  if (type === 'tool.execution_start' && call !== null && SHELLS.has(stringOf(data['toolName']) ?? ''))
    return { ...state, commands: state.commands.with(call, true) };
  const prompt = type === 'tool.execution_start' ? stringOf(objectOf(data['arguments'])?.['prompt']) : null;
  if (call !== null && prompt !== null) return { ...state, asked: state.asked.with(call, prompt) };
  return type === 'subagent.started' && call !== null && agent !== null ? { ...state, agents: state.agents.with(call, agent) } : state;
};

const stateIn = (type: string, data: JsonObject, agent: string): JsonObject => {
  const title = agent === '' && /title|name/u.test(type) ? (stringOf(data['title']) ?? stringOf(data['name'])) : null;
  if (title !== null) return { type: 'custom-title', customTitle: title };
  return { type: `copilot/${type}`.slice(0, 80), ...(type === 'session.start' ? { writtenBy: 'Copilot CLI' } : {}) };
};

type Said = JsonObject & { readonly response: string | null };

const saidIn = (type: string, data: JsonObject, name: string, strand: Strand, state: State, agent: string): Said | null => {
  switch (type) {
    case 'user.message': {
      const source = stringOf(data['source']) ?? 'user';
      const content = stringOf(data['content']) ?? '';
      return content === state.asked.get(agent) ? null : promptIn(content, source === 'user' || source.startsWith('agent-'));
    }
    // COPI-9: in older versions only the call holds the task; newer ones repeat it after this event.
    case 'subagent.started': {
      const asked = stringOf(data['toolCallId']) === agent ? state.asked.get(agent) : undefined;
      return asked === undefined ? null : promptIn(asked, true);
    }
    case 'session.usage_record': {
      const usage = objectOf(data['usage']) ?? data;
      return { type: 'assistant', message: { ...messageOf(name, usage['model']), content: [], usage: usageOf(usage) }, response: name };
    }
    case 'assistant.message':
      return replyIn(data, name, strand);
    case 'session.shutdown':
      return inputIn(data, state);
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

const promptIn = (content: string, isOurs: boolean): Said => ({
  type: 'user',
  ...(isOurs ? { promptSource: 'typed' } : { isMeta: true }),
  message: { role: 'user', content },
  response: null,
});

const messageOf = (id: string, model: JsonObject[string]): JsonObject => ({ role: 'assistant', id, model: stringOf(model) });

/** COPI-6: newer versions report a response's usage before it; for older ones only the output is known. */
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

const lastOf = (data: JsonObject, name: string, { response }: Strand): State['last'] =>
  response === null ? { id: name, output: countOf(data['outputTokens']) } : null;

/**
 * COPI-6: older versions report the input of all responses together when the program ends, and some also the output. It is counted with the last
 * response. If there were several models, it goes to the one that read most.
 */
const inputIn = (data: JsonObject, { last, isRecorded }: State): Said | null => {
  const metrics = Object.entries(objectOf(data['modelMetrics']) ?? {}).map(([model, one]) => ({
    model,
    usage: usageOf(objectOf(objectOf(one)?.['usage']) ?? {}),
  }));
  const [most] = metrics.toSorted((a, b) => inputOf(b.usage) - inputOf(a.usage));
  if (last === null || isRecorded || most === undefined || metrics.every(({ usage }) => inputOf(usage) === 0)) return null;
  const sum = (key: string): number => metrics.reduce((all, { usage }) => all + (countOf(usage[key]) ?? 0), 0);
  const usage = { ...Object.fromEntries(INPUTS.map((key) => [key, sum(key)])), output_tokens: last.output ?? sum('output_tokens') };
  return { type: 'assistant', message: { ...messageOf(last.id, most.model), content: [], usage }, response: null };
};

const inputOf = (usage: JsonObject): number => INPUTS.reduce((all, key) => all + (countOf(usage[key]) ?? 0), 0);

/** COPI-5: a call has failed if Copilot says so, or if a command exited with a code other than 0; a cancelled call has not. */
const resultIn = (data: JsonObject, { agents, commands }: State): JsonObject => {
  const id = stringOf(data['toolCallId']) ?? '';
  const text = stringOf(objectOf(data['result'])?.['content']) ?? stringOf(objectOf(data['error'])?.['message']) ?? '';
  const wasStopped =
    /interrupt|abort|cancel/iu.test(stringOf(objectOf(data['error'])?.['code']) ?? '') || text.startsWith('Tool execution was interrupted');
  // Older versions give the exit code only in the text.
  const told = commands.get(id) === true ? Number(/ exit code (\d+)>\s*$/u.exec(text)?.[1] ?? 0) : 0;
  const exit = countOf(objectOf(data['shellExecution'])?.['exitCode']) ?? told;
  const failed = (data['success'] === false && !wasStopped) || exit !== 0;
  const agentId = agents.get(id);
  const result = { type: 'tool_result', tool_use_id: id, is_error: failed, content: [{ type: 'text', text }] };
  return {
    type: 'user',
    message: { role: 'user', content: [result] },
    ...(agentId === undefined ? {} : { toolUseResult: { status: 'completed', agentId } }),
  };
};

/** Copilot counts cached input as part of the input. */
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

const INPUTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const SHELLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'shell']);
