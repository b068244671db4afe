import { createInterface } from 'node:readline';
import type { JsonObject } from '@yarnboard/transcript';
import { createInput } from '../../src/launches/run-input.ts';
import type { PermissionResult, SdkOptions, SdkTransport } from '../../src/launches/sdk.ts';
import { scriptSdk } from './scripted-sdk.ts';

// Stands in for `claude -p` with JSON lines: what it does in a turn is the scripted SDK's, what goes beside the conversation is said as the real one says it.

const flags = new Map(process.argv.slice(2).map((one) => [one.split('=', 1)[0] ?? '', one.slice(one.indexOf('=') + 1)]));
const print = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const input = createInput();
const waiting = new Map<string, (response: JsonObject) => void>();
let asked = 0;

const ask = (request: object): Promise<JsonObject> =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(`r${asked}`, resolve);
    print({ type: 'control_request', request_id: `r${asked}`, request });
  });

const servers = (): NonNullable<SdkOptions['mcpServers']> => ({
  yarnboard: {
    type: 'sdk',
    name: 'yarnboard',
    instance: {
      connect: (transport: SdkTransport) => {
        const onmessage = (message: JsonObject): void =>
          void ask({ subtype: 'mcp_message', server_name: 'yarnboard', message }).then(
            ({ mcp_response: told }) => transport.send(told as JsonObject), // the answer is a message
          );
        Object.assign(transport, { onmessage });
        return Promise.resolve();
      },
    },
  },
});

const optional = (name: string, flag: string): object => (flags.has(flag) ? { [name]: flags.get(flag) } : {});
const options: SdkOptions = {
  cwd: process.cwd(),
  env: {},
  abortController: new AbortController(),
  canUseTool: async (tool, given, { toolUseID: id }) =>
    (await ask({ subtype: 'can_use_tool', tool_name: tool, input: given, tool_use_id: id })) as unknown as PermissionResult, // as the SDK gives it
  stderr: () => {},
  systemPrompt: { type: 'preset', preset: 'claude_code' },
  settingSources: [],
  forwardSubagentText: true,
  mcpServers: servers(),
  ...optional('sessionId', '--session-id'),
  ...optional('resume', '--resume'),
  ...optional('resumeSessionAt', '--resume-session-at'),
  ...(flags.has('--fork-session') ? { forkSession: true } : {}),
};
const running = scriptSdk(process.env['CLAUDE_CONFIG_DIR'] ?? '').sdk.query({ prompt: input, options });

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as Record<string, JsonObject>; // written by the server
    const id = message['request_id'] as unknown as string; // of a control request
    if (line.includes('"type":"control_response"')) {
      const { request_id: of, response } = message['response'] as { readonly request_id: string; readonly response: JsonObject };
      waiting.get(of)?.(response);
    } else if (line.includes('"type":"control_request"')) {
      if (message['request']?.['subtype'] === 'interrupt') void running.interrupt();
      print({ type: 'control_response', response: { subtype: 'success', request_id: id, response: {} } });
    } else input.push(message);
  })
  .on('close', input.end);

for await (const said of running) print(said as object);
process.exit(0);
