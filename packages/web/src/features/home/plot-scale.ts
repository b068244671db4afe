/** An axis from zero to a value that no bar exceeds, in even steps. */
export type Scale = { readonly top: number; readonly ticks: readonly number[] };

/** Steps are 1, 2 or 5 times a power of ten, so that people can read between them. There are at most five ticks, including zero. */
export const scaleTo = (most: number, smallestStep = 0): Scale => {
  const step = Math.max(smallestStep, roundStep(most / STEPS));
  const count = Math.max(1, Math.ceil(most / step - TOLERANCE));
  const ticks = Array.from({ length: count + 1 }, (_, n) => n * step);
  return { top: count * step, ticks };
};

/** Days that get a label, evenly spaced back from the latest: as many as fit on the narrowest screen. */
export const labelledDays = <T>(days: readonly T[]): readonly (T | null)[] => {
  const every = Math.max(1, Math.ceil(days.length / MOST_LABELS));
  return days.map((day, n) => ((days.length - 1 - n) % every === 0 ? day : null));
};

const roundStep = (atLeast: number): number => {
  if (atLeast <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5].find((one) => one * power >= atLeast * (1 - TOLERANCE)) ?? 10;
  return factor * power;
};

const STEPS = 4;
const MOST_LABELS = 5;
/** Powers of ten below one are not exact. */
const TOLERANCE = 1e-9;
