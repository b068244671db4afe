import type { MessagePort, Worker } from 'node:worker_threads';
import { StoreFault, type AppendFault, type WriteOutcome } from '@yarnboard/store';

// Calls between threads: a method's name and arguments are sent, its result or error is returned. Everything is plain data.

type Call = { readonly call: number; readonly method: string; readonly args: readonly unknown[] };
type Reply = { readonly reply: number; readonly result: unknown } | { readonly reply: number; readonly fault: ThreadFault };
/** How a thread starts: ready, or with the reason why it never will be. */
type Start = { readonly ready: true } | { readonly fault: ThreadFault };
type Notice<E> = { readonly event: E };

/** An error in a thread, as far as it can be sent to another. */
export type ThreadFault = {
  readonly kind: AppendFault['kind'] | null;
  readonly outcome: WriteOutcome;
  readonly message: string;
  readonly stack: string;
};

type Methods = { readonly [name: string]: (...args: never[]) => Promise<unknown> };

/** Answers calls that come through a port; the returned function sends events the other way. */
const serve = <E>(port: MessagePort, methods: Methods): ((event: E) => void) => {
  port.on('message', (message: Call) => {
    const answer = (reply: Reply): void => port.postMessage(reply);
    const method = methods[message.method] as ((...args: readonly unknown[]) => Promise<unknown>) | undefined; // the types of both ends agree
    void (async () => {
      try {
        answer({ reply: message.call, result: await method?.(...message.args) });
      } catch (cause) {
        answer({ reply: message.call, fault: faultOf(cause) });
      }
    })();
  });
  return (event) => port.postMessage({ event } satisfies Notice<E>);
};

/** A thread's whole program: creates what it serves, reports that it is ready or why it never will be, and exits when it is closed. */
export const runThread = async <E>(
  port: MessagePort | null,
  make: (send: (event: E) => void) => Promise<Methods & { readonly close: () => Promise<void> }>,
): Promise<void> => {
  if (port === null) return; // not started as a thread
  let send: (event: E) => void = () => {};
  try {
    const served = await make((event) => send(event));
    const close = async (): Promise<void> => {
      await served.close();
      setImmediate(() => port.close());
    };
    send = serve<E>(port, { ...served, close });
    port.postMessage({ ready: true });
  } catch (cause) {
    port.postMessage({ fault: faultOf(cause) });
  }
};

/** The other end: calls methods of a thread. If the thread ends, waiting calls fail. */
export const connect = <M extends Methods, E>(worker: Worker, names: readonly (keyof M & string)[], onEvent: (event: E) => void): M => {
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (cause: unknown) => void }>();
  let last = 0;
  let ended: Error | null = null;
  worker.on('message', (message: Reply | Notice<E> | Start) => {
    if ('event' in message) {
      onEvent(message.event);
      return;
    }
    if (!('reply' in message)) {
      // Waiting callers get the reason, not just the fact that it ended.
      if ('fault' in message) end(faultFrom(message.fault));
      return;
    }
    const call = waiting.get(message.reply);
    waiting.delete(message.reply);
    if ('result' in message) call?.resolve(message.result);
    else call?.reject(faultFrom(message.fault));
  });
  const end = (cause: Error): void => {
    ended ??= cause;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('error', (cause) => end(cause instanceof Error ? cause : new Error(String(cause))));
  worker.on('exit', (code) => end(new Error(`a thread of the server ended (code ${code})`)));
  const methods = names.map((method) => [
    method,
    (...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        last += 1;
        waiting.set(last, { resolve, reject });
        worker.postMessage({ call: last, method, args } satisfies Call);
      }),
  ]);
  return Object.fromEntries(methods) as M; // one function for each name
};

export const faultOf = (cause: unknown): ThreadFault => ({
  kind: cause instanceof StoreFault ? cause.kind : null,
  outcome: cause instanceof StoreFault ? cause.outcome : 'nothing',
  message: cause instanceof Error ? cause.message : String(cause),
  stack: cause instanceof Error ? (cause.stack ?? '') : '',
});

export const faultFrom = ({ kind, outcome, message, stack }: ThreadFault): Error => {
  if (kind !== null) return new StoreFault(kind, message, undefined, outcome);
  const fault = new Error(message);
  fault.stack = stack;
  return fault;
};
