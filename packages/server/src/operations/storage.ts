import type { LogPort } from '@yarnboard/store';

export type Stored = Awaited<ReturnType<LogPort['size']>>;

/** API-36: the size of the database. Measuring it counts every payload, so later callers get the last known size while a new count runs. */
export const createStorage = (log: Pick<LogPort, 'size'>, now: () => number): (() => Promise<Stored>) => {
  let known: { readonly at: number; readonly stored: Promise<Stored> } | null = null;
  let counting: Promise<Stored> | null = null;
  const count = (): Promise<Stored> => {
    const at = now();
    const stored = log.size();
    counting = stored;
    stored.then(
      () => {
        known = { at, stored };
        counting = null;
      },
      // After a failure, the next request counts again.
      () => {
        known = null;
        counting = null;
      },
    );
    return stored;
  };
  return () => {
    if (known === null) return counting ?? count();
    if (now() - known.at >= GOOD_FOR && counting === null) void count();
    return known.stored;
  };
};

const GOOD_FOR = 30_000;
