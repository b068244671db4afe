// An agent that does what it is told in the words of a mention: nothing until then, so that its turn stays open.
import { createInterface } from 'node:readline';

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const waiting = new Map();
let token = '';
let turn = '';
let asked = 0;

const ask = (name, input) =>
  new Promise((resolve) => {
    const id = `${name}-${waiting.size}-${Math.random()}`;
    waiting.set(id, resolve);
    send({ type: 'command', id, name, input });
  });

const end = (text) => send({ type: 'turn_end', turn_id: turn, text });

const take = async ({ text }) => {
  const [, wish] = /@\w+ (.*)$/s.exec(text) ?? [];
  if (wish === undefined) return;
  // In hex, so that nothing masks what it heard.
  if (wish.startsWith('repeat ')) end(Buffer.from(wish).toString('hex'));
  if (wish === 'decline') send({ type: 'decline', reason: 'outside_expertise', note: 'I only know looms' });
  if (wish.startsWith('spend ')) {
    send({ type: 'usage', input_tokens: 1, output_tokens: 1, cost_usd: Number(wish.slice(6)) });
    end('spent');
  }
  if (wish === 'token') end(Buffer.from(token).toString('hex'));
  if (wish.startsWith('permit ')) {
    asked += 1;
    // In hex what would be masked before it is told.
    const asks = wish.startsWith('permit hex:') ? Buffer.from(wish.slice(11), 'hex').toString() : wish.slice(7);
    send({ type: 'permission', request_id: `permission-${asked}`, ...JSON.parse(asks) });
  }
  if (!wish.startsWith('ask ')) return;
  const lines = [];
  for (const [name, input] of JSON.parse(wish.slice(4))) {
    const answer = await ask(name, input);
    lines.push(`${name} ${answer.ok ? 'ok' : answer.problem.code}`);
  }
  end(lines.join('\n'));
};

const orders = {
  hello: (frame) => {
    ({ token } = frame);
    send({ type: 'ready', protocol: 1 });
  },
  turn: (frame) => {
    turn = frame.turn_id;
    for (const event of frame.events) void take(event);
  },
  event: (frame) => void take(frame.event),
  answer: (frame) => waiting.get(frame.id)?.(frame),
  permission: ({ decision, message, input }) =>
    end(
      `was told: ${decision}${message === undefined || message === null ? '' : `, ${message}`}${input === undefined ? '' : `, with ${JSON.stringify(input)}`}`,
    ),
  cancel: (frame) => send({ type: 'turn_end', turn_id: frame.turn_id, status: 'cancelled' }),
  bye: () => process.exit(0),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line);
  orders[frame.type]?.(frame);
});
