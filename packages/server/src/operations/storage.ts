import type { LogPort } from '@yarnboard/store';

export type Stored = Awaited<ReturnType<LogPort['size']>>;

/**
 * API-36: what the database takes up. Every payload is counted for it, so it is not counted for everybody who asks: whoever asks later is told what is
 * known, and it is counted again meanwhile.
 */
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
      // What could not be counted is counted again when somebody asks.
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
