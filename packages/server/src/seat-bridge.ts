import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createSeatTools } from './doors/mcp/seat-tools.ts';
import { runAcp } from './runtimes/bridge/acp.ts';
import { runMcp } from './runtimes/bridge/mcp.ts';
import { giveUp } from './runtimes/bridge/program.ts';
import type { BridgeTask } from './runtimes/bridge/task.ts';
import { joinToolSocket, openToolSocket, TOOLS } from './runtimes/bridge/tool-socket.ts';
import { createSeatLines } from './runtimes/seat-lines.ts';
import { toolCallOver } from './runtimes/tool-call.ts';
import { BRIDGE } from './runtimes/variables.ts';

// The program behind the runtime kind `acp`, and behind `stdio` that speaks MCP: a child of the server with its JSON lines on one side and an agent's
// protocol on the other. With the argument `tools` it is the end of the tools' socket that an agent starts.

type Tools = ReturnType<typeof createSeatTools>;

const connect = (tools: Tools, transport: StdioServerTransport): Promise<void> =>
  tools.connect(transport as unknown as Parameters<Tools['connect']>[0]); // the same by another name

const failed = (cause: unknown): void => giveUp(cause instanceof Error ? cause.message : String(cause));

const begin = async (): Promise<void> => {
  const task = JSON.parse(process.env[BRIDGE] ?? '{}') as BridgeTask; // the server wrote it
  const lines = createSeatLines();
  const call = toolCallOver(lines.command);
  if (task.speaks === 'mcp') {
    runMcp({
      task,
      lines,
      call,
      serve: (program, observed, turns) => {
        connect(createSeatTools(task.version, observed, turns), new StdioServerTransport(program.output, program.input)).catch(failed);
      },
    });
  } else {
    const tools = await openToolSocket((socket) => connect(createSeatTools(task.version, call), new StdioServerTransport(socket, socket)));
    await runAcp({ task, lines, tools });
  }
};

if (process.argv[2] === TOOLS) joinToolSocket();
else begin().catch(failed);
