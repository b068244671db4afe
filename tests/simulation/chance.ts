import { randomOf } from '../live-stage.ts';

/** Everything that is left to chance in a history: the same for the same seed. */
export type Chance = {
  readonly random: () => number;
  readonly happens: (share: number) => boolean;
  /** From 0 up to, and without, this. */
  readonly below: (count: number) => number;
  readonly one: <T>(among: readonly T[]) => T | undefined;
  /** One of them, each as likely as it is heavy. */
  readonly weighed: <T extends { readonly weight: number }>(among: readonly T[]) => T | undefined;
};

export const chanceOf = (seed: number): Chance => {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return {
    random,
    happens: (share) => random() < share,
    below,
    one: (among) => among[below(among.length)],
    weighed: (among) => {
      let left = random() * among.reduce((sum, { weight }) => sum + weight, 0);
      return among.find(({ weight }) => (left -= weight) < 0);
    },
  };
};
