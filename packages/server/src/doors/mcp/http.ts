import { createMcpHandler } from '@modelcontextprotocol/server';
import { err, ok } from '@yarnboard/domain';
import { REGISTRY } from '@yarnboard/protocol';
import type { Asker } from '../../operations/request/asker.ts';
import type { ClientName } from '../client-name.ts';
import { asQuery, problemFrom, type Perform } from '../../operations/perform.ts';
import { createMcpServer } from './server.ts';

export type McpDoor = {
  readonly version: string;
  readonly perform: Perform;
  /** The maximum size of a body in bytes. */
  readonly mostBody: number;
  readonly onFault: (cause: unknown) => void;
};

const MCP: ClientName = { name: 'mcp', version: null };

/** MCP-6: answers one request to /mcp. The caller was identified before, as for every route; no state is kept between requests. */
export const answerMcp = ({ version, perform, mostBody, onFault }: McpDoor, request: Request, asker: Asker): Promise<Response> => {
  const createServer = () =>
    createMcpServer({
      version,
      caller: () => Promise.resolve(asker.isOperator ? 'operator' : asker.actor === null ? 'anyone' : 'member'),
      call: async (name, given, signal) => {
        try {
          return ok(await perform(name, asker, () => ({ given: REGISTRY[name].method === 'GET' ? asQuery(given) : given, client: MCP, signal })));
        } catch (cause) {
          const problem = problemFrom(cause, 'mcp');
          if (problem.code === 'internal') onFault(cause);
          return err(problem);
        }
      },
    });
  // The tools of a token never change while the server runs: there is nothing to subscribe to.
  return createMcpHandler(createServer, { maxRequestBodySize: mostBody, maxSubscriptions: 0 }).fetch(request);
};
