import type { SweptMedia } from '@yarnboard/store';
import type { Follower } from './runner.ts';

type Options = {
  readonly sweep: (before: number, kept: readonly string[]) => Promise<SweptMedia>;
  readonly kept: () => readonly string[];
  readonly now: () => number;
  readonly onSwept: (swept: SweptMedia) => void;
};

/** MEDIA-7: removes aborted uploads, and files that nobody attached within a day, at the start and every hour; counts them. */
export const mediaSweep = ({ sweep, kept, now, onSwept }: Options): Follower => ({
  name: 'media',
  timing: { every: HOUR, retry: { first: MINUTE, most: HOUR } },
  pass: async () => {
    onSwept(await sweep(now() - DAY, kept()));
    return null;
  },
});

export const NOTHING_SWEPT: SweptMedia = { uploads: 0, files: 0, bytes: 0 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
