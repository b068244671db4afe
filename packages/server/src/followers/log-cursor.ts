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

/** The log position of a follower without a store of its own: it starts at the end of the log, and again after each restart. */
export type LogCursor = {
  /** Processes the next entries; 0 if there may be more. Failed ones are delivered again. */
  readonly advance: () => Promise<0 | null>;
  /** Skips what is there now. */
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
