import type { AnswerTo, Counter, Question } from '../../threads/counter.ts';
import { Refused } from './refusal.ts';

/** Answers questions about the whole board, for many callers at the cost of one. */
export type Count = <Q extends Question>(question: Q, signal?: AbortSignal) => Promise<AnswerTo<Q>>;

export type SharedWork<T> = (signal: AbortSignal) => Promise<T>;

type AskOptions = { readonly signal?: AbortSignal; readonly isKept?: boolean };

export type Shared = {
  /** Does the work once for all callers with the same key at the same log position. `isKept`: the answer is cached until the log changes. */
  readonly ask: <T>(key: string, work: SharedWork<T>, options?: AskOptions) => Promise<T>;
  /** Drops cached answers after a change that isn't on the log. */
  readonly forget: () => void;
};

type Flight = {
  readonly key: string;
  readonly work: SharedWork<unknown>;
  readonly isKept: boolean;
  readonly stop: AbortController;
  readonly promise: Promise<unknown>;
  readonly settle: { readonly resolve: (answer: unknown) => void; readonly reject: (cause: unknown) => void };
  askers: number;
  /** Where the log ended when the work began; null while it is queued. */
  from: number | null;
};

/**
 * API-52: one piece of work at a time. Callers share queued work. They share running work only if the log hasn't grown since it began, so that nobody
 * gets less than what existed when they asked. Work that all callers have abandoned is stopped, or never begun.
 */
export const createShared = (head: () => Promise<number>): Shared => {
  const queue: Flight[] = [];
  const kept = new Map<string, { readonly position: number; readonly answer: unknown }>();
  let running: Flight | null = null;
  let generation = 0;

  const join = <T>(flight: Flight, signal: AbortSignal | undefined): Promise<T> => {
    flight.askers += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        flight.askers -= 1;
        if (flight.askers === 0) abandon(flight);
        reject(new Refused('cancelled', 'no one is waiting for the answer any longer'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      flight.promise.then(
        (answer) => {
          signal?.removeEventListener('abort', leave);
          resolve(answer as T); // the key determines the type
        },
        (cause: unknown) => {
          signal?.removeEventListener('abort', leave);
          reject(cause instanceof Error ? cause : new Error(String(cause)));
        },
      );
    });
  };

  const abandon = (flight: Flight): void => {
    flight.stop.abort();
    const at = queue.indexOf(flight);
    if (at !== -1) queue.splice(at, 1);
  };

  const pump = async (): Promise<void> => {
    for (let flight = queue.shift(); flight !== undefined; flight = queue.shift()) {
      running = flight;
      const begunIn = generation;
      try {
        flight.from = await head();
        const answer = await flight.work(flight.stop.signal);
        if (flight.isKept && generation === begunIn) keep(flight.key, flight.from, answer);
        flight.settle.resolve(answer);
      } catch (cause) {
        flight.settle.reject(cause);
      }
      running = null;
    }
  };

  const keep = (key: string, position: number, answer: unknown): void => {
    kept.delete(key);
    kept.set(key, { position, answer });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  return {
    ask: async <T>(key: string, work: SharedWork<T>, { signal, isKept = false }: AskOptions = {}) => {
      const position = await head();
      if (signal?.aborted === true) throw new Refused('cancelled', 'no one is waiting for the answer any longer');
      const known = isKept ? kept.get(key) : undefined;
      if (known?.position === position) return known.answer as T; // the key determines the type
      const other = queue.find((one) => one.key === key) ?? (isCurrent(running, key, position) ? running : null);
      if (other !== null) return join<T>(other, signal);
      const flight = flightFor(key, work, isKept);
      const answer = join<T>(flight, signal);
      queue.push(flight);
      if (running === null) void pump();
      return answer;
    },
    forget: () => {
      generation += 1;
      kept.clear();
    },
  };
};

/** How a server queries its counter: shared, and cached until the log changes. */
export const createCount =
  (counter: Counter, shared: Shared): Count =>
  (question, signal) =>
    shared.ask(JSON.stringify(question), (stop) => counter.answer(question, stop), { isKept: true, ...(signal === undefined ? {} : { signal }) });

/** Work that hasn't read the end of the log yet will still see all of it. */
const isCurrent = (flight: Flight | null, key: string, position: number): boolean =>
  flight?.key === key && (flight.from ?? position) === position && !flight.stop.signal.aborted;

const flightFor = (key: string, work: SharedWork<unknown>, isKept: boolean): Flight => {
  let settle: Flight['settle'] = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { key, work, isKept, stop: new AbortController(), promise, settle, askers: 0, from: null };
};

const MOST_KEPT = 64;
