/** How long each of `count` pieces of work took, by so many at a time. */
export const timed = async (
  count: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<{ readonly each: readonly number[]; readonly ms: number }> => {
  const each: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const began = performance.now();
      await work(n + 1);
      each[n] = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { each, ms: performance.now() - startedAt };
};

export const quantile = (times: readonly number[], q: number): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)] ?? 0;
export const median = (times: readonly number[]): number => quantile(times, 0.5);
