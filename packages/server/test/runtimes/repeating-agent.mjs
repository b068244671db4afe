// An agent that does the same in every turn: submits what the turn is about as a finding, says so, and ends only when it was told to by a file.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [gate] = process.argv.slice(2);
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const waiting = new Map();
let sidebar = '';
let asked = 0;

const command = (name, input) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(`c${asked}`, resolve);
    send({ type: 'command', id: `c${asked}`, name, input });
  });

const work = async (turn, events) => {
  for (const { seq, text } of events)
    await command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: `about ${seq}: ${text.slice(0, 80)}` });
  const look = setInterval(() => {
    if (!existsSync(gate)) return;
    clearInterval(look);
    send({ type: 'turn_end', turn_id: turn, text: `did ${events.map(({ seq }) => seq).join(', ')}` });
  }, 20);
};

const orders = {
  hello: (frame) => {
    sidebar = frame.sidebar_id;
    send({ type: 'ready', protocol: 1 });
  },
  turn: (frame) => void work(frame.turn_id, frame.events),
  answer: (frame) => waiting.get(frame.id)?.(frame),
  cancel: (frame) => send({ type: 'turn_end', turn_id: frame.turn_id, status: 'cancelled' }),
  bye: () => process.exit(0),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line);
  orders[frame.type]?.(frame);
});
