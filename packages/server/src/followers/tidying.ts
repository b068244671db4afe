import type { LogPort } from '@yarnboard/store';
import type { Follower } from './runner.ts';

/** STORE-45: merges what many small commits have left, a little at a time and when it is quiet. It begins at the start of the log, once per start. */
export const tidying = (log: Pick<LogPort, 'tidy'>): Follower => {
  let from = 0;
  return {
    name: 'packs',
    timing: { settle: SETTLE },
    pass: async () => {
      const { upTo, isDone } = await log.tidy(from);
      from = upTo;
      return isDone ? null : PAUSE;
    },
  };
};

const SETTLE = 2000;
/** Commands wait for running writes: the pauses let them through. */
const PAUSE = 50;
