/**
 * RT-74: how far the wall clock has jumped since the last call, in milliseconds, compared with a clock that runs only while the machine is awake.
 * Zero while the two merely drift.
 */
export const createClockJumps = (now: () => number, steady: () => number): (() => number) => {
  let apart = now() - steady();
  return () => {
    // Whole milliseconds, like all times on the log.
    const by = Math.round(now() - steady() - apart);
    if (Math.abs(by) < LEAST) return 0;
    apart += by;
    return by;
  };
};

const LEAST = 2000;
