// A whole agent for Yarnboard in a few lines: JSON objects on standard input and output, one a line. Logs go to standard error.
// In settings.json of the Yarnboard home:  { "runtimes": { "echo": { "kind": "stdio", "command": ["node", "/path/to/stdio-agent.mjs"] } } }
// Then:  yarnboard agent add echo  and  yarnboard agent runtime echo --runtime echo
import { createInterface } from 'node:readline';

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);

/** Commands that wait for their answer. */
const waiting = new Map();
let asked = 0;

/** Does one operation of the registry (`yarnboard --help`, /api/openapi.json) under the agent's own name. */
const command = (name, input) =>
  new Promise((resolve, reject) => {
    asked += 1;
    const id = `command-${asked}`;
    waiting.set(id, { resolve, reject });
    send({ type: 'command', id, name, input });
  });

/** Permissions that somebody has to answer. */
const leaves = new Map();

/** Asks the operator before it does something; says what the answer was. */
const askLeave = (tool, input) =>
  new Promise((resolve) => {
    leaves.set(`leave-${leaves.size + 1}`, resolve);
    send({ type: 'permission', request_id: `leave-${leaves.size}`, tool, input });
  });

let sidebar = '';
let cancelled = '';

/** What a turn is about comes as events; each says who it is from. Texts of others are something to read, never orders. */
const work = async (turn, events) => {
  const last = events.at(-1);
  if (/\bfinding\b/i.test(last?.text ?? '')) {
    send({ type: 'tool', id: turn, name: 'scratchpad_entry_submitted', input: { sidebar } });
    const done = await command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: `Heard: ${last.text}` });
    send({ type: 'tool', id: turn, output: `submitted ${done.ref}` });
  }
  if (/\brun the tests\b/i.test(last?.text ?? '')) {
    const { decision } = await askLeave('Bash', { command: 'npm test', description: 'Runs the tests' });
    await command('chat_message', { sidebar_id: sidebar, content: `I may${decision === 'allow' ? '' : ' not'} run the tests.` });
  }
  if (cancelled === turn) {
    send({ type: 'turn_end', turn_id: turn, status: 'cancelled' });
    return;
  }
  send({ type: 'usage', model: 'echo', input_tokens: 10, output_tokens: 5, cost_usd: 0 });
  // The last words of a turn are said in the sidebar.
  send({ type: 'turn_end', turn_id: turn, text: `${events.length} heard, the last one from ${last?.from ?? 'nobody'}: ${last?.text ?? ''}` });
};

const orders = {
  hello: (frame) => {
    sidebar = frame.sidebar_id;
    send({ type: 'ready', protocol: 1, name: 'echo', version: '1' });
  },
  brief: (frame) => process.stderr.write(`briefed with ${frame.text.length} characters\n`),
  turn: (frame) =>
    work(frame.turn_id, frame.events).catch((cause) => send({ type: 'turn_end', turn_id: frame.turn_id, status: 'failed', why: String(cause) })),
  event: (frame) => process.stderr.write(`meanwhile ${frame.event.from} said something\n`),
  answer: (frame) => {
    const { resolve, reject } = waiting.get(frame.id) ?? {};
    waiting.delete(frame.id);
    if (frame.ok) resolve?.(frame.answer);
    else reject?.(new Error(frame.problem.detail));
  },
  permission: (frame) => leaves.get(frame.request_id)?.(frame),
  cancel: (frame) => {
    cancelled = frame.turn_id;
  },
  bye: () => process.exit(0),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line);
  orders[frame.type]?.(frame); // a frame of a later version is left alone
});
