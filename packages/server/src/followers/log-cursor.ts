import type { Entry } from '@yarnboard/domain';

export type LogCursorOptions = {
  readonly log: {
    readonly entriesAfter: (position: number, limit: number) => Promise<readonly Entry[]>;
    readonly head: () => Promise<{ readonly count: number }>;
  };
  /** The most entries of one batch. */
  readonly batch: number;
  readonly take: (entries: readonly Entry[]) => Promise<void> | void;
};

/** Where on the log a follower stands that needs no place of its own: it begins at the end of the log, and again with the next start. */
export type LogCursor = {
  /** Takes the next entries; 0 when there may be more. Those whose taking failed are given again. */
  readonly advance: () => Promise<0 | null>;
  /** Leaves out what is there now. */
  readonly skip: () => Promise<void>;
};

export const createLogCursor = ({ log, batch, take }: LogCursorOptions): LogCursor => {
  let position: number | null = null;
  const skip = async (): Promise<void> => {
    position = (await log.head()).count;
  };
  return {
    skip,
    advance: async () => {
      if (position === null) await skip();
      const entries = await log.entriesAfter(position ?? 0, batch);
      const last = entries.at(-1);
      if (last === undefined) return null;
      await take(entries);
      // FOLLOW-3: only now.
      position = last.position;
      return entries.length < batch ? null : 0;
    },
  };
};
