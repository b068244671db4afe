import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterTest } from '../../../../../tests/afterwards.ts';
import { ADDRESS, type TestBoard } from '../../operations/boards.ts';

export type Era = '2025' | '2026';

export type Connection = {
  readonly client: Client;
  /** What a tool answers; a refusal fails the test. */
  readonly answer: (name: string, given?: Given) => Promise<unknown>;
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

export const connectionOf = (client: Client): Connection => ({
  client,
  answer: async (name, given = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
    if (isError === true) throw new Error(`${name} refused: ${JSON.stringify(content)}`);
    const [first] = content;
    // MCP-3: the text says the same, without a space too many.
    if (first?.type !== 'text' || content.length !== 1 || first.text !== JSON.stringify(structuredContent))
      throw new Error(`${name}: the text is not the answer: ${JSON.stringify(content)}`);
    return structuredContent;
  },
  refusal: async (name, given = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
    const { code, detail } = structuredContent as { readonly code: string; readonly detail: string }; // checked below
    const [first] = content;
    if (isError !== true || first?.type !== 'text' || first.text !== `${code}: ${detail}`)
      throw new Error(`${name} did not refuse: ${JSON.stringify(content).slice(0, 500)}`);
    return { code, detail };
  },
});
