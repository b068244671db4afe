import type { Follower } from './runner.ts';

/** What other servers of the same board decided: it comes into this one's board without anybody asking. */
export const othersDecisions = (engine: { readonly follow: () => Promise<void> }): Follower => ({
  name: 'others-decisions',
  pass: followOnce(engine.follow),
  timing: { every: EVERY },
});

/** RUN-19: the runs that other servers of the same board have. */
export const othersRuns = (runs: { readonly followOthers: () => Promise<void> }): Follower => ({
  name: 'others-runs',
  pass: followOnce(runs.followOthers),
  timing: { every: EVERY },
});

const followOnce = (follow: () => Promise<void>) => async (): Promise<null> => {
  await follow();
  return null;
};

const EVERY = 1000;
