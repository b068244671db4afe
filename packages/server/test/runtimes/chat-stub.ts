import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../../../tests/afterwards.ts';

export type ChatStub = { readonly url: string; readonly requests: readonly ChatRequest[]; readonly keys: readonly (string | undefined)[] };

type Said = { readonly role: string; readonly content: string };
export type ChatRequest = { readonly model: string; readonly messages: readonly Said[]; readonly tools?: readonly object[] };

/**
 * An endpoint that speaks /v1/chat/completions on 127.0.0.1. What it does, the last word of the user says: [[name]], or [[use:…]] with tools and their
 * inputs as JSON in hexadecimal, so that asking for something is not reading it.
 */
export const startChatStub = async (): Promise<ChatStub> => {
  const requests: ChatRequest[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString('utf8');
    });
    request.on('end', () => {
      const asked = JSON.parse(body) as ChatRequest; // of our own program
      requests.push(asked);
      keys.push(request.headers.authorization);
      const told = asked.messages.filter(({ role }) => role !== 'system');
      const wishes = /\[\[use:([0-9a-f]+)\]\]/u.exec(told.findLast(({ role }) => role === 'user')?.content ?? '')?.[1];
      if (wishes !== undefined && told.at(-1)?.role !== 'tool') {
        stream(response, [...used(JSON.parse(Buffer.from(wishes, 'hex').toString('utf8')) as readonly Wished[]), DONE]);
        return;
      }
      const script = /\[\[(\w+)\]\]/u.exec(told.findLast(({ role }) => role === 'user')?.content ?? '')?.[1] ?? 'plain';
      const hasResult = told.at(-1)?.role === 'tool';
      (SCRIPTS[script] ?? plain)(response, hasResult, asked);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, keys };
};

type Script = (response: ServerResponse, hasResult: boolean, asked: ChatRequest) => void;

const USAGE = { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };

const stream = (response: ServerResponse, events: readonly (object | string)[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const text = typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`;
    // Cut anywhere, as networks do.
    for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
  }
  response.end();
};

const say = (content: string): object => ({ model: 'stub-1', choices: [{ delta: { content } }] });
const STOP = { choices: [{ delta: {}, finish_reason: 'stop' }] };
const DONE = 'data: [DONE]\n\n';
const call = (name: string, input: string): readonly object[] => [
  { choices: [{ delta: { tool_calls: [{ index: 0, id: 'call-1', function: { name, arguments: input.slice(0, 5) } }] } }] },
  { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: input.slice(5) } }] } }] },
  { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
];

type Wished = readonly [name: string, input: object];

const used = (wishes: readonly Wished[]): readonly object[] => [
  ...wishes.map(([name, input], index) => ({
    choices: [{ delta: { tool_calls: [{ index, id: `call-${index}`, function: { name, arguments: JSON.stringify(input) } }] } }],
  })),
  { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
];

const plain: Script = (response) => stream(response, [say('I have '), say('read it: ñ 🧶.'), STOP, { choices: [], usage: USAGE }, DONE]);

const refuse =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

const SCRIPTS: Readonly<Record<string, Script>> = {
  plain,
  finding: (response, hasResult, asked) =>
    hasResult
      ? plain(response, hasResult, asked)
      : stream(response, [...call('scratchpad_entry_submitted', '{"content":"The cache is cold"}'), { choices: [], usage: USAGE }, DONE]),
  broken: (response, hasResult, asked) =>
    hasResult ? plain(response, hasResult, asked) : stream(response, [...call('chat_message', '{"content": "cut o'), DONE]),
  unknown: (response, hasResult, asked) => (hasResult ? plain(response, hasResult, asked) : stream(response, [...call('rm_rf', '{}'), DONE])),
  nousage: (response) => stream(response, [say('No usage.'), STOP, DONE]),
  text: (response) => stream(response, [say('I looked.\n\nFINDING: The cache is cold, see MSG-1.\n\nThat is all.'), STOP, DONE]),
  cut: (response) => stream(response, [say('I was about to'), 'data: {"choices":[{"del']),
  garbled: (response) => stream(response, ['data: {{{\n\n', DONE]),
  slow: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(say('Thinking'))}\n\n`);
  },
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  e401: refuse(401, '{"error":{"message":"bad key"}}'),
  e404: refuse(404, '{"error":"no such model"}'),
  e429: refuse(429, '{"error":{"message":"slow down"}}', { 'retry-after': '30' }),
  e500: refuse(500, 'oops'),
  long: refuse(400, '{"error":{"message":"maximum context length is 10 tokens"}}'),
};
