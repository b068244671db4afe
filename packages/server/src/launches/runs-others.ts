import type { RunOwner } from './run-owner.ts';
import type { LoggedRun, RunsHistory } from './runs-history.ts';

export type OthersOptions = {
  readonly history: RunsHistory;
  readonly now: () => number;
  /** This server. */
  readonly owner: RunOwner;
  /** Whether the server that had a run is known to be gone. */
  readonly isGone: (owner: RunOwner | undefined) => boolean;
  /** Others may write to the log. */
  readonly isShared: boolean;
};

export type Elsewhere = { readonly kind: 'elsewhere'; readonly runId: string; readonly host: string };

/** RUN-19: the runs that other servers of the same board have. */
export type Others = {
  readonly has: (run: LoggedRun) => boolean;
  readonly of: (runId: string) => Elsewhere | null;
  /** The one in this session. */
  readonly in: (sessionId: string) => Elsewhere | null;
};

export const createOthers = ({ history, now, owner, isGone, isShared }: OthersOptions): Others => {
  const has = ({ started, ended }: LoggedRun): boolean => ended === null && started.owner?.server !== owner.server && !isGone(started.owner);
  const named = ({ started }: LoggedRun): Elsewhere => ({ kind: 'elsewhere', runId: started.runId, host: started.owner?.host ?? 'unknown' });
  return {
    has,
    of: (runId) => {
      const run = history.runs.get(runId);
      return run !== undefined && has(run) ? named(run) : null;
    },
    in: (sessionId) => {
      if (!isShared) return null;
      // One that was left behind with its machine does not keep its session for ever.
      const since = now() - LOST;
      for (const run of history.runs.values())
        if (run.ended === null && run.sessions.at(-1) === sessionId && run.startedAt > since && has(run)) return named(run);
      return null;
    },
  };
};

const LOST = 7 * 24 * 3_600_000;
