import type { FollowerState } from './followers/runner.ts';
import type { PendingSession, Progress, Trouble } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';
import type { Indexer } from './threads/indexer.ts';
import type { Writer } from './threads/writer.ts';

/** The present state of an open board, as its threads report it. */
export type BoardState = {
  live: LiveState;
  progress: Progress | null;
  pending: readonly PendingSession[];
  troubles: readonly Trouble[];
  search: FollowerState | null;
  /** The writer's tasks besides reading files, by name; reported when one fails and when it recovers. */
  readonly tasks: Map<string, FollowerState>;
};

/** SRV-33: a query for the server's health shows that nothing can be written, whether or not there are files to read. */
export const liveStateOf = ({ live, tasks }: Pick<BoardState, 'live' | 'tasks'>): LiveState => {
  const failure = tasks.get('writing')?.failure ?? null;
  return failure === null || live.kind === 'stuck' || live.kind === 'stopped' ? live : { kind: 'stuck', why: failure.why, retryIn: 0 };
};

/** A failed task, in the form used by followers. */
export const failedTask = (name: string, cause: unknown, at: number): FollowerState => ({
  name,
  passes: 0,
  failure: { why: cause instanceof Error ? cause.message : String(cause), since: at, times: 1 },
});

/** Polls the threads every second; returns how to stop that. */
export const askThreads = (now: BoardState, writer: Pick<Writer, 'troubles'>, indexer: Pick<Indexer, 'state' | 'meaning'>): (() => void) => {
  const timer = setInterval(() => {
    // A thread that ended has reported it.
    Promise.all([writer.troubles(), indexer.state().catch(() => now.search), indexer.meaning().catch(() => null)])
      .then(([troubles, search, meaning]) => {
        Object.assign(now, { troubles, search });
        if (meaning !== null) now.tasks.set(meaning.name, meaning);
      })
      .catch(() => {});
  }, 1000);
  return () => clearInterval(timer);
};
