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
  /** Writes down the board, if anything was decided since that was done last. One at a time: whoever comes meanwhile waits for the one that is under way. */
  readonly save: () => Promise<void>;
  /** Resolves when none is being written. What went wrong is told to whoever began it. */
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
