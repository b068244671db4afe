// The protocol of seats, for agents of tests that say only what they do in a turn.
import { createInterface } from 'node:readline';

const waiting = new Map();
let asked = 0;

export const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);

/** Resolves with the answer. */
export const command = (name, input) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(`c${asked}`, resolve);
    send({ type: 'command', id: `c${asked}`, name, input });
  });

/** Takes orders until it is told to end: `work` is given each turn, with the sidebar it is about. */
export const takeSeat = (work) => {
  let sidebar = '';
  const orders = {
    hello: (frame) => {
      sidebar = frame.sidebar_id;
      send({ type: 'ready', protocol: 1 });
    },
    turn: (frame) => void work(frame.turn_id, frame.events, sidebar),
    answer: (frame) => waiting.get(frame.id)?.(frame),
    cancel: (frame) => send({ type: 'turn_end', turn_id: frame.turn_id, status: 'cancelled' }),
    bye: () => process.exit(0),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const frame = JSON.parse(line);
    orders[frame.type]?.(frame);
  });
};
