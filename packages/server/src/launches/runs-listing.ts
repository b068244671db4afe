import type { RunView } from './run-view.ts';
import { viewOfLogged, type LoggedRun, type RunsHistory } from './runs-history.ts';
import type { Others } from './runs-others.ts';

/** What is known of all runs: those of this server as they are, the others as the log tells them. */
export type RunsListing = {
  /** The latest first. */
  readonly list: () => readonly RunView[];
  readonly find: (runId: string) => RunView | null;
  /** The run that has a session, here or elsewhere, or else the one that had it last. */
  readonly latestIn: (sessionId: string) => RunView | null;
  /** Runs that went on from a session in a copy of it, the latest first. */
  readonly forksOf: (sessionId: string) => readonly RunView[];
};

export type ListingNeeds = {
  readonly history: RunsHistory;
  readonly others: Pick<Others, 'has'>;
  /** Those of this server that go on, and those that have ended. */
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
        // One that goes on has the session, whenever it was started.
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
