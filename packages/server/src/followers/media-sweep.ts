import type { SweptMedia } from '@yarnboard/store';

export type MediaSweep = { readonly swept: () => SweptMedia; readonly close: () => Promise<void> };

type Options = {
  readonly sweep: (before: number, kept: readonly string[]) => Promise<SweptMedia>;
  readonly kept: () => readonly string[];
  readonly now: () => number;
  readonly onFault: (cause: unknown) => void;
  readonly every?: number;
};

/** MEDIA-7: uploads that broke off, and files that nobody attached within a day, are taken away, at the start and every hour; how many is counted. */
export const startMediaSweep = ({ sweep, kept, now, onFault, every = HOUR }: Options): MediaSweep => {
  let swept = NOTHING_SWEPT;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = sweep(now() - DAY, kept()).then(
      ({ uploads, files, bytes }) => {
        swept = { uploads: swept.uploads + uploads, files: swept.files + files, bytes: swept.bytes + bytes };
      },
      (cause: unknown) => onFault(cause),
    );
  };
  run();
  const timer = setInterval(run, every);
  timer.unref();
  return {
    swept: () => swept,
    close: () => {
      clearInterval(timer);
      return running;
    },
  };
};

export const NOTHING_SWEPT: SweptMedia = { uploads: 0, files: 0, bytes: 0 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
