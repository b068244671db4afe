import type { RunOwner } from './run-owner.ts';
import type { LoggedRun, RunsHistory } from './runs-history.ts';

export type OthersOptions = {
  readonly history: RunsHistory;
  readonly now: () => number;
  /** This server. */
  readonly owner: RunOwner;
  /** Whether we know that a run's server is gone. */
  readonly isGone: (owner: RunOwner | undefined) => boolean;
  /** Whether other servers may write to the log. */
  readonly isShared: boolean;
};

export type Elsewhere = { readonly kind: 'elsewhere'; readonly runId: string; readonly host: string };

/** RUN-19: the runs of other servers on the same board. */
export type Others = {
  readonly has: (run: LoggedRun) => boolean;
  readonly of: (runId: string) => Elsewhere | null;
  /** The run that is in this session. */
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
      // A run whose machine never came back must not block its session forever.
      const since = now() - LOST;
      for (const run of history.runs.values())
        if (run.ended === null && run.sessions.at(-1) === sessionId && run.startedAt > since && has(run)) return named(run);
      return null;
    },
  };
};

const LOST = 7 * 24 * 3_600_000;
