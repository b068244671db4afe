import type { Live } from './live.ts';

export type AheadOptions = {
  /** The session of the answers: any addition to it invalidates them. */
  readonly sessionId: string;
  /** Sends every query of the view, one after the other: what is needed first doesn't compete with the rest. */
  readonly questions: (ask: Live['ask']) => void;
  /** Runs the work after this many milliseconds, unless the returned function is called first. */
  readonly later: (ms: number, work: () => void) => () => void;
};

/** PAGE-123: sends a view's queries before the view exists. The view gets these answers once, unless something has changed since. */
export const withAnswersAhead = (live: Live, { sessionId, questions, later }: AheadOptions): Live => {
  const ahead = new Map<string, Promise<unknown>>();
  const stops: (() => void)[] = [];
  const drop = (): void => {
    ahead.clear();
    for (const stop of stops.splice(0)) stop();
  };
  stops.push(live.watchSession(sessionId, drop), live.onForgotten(drop), later(KEPT_MS, drop));
  let before: Promise<unknown> = Promise.resolve();
  questions((name, input) => {
    const answer = before.then(() => live.ask(name, input));
    ahead.set(keyOf(name, input), answer);
    // A refusal is for whoever takes the answer, and perhaps nobody does.
    before = answer.catch(() => {});
    return answer;
  });
  return {
    ...live,
    ask: (name, input) => {
      const key = keyOf(name, input);
      const answer = ahead.get(key) as ReturnType<typeof live.ask<typeof name>> | undefined; // the answer to this very query
      if (answer === undefined) return live.ask(name, input);
      ahead.delete(key);
      if (ahead.size === 0) drop();
      return answer;
    },
  };
};

const keyOf = (name: string, input: unknown): string => JSON.stringify([name, input]);

const KEPT_MS = 10_000;
