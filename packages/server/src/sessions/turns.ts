/** How long work may keep the main thread before whoever else waits has a turn, in milliseconds. A piece of work that begins within it may take longer. */
export const MOST_OF_A_TURN = 10;

export type Turns = {
  /** Goes on at once while this turn lasts; else waits for the next one. To be called between pieces of work. */
  readonly go: () => Promise<void>;
  /** Waits for a turn of its own in any case: others are heard before it goes on. */
  readonly wait: () => Promise<void>;
};

/**
 * API-54: shares the main thread among all who have long work to do, in the order in which they came. One of them has a turn of the event loop to itself:
 * twenty that merely made way for each other would all go on within the same one, and together keep everybody else waiting.
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

/** Those of this thread: it has one event loop, so there is one line to wait in. */
export const TURNS: Turns = createTurns({ now: () => performance.now(), next: (work) => void setImmediate(work) });
