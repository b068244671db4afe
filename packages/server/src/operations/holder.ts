import type { InputOf } from '@yarnboard/protocol';
import { claudeCode } from '@yarnboard/transcript';
import type { Store } from '@yarnboard/store';
import type { Launches } from '../launches/launches.ts';
import type { RunView } from '../launches/run-view.ts';
import type { Runs } from '../launches/runs.ts';
import { timeOf } from '../sessions/session-view.ts';
import { threadNow } from '../sessions/thread-now.ts';
import { isClosedBehind } from './activity.ts';
import { findSession, type FoundSession, type SessionNames } from './request/find-session.ts';
import { Refused } from './request/refusal.ts';
import { told } from './runs.ts';

export type HolderNeeds = SessionNames & {
  readonly now: () => number;
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly runs: Pick<Runs, 'load' | 'list' | 'latestIn' | 'forksOf'>;
  readonly launches: Pick<Launches, 'of'>;
};

type Holder = 'nobody' | 'run' | 'seat' | 'terminal' | 'elsewhere' | 'foreign';

/** RUN-27: who holds a session. A run holds its session before its first message. */
export const showHolder = async (needs: HolderNeeds, { id }: InputOf<'holder'>): Promise<object> => {
  await needs.runs.load();
  const known = await foundOrRun(needs, id);
  const sessionId = known === null ? id : known.sessionId;
  const run = needs.runs.latestIn(sessionId);
  const launch = needs.launches.of(sessionId);
  const directory = run !== null && run.state !== 'ended' ? run.cwd : (launch?.cwd ?? known?.directory ?? run?.cwd ?? null);
  return {
    sessionId,
    holder: holderBy(run, launch?.state ?? null) ?? (known !== null && (await isAtWork(needs, known)) ? 'foreign' : 'nobody'),
    tool: known?.tool ?? claudeCode.name,
    directory,
    isTerminalWaiting: launch?.state === 'released',
    run: run === null ? null : told(run),
    slashCommands: commandsFor(needs.runs.list(), run, directory),
    forks: needs.runs
      .forksOf(sessionId)
      .slice(0, MOST_FORKS)
      .map((one) => ({
        sessionId: one.sessionId,
        runId: one.runId,
        at: one.forkedFrom?.at ?? null,
        prompt: one.prompt,
        startedAt: timeOf(one.startedAt),
      })),
  };
};

/** The run's slash commands, or else those of the latest run in the same directory. */
const commandsFor = (runs: readonly RunView[], own: RunView | null, directory: string | null): readonly string[] =>
  [own, ...runs.filter(({ cwd }) => cwd === directory)].find((run) => run !== null && run.slashCommands.length > 0)?.slashCommands ?? [];

const holderBy = (run: RunView | null, terminal: string | null): Holder | null => {
  if (run !== null && run.state !== 'ended') return run.seat !== null ? 'seat' : run.host === null ? 'run' : 'elsewhere';
  return terminal === 'running' ? 'terminal' : null;
};

type Known = {
  readonly sessionId: string;
  readonly tool: string;
  readonly directory: string | null;
  readonly lastAt: number | null;
  readonly isRead: boolean;
};

const foundOrRun = async (needs: HolderNeeds, id: string): Promise<Known | null> => {
  try {
    return knownOf(await findSession(needs, id));
  } catch (cause) {
    const isRun = cause instanceof Refused && cause.code === 'not-found' && (needs.runs.latestIn(id) !== null || needs.launches.of(id) !== null);
    if (isRun) return null;
    throw cause;
  }
};

const knownOf = (found: FoundSession): Known => {
  if (found.kind === 'imported') {
    const { sessionId, tool, project, lastAt } = found.row;
    return { sessionId, tool, directory: project, lastAt, isRead: true };
  }
  const { group, outline } = found.pending;
  return {
    sessionId: group.sessionId,
    tool: group.files[0]?.dialect ?? claudeCode.name,
    directory: outline.project,
    lastAt: outline.lastAt,
    isRead: false,
  };
};

/** Whether someone we didn't start is writing to it: two writers spoil a session. */
const isAtWork = async (needs: HolderNeeds, { sessionId, lastAt, isRead }: Known): Promise<boolean> => {
  if (lastAt === null || !(needs.now() - lastAt < QUIET)) return false;
  // While its file is being imported, nobody can tell whether the turn is over.
  if (!isRead) return true;
  const { isGoingOn, position } = await threadNow(needs.store, sessionId, { kind: 'main' });
  return isGoingOn && !(await isClosedBehind(needs, sessionId, position));
};

/** An open turn counts as abandoned after this many milliseconds. */
const QUIET = 30 * 60_000;
const MOST_FORKS = 50;
