import type { TurnStatus } from '@yarnboard/transcript';
import type { RunCounts, RunSeat, RunStarted } from './run-entries.ts';
import type { Grant } from './permission-grants.ts';
import type { AnsweredRequest, Pending, Progress, QueuedPrompt } from './run-progress.ts';

export type RunState = 'starting' | 'running' | 'waiting' | 'idle' | 'ended';

/** The public view of a run. */
export type RunView = {
  readonly runId: string;
  readonly sessionId: string;
  readonly state: RunState;
  readonly cwd: string;
  readonly prompt: string | null;
  readonly model: string | null;
  readonly permissionMode: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly status: TurnStatus | null;
  readonly why: string | null;
  readonly pending: readonly Pending[];
  /** The most recently settled requests. */
  readonly answers: readonly AnsweredRequest[];
  /** RUN-43: what it need not ask for until it ends. */
  readonly lasting: readonly Grant[];
  /** The available slash commands, as Claude Code reports them. */
  readonly slashCommands: readonly string[];
  /** Messages it has not received; if it has ended, it never will. */
  readonly queued: readonly QueuedPrompt[];
  /** The machine that runs it, if the server is on another one. */
  readonly host: string | null;
  readonly seat: RunSeat | null;
  readonly counts: RunCounts;
  /** The session it was copied from, and the message it continued from. */
  readonly forkedFrom: { readonly sessionId: string; readonly at: string | null } | null;
  /** It ends after its current turn. */
  readonly isEnding: boolean;
  readonly maxTurns: number | null;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** RUN-26: of two views of a run, the one with the higher revision is newer. */
  readonly revision: number;
};

export const viewOf = (progress: Progress, startedAt: number): RunView => {
  const { started, sessionId, ended, pending, answers } = progress;
  return {
    runId: started.runId,
    sessionId,
    state: stateOf(progress),
    cwd: started.cwd,
    prompt: started.prompt,
    model: started.model,
    permissionMode: started.permissionMode,
    startedAt,
    endedAt: ended?.at ?? null,
    status: ended?.status ?? null,
    why: ended?.why ?? null,
    // RT-28: an agent's questions are answered at its seat.
    pending: started.seat === undefined ? [...pending.values()] : [],
    answers: started.seat === undefined ? answers : [],
    lasting: progress.lasting,
    slashCommands: progress.converter.slashCommands,
    queued: progress.queued,
    host: null,
    seat: started.seat ?? null,
    counts: countsOf(progress),
    forkedFrom: forkedFrom(started),
    isEnding: progress.isEnding,
    maxTurns: started.maxTurns,
    ...progress.spent,
    revision: progress.revision,
  };
};

export const forkedFrom = ({ fork, resume, resumeAt }: RunStarted): RunView['forkedFrom'] =>
  fork && resume !== null ? { sessionId: resume, at: resumeAt } : null;

// It counts as ended only once everything is written: from then on, others may continue its session.
const stateOf = ({ isOver, isStarting, pending, isTurnOpen }: Progress): RunState => {
  if (isOver) return 'ended';
  if (isStarting) return 'starting';
  if (pending.size > 0) return 'waiting';
  return isTurnOpen ? 'running' : 'idle';
};

export const countsOf = ({ counts: { messages, records, turns, permissions }, converter, spent }: Progress): RunCounts => ({
  messages,
  records,
  turns,
  permissions,
  left: Object.fromEntries(converter.left),
  ...(spent.costUsd === null && spent.tokens === null ? {} : { spent }),
});
