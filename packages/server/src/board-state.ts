import type { FollowerState } from './followers/runner.ts';
import type { PendingSession, Progress, Trouble } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';

/** What an open board knows of itself at the moment; its threads tell it. */
export type BoardState = {
  live: LiveState;
  progress: Progress | null;
  pending: readonly PendingSession[];
  troubles: readonly Trouble[];
  search: FollowerState | null;
};
