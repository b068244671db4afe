// A whole agent for Yarnboard that is a client of MCP on its standard input and output. It asks for its turns with the tool turn_next, works with the tools
// of Yarnboard, and ends them with turn_end. Logs go to standard error.
// In settings.json:  { "runtimes": { "echo-mcp": { "kind": "stdio", "speaks": "mcp", "command": ["node", "/path/to/mcp-agent.mjs"] } } }
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Requests that wait for their answer. */
const waiting = new Map();
let asked = 0;

const request = (method, params) =>
  new Promise((resolve, reject) => {
    asked += 1;
    waiting.set(asked, { resolve, reject });
    send({ id: asked, method, params });
  });

/** Calls a tool; answers with its texts. What comes behind the first came while you were at work. */
const use = async (name, input) => {
  const { content, isError } = await request('tools/call', { name, arguments: input });
  const [first, ...besides] = content.map(({ text }) => text);
  return { answer: first, besides, isError: isError === true };
};

const work = async ({ turn_id: turn, text }) => {
  const [, sidebar = ''] = /take part in (SB-\d+)/.exec(opening) ?? [];
  if (/\bfinding\b/i.test(text)) {
    const { answer, besides } = await use('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'Heard of a finding' });
    process.stderr.write(`submitted: ${answer}; besides: ${besides.join(' ')}\n`);
  }
  await use('turn_end', {
    turn_id: turn,
    text: `Heard ${text.length} characters.`,
    usage: { model: 'echo', input_tokens: 10, output_tokens: 5, cost_usd: 0 },
  });
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error.message));
  })
  .on('close', () => process.exit(0));

await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'echo', version: '1' } });
send({ method: 'notifications/initialized' });

/** Who you are and where you take part is told with the first turn. */
let opening = '';
for (;;) {
  const turn = JSON.parse((await use('turn_next', {})).answer);
  if (turn.turn_id === null) continue;
  opening ||= turn.text;
  await work(turn);
}
