import type { LibraryPort, MessageRow } from '@yarnboard/store';

/** A record of a session within its conversation, on the log or still in its file: then it has neither position nor references. */
export type ConversationRow = Omit<MessageRow, 'position' | 'number' | 'exchange' | 'copyOf' | 'at'> & {
  readonly position: number | null;
  readonly at: number | null;
  readonly ref: string | null;
  readonly exchange: string | null;
  readonly copyOf: string | null;
};

/** A message of the library with the references shown for it: a copy has its original's. */
export const rowFrom = async (library: LibraryPort, row: MessageRow): Promise<ConversationRow> => {
  const { number, exchange, copyOf, ...rest } = row;
  const shown = copyOf === null ? number : ((await library.messageAt(copyOf))?.number ?? null);
  const ref = shown === null ? null : `MSG-${shown}`;
  return { ...rest, ref, exchange: exchange === null ? null : `EXCH-${exchange}`, copyOf: copyOf === null ? null : (ref ?? `entry ${copyOf}`) };
};
