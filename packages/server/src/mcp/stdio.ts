import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { REGISTRY, type OperationName } from '@yarnboard/protocol';
import { asQuery, inputOf, problemFrom, type Given } from '../http/perform.ts';
import { createMcpServer, type McpCall, type Refusal } from './server.ts';

export type { McpCall, Refusal } from './server.ts';

export type StdioOptions = {
  readonly version: string;
  readonly call: McpCall;
  /** What cannot be told over the wire. */
  readonly onFault: (cause: unknown) => void;
};

export type StdioDoor = {
  /** Resolves when standard input has ended, or nobody reads standard output any more. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Speaks MCP on the standard input and output of this process. */
export const serveMcp = ({ version, call, onFault }: StdioOptions): StdioDoor => {
  let tellClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const handle = serveStdio(() => createMcpServer(version, call), { transport: new TellingTransport(tellClosed), onerror: onFault });
  return { closed, close: () => handle.close() };
};

/** Tells when it is closed, by whichever side. */
class TellingTransport extends StdioServerTransport {
  readonly #tellClosed: () => void;

  constructor(tellClosed: () => void) {
    super();
    this.#tellClosed = tellClosed;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#tellClosed();
  }
}

/** Why an operation cannot be asked for like this; null when it can. Known here, without a board: an address cannot carry whatever JSON can. */
export const refuseInput = (name: OperationName, given: Given): Refusal | null => {
  try {
    inputOf(REGISTRY[name], { given: REGISTRY[name].method === 'GET' ? asQuery(given) : given });
    return null;
  } catch (cause) {
    return problemFrom(cause);
  }
};
