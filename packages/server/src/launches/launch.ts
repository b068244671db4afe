import { assertNever } from '@yarnboard/domain';
import type { TurnStatus } from '@yarnboard/transcript';
import type { Process, SpoolLine } from './spool.ts';

/** `released`: the session continues elsewhere while the terminal waits. `lost`: gone without an exit line. */
type LaunchState = 'running' | 'released' | 'ended' | 'lost';

/** One `yarnboard claude` from start to end, as read from its spool. */
export type Launch = {
  readonly launchId: string;
  readonly launcher: (Process & { readonly host: string }) | null;
  readonly claude: Process | null;
  readonly cwd: string | null;
  readonly startedAt: number;
  readonly state: LaunchState;
  readonly endedAt: number | null;
  readonly exit: { readonly code: number | null; readonly signal: string | null; readonly status: TurnStatus } | null;
  /** The current session; null until the hook has reported one. */
  readonly sessionId: string | null;
  /** Every session so far, with its transcript. */
  readonly transcripts: ReadonlyMap<string, string>;
  /** The sessions of the `claude` that is running now, including the current one. */
  readonly open: readonly string[];
  /**
   * A copy was requested and its id is unknown: Claude Code 2.0.76 names the source at the start, and the copy only at the end. Until then the launch
   * has no session.
   */
  readonly copying: { readonly source: string | null; readonly transcriptPath: string } | null;
};

/** What a line means to the rest of the system. */
export type Happening =
  | { readonly kind: 'started' }
  | { readonly kind: 'moved'; readonly sessionId: string; readonly from: string | null; readonly source: string; readonly transcriptPath: string }
  | { readonly kind: 'closed'; readonly sessionId: string; readonly status: TurnStatus; readonly isEnd: boolean; readonly by: 'launch' | 'switch' }
  | { readonly kind: 'ended'; readonly sessionId: string | null }
  | { readonly kind: 'released'; readonly nonce: string }
  | { readonly kind: 'wants-back'; readonly sessionId: string }
  | { readonly kind: 'taken-back'; readonly nonce: string | null };

export type Evolved = { readonly launch: Launch; readonly happenings: readonly Happening[] };

export const initialLaunch = (launchId: string): Launch => ({
  launchId,
  launcher: null,
  claude: null,
  cwd: null,
  startedAt: 0,
  state: 'running',
  endedAt: null,
  exit: null,
  sessionId: null,
  transcripts: new Map(),
  open: [],
  copying: null,
});

/** Computes the next state of a launch and the events to report. Total: a line that makes no sense here changes nothing. */
export const evolveLaunch = (launch: Launch, line: SpoolLine): Evolved => {
  switch (line.kind) {
    case 'started':
      if (launch.launcher !== null) return nothing(launch);
      return {
        launch: {
          ...launch,
          launcher: { pid: line.pid, mark: line.mark, host: line.host },
          cwd: line.cwd,
          startedAt: line.at,
          copying: line.isFork ? { source: null, transcriptPath: '' } : null,
        },
        happenings: [{ kind: 'started' }],
      };
    case 'spawned':
      return nothing({ ...launch, claude: { pid: line.pid, mark: line.mark } });
    case 'session':
      if (launch.copying !== null && line.source === 'resume' && launch.sessionId === null)
        return nothing({ ...launch, copying: { source: line.sessionId, transcriptPath: line.transcriptPath } });
      return move(launch, line.sessionId, line.transcriptPath, line.source);
    case 'session-end': {
      const { copying } = launch;
      const isCopy = copying !== null && copying.source !== null && copying.source !== line.sessionId;
      return isCopy ? move(launch, line.sessionId, line.transcriptPath, 'fork') : nothing(launch);
    }
    case 'released': {
      if (launch.state !== 'running') return nothing(launch);
      const closed = closeAll(launch, 'cancelled', 'switch');
      return { launch: { ...launch, state: 'released', claude: null, open: [] }, happenings: [...closed, { kind: 'released', nonce: line.nonce }] };
    }
    case 'wants-back':
      if (launch.state !== 'released' || launch.sessionId === null) return nothing(launch);
      return { launch, happenings: [{ kind: 'wants-back', sessionId: launch.sessionId }] };
    case 'taken-back': {
      if (launch.state !== 'released') return nothing(launch);
      const before = launch.transcripts.get(launch.sessionId ?? '') ?? '';
      const { launch: moved, happenings } = move({ ...launch, state: 'running' }, line.sessionId, before, 'take-back');
      return { launch: moved, happenings: [...happenings, { kind: 'taken-back', nonce: line.nonce }] };
    }
    case 'ended':
      return end(launch, line.at, 'ended', { code: line.code, signal: line.signal, status: statusOf(line) });
    case 'lost':
      return end(launch, line.at, 'lost', { code: null, signal: null, status: 'cancelled' });
    default:
      return assertNever(line);
  }
};

const nothing = (launch: Launch): Evolved => ({ launch, happenings: [] });

/** LAUNCH-6: leaving a session closes its turn. The same session again (compacted, resumed) continues. */
const move = (launch: Launch, sessionId: string, transcriptPath: string, source: string): Evolved => {
  const from = launch.sessionId;
  const isOver = launch.exit !== null;
  const isSame = from === sessionId;
  const next: Launch = {
    ...launch,
    sessionId,
    copying: null,
    transcripts: new Map([...launch.transcripts, [sessionId, transcriptPath]]),
    open: isOver ? [] : [...launch.open.filter((one) => one !== sessionId), sessionId],
  };
  if (isSame) return nothing(next);
  const happenings: Happening[] = [];
  if (from !== null && launch.open.includes(from))
    happenings.push({ kind: 'closed', sessionId: from, status: 'completed', isEnd: false, by: 'launch' });
  happenings.push({ kind: 'moved', sessionId, from, source, transcriptPath });
  // A hook may finish after the process that called it.
  if (launch.exit !== null) happenings.push({ kind: 'closed', sessionId, status: launch.exit.status, isEnd: true, by: 'launch' });
  return { launch: next, happenings };
};

const end = (launch: Launch, at: number, state: 'ended' | 'lost', exit: NonNullable<Launch['exit']>): Evolved => {
  if (launch.exit !== null) return nothing(launch);
  const { sessionId } = launch;
  return {
    launch: { ...launch, state, endedAt: at, exit, claude: null, open: [] },
    happenings: [...closeAll(launch, exit.status, 'launch'), { kind: 'ended', sessionId }],
  };
};

/** The process is gone: the current turn gets its status, and anything it left running in earlier sessions was cut off. */
const closeAll = (launch: Launch, status: TurnStatus, by: 'launch' | 'switch'): readonly Happening[] =>
  launch.open.map((sessionId) => ({ kind: 'closed', sessionId, status: sessionId === launch.sessionId ? status : 'cancelled', isEnd: true, by }));

// LAUNCH-7: an interrupted `claude -p` also exits with 0, so a stop signal counts as well as the exit code.
const statusOf = ({ code, signal, stoppedBy }: Extract<SpoolLine, { kind: 'ended' }>): TurnStatus => {
  if (signal !== null || stoppedBy !== null || (code !== null && CODES_OF_SIGNALS.has(code))) return 'cancelled';
  return code === 0 ? 'completed' : 'failed';
};

/** Exit codes of programs that ended on SIGHUP, SIGINT, SIGKILL or SIGTERM. */
const CODES_OF_SIGNALS: ReadonlySet<number> = new Set([129, 130, 137, 143]);
