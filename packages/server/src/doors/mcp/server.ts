import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { maskSecrets, type Result } from '@yarnboard/domain';
import { problemOf, REGISTRY, type OperationName } from '@yarnboard/protocol';
import { problemFrom, type Given, type Refusal } from '../../operations/perform.ts';
import { refusedFor } from '../../operations/request/refusal.ts';
import { nearestTool } from './nearest.ts';
import { offeredIn, toolsOf } from './tools.ts';

/** Does one operation for whoever is connected. The signal says that nobody waits for the answer any more. */
export type McpCall = (name: OperationName, given: Given, signal: AbortSignal) => Promise<Result<unknown, Refusal>>;

/** What speaks MCP for one connection or one request. It knows the tools; what they do is the caller's. */
export const createMcpServer = (version: string, call: McpCall): Server => {
  const server = new Server({ name: 'yarnboard', title: 'Yarnboard', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name } = params;
    if (!isOperation(name)) {
      const names = Object.keys(OFFERED).join(', ');
      const near = nearestTool(name, OFFERED);
      const meant = near === null ? '' : ` (did you mean ${near}?)`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${name.slice(0, 100)}"${meant}; there are ${names}`);
    }
    const done = await call(name, params.arguments ?? {}, mcpReq.signal);
    return done.ok ? answerOf(done.value) : refusalOf(done.error);
  });
  return server;
};

const isOperation = (name: string): name is OperationName => Object.hasOwn(OFFERED, name);

/** MCP-3 */
const answerOf = (answer: unknown): CallToolResult => {
  const text = JSON.stringify(answer);
  if (text.length > MOST_ANSWER) {
    const size = `${(text.length / 1e6).toFixed(1)} million characters`;
    return refusalOf(problemFrom(refusedFor('answer-too-large', { size }), 'mcp'));
  }
  return { content: [{ type: 'text', text }], structuredContent: answer };
};

/** MCP-4 */
const refusalOf = ({ code, detail, ...told }: Refusal): CallToolResult => {
  const problem = problemOf(code, maskSecrets(detail).text, told);
  return { content: [{ type: 'text', text: `${code}: ${problem.detail}` }], structuredContent: problem, isError: true };
};

// Clients end the connection at a message of 10 MB. An answer is in it twice, the second time as a string with its quotes escaped.
const MOST_ANSWER = 3_000_000;

const OFFERED = offeredIn(REGISTRY);
const TOOLS = toolsOf(REGISTRY);

const INSTRUCTIONS = `Yarnboard keeps the Claude Code sessions of this machine on a permanent, searchable log. Find with search or sessions, read with session and \
messages, cite by reference (MSG-n). Work happens in sidebars, conversations that branch off and rejoin: sidebar_spawn, chat_message to talk, \
scratchpad_entry_submitted for findings, which a curator validates, sidebar_consolidate to bring them back. What waits for you is in inbox; gold_match \
tells which GOLD waypoints deal with a symptom, gold_created marks a new one. Lists are pages: pass next_cursor as cursor to go on. Known secrets are masked. Tools that change something need a \
token, which whoever set up this connection has to give it.`;
