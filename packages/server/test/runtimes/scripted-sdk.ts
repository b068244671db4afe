import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '@yarnboard/transcript';
import type { Sdk, SdkOptions, SdkTools, SdkTransport } from '../../src/launches/sdk.ts';

export type ScriptedSdk = {
  readonly sdk: Sdk;
  /** What every process was started with. */
  readonly started: readonly SdkOptions[];
  /** Everything that the model was given to read with each prompt: what was said before in its session, and the prompt. */
  readonly read: readonly string[];
  /** The same, with the session it was read in. */
  readonly readIn: readonly { readonly sessionId: string; readonly text: string }[];
};

/**
 * The Agent SDK of somebody else, played: it writes transcripts, forks and resumes them as Claude Code does, and calls the tools of servers that run in its
 * host. What it does in a turn is told by words of the prompt: "finding" submits one, "[[use:HEX]]" calls tools, by name and input, "[[ask]]" asks before it writes, anything else is answered.
 */
export const scriptSdk = (config: string): ScriptedSdk => {
  const started: SdkOptions[] = [];
  const read: string[] = [];
  const readIn: { sessionId: string; text: string }[] = [];
  const query: Sdk['query'] = ({ prompt, options }) => {
    started.push(options);
    const sessionId = (options.forkSession === true ? options.sessionId : (options.resume ?? options.sessionId)) ?? randomUUID();
    const fileOf = (id: string): string => join(config, 'projects', options.cwd.replaceAll(/[^0-9A-Za-z]/gu, '-'), `${id}.jsonl`);
    let interrupted = new AbortController();
    let tip: string | null = null;

    const write = (type: 'user' | 'assistant', uuid: string, message: JsonObject): JsonObject => {
      const record = {
        parentUuid: tip,
        isSidechain: false,
        cwd: options.cwd,
        sessionId,
        version: '2.1.325',
        type,
        message,
        uuid,
        timestamp: new Date().toISOString(),
      };
      tip = uuid;
      mkdirSync(dirname(fileOf(sessionId)), { recursive: true });
      appendFileSync(fileOf(sessionId), `${JSON.stringify(record)}\n`);
      return { type, message, uuid, session_id: sessionId, parent_tool_use_id: null };
    };
    const reply = (content: readonly Json[]): JsonObject =>
      write('assistant', randomUUID(), {
        id: `msg_${randomUUID()}`,
        role: 'assistant',
        model: 'claude-opus-4-5',
        content,
        usage: { input_tokens: 100, output_tokens: 1 },
      });
    const result = (more: JsonObject): JsonObject => ({
      type: 'result',
      session_id: sessionId,
      uuid: randomUUID(),
      usage: { output_tokens: 20 },
      ...more,
    });

    const take = (records: readonly JsonObject[]): void => {
      tip = (records.at(-1)?.['uuid'] as string | undefined) ?? null; // of records that have one
    };
    const resume = (): void => {
      if (options.resume === undefined) return;
      const { resume: source, resumeSessionAt: at } = options;
      if (!existsSync(fileOf(source))) throw new Error(`No conversation found with session ID: ${source}`);
      const chain = chainIn(fileOf(source));
      const end = at === undefined ? chain.length - 1 : chain.findIndex((record) => record['uuid'] === at);
      if (end < 0 && at !== undefined) throw new Error(`No message found with message.uuid of: ${at}`);
      const kept = chain.slice(0, end + 1);
      if (sessionId !== source) for (const record of kept) appendFileSync(fileOf(sessionId), `${JSON.stringify({ ...record, sessionId })}\n`);
      take(kept);
    };

    const turn = async function* (asked: JsonObject): AsyncGenerator<JsonObject> {
      const words = textOf(asked['message']);
      write('user', asked['uuid'] as string, asked['message'] as JsonObject); // as they are sent
      const text = chainIn(fileOf(sessionId))
        .map((record) => textOf(record['message']))
        .join('\n');
      read.push(text);
      readIn.push({ sessionId, text });
      yield { type: 'system', subtype: 'init', session_id: sessionId, cwd: options.cwd, claude_code_version: '2.1.325', uuid: randomUUID() };
      const id = `toolu_${randomUUID()}`;
      const [, wishes] = /\[\[use:([0-9a-f]+)\]\]/u.exec(words) ?? [];
      if (wishes !== undefined) {
        for (const [tool, input] of JSON.parse(Buffer.from(wishes, 'hex').toString()) as readonly (readonly [string, JsonObject])[]) {
          const call = `toolu_${randomUUID()}`;
          yield reply([{ type: 'tool_use', id: call, name: `mcp__yarnboard__${tool}`, input: {} }]);
          yield write('user', randomUUID(), results(call, await callTool(options.mcpServers?.['yarnboard']?.instance, tool, input)));
        }
      } else if (words.includes('[[ask]]')) {
        yield reply([{ type: 'tool_use', id, name: 'Write', input: { file_path: '/tmp/x' } }]);
        const answer = await options.canUseTool?.('Write', { file_path: '/tmp/x' }, { signal: interrupted.signal, toolUseID: id, requestId: id });
        const changed = answer?.behavior === 'allow' && answer.updatedInput !== undefined ? ` ${JSON.stringify(answer.updatedInput)}` : '';
        yield write('user', randomUUID(), results(id, `${answer?.behavior ?? 'allow'}${changed}`));
      } else if (words.includes('finding')) {
        const tool = 'scratchpad_entry_submitted';
        const input = { sidebar_id: /SB-\d+/u.exec(words)?.[0] ?? 'SB-1', content: 'The cache is cold' };
        yield reply([{ type: 'tool_use', id, name: `mcp__yarnboard__${tool}`, input }]);
        const told = await Promise.race([callTool(options.mcpServers?.['yarnboard']?.instance, tool, input), aborted(interrupted.signal)]);
        yield write('user', randomUUID(), results(id, told ?? 'interrupted'));
      }
      if (interrupted.signal.aborted) {
        interrupted = new AbortController();
        yield result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' });
        return;
      }
      yield reply([{ type: 'text', text: `Heard ${words.length} characters` }]);
      yield result({ subtype: 'success', is_error: false, result: 'Heard', total_cost_usd: 0.01 });
    };

    const messages = async function* (): AsyncGenerator<JsonObject> {
      resume();
      for await (const asked of prompt) yield* turn(asked);
    };
    return {
      [Symbol.asyncIterator]: () => until(messages(), options.abortController.signal),
      interrupt: async () => interrupted.abort(),
    };
  };
  return { sdk: { query }, started, read, readIn };
};

async function* until(messages: AsyncGenerator<JsonObject>, signal: AbortSignal): AsyncGenerator<JsonObject> {
  for (;;) {
    const next = await Promise.race([messages.next(), aborted(signal)]);
    if (next === null) throw new Error('Claude Code process aborted by user');
    if (next.done === true) return;
    yield next.value;
  }
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });

const results = (id: string, content: string): JsonObject => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });

/** The conversation that a file ends with, as Claude Code finds it. */
const chainIn = (path: string): readonly JsonObject[] => {
  const records = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject); // written by this file
  const byUuid = new Map(records.map((record) => [record['uuid'], record]));
  const chain: JsonObject[] = [];
  const last = records.findLast(({ type }) => type === 'user' || type === 'assistant');
  for (let at = last; at !== undefined; at = byUuid.get(at['parentUuid'] ?? undefined)) chain.unshift(at);
  return chain;
};

const textOf = (message: Json | undefined): string => JSON.stringify(message ?? '');

const callTool = async (server: SdkTools | undefined, name: string, input: JsonObject): Promise<string> => {
  const waiting = new Map<Json | undefined, (message: JsonObject) => void>();
  const transport: SdkTransport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      waiting.get(message['id'])?.(message);
      return Promise.resolve();
    },
  };
  await server?.connect(transport);
  const ask = (id: number, method: string, params: JsonObject): Promise<JsonObject> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      transport.onmessage?.({ jsonrpc: '2.0', id, method, params });
    });
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'scripted', version: '1' } });
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return JSON.stringify(await ask(2, 'tools/call', { name, arguments: input }));
};
