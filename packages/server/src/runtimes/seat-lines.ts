import { createInterface } from 'node:readline';
import { encodeSeatFrame, type SeatFrame } from '@yarnboard/protocol';

/** A raw order from the server. */
export type Order = Readonly<Record<string, unknown>>;

/** The program's end of the JSON lines, over its standard input and output. */
export type SeatLines = {
  readonly send: (frame: SeatFrame) => void;
  /** Requests an operation; resolves with the answer's frame. */
  readonly command: (name: string, input: Readonly<Record<string, unknown>>) => Promise<Order>;
  /** Dispatches orders until the input ends; answers go to their callers. */
  readonly listen: (orders: Readonly<Record<string, (order: Order) => void>>, onEnd: () => void) => void;
};

export const createSeatLines = (): SeatLines => {
  const waiting = new Map<string, (order: Order) => void>();
  let asked = 0;
  const send = (frame: SeatFrame): void => {
    process.stdout.write(encodeSeatFrame(frame));
  };
  return {
    send,
    command: (name, input) =>
      new Promise((resolve) => {
        asked += 1;
        const id = `c${asked}`;
        waiting.set(id, resolve);
        send({ type: 'command', id, name, input });
      }),
    listen: (orders, onEnd) => {
      createInterface({ input: process.stdin })
        .on('line', (line) => {
          const order = JSON.parse(line) as Order; // the server wrote it
          const [type, id] = [textIn(order['type']), textIn(order['id'])];
          if (type === 'answer') waiting.get(id)?.(order);
          if (type === 'answer') waiting.delete(id);
          else orders[type]?.(order);
        })
        .on('close', onEnd);
    },
  };
};

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
