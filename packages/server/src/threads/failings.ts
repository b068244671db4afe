import type { FollowerState } from '../followers/runner.ts';

/** SRV-35: background tasks, and whether the last attempt failed. */
export type Failings = {
  /** Null on success. Changes are reported. */
  readonly tell: (name: string, why: string | null) => void;
};

export const createFailings = (now: () => number, onChange: (state: FollowerState) => void): Failings => {
  const known = new Map<string, FollowerState>();
  return {
    tell: (name, why) => {
      const before = known.get(name) ?? { name, passes: 0, failure: null };
      const { failure } = before;
      const state: FollowerState =
        why === null
          ? { name, passes: before.passes + 1, failure: null }
          : { name, passes: before.passes, failure: { why, since: failure?.since ?? now(), times: (failure?.times ?? 0) + 1 } };
      known.set(name, state);
      if (failure?.why !== state.failure?.why) onChange(state);
    },
  };
};
