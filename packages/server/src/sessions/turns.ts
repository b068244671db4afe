/** How long work may occupy the main thread before others get a turn, in milliseconds. A piece of work that begins within it may take longer. */
export const MOST_OF_A_TURN = 10;

export type Turns = {
  /** Continues at once while this turn lasts; otherwise waits for the next one. Call it between pieces of work. */
  readonly go: () => Promise<void>;
  /** Always waits for a new turn: others are served first. */
  readonly wait: () => Promise<void>;
};

/**
 * API-54: shares the main thread among all long-running work, in order of arrival. Each has a turn of the event loop to itself: twenty that merely
 * yielded to each other would all continue within the same one, and together block everyone else.
 */
export const createTurns = ({ now, next }: { readonly now: () => number; readonly next: (work: () => void) => void }): Turns => {
  const waiting: (() => void)[] = [];
  let begunAt = Number.NEGATIVE_INFINITY;
  let isComing = false;
  const come = (): void => {
    isComing = true;
    next(() => {
      isComing = false;
      begunAt = now();
      waiting.shift()?.();
      if (waiting.length > 0) come();
    });
  };
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isComing) come();
    });
  return {
    go: () => (now() - begunAt < MOST_OF_A_TURN ? GOES_ON : wait()),
    wait,
  };
};

const GOES_ON = Promise.resolve();

/** The turns of this thread: it has one event loop, so there is one queue. */
export const TURNS: Turns = createTurns({ now: () => performance.now(), next: (work) => void setImmediate(work) });
