import type { LogPort } from '@yarnboard/store';

export type Stored = Awaited<ReturnType<LogPort['size']>>;

/** API-36: what the database takes up. Every payload is counted for it, so it is not counted for everybody who asks. */
export const createStorage = (log: Pick<LogPort, 'size'>, now: () => number): (() => Promise<Stored>) => {
  let counted: { readonly at: number; readonly stored: Promise<Stored> } | null = null;
  return () => {
    if (counted !== null && now() - counted.at < GOOD_FOR) return counted.stored;
    const stored = log.size();
    counted = { at: now(), stored };
    // What could not be counted is counted again when somebody asks.
    stored.catch(() => (counted = null));
    return stored;
  };
};

const GOOD_FOR = 30_000;
