import type { LogPort } from '@yarnboard/store';
import type { Follower } from './runner.ts';

/** STORE-45: puts together what many small commits have left, a little at a time and when it is quiet. It begins at the start of the log, once a start. */
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
/** Commands wait for what is being written: they come in between. */
const PAUSE = 50;
