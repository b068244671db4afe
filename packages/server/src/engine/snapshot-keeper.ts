import type { LogPort } from '@yarnboard/store';
import type { Known } from './knowledge.ts';
import { writeSnapshot, type SnapshotPlace } from './snapshot.ts';

type Options = {
  readonly snapshot: SnapshotPlace | null;
  readonly log: LogPort;
  readonly now: () => number;
  readonly known: () => Known;
};

export type SnapshotKeeper = {
  /** Writes a snapshot of the board, if anything was decided since the last one. One at a time: callers join the one in progress. */
  readonly save: () => Promise<void>;
  /** Resolves when none is being written. Errors go to whoever started it. */
  readonly rest: () => Promise<void>;
};

/** ENGINE-15: leaves snapshots for the next start. */
export const createSnapshotKeeper = ({ snapshot, log, now, known }: Options): SnapshotKeeper => {
  let saving: Promise<void> = Promise.resolve();
  let isSaving = false;

  const save = (): Promise<void> => {
    const latest = known();
    if (snapshot === null || isSaving || latest.sinceSnapshot === 0) return saving;
    isSaving = true;
    const { board, position, forgotten, sinceSnapshot } = latest;
    latest.sinceSnapshot = 0;
    saving = writeSnapshot(snapshot, log, { board, position, forgotten, at: now() }).then(
      () => {
        isSaving = false;
      },
      (cause: unknown) => {
        isSaving = false;
        known().sinceSnapshot += sinceSnapshot;
        throw cause;
      },
    );
    return saving;
  };

  return { save, rest: () => saving.catch(() => {}) };
};
