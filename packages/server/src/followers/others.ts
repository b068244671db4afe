import type { Follower } from './runner.ts';

/** Other servers' decisions on the same board: they enter this server's board without a request. */
export const othersDecisions = (engine: { readonly follow: () => Promise<void> }): Follower => ({
  name: 'others-decisions',
  pass: followOnce(engine.follow),
  timing: { every: EVERY },
});

/** RUN-19: the runs of other servers of the same board. */
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
