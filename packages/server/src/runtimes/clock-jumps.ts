/**
 * RT-74: how far a wall clock has jumped since it was last asked, in milliseconds, against a clock that only counts while the machine is awake. Nothing as long
 * as the two only drift.
 */
export const createClockJumps = (now: () => number, steady: () => number): (() => number) => {
  let apart = now() - steady();
  return () => {
    // Whole milliseconds, as everything on the log.
    const by = Math.round(now() - steady() - apart);
    if (Math.abs(by) < LEAST) return 0;
    apart += by;
    return by;
  };
};

const LEAST = 2000;
