import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { repliesOf, type Offer, type Reply, type ReplyBlock, type ScriptName } from './model-scripts.ts';

/** Holds a reply back until somebody has seen what came before it: what is seen then, is seen while the program runs. */
export type Gate = { readonly reached: Promise<void>; readonly release: () => void };

export type ModelServer = {
  readonly url: string;
  /** Which scripts were played, as `NAME#STEP`. */
  readonly played: readonly string[];
  /** The whole conversation that each script was played for, as it was sent. */
  readonly heard: readonly { readonly name: string; readonly text: string }[];
  readonly hold: (script: ScriptName, step: number, where?: 'before' | 'in-text') => Gate;
  /** Nothing is held back any more. */
  readonly releaseAll: () => void;
  readonly close: () => Promise<void>;
};

/** Answers the Messages API on 127.0.0.1 by script: the last `play:NAME` of the conversation tells which. */
export const startModelServer = async (project: string): Promise<ModelServer> => {
  const played: string[] = [];
  const heard: { readonly name: string; readonly text: string }[] = [];
  const gates = new Map<string, OpenGate>();
  const server = createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      response.destroy(cause instanceof Error ? cause : new Error(String(cause)));
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
    const path = (request.url ?? '').split('?')[0];
    if (path === '/v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: 1000 });
    if (path !== '/v1/messages') return sendJson(response, 404, failure('not_found_error', 'only messages are answered here'));
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Request; // its sender is known
    const { name, reply } = chooseReply(body, project);
    played.push(name);
    heard.push({ name, text: JSON.stringify(body.messages) });
    const gate = gates.get(name);
    if (gate?.where === 'before') await gate.pass(response);
    if ('status' in reply) return sendJson(response, reply.status, failure(reply.error.type, reply.error.message));
    const message = messageOf(body, reply.content);
    if (body.stream !== true) return sendJson(response, 200, message);
    await stream(response, message, gate?.where === 'in-text' ? gate : null);
  };

  const releaseAll = (): void => {
    for (const gate of gates.values()) gate.open();
    gates.clear();
  };

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // listens on a port, not on a path
  return {
    url: `http://127.0.0.1:${port}`,
    played,
    heard,
    hold: (script, step, where = 'before') => {
      const gate = makeGate(where);
      const key = `${script}#${step}`;
      gates.set(key, gate);
      const release = (): void => {
        if (gates.get(key) === gate) gates.delete(key);
        gate.open();
      };
      return { reached: gate.reached, release };
    },
    releaseAll,
    close: () =>
      new Promise((resolve) => {
        releaseAll();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

type OpenGate = {
  readonly where: 'before' | 'in-text';
  readonly reached: Promise<void>;
  readonly open: () => void;
  readonly pass: (response: ServerResponse) => Promise<void>;
};

const makeGate = (where: OpenGate['where']): OpenGate => {
  let reach = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = async (response: ServerResponse): Promise<void> => {
    reach();
    const gone = new Promise<void>((resolve) => {
      response.once('close', resolve);
    });
    await Promise.race([opened, gone]);
  };
  return { where, reached, open: () => open(), pass };
};

type Said = string | readonly { readonly type: string; readonly text?: string }[];
type Request = {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: Said }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema?: unknown }[];
};

const chooseReply = ({ messages, tools = [] }: Request, project: string): { readonly name: string; readonly reply: Reply } => {
  const aside = (text: string): Reply => ({ content: [{ type: 'text', text }] });
  if (asksForSummary(textOf(messages.at(-1)?.content ?? '')))
    return { name: 'summary', reply: aside('<summary>\nThey tried things out.\n</summary>') };
  const agent = tools.find(({ name }) => name === 'Task' || name === 'Agent');
  const offer: Offer = {
    project,
    agentTool: agent?.name ?? null,
    sidebar: /take part in (SB-\d+)/u.exec(JSON.stringify(messages))?.[1] ?? null,
    canChooseBackground: JSON.stringify(agent?.input_schema ?? null).includes('run_in_background'),
  };
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    if (messages[at]?.role !== 'user') continue;
    const script = [...textOf(messages[at]?.content ?? '').matchAll(/\bplay:([a-z]+)/gu)].at(-1)?.[1];
    const replies = script === undefined ? null : repliesOf(script, offer);
    if (script === undefined || replies === null) continue;
    // Titles and topics are asked for without tools; they are no part of the play.
    if (tools.length === 0) break;
    const step = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
    return { name: `${script}#${step}`, reply: replies[step] ?? aside('There is nothing more to say.') };
  }
  return { name: 'aside', reply: aside('Understood.') };
};

const asksForSummary = (text: string): boolean => /\bsummary\b/iu.test(text) && /\b(?:detailed summary|TEXT ONLY)\b/u.test(text);

const textOf = (said: Said): string => (typeof said === 'string' ? said : said.map(({ type, text }) => (type === 'text' ? text : '')).join('\n'));

type SentBlock = ReplyBlock & { readonly id?: string };

const messageOf = ({ model }: Request, content: readonly ReplyBlock[]) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  content: content.map((block): SentBlock => (block.type === 'tool_use' ? { ...block, id: newId('toolu') } : block)),
  stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, cache_creation_input_tokens: 300, cache_read_input_tokens: 4000, output_tokens: 40 },
});

const newId = (prefix: string): string => `${prefix}_01${randomUUID().replaceAll('-', '').slice(0, 22)}`;

const failure = (type: string, message: string): object => ({ type: 'error', error: { type, message } });

const sendJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') }).end(JSON.stringify(body));
};

const stream = async (response: ServerResponse, message: ReturnType<typeof messageOf>, gate: OpenGate | null): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'request-id': newId('req') });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const { usage, stop_reason, stop_sequence, content } = message;
  send('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } });
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', { index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } });
    const pieces = isText ? (block.text.match(/\S+\s*/gu) ?? []) : [JSON.stringify(block.input)];
    for (const [i, piece] of pieces.entries()) {
      if (isText && i === 3) await gate?.pass(response);
      send('content_block_delta', { index, delta: isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece } });
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } });
  send('message_stop', {});
  response.end();
};
