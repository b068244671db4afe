import { ProtocolError, ProtocolErrorCode, type CallToolResult, type Server, type Tool } from '@modelcontextprotocol/server';
import { maskSecrets, type Result } from '@yarnboard/domain';
import type { Caller, OperationName } from '@yarnboard/protocol';
import { problemFrom, type Given, type Refusal } from '../../operations/perform.ts';
import { Refused } from '../../operations/request/refusal.ts';
import { answerOf, restOf, type Ask } from './answers.ts';
import { wantedBy, type Wanted } from './calls.ts';
import { nearestCall } from './nearest.ts';
import { PlainServer } from './plain-server.ts';
import { toolsFor } from './tools.ts';

/** Executes one operation for the connected client. The signal is aborted when nobody waits for the answer any more. */
export type McpCall = (name: OperationName, given: Given, signal: AbortSignal) => Promise<Result<unknown, Refusal>>;

export type McpServerOptions = {
  readonly version: string;
  readonly call: McpCall;
  /** What the connected client may call. */
  readonly caller: () => Promise<Caller>;
  readonly more?: MoreTools;
};

/** Tools of one connection besides the registry's, and additions to its answers. */
export type MoreTools = {
  readonly tools: readonly Tool[];
  /** Null for any other tool. */
  readonly call: (name: string, given: Given, signal: AbortSignal) => Promise<CallToolResult | null>;
  readonly complete: (result: CallToolResult) => CallToolResult;
};

/** An MCP endpoint for one connection or request. It knows the tools; the caller executes them. */
export const createMcpServer = ({ version, call, caller, more = NO_MORE }: McpServerOptions): Server => {
  const server = new PlainServer({ name: 'yarnboard', title: 'Yarnboard', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => ({ tools: [...more.tools, ...toolsFor(await caller())] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      const special = await more.call(params.name, params.arguments ?? {}, mcpReq.signal);
      if (special !== null) return special;
      const wanted = await wantedBy(params.name, params.arguments ?? {}, caller);
      if (wanted === null) throw unknownTool(params.name, await caller());
      const done = await answerTo(wanted, (name, given) => call(name, given, mcpReq.signal));
      return more.complete(done.ok ? { content: [{ type: 'text', text: JSON.stringify(done.value) }] } : refusalOf(done.error));
    } catch (cause) {
      if (cause instanceof Refused) return refusalOf(problemFrom(cause, 'mcp'));
      throw cause;
    }
  });
  return server;
};

const NO_MORE: MoreTools = { tools: [], call: async () => null, complete: (result) => result };

const answerTo = async (wanted: Wanted, ask: Ask): Promise<Result<object, Refusal>> => {
  switch (wanted.kind) {
    case 'operation':
      return answerOf(ask, wanted.operation, wanted.given);
    case 'rest':
      return restOf(ask, wanted.cursor, wanted.at);
    case 'told':
      return { ok: true, value: wanted.answer };
    default:
      return wanted;
  }
};

/** MCP-4 */
const refusalOf = ({ code, detail }: Refusal): CallToolResult => ({
  content: [{ type: 'text', text: `${code}: ${maskSecrets(detail).text}` }],
  isError: true,
});

const unknownTool = (name: string, caller: Caller): ProtocolError => {
  const near = nearestCall(name);
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  const names = toolsFor(caller).map((tool) => tool.name);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${name.slice(0, 100)}"${meant}; there are ${names.join(', ')}`);
};

const INSTRUCTIONS = `Yarnboard keeps the coding-agent sessions of this machine on a permanent, searchable log. Find with search or sessions, read with read, \
cite by reference (MSG-n). Before you rely on something or repeat it, trace it: where it comes from, what came of it. Work happens in sidebars, conversations that branch off and rejoin: spawn one, talk in it, add each finding, which a curator \
validates, and merge to bring them back. What waits for you is in inbox; golds tells which GOLD deals with a symptom, mark_gold marks a new one. Everything \
else is in more. Lists are pages of 20: pass next_cursor as cursor to go on. Long texts and lists are cut; continue gives the rest. Known secrets are masked. \
What changes something needs a token, which whoever set up this connection has to give it; what yours does not allow is not listed.`;
