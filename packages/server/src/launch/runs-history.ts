import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import { recordOf, type LogPort } from '@yarnboard/store';
import type { RunView } from './run.ts';
import type { RunCounts, RunEnded, RunMoved, RunStarted } from './run-entries.ts';

/** What the log tells of a run. */
export type LoggedRun = {
  readonly started: RunStarted;
  readonly startedAt: number;
  readonly from: number;
  /** All sessions it was in, the last one last. */
  readonly sessions: readonly string[];
  readonly ended: { readonly payload: RunEnded; readonly at: number; readonly position: number } | null;
  readonly isSettled: boolean;
};

/** RUN-12: every run that was ever started, in order; the log is all that is needed. */
export const readRuns = async (log: LogPort): Promise<ReadonlyMap<string, LoggedRun>> => {
  const runs = new Map<string, LoggedRun>();
  for (const type of [ENTRY_TYPES.runStarted, ENTRY_TYPES.runMoved, ENTRY_TYPES.runEnded, ENTRY_TYPES.runSettled]) {
    const positions = await log.positionsOfType(type);
    for (let at = 0; at < positions.length; at += STEP) {
      const some = positions.slice(at, at + STEP);
      const payloads = await log.payloadsOf(some);
      for (const position of some) {
        const entry = await log.entryAt(position);
        const payload = recordOf({ note: null }, payloads.get(position) ?? null);
        if (entry !== null && payload !== null) take(runs, entry, payload);
      }
    }
  }
  return runs;
};

// Payloads are our own, and of the type that their entry says.
const take = (runs: Map<string, LoggedRun>, { type, sessionId, timestamp, position }: Entry, payload: object): void => {
  if (type === ENTRY_TYPES.runStarted) {
    const started = payload as RunStarted;
    runs.set(started.runId, { started, startedAt: timestamp, from: position, sessions: [sessionId], ended: null, isSettled: false });
    return;
  }
  const { runId } = payload as { readonly runId: string };
  const run = runs.get(runId);
  if (run === undefined) return;
  if (type === ENTRY_TYPES.runMoved)
    runs.set(runId, { ...run, sessions: [...run.sessions.filter((id) => id !== (payload as RunMoved).to), (payload as RunMoved).to] });
  else if (type === ENTRY_TYPES.runEnded) runs.set(runId, { ...run, ended: { payload: payload as RunEnded, at: timestamp, position } });
  else runs.set(runId, { ...run, isSettled: true });
};

/** A run that has ended, as it is listed. */
export const viewOfLogged = ({ started, startedAt, sessions, ended }: LoggedRun): RunView => ({
  runId: started.runId,
  sessionId: sessions.at(-1) ?? '',
  state: 'ended',
  cwd: started.cwd,
  prompt: started.prompt,
  model: started.model,
  permissionMode: started.permissionMode,
  startedAt,
  endedAt: ended?.at ?? null,
  status: ended?.payload.status ?? null,
  why: ended === null ? CUT_OFF : ended.payload.why,
  pending: [],
  counts: ended?.payload.counts ?? NO_COUNTS,
});

export const CUT_OFF = 'the server ended while it ran';
export const NO_COUNTS: RunCounts = { messages: 0, records: 0, turns: 0, permissions: 0, left: {} };
const STEP = 500;
