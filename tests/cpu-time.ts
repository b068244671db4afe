/**
 * How much processor time something takes, in milliseconds. What else the machine has to do is not in it, unlike in the time by the clock (GATE-5).
 */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const GROWTH = 8;
/** What is linear takes eight times as long, what is quadratic sixty-four times; in between there is room for the garbage collector. */
export const MOST_GROWTH = 28;
/** Shorter times are not measured. */
const SHORTEST = 6;
const ROUNDS = 5;

/**
 * How many times as long something takes with eight times as much. A collection of garbage, or another thread of this process, may fall into any one
 * measurement and only adds to it: so the least of a few rounds counts, and the first round that stays below the bound is enough.
 */
export const growthOf = (work: (size: number) => void, size: number): number => {
  work(size); // warms the compiler
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS && !(large / Math.max(small, SHORTEST) < MOST_GROWTH); round += 1) {
    small = Math.min(
      small,
      cpuTimeOf(() => work(size)),
    );
    large = Math.min(
      large,
      cpuTimeOf(() => work(size * GROWTH)),
    );
  }
  return large / Math.max(small, SHORTEST);
};
