import type { Json, JsonObject } from '@yarnboard/transcript';
import type { Sdk, SdkOptions, SdkTransport } from '../../launches/sdk.ts';
import { createLineCutter } from '../line-cutter.ts';
import { markIn, startProgram, type Program } from '../process-group.ts';

/**
 * RT-32: Claude through its command line, for users without the SDK: `claude -p` with JSON lines in both directions. It has the same interface as the
 * SDK, so everything above it stays the same.
 */
export const cliSdk = (path: string): Sdk => ({
  query: ({ prompt, options }) => {
    const { cwd, env, abortController, stderr } = options;
    const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const program = startProgram({ command: [path, ...argumentsOf(options)], cwd, env: given, mark: markIn(env) });
    const control = createControl(program, options);
    let isAborted = false;
    abortController.signal.addEventListener('abort', () => {
      isAborted = true;
      program.sweep();
    });
    program.errors.on('data', (bytes: Uint8Array) => stderr(Buffer.from(bytes).toString('utf8')));
    void control.send(initializeOf(options)).then(async () => {
      for await (const one of prompt) control.write(one);
      program.input.end();
    });

    const messages = async function* (): AsyncGenerator<JsonObject> {
      const cutter = createLineCutter(LONGEST_LINE);
      for await (const bytes of program.output) {
        for (const line of cutter.cut(bytes as Uint8Array).lines) {
          const message = messageIn(line);
          if (message !== null && !control.take(message)) yield message;
        }
      }
      const why = await program.ended;
      control.close();
      program.sweep();
      if (isAborted) throw new Error('Claude Code process aborted by user');
      if (why !== 'the program ended with code 0') throw new Error(why);
    };
    return { [Symbol.asyncIterator]: messages, interrupt: () => control.send({ subtype: 'interrupt' }) };
  },
});

type Control = {
  readonly write: (message: JsonObject) => void;
  /** Resolves with the answer, or when Claude Code ends without one. */
  readonly send: (request: JsonObject) => Promise<JsonObject>;
  /** Handles a control message; false for any other. */
  readonly take: (message: JsonObject) => boolean;
  readonly close: () => void;
};

/** The control protocol between Claude Code and its host, beside the conversation: permissions, interrupts, and servers that run in the host. */
const createControl = (program: Program, options: SdkOptions): Control => {
  const waiting = new Map<string, (answer: JsonObject) => void>();
  const open = new Map<string, AbortController>();
  const servers = new Map<string, (message: JsonObject) => Promise<JsonObject>>();
  let sent = 0;

  const write = (message: JsonObject): void => {
    if (!program.input.writableEnded && !program.input.destroyed) program.input.write(`${JSON.stringify(message)}\n`);
  };

  const answer = async (requestId: string, request: JsonObject): Promise<void> => {
    const controller = new AbortController();
    open.set(requestId, controller);
    try {
      const response = await responseTo(requestId, request, controller.signal);
      write({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      write({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } });
    } finally {
      open.delete(requestId);
    }
  };

  const responseTo = async (requestId: string, request: JsonObject, signal: AbortSignal): Promise<JsonObject> => {
    if (request['subtype'] === 'can_use_tool' && options.canUseTool !== undefined) {
      const { tool_use_id: toolUseId, agent_id: agentId, permission_suggestions: suggestions } = request;
      const about = {
        signal,
        requestId,
        ...(typeof toolUseId === 'string' ? { toolUseID: toolUseId } : {}),
        ...(typeof agentId === 'string' ? { agentID: agentId } : {}),
        ...(Array.isArray(suggestions) ? { suggestions: suggestions as readonly Json[] } : {}), // an array in JSON holds JSON values
      };
      const result = await options.canUseTool(textOf(request['tool_name']), objectOf(request['input']), about);
      return { ...result, ...(typeof toolUseId === 'string' ? { toolUseID: toolUseId } : {}) };
    }
    if (request['subtype'] === 'mcp_message') return { mcp_response: await tellServer(textOf(request['server_name']), objectOf(request['message'])) };
    throw new Error(`Yarnboard does not know how to answer "${textOf(request['subtype'])}"`);
  };

  const tellServer = async (name: string, message: JsonObject): Promise<JsonObject> => {
    const instance = options.mcpServers?.[name]?.instance;
    if (instance === undefined) throw new Error(`there is no server "${name}"`);
    const known = servers.get(name) ?? (await connect(instance));
    servers.set(name, known);
    return known(message);
  };

  return {
    write,
    send: (request) =>
      new Promise((resolve) => {
        sent += 1;
        const id = `yarnboard-${sent}`;
        waiting.set(id, resolve);
        write({ type: 'control_request', request_id: id, request });
      }),
    take: (message) => {
      const { type } = message;
      if (type === 'control_response') {
        const response = objectOf(message['response']);
        const id = textOf(response['request_id']);
        waiting.get(id)?.(response);
        waiting.delete(id);
      } else if (type === 'control_request') void answer(textOf(message['request_id']), objectOf(message['request']));
      else if (type === 'control_cancel_request') open.get(textOf(message['request_id']))?.abort();
      return type === 'control_response' || type === 'control_request' || type === 'control_cancel_request' || type === 'keep_alive';
    },
    close: () => {
      for (const controller of open.values()) controller.abort();
      for (const resolve of waiting.values()) resolve({});
    },
  };
};

/** Connects to one of our MCP servers; the result passes it a message and resolves with the answer. */
const connect = async (
  instance: NonNullable<SdkOptions['mcpServers']>[string]['instance'],
): Promise<(message: JsonObject) => Promise<JsonObject>> => {
  const waiting = new Map<Json | undefined, (answer: JsonObject) => void>();
  const transport: SdkTransport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      waiting.get(message['id'])?.(message);
      waiting.delete(message['id']);
      return Promise.resolve();
    },
  };
  await instance.connect(transport);
  return (message) =>
    new Promise((resolve) => {
      const isRequest = message['id'] !== undefined && message['method'] !== undefined;
      if (isRequest) waiting.set(message['id'], resolve);
      transport.onmessage?.(message);
      if (!isRequest) resolve({ jsonrpc: '2.0', result: {}, id: 0 });
    });
};

const initializeOf = ({ mcpServers = {}, systemPrompt: { append } }: SdkOptions): JsonObject => ({
  subtype: 'initialize',
  sdkMcpServers: Object.keys(mcpServers),
  ...(append === undefined ? {} : { appendSystemPrompt: append }),
});

/** RT-30: never contains a token. */
const argumentsOf = (options: SdkOptions): readonly string[] => {
  const { settingSources, settings, strictMcpConfig, mcpServers, sessionId, resume, forkSession, resumeSessionAt } = options;
  const servers = Object.fromEntries(Object.entries(mcpServers ?? {}).map(([name, { type }]) => [name, { type, name }]));
  return [
    '-p',
    '--output-format=stream-json',
    '--verbose',
    '--input-format=stream-json',
    `--setting-sources=${settingSources.join(',')}`,
    ...(options.canUseTool === undefined ? [] : ['--permission-prompt-tool=stdio']),
    ...(settings === undefined ? [] : [`--settings=${JSON.stringify(settings)}`]),
    ...(strictMcpConfig === true ? ['--strict-mcp-config'] : []),
    ...(mcpServers === undefined ? [] : [`--mcp-config=${JSON.stringify({ mcpServers: servers })}`]),
    ...(sessionId === undefined ? [] : [`--session-id=${sessionId}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(forkSession === true ? ['--fork-session'] : []),
    ...(resumeSessionAt === undefined ? [] : [`--resume-session-at=${resumeSessionAt}`]),
    ...(options.model === undefined ? [] : [`--model=${options.model}`]),
    ...(options.permissionMode === undefined ? [] : [`--permission-mode=${options.permissionMode}`]),
    ...(options.allowDangerouslySkipPermissions === true ? ['--allow-dangerously-skip-permissions'] : []),
    ...(options.maxTurns === undefined ? [] : [`--max-turns=${options.maxTurns}`]),
  ];
};

const messageIn = (line: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null; // an object in JSON is a `JsonObject`
  } catch {
    return null; // not a message, so ignored
  }
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}; // the same

const LONGEST_LINE = 64 * 1024 * 1024;
