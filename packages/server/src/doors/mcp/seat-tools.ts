import type { Transport } from '@modelcontextprotocol/server';
import { err } from '@yarnboard/domain';
import { REGISTRY } from '@yarnboard/protocol';
import type { SdkTools } from '../../launches/sdk.ts';
import { asQuery, type Refusal } from '../../operations/perform.ts';
import type { ToolCall } from '../../runtimes/claude/claude.ts';
import { createMcpServer } from './server.ts';

/** RT-30: the tools of the registry for a seat whose program is in our hands: what is called goes the way of its commands. */
export const createSeatTools = (version: string, call: ToolCall): SdkTools => {
  const server = createMcpServer({
    version,
    caller: () => Promise.resolve('member'),
    call: async (name, given) => {
      const done = await call(name, REGISTRY[name].method === 'GET' ? asQuery(given) : given);
      return done.ok ? done : err(done.error as Refusal); // as `problemOf` worded it
    },
  });
  return { connect: (transport) => server.connect(transport as Transport) }; // the same by another name
};
