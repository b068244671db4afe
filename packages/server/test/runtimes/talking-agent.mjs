// An agent that says six words in every turn, one after the other, and before the third waits for a file.
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

const opened = async () => {
  while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
};

const work = async (turn, events) => {
  const [{ seq }] = events;
  for (let n = 1; n <= 6; n += 1) {
    if (n === 3) await opened();
    const answer = await command('chat_message', { sidebar_id: sidebar, content: `word ${n} about ${seq}` });
    if (!answer.ok) send({ type: 'text', text: `refused: ${JSON.stringify(answer.problem)}` });
  }
  send({ type: 'turn_end', turn_id: turn, text: `that was about ${seq}` });
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
