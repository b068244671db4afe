import type { Barrier } from './barrier.ts';
import type { Asked, Verdict } from './batch.ts';
import type { Inherited } from './inherited.ts';
import type { Outcome, Taken } from './outcomes.ts';
import type { OutageFacts, Queued, QueueKeeper } from './waiting-room.ts';

/** How the engine reports to the outage monitor, and queries it. */
export type OutagePort = {
  /** Whether commands are queued now. */
  readonly isQueueing: () => boolean;
  readonly state: () => OutageFacts;
  readonly failed: (cause: unknown) => void;
  readonly noAnswer: (why: string) => void;
  /** A commit succeeded. */
  readonly written: (written: Acknowledged) => void;
  /** Something was forgotten: nothing of what was written before may come back. */
  readonly forgot: () => void;
  readonly keeper: QueueKeeper;
  /** How long to wait for an answer of the store, in milliseconds. */
  readonly patience: number;
  /** Runs the work after this many milliseconds, unless the returned function is called first. */
  readonly after: (ms: number, work: () => void) => () => void;
};

/** What the log has by now, as it said itself: the last of a commit, and the commands that were done in it, in order. */
export type Acknowledged = { readonly head: { readonly position: number; readonly checksum: string } | null; readonly done: readonly Queued[] };

/** What became of a batch. */
export type KeptBatch =
  | { readonly kind: 'kept'; readonly verdicts: readonly Verdict[]; readonly taken: Taken }
  | { readonly kind: 'barred'; readonly barrier: Barrier }
  | { readonly kind: 'failed'; readonly cause: unknown; readonly isOfStore: boolean; readonly verdicts: readonly Verdict[] };

/** `inherited` was looked up before it had to wait. */
export type Waiting = {
  readonly asked: Asked;
  readonly inherited: Inherited | null;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (cause: unknown) => void;
};
