import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import { recordOf, type LogPort } from '@yarnboard/store';
import { forkedFrom, type RunView } from './run-view.ts';
import type { RunCounts, RunEnded, RunMoved, RunStarted } from './run-entries.ts';

/** What the log says about a run. */
export type LoggedRun = {
  readonly started: RunStarted;
  readonly startedAt: number;
  readonly from: number;
  /** Every session it was in, latest last. */
  readonly sessions: readonly string[];
  readonly ended: { readonly payload: RunEnded; readonly at: number; readonly position: number } | null;
  readonly isSettled: boolean;
};

/** What the log says about all runs, on this server and others. */
export type RunsHistory = {
  /** Empty until loaded. */
  readonly runs: ReadonlyMap<string, LoggedRun>;
  /** Loads the existing entries once. */
  readonly load: () => Promise<void>;
  /** Reads new entries. */
  readonly follow: () => Promise<void>;
};

/** RUN-12: rebuilds every run ever started, in order, from the log alone. */
export const createRunsHistory = (log: Pick<LogPort, 'head' | 'positionsOfType' | 'payloadsOf' | 'entriesAt' | 'entriesAfter'>): RunsHistory => {
  const runs = new Map<string, LoggedRun>();
  let cursor = 0;
  let loading: Promise<void> | null = null;

  const takeAll = async (entries: readonly Entry[]): Promise<void> => {
    const payloads = await log.payloadsOf(entries.map(({ position }) => position));
    for (const entry of entries) {
      const payload = recordOf({ note: null }, payloads.get(entry.position) ?? null);
      if (payload !== null) take(runs, entry, payload);
    }
  };

  const read = async (): Promise<void> => {
    cursor = (await log.head()).count;
    for (const type of TYPES) {
      const positions = await log.positionsOfType(type);
      for (let at = 0; at < positions.length; at += STEP) {
        await takeAll(await log.entriesAt(positions.slice(at, at + STEP)));
      }
    }
  };

  const load = (): Promise<void> => {
    loading ??= read().catch((cause: unknown) => {
      loading = null; // the next caller tries again
      throw cause;
    });
    return loading;
  };

  return {
    runs,
    load,
    follow: async () => {
      await load();
      for (;;) {
        const entries = await log.entriesAfter(cursor, STEP);
        const last = entries.at(-1);
        if (last === undefined) return;
        const ours = entries.filter(({ type }) => TYPES.some((one) => one === type));
        if (ours.length > 0) await takeAll(ours);
        cursor = last.position;
      }
    },
  };
};

// We wrote these payloads ourselves, so each has the type its entry says.
const take = (runs: Map<string, LoggedRun>, { type, sessionId, timestamp, position }: Entry, payload: object): void => {
  if (type === ENTRY_TYPES.runStarted) {
    const started = payload as RunStarted;
    if (!runs.has(started.runId))
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

/** The view of a run that has ended or is on another server. */
export const viewOfLogged = ({ started, startedAt, sessions, ended }: LoggedRun, isElsewhere = false): RunView => ({
  runId: started.runId,
  sessionId: sessions.at(-1) ?? '',
  state: isElsewhere ? 'running' : 'ended',
  cwd: started.cwd,
  prompt: started.prompt,
  model: started.model,
  permissionMode: started.permissionMode,
  startedAt,
  endedAt: ended?.at ?? null,
  status: ended?.payload.status ?? null,
  why: ended === null ? (isElsewhere ? null : CUT_OFF) : ended.payload.why,
  pending: [],
  answers: [],
  lasting: [],
  slashCommands: [],
  queued: [],
  host: isElsewhere ? (started.owner?.host ?? 'unknown') : null,
  seat: started.seat ?? null,
  counts: ended?.payload.counts ?? NO_COUNTS,
  forkedFrom: forkedFrom(started),
  isEnding: false,
  maxTurns: started.maxTurns,
  costUsd: ended?.payload.counts.spent?.costUsd ?? null,
  tokens: ended?.payload.counts.spent?.tokens ?? null,
  revision: 0,
});

export const CUT_OFF = 'the server ended while it ran';
export const NO_COUNTS: RunCounts = { messages: 0, records: 0, turns: 0, permissions: 0, left: {} };
const TYPES = [ENTRY_TYPES.runStarted, ENTRY_TYPES.runMoved, ENTRY_TYPES.runEnded, ENTRY_TYPES.runSettled] as const;
const STEP = 500;
