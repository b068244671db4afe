import type { CallToolResult, Tool, Transport } from '@modelcontextprotocol/server';
import { err } from '@yarnboard/domain';
import { REGISTRY } from '@yarnboard/protocol';
import type { SdkTools } from '../../launches/sdk.ts';
import { asQuery, type Refusal } from '../../operations/perform.ts';
import type { TurnDoor } from '../../runtimes/bridge/mcp.ts';
import type { ToolCall } from '../../runtimes/tool-call.ts';
import { createMcpServer, type MoreTools } from './server.ts';

/** RT-30: the registry's tools for a seat whose program we control: calls go the way of its commands. */
export const createSeatTools = (version: string, call: ToolCall, turns?: TurnDoor): SdkTools => {
  const server = createMcpServer({
    version,
    caller: () => Promise.resolve('member'),
    call: async (name, given) => {
      const done = await call(name, REGISTRY[name].method === 'GET' ? asQuery(given) : given);
      return done.ok ? done : err(done.error as Refusal); // as worded by `problemOf`
    },
    ...(turns === undefined ? {} : { more: moreOf(turns) }),
  });
  return { connect: (transport) => server.connect(transport as Transport) }; // the same under another name
};

const moreOf = ({ tools, call, besides }: TurnDoor): MoreTools => ({
  tools: tools as readonly Tool[], // a schema is any object to us
  call: async (name, given, signal) => {
    const answer = call(name, given, signal);
    return answer === null ? null : { content: [{ type: 'text', text: JSON.stringify(await answer) }] };
  },
  complete: (result): CallToolResult => {
    const text = besides();
    return text === null ? result : { ...result, content: [...result.content, { type: 'text', text }] };
  },
});
