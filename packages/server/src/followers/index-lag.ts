import type { Follower } from './runner.ts';

export type IndexLagOptions = {
  /** How many entries are on the log, and how many of them are searchable. */
  readonly lag: () => Promise<{ readonly count: number; readonly indexed: number }>;
  /** During an import, the index is expected to lag. */
  readonly isImporting: () => boolean;
  readonly now: () => number;
  /** Null if it keeps up. */
  readonly tell: (why: string | null) => void;
};

/** REC-83: detects an index that falls behind and doesn't catch up: its thread may hang without an error. */
export const indexLag = ({ lag, isImporting, now, tell }: IndexLagOptions): Follower => {
  /** Since when it has been far behind without progress, and its smallest lag since then. */
  let behind: { readonly since: number; readonly least: number } | null = null;
  return {
    name: 'index-lag',
    timing: { every: EVERY },
    pass: async () => {
      const { count, indexed } = await lag();
      const far = count - indexed;
      if (far <= MOST || isImporting()) behind = null;
      else if (behind === null || far < behind.least) behind = { since: now(), least: far };
      const isStuck = behind !== null && now() - behind.since >= PATIENCE;
      tell(isStuck ? `search is ${far} entries behind the log, and comes no closer` : null);
      return null;
    },
  };
};

const EVERY = 5000;
const MOST = 10_000;
const PATIENCE = 60_000;
