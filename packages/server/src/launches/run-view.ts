import type { TurnStatus } from '@yarnboard/transcript';
import type { RunCounts, RunSeat, RunStarted } from './run-entries.ts';
import type { AnsweredRequest, Pending, Progress, QueuedPrompt } from './run-progress.ts';

export type RunState = 'starting' | 'running' | 'waiting' | 'idle' | 'ended';

/** A run as everybody may see it. */
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
  /** The latest requests that are answered. */
  readonly answers: readonly AnsweredRequest[];
  /** What may be typed behind a slash, as its program said. */
  readonly slashCommands: readonly string[];
  /** What it has not heard; of one that has ended, what it never will. */
  readonly queued: readonly QueuedPrompt[];
  /** The machine of the server that has it, when that is another one. */
  readonly host: string | null;
  readonly seat: RunSeat | null;
  readonly counts: RunCounts;
  /** The session it is a copy of, and the message it went on from. */
  readonly forkedFrom: { readonly sessionId: string; readonly at: string | null } | null;
  /** It ends when its turn is over. */
  readonly isEnding: boolean;
  readonly maxTurns: number | null;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** RUN-26: of two views of a run, the one with the higher is newer. */
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
    // RT-28: what a seat asks is answered at the seat.
    pending: started.seat === undefined ? [...pending.values()] : [],
    answers: started.seat === undefined ? answers : [],
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

// Not ended before everything is written: whoever sees that it has ended may go on with its session.
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
