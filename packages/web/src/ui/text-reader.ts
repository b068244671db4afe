import type { TameTree } from './tame-tree.ts';
import { keyOf, type Writing } from './writing.ts';

/** The result of reading a text: its tree, or that it is shown as it is. */
export type Reading = TameTree | 'as-it-is';

export type TextReader = {
  /** The earlier result; null if there is none, or it was dropped to bound memory. */
  readonly known: (writing: Writing) => Reading | null;
  /** Reads the latest request first, since that is what the user is looking at. Cancelled requests aren't read. */
  readonly want: (writing: Writing, listener: (reading: Reading) => void) => () => void;
  /** Reads texts that may be needed soon, when idle; unread ones from the previous call are dropped. */
  readonly readAhead: (writings: readonly Writing[]) => void;
  /** Starts the thread in advance: loading it takes a moment. */
  readonly warm: () => void;
  readonly close: () => void;
};

type Thread = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;
type Order = { readonly id: number; readonly key: string; readonly writing: Writing; readonly listeners: Set<(reading: Reading) => void> };

export type TextReaderParts = {
  readonly startThread: () => Thread;
  readonly later: (ms: number, work: () => void) => () => void;
  readonly patienceMs?: number;
  /** The maximum size of texts whose trees are kept, in characters. */
  readonly mostHeld?: number;
};

/**
 * PAGE-6: texts are read in a separate thread, one by one. Some texts of a few KB take a parser a minute: any that takes longer than `patienceMs` is
 * shown as it is, its thread is terminated, and another continues.
 */
export const createTextReader = ({ startThread, later, patienceMs = 2000, mostHeld = 600_000 }: TextReaderParts): TextReader => {
  const readings = new Map<string, Reading>();
  const waiting = new Map<string, Order>();
  let ahead: readonly Order[] = [];
  let thread: Thread | null = null;
  let current: { readonly order: Order; readonly stopClock: () => void } | null = null;
  let held = 0;
  let lastId = 0;

  const keep = (key: string, reading: Reading): void => {
    readings.set(key, reading);
    held += key.length;
    for (const [oldest] of readings) {
      if (held <= mostHeld || oldest === key) break;
      readings.delete(oldest);
      held -= oldest.length;
    }
  };

  const finish = (reading: Reading): void => {
    const done = current;
    current = null;
    if (done !== null) {
      done.stopClock();
      keep(done.order.key, reading);
      for (const listener of done.order.listeners) listener(reading);
    }
    begin();
  };

  const giveUp = (): void => {
    thread?.terminate();
    thread = null;
    finish('as-it-is');
  };

  const start = (): Thread => {
    const started = startThread();
    started.addEventListener('message', (event) => {
      const { id, tree } = (event as MessageEvent<{ readonly id: number; readonly tree: TameTree | null }>).data; // our own thread's
      if (thread === started && current?.order.id === id) finish(tree ?? 'as-it-is');
    });
    started.addEventListener('error', () => {
      if (thread === started) giveUp();
    });
    return started;
  };

  const begin = (): void => {
    if (current !== null) return;
    const order = [...waiting.values()].at(-1) ?? ahead.find(({ key }) => !readings.has(key));
    if (order === undefined) return;
    waiting.delete(order.key);
    ahead = ahead.filter(({ key }) => key !== order.key);
    thread ??= start();
    current = { order, stopClock: later(patienceMs, giveUp) };
    thread.postMessage({ id: order.id, writing: order.writing });
  };

  const newOrder = (key: string, writing: Writing): Order => {
    lastId += 1;
    return { id: lastId, key, writing, listeners: new Set() };
  };

  const orderFor = (key: string, writing: Writing): Order => {
    if (current?.order.key === key) return current.order;
    const order = waiting.get(key) ?? newOrder(key, writing);
    waiting.delete(key);
    waiting.set(key, order);
    return order;
  };

  return {
    known: (writing) => {
      const key = keyOf(writing);
      const reading = readings.get(key);
      if (reading === undefined) return null;
      // Recently viewed texts are dropped last.
      readings.delete(key);
      readings.set(key, reading);
      return reading;
    },
    want: (writing, listener) => {
      const key = keyOf(writing);
      const reading = readings.get(key);
      if (reading !== undefined) {
        listener(reading);
        return () => {};
      }
      const order = orderFor(key, writing);
      order.listeners.add(listener);
      begin();
      return () => {
        order.listeners.delete(listener);
        if (order.listeners.size === 0) waiting.delete(key);
      };
    },
    readAhead: (writings) => {
      ahead = writings.map((writing) => newOrder(keyOf(writing), writing)).filter(({ key }) => !readings.has(key));
      begin();
    },
    warm: () => {
      thread ??= start();
    },
    close: () => {
      ahead = [];
      current?.stopClock();
      current = null;
      waiting.clear();
      thread?.terminate();
      thread = null;
    },
  };
};
