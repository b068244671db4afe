import { err, ok, type Result } from '@yarnboard/domain';
import type { ChatCall } from '@yarnboard/protocol';

/** One complete response of a model. */
export type ModelReply = {
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number } | null;
  readonly model: string | null;
  readonly finish: string | null;
};

/** An error: a code for programs and a sentence for people. `retryAt` is set if the provider gave a time. */
export type ModelFault = {
  readonly code:
    'unauthorized' | 'not-found' | 'rate-limited' | 'context-length' | 'server-error' | 'not-an-api' | 'cut-off' | 'unreachable' | 'refused';
  readonly text: string;
  readonly retryAt: number | null;
};

export type ReplyReader = {
  /** Takes a chunk of the stream; returns the text in it. */
  readonly take: (chunk: string) => Result<string, ModelFault>;
  readonly end: () => Result<ModelReply, ModelFault>;
};

/** RT-24: reads a streamed answer of `/v1/chat/completions`. Chunks may be cut anywhere; unknown fields are ignored. */
export const createReplyReader = (): ReplyReader => {
  let rest = '';
  let text = '';
  let usage: ModelReply['usage'] = null;
  let model: string | null = null;
  let finish: string | null = null;
  let isDone = false;
  const calls = new Map<number, { id: string; name: string; input: string }>();

  const takeEvent = (data: string): Result<string, ModelFault> => {
    if (data === '[DONE]') {
      isDone = true;
      return ok('');
    }
    let event: unknown;
    try {
      event = JSON.parse(data);
    } catch {
      return err(fault('cut-off', 'The endpoint sent a chunk that is not valid JSON.'));
    }
    const failure = textAt(event, ['error', 'message']) ?? textAt(event, ['error']);
    if (failure !== null) return err(faultOf(400, failure));
    model = textAt(event, ['model']) ?? model;
    const used = at(event, ['usage']);
    if (isObject(used)) {
      usage = {
        input: countAt(used, ['prompt_tokens']),
        output: countAt(used, ['completion_tokens']),
        cached: countAt(used, ['prompt_tokens_details', 'cached_tokens']),
      };
    }
    const choice = listAt(event, ['choices'])[0];
    finish = textAt(choice, ['finish_reason']) ?? finish;
    // Some endpoints answer in one piece although we asked for a stream.
    const delta = at(choice, ['delta']) ?? at(choice, ['message']);
    for (const [i, call] of listAt(delta, ['tool_calls']).entries()) takeCall(call, i);
    const more = textAt(delta, ['content']) ?? '';
    text += more;
    return ok(more);
  };

  const takeCall = (call: unknown, i: number): void => {
    const index = typeof at(call, ['index']) === 'number' ? countAt(call, ['index']) : i;
    const known = calls.get(index) ?? { id: '', name: '', input: '' };
    calls.set(index, {
      id: textAt(call, ['id']) ?? known.id,
      name: known.name + (textAt(call, ['function', 'name']) ?? ''),
      input: known.input + (textAt(call, ['function', 'arguments']) ?? ''),
    });
  };

  return {
    take: (chunk) => {
      rest += chunk;
      if (rest.length > MOST_REST) return err(fault('not-an-api', 'The endpoint sent a line that never ends.'));
      const lines = rest.split(/\r?\n/u);
      rest = lines.pop() ?? '';
      let said = '';
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        const taken = takeEvent(line.slice(5).trim());
        if (!taken.ok) return taken;
        said += taken.value;
      }
      return ok(said);
    },
    end: () => {
      const last = rest.trim();
      if (last !== '') {
        const taken = takeEvent(last.startsWith('data:') ? last.slice(5).trim() : last);
        if (!taken.ok) return taken;
      }
      if (!isDone && finish === null && text === '' && calls.size === 0)
        return err(fault('cut-off', 'The endpoint ended its answer before it said anything.'));
      if (!isDone && finish === null) return err(fault('cut-off', 'The answer was cut off.'));
      const named = [...calls.entries()].map(([index, { id, name, input }]) => ({ id: id === '' ? `call-${index}` : id, name, input }));
      return ok({ text, calls: named, usage, model, finish });
    },
  };
};

/** The meaning of a response whose status isn't 200. */
export const faultOf = (status: number, body: string, retryAt: number | null = null): ModelFault => {
  const said = messageIn(body);
  if (/context.{0,20}(?:length|window)|maximum context|too many tokens/iu.test(said))
    return fault('context-length', `The conversation is too long for the model: ${said}`);
  if (status === 401 || status === 403) return fault('unauthorized', `The endpoint refuses the key: ${said}`);
  if (status === 404) return fault('not-found', `The endpoint knows no such model or path: ${said}`);
  if (status === 429) return { code: 'rate-limited', text: `The provider wants everybody to wait: ${said}`, retryAt };
  if (status >= 500) return fault('server-error', `The endpoint failed with ${status}: ${said}`);
  return fault('refused', `The endpoint refused the request with ${status}: ${said}`);
};

export const fault = (code: ModelFault['code'], text: string): ModelFault => ({ code, text, retryAt: null });

/** Parses a Retry-After header: seconds or a date. */
export const retryTime = (header: string | null, now: number): number => {
  const seconds = Number(header);
  if (header !== null && header.trim() !== '' && Number.isFinite(seconds)) return now + Math.max(0, seconds) * 1000;
  const date = header === null ? NaN : Date.parse(header);
  return Number.isFinite(date) ? date : now + RETRY;
};

const messageIn = (body: string): string => {
  try {
    const json: unknown = JSON.parse(body);
    return (textAt(json, ['error', 'message']) ?? textAt(json, ['error']) ?? textAt(json, ['message']) ?? body).slice(0, MOST_SAID);
  } catch {
    return body.startsWith('<') ? 'it answered with a web page, not with an API' : body.slice(0, MOST_SAID);
  }
};

const at = (value: unknown, path: readonly string[]): unknown => {
  let found: unknown = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return found;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const textAt = (value: unknown, path: readonly string[]): string | null => {
  const found = at(value, path);
  return typeof found === 'string' ? found : null;
};

const countAt = (value: unknown, path: readonly string[]): number => {
  const found = at(value, path);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? Math.floor(found) : 0;
};

const listAt = (value: unknown, path: readonly string[]): readonly unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

const MOST_REST = 16 * 1024 * 1024;
const MOST_SAID = 500;
const RETRY = 60_000;
