import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterTest } from '../../../../../tests/afterwards.ts';
import { MOST_BYTES } from '../../../src/doors/mcp/answers.ts';
import { ADDRESS, type TestBoard } from '../../operations/boards.ts';
import { restored } from './restored.ts';

export type Era = '2025' | '2026';

export type Connection = {
  readonly client: Client;
  /** What a tool answers; a refusal fails the test. */
  readonly answer: (name: string, given?: Given) => Promise<unknown>;
  /** The same, with everything that was left out of it. */
  readonly whole: (name: string, given?: Given) => Promise<unknown>;
  /** Why a tool refuses; an answer fails the test. */
  readonly refusal: (name: string, given?: Given) => Promise<{ readonly code: string; readonly detail: string }>;
};

type Given = Readonly<Record<string, unknown>>;

export type ConnectOptions = { readonly token?: string; readonly era?: Era; readonly headers?: Readonly<Record<string, string>> };

/** A real client, connected to the /mcp of a server. */
export const connect = async (
  url: string,
  { token, era = '2025', headers = {} }: ConnectOptions = {},
  fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<Connection> => {
  const client = new Client({ name: 'test', version: '0' }, era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  afterTest(() => client.close());
  const requestInit = { headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit, ...(fetch === undefined ? {} : { fetch }) }));
  return connectionOf(client);
};

/** The same to a board without a port. */
export const connectTo = ({ board }: TestBoard, options: ConnectOptions = {}): Promise<Connection> =>
  connect(`http://${ADDRESS}`, options, async (url, init = {}) => {
    // Every request would listen to the client's one signal for as long as the client lives.
    const { signal: _, ...rest } = init;
    const headers = new Headers(init.headers);
    headers.set('host', ADDRESS);
    return board.app.request(String(url), { ...rest, headers });
  });

export const connectionOf = (client: Client): Connection => {
  const told = async (name: string, given: Given): Promise<unknown> => {
    const { text, isError } = await textOf(client, name, given);
    if (isError) throw new Error(`${name} refused: ${text}`);
    return JSON.parse(text);
  };
  return {
    client,
    answer: (name, given = {}) => told(name, given),
    whole: async (name, given = {}) => {
      const { continue_cursor: cursor, ...shown } = (await told(name, given)) as { readonly continue_cursor?: string }; // answers are objects
      return cursor === undefined ? shown : restored(shown, (at) => told('continue', { cursor, at }));
    },
    refusal: async (name, given = {}) => {
      const { text, isError } = await textOf(client, name, given);
      const [, code, detail] = /^([a-z-]+): ([^]+)$/u.exec(text) ?? [];
      if (!isError || code === undefined || detail === undefined) throw new Error(`${name} did not refuse: ${text.slice(0, 500)}`);
      return { code, detail };
    },
  };
};

/** MCP-3, MCP-15: whatever a tool says, it says it once, as text, and it fits. */
const textOf = async (client: Client, name: string, given: Given = {}): Promise<{ readonly text: string; readonly isError: boolean }> => {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content;
  if (first?.type !== 'text' || content.length !== 1 || structuredContent !== undefined)
    throw new Error(`${name} did not answer with one text: ${JSON.stringify(content).slice(0, 500)}`);
  if (Buffer.byteLength(first.text) > MOST_BYTES) throw new Error(`${name} answered with ${Buffer.byteLength(first.text)} bytes`);
  return { text: first.text, isError };
};
