import { err, type Result } from '@yarnboard/domain';
import { chatReply, chatRequest, chatResult, type ChatCall, type ChatMessage, type SeatEvent, type SeatUsage } from '@yarnboard/protocol';
import { createSeatLines, textIn as text } from '../seat-lines.ts';
import { promptOf, tokensOfText } from '../seat-words.ts';
import { ENDPOINT, KEY } from '../variables.ts';
import { createReplyReader, fault, faultOf, retryTime, type ModelFault, type ModelReply } from './stream.ts';
import { findingInput, findingsIn, inputFor, isOffered, toolsFor } from './tools.ts';

// The program behind the runtime kind `openai`: a child of the server that speaks its JSON lines on one side and /v1/chat/completions on the other.

type Endpoint = { readonly url: string; readonly model: string; readonly hasTools: boolean };

const endpoint = JSON.parse(process.env[ENDPOINT] ?? '{}') as Endpoint; // the server wrote it
const key = process.env[KEY] ?? null;
const { send, command, listen } = createSeatLines();
let messages: ChatMessage[] = [];
let [sidebar, model] = ['', endpoint.model];
let handed = 0;
let turn: { readonly id: string; readonly stop: AbortController } | null = null;
/** How often in a row the endpoint failed to answer. */
let misses = 0;
/** What arrived during the turn. */
let meanwhile: string[] = [];

/** Requests one response from the model and streams it. */
const respond = async (signal: AbortSignal): Promise<Result<ModelReply, ModelFault>> => {
  const headers = { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  const body = JSON.stringify(chatRequest(model, messages, endpoint.hasTools ? toolsFor() : []));
  const response = await fetch(`${endpoint.url.replace(/\/+$/u, '')}/chat/completions`, { method: 'POST', headers, body, signal });
  if (!response.ok) return err(faultOf(response.status, await response.text(), retryTime(response.headers.get('retry-after'), Date.now())));
  if (response.headers.get('content-type')?.includes('text/html') === true)
    return err(fault('not-an-api', 'The endpoint answered with a web page. Check the url.'));
  const reader = createReplyReader();
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const taken = reader.take(decoder.decode(bytes as Uint8Array, { stream: true }));
    if (!taken.ok) return taken;
    if (taken.value !== '') send({ type: 'text', text: taken.value });
  }
  return reader.end();
};

const attempt = async (signal: AbortSignal): Promise<Result<ModelReply, ModelFault>> => {
  try {
    return await respond(signal);
  } catch (cause) {
    const why = cause instanceof Error ? `${cause.message}${cause.cause instanceof Error ? `: ${cause.cause.message}` : ''}` : String(cause);
    return err(fault('unreachable', `The endpoint could not be reached: ${why}`));
  }
};

const use = async ({ id, name, input }: ChatCall): Promise<ChatMessage> => {
  const result = (content: string): ChatMessage => chatResult(id, content);
  let written: unknown;
  try {
    written = JSON.parse(input === '' ? '{}' : input);
  } catch {
    return result('The arguments are not valid JSON. Call the tool again with valid JSON.');
  }
  if (!isOffered(name)) return result(`There is no tool "${name.slice(0, 100)}".`);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return result('The arguments must be a JSON object.');
  const wanted = inputFor(name, written as Readonly<Record<string, unknown>>, sidebar); // checked above: an object
  send({ type: 'tool', id, name, input: wanted });
  const answer = await command(name, wanted);
  const told = JSON.stringify(answer['ok'] === true ? answer['answer'] : answer['problem']).slice(0, MOST_RESULT);
  send({ type: 'tool-result', id, output: told, isError: answer['ok'] !== true });
  return result(told);
};

/** Runs a turn: the model answers and uses tools until it has nothing more to do. */
const work = async (id: string, first: string): Promise<void> => {
  const stop = new AbortController();
  turn = { id, stop };
  messages.push({ role: 'user', content: first });
  let last = '';
  let failed: ModelFault | null = null;
  let isShortened = false;
  for (let steps = 0; steps < MOST_STEPS && !stop.signal.aborted; steps += 1) {
    if (meanwhile.length > 0) messages.push({ role: 'user', content: meanwhile.splice(0).join('\n\n') });
    const reply = await attempt(stop.signal);
    if (!reply.ok) {
      // Retry once with a shorter history: keep the briefing and the newest messages.
      if (reply.error.code === 'context-length' && !isShortened && messages.length > KEPT) {
        isShortened = true;
        messages = shortened(messages);
        continue;
      }
      failed = patient(reply.error);
      break;
    }
    misses = 0;
    const { calls, usage, text: said } = reply.value;
    send({ type: 'usage', model: reply.value.model ?? model, ...tokensOf(usage, said) });
    last = said;
    messages.push(chatReply(said, calls));
    if (calls.length === 0 && meanwhile.length === 0) break;
    for (const call of calls) messages.push(stop.signal.aborted ? chatResult(call.id, 'cancelled') : await use(call));
  }
  if (failed === null && !endpoint.hasTools) await handIn(last);
  turn = null;
  const end = { type: 'turn-end', turnId: id, text: null, why: null } as const;
  if (stop.signal.aborted) send({ ...end, status: 'cancelled' });
  else if (failed === null) send({ ...end, status: 'completed', text: last });
  else {
    if (failed.retryAt !== null) send({ type: 'rest', until: failed.retryAt, why: failed.text });
    send({ ...end, status: 'failed', why: `${failed.code}: ${failed.text}` });
  }
};

/** RT-70: retries an endpoint that is down or failing, after growing pauses. */
const patient = (failure: ModelFault): ModelFault => {
  if (failure.code !== 'unreachable' && failure.code !== 'server-error') return failure;
  const retryAt = Date.now() + Math.min(FIRST_PAUSE * 2 ** misses, LONGEST_PAUSE);
  misses += 1;
  return { ...failure, retryAt: failure.retryAt ?? retryAt };
};

/** Keeps the briefing and the newest messages, starting with a user message: most endpoints refuse a tool result without its call. */
const shortened = (all: readonly ChatMessage[]): ChatMessage[] => {
  const isSaidTo = ({ role }: ChatMessage): boolean => role === 'user';
  const newest = all.slice(-KEPT);
  const from = newest.findIndex(isSaidTo);
  const last = all.findLast(isSaidTo);
  return [...all.slice(0, 1), ...(from === -1 ? (last === undefined ? [] : [last]) : newest.slice(from))];
};

/** RT-26: submits the findings of a model without tools. */
const handIn = async (said: string): Promise<void> => {
  for (const finding of findingsIn(said)) {
    const input = findingInput(sidebar, finding);
    handed += 1;
    const id = `finding-${handed}`;
    send({ type: 'tool', id, name: 'scratchpad_entry_submitted', input });
    const answer = await command('scratchpad_entry_submitted', input);
    const told = JSON.stringify(answer['ok'] === true ? answer['answer'] : answer['problem']).slice(0, MOST_RESULT);
    send({ type: 'tool-result', id, output: told, isError: answer['ok'] !== true });
  }
};

const tokensOf = (usage: ModelReply['usage'], said: string): Omit<SeatUsage, 'model'> => ({
  inputTokens: usage === null ? tokensOfText(JSON.stringify(messages).length) : Math.max(0, usage.input - usage.cached),
  outputTokens: usage === null ? tokensOfText(said.length) : usage.output,
  cacheReadTokens: usage?.cached ?? 0,
  cacheWriteTokens: 0,
  costUsd: null,
});

const PLAIN = 'You have no tools. To hand in a finding, write a paragraph that begins with FINDING: and names its evidence (MSG-12, CITE-3).';
const MOST_STEPS = 50;
const MOST_RESULT = 20_000;
const KEPT = 10;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 300_000;

listen(
  {
    hello: (order) => {
      sidebar = text(order['sidebar_id']);
      model = text(order['model']) === '' ? endpoint.model : text(order['model']);
      messages = [{ role: 'system', content: text(order['instructions']) }];
      send({ type: 'ready', name: 'openai', version: model });
    },
    brief: (order) => {
      const plain = endpoint.hasTools ? '' : `\n\n${PLAIN}`;
      messages = [{ role: 'system', content: `${text(messages[0]?.['content'])}\n\n${text(order['text'])}${plain}`.trim() }];
    },
    turn: (order) => void work(text(order['turn_id']), promptOf(order['events'] as readonly SeatEvent[])), // the server wrote it
    event: (order) => {
      if (turn !== null) meanwhile.push(promptOf([order['event'] as SeatEvent])); // the server wrote it
    },
    cancel: (order) => {
      if (turn !== null && turn.id === order['turn_id']) turn.stop.abort();
    },
    bye: () => process.exit(0),
  },
  () => process.exit(0),
);
