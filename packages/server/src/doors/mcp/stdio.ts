import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { OPERATOR } from '@yarnboard/domain';
import { REGISTRY, type Caller, type OperationName } from '@yarnboard/protocol';
import { asQuery, inputOf, problemFrom, type Given, type Refusal } from '../../operations/perform.ts';
import { createMcpServer, type McpCall, type McpServerOptions } from './server.ts';

export type { Refusal } from '../../operations/perform.ts';
export type { McpCall } from './server.ts';

export type StdioOptions = McpServerOptions & {
  /** For errors that can't be sent over the wire. */
  readonly onFault: (cause: unknown) => void;
};

export type StdioDoor = {
  /** Resolves when standard input has ended and its requests are answered, or nobody reads standard output any more. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Serves MCP on the standard input and output of this process. */
export const serveMcp = ({ onFault, ...options }: StdioOptions): StdioDoor => {
  let tellClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const handle = serveStdio(() => createMcpServer(options), { transport: new TellingTransport(tellClosed), onerror: onFault });
  return { closed, close: () => handle.close() };
};

/**
 * Reports when either side closes it. The protocol sees the end of the input only after every request is answered: otherwise running requests would
 * be abandoned, and a script that pipes requests in would get no answers (MCP-12).
 */
class TellingTransport extends StdioServerTransport {
  readonly #tellClosed: () => void;
  readonly #input: PassThrough;
  readonly #asked = new Set<string | number>();
  #isOver = false;
  #late: NodeJS.Timeout | undefined;

  constructor(tellClosed: () => void) {
    const input = new PassThrough();
    super(input);
    this.#input = input;
    this.#tellClosed = tellClosed;
  }

  override async start(): Promise<void> {
    const hear = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners, only this one
    this.onmessage = (message) => {
      this.#noteAsked(message);
      hear?.(message);
    };
    await super.start();
    const over = (): void => {
      // What was read must be processed first.
      setImmediate(() => this.#endWhenAnswered());
    };
    process.stdin
      .once('end', over)
      .once('close', over)
      .on('error', (cause) => this.onerror?.(cause));
    if (process.stdin.readableEnded || process.stdin.destroyed) over();
    process.stdin.pipe(this.#input, { end: false });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    clearTimeout(this.#late);
    process.stdin.unpipe(this.#input);
    process.stdin.pause();
    await super.close();
    this.#tellClosed();
  }

  #noteAsked(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    // A subscription is never answered: it ends with the input.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#asked.add(message.id);
    const { requestId } = message.method === 'notifications/cancelled' ? { requestId: undefined, ...message.params } : { requestId: undefined };
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#settle(requestId);
  }

  #settle(id: string | number): void {
    this.#asked.delete(id);
    if (this.#isOver && this.#asked.size === 0) this.#input.end();
  }

  #endWhenAnswered(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#asked.size === 0) this.#input.end();
    else this.#late = setTimeout(() => this.#input.end(), PATIENCE);
  }
}

/** How long requests are still answered after the end of the input. */
const PATIENCE = 10_000;

/** Why an operation can't be called like this; null if it can. Decided here, without a board: an address can't carry everything that JSON can. */
export const refuseInput = (name: OperationName, given: Given): Refusal | null => {
  try {
    inputOf(REGISTRY[name], { given: REGISTRY[name].method === 'GET' ? asQuery(given) : given });
    return null;
  } catch (cause) {
    return problemFrom(cause, 'mcp');
  }
};

/** Who a token belongs to, judging by its inbox. Without one, it counts as an agent's, as most are. */
export const callerOf = (inbox: Awaited<ReturnType<McpCall>>): Caller =>
  inbox.ok && REGISTRY.inbox.output.safeParse(inbox.value).data?.agent_id === OPERATOR.id ? 'operator' : 'member';
