import type { FollowerState } from './followers/runner.ts';
import type { PendingSession, Progress, Trouble } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';
import type { Indexer } from './threads/indexer.ts';
import type { Writer } from './threads/writer.ts';

/** What an open board knows of itself at the moment; its threads tell it. */
export type BoardState = {
  live: LiveState;
  progress: Progress | null;
  pending: readonly PendingSession[];
  troubles: readonly Trouble[];
  search: FollowerState | null;
  /** What the writer does besides reading files, by its name; told when it fails, and when it works again. */
  readonly tasks: Map<string, FollowerState>;
};

/** SRV-33: whoever asks how the server is, is told when nothing can be written, whether or not there are files to read. */
export const liveStateOf = ({ live, tasks }: Pick<BoardState, 'live' | 'tasks'>): LiveState => {
  const failure = tasks.get('writing')?.failure ?? null;
  return failure === null || live.kind === 'stuck' || live.kind === 'stopped' ? live : { kind: 'stuck', why: failure.why, retryIn: 0 };
};

/** A task that failed, as followers tell it. */
export const failedTask = (name: string, cause: unknown, at: number): FollowerState => ({
  name,
  passes: 0,
  failure: { why: cause instanceof Error ? cause.message : String(cause), since: at, times: 1 },
});

/** Asks the threads every second how they are; gives back how to end that. */
export const askThreads = (now: BoardState, writer: Pick<Writer, 'troubles'>, indexer: Pick<Indexer, 'state' | 'meaning'>): (() => void) => {
  const timer = setInterval(() => {
    // A thread that ended has said so.
    Promise.all([writer.troubles(), indexer.state().catch(() => now.search), indexer.meaning().catch(() => null)])
      .then(([troubles, search, meaning]) => {
        Object.assign(now, { troubles, search });
        if (meaning !== null) now.tasks.set(meaning.name, meaning);
      })
      .catch(() => {});
  }, 1000);
  return () => clearInterval(timer);
};
