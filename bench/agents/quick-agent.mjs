// The smallest agent that speaks the JSON lines: says when it heard of a turn, by the clock of the machine, and ends it.
import { createInterface } from 'node:readline';

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, turn_id: turn } = JSON.parse(line);
  if (type === 'hello') send({ type: 'ready', protocol: 1 });
  if (type === 'turn') send({ type: 'turn_end', turn_id: turn, text: `heard at ${performance.timeOrigin + performance.now()}` });
  if (type === 'bye') process.exit(0);
});
