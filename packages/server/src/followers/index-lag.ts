import type { Follower } from './runner.ts';

export type IndexLagOptions = {
  /** How many entries are on the log, and how many of them can be found. */
  readonly lag: () => Promise<{ readonly count: number; readonly indexed: number }>;
  /** While files are imported, the index comes behind. */
  readonly isImporting: () => boolean;
  readonly now: () => number;
  /** Null when it keeps up. */
  readonly tell: (why: string | null) => void;
};

/** REC-83: notices an index that falls behind and does not catch up: its thread may hang, which shows no failure. */
export const indexLag = ({ lag, isImporting, now, tell }: IndexLagOptions): Follower => {
  /** Since when it is far behind without coming closer, and how far it was at best meanwhile. */
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
