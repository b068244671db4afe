// An agent that ends every turn with all it has heard since it was started, in hexadecimal: briefing, prompts and answers to what it asked for.
import { createInterface } from 'node:readline';

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const heard = [];
const waiting = new Map();
let turn = '';

const ask = (name, input) =>
  new Promise((resolve) => {
    const id = `${name}-${waiting.size}-${Math.random()}`;
    waiting.set(id, resolve);
    send({ type: 'command', id, name, input });
  });

/** Words come in hexadecimal, so that asking for them is not hearing them. */
const plain = (input) =>
  JSON.parse(JSON.stringify(input).replaceAll(/"([0-9a-f]{14,})"/g, (_, hex) => JSON.stringify(Buffer.from(hex, 'hex').toString())));

const work = async (events) => {
  for (const { text } of events) {
    heard.push(text);
    const [, wishes] = /@listener ask (.*)$/s.exec(text) ?? [];
    if (wishes === undefined) continue;
    for (const [name, input] of JSON.parse(wishes)) {
      const { q, ...rest } = plain(input);
      const answer = await ask(name, q === undefined ? rest : { ...rest, q });
      heard.push(answer.ok ? JSON.stringify(answer.answer) : answer.problem.code);
    }
    heard.push('asked for everything');
  }
  send({ type: 'turn_end', turn_id: turn, text: Buffer.from(heard.join('\n')).toString('hex') });
};

const orders = {
  hello: () => send({ type: 'ready', protocol: 1 }),
  brief: (frame) => heard.push(frame.text),
  turn: (frame) => {
    turn = frame.turn_id;
    void work(frame.events);
  },
  event: (frame) => heard.push(frame.event.text),
  answer: (frame) => waiting.get(frame.id)?.(frame),
  cancel: (frame) => send({ type: 'turn_end', turn_id: frame.turn_id, status: 'cancelled' }),
  bye: () => process.exit(0),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line);
  orders[frame.type]?.(frame);
});
