import type { RunView } from './run-view.ts';
import { viewOfLogged, type LoggedRun, type RunsHistory } from './runs-history.ts';
import type { Others } from './runs-others.ts';

/** All known runs: those of this server as they are now, the others as the log has them. */
export type RunsListing = {
  /** Newest first. */
  readonly list: () => readonly RunView[];
  readonly find: (runId: string) => RunView | null;
  /** The run that is in a session, here or elsewhere; otherwise the last one that was. */
  readonly latestIn: (sessionId: string) => RunView | null;
  /** Runs that continued a copy of this session, newest first. */
  readonly forksOf: (sessionId: string) => readonly RunView[];
};

export type ListingNeeds = {
  readonly history: RunsHistory;
  readonly others: Pick<Others, 'has'>;
  /** This server's running runs; `past` has its ended ones. */
  readonly live: () => readonly RunView[];
  readonly find: (runId: string) => RunView | null;
  readonly past: ReadonlyMap<string, RunView>;
};

export const createRunsListing = ({ history, others, live, find, past }: ListingNeeds): RunsListing => {
  const viewOf = (run: LoggedRun): RunView => viewOfLogged(run, others.has(run));
  const all = (): readonly RunView[] => {
    const going = live();
    const known = new Set(going.map(({ runId }) => runId));
    const before = [...history.runs.values()].filter(({ started: { runId } }) => !known.has(runId) && !past.has(runId));
    return [...going, ...past.values(), ...before.map(viewOf)];
  };
  return {
    list: () => all().toSorted(byStart),
    find: (runId) => {
      const run = history.runs.get(runId);
      return find(runId) ?? past.get(runId) ?? (run === undefined ? null : viewOf(run));
    },
    latestIn: (sessionId) =>
      all().reduce<RunView | null>((best, one) => {
        if (one.sessionId !== sessionId) return best;
        if (best === null) return one;
        // A run that is still going comes before ended ones, whenever it started.
        if ((best.state === 'ended') !== (one.state === 'ended')) return best.state === 'ended' ? one : best;
        return byStart(best, one) <= 0 ? best : one;
      }, null),
    forksOf: (sessionId) =>
      all()
        .filter(({ forkedFrom }) => forkedFrom?.sessionId === sessionId)
        .toSorted(byStart),
  };
};

const byStart = (a: RunView, b: RunView): number => b.startedAt - a.startedAt || (a.runId < b.runId ? -1 : 1);
