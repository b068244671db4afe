import type { Store } from '@yarnboard/store';
import type { BoardOptions } from './board-options.ts';
import type { Woken } from './board-events.ts';
import { askThreads, failedTask, type BoardState } from './board-state.ts';
import { createClosers, type Closers } from './closers.ts';
import { keepReserve } from './home/reserve.ts';
import { fileOf, missingDatabase, refuseAnotherBoard } from './recovery/last-known.ts';
import { openForAsking } from './threads/finder.ts';
import type { Indexer } from './threads/indexer.ts';
import { createLateBoard, type Opened } from './threads/late-board.ts';
import { lockDatabase } from './threads/lock.ts';
import { refusingIndexer, refusingWriter } from './threads/read-only.ts';
import { openReader, startIndexer, startWriter, type ThreadTask } from './threads/threads.ts';
import type { Writer, WriterEvent } from './threads/writer.ts';

export type BoardStoreParts = BoardOptions & {
  readonly task: ThreadTask;
  readonly now: BoardState;
  readonly woken: Woken;
  readonly onEvent: (event: WriterEvent) => void;
  /** How a read-only board refuses. */
  readonly refuse: () => Promise<never>;
  readonly closers: Closers;
};

export type BoardStore = {
  readonly store: Store;
  readonly writer: Writer;
  /** Resolves when the store is open: at once, unless it was away when the server started. */
  readonly opened: Promise<void>;
};

/** The store of a board, with the threads that write to it and fill its index. */
export const openBoardStore = async (parts: BoardStoreParts): Promise<BoardStore> => {
  const { now, woken, closers, refuse } = parts;
  if (parts.readOnly === true) {
    woken.indexer = refusingIndexer(refuse);
    const store = await openForAsking(parts, closers.push);
    return { store, writer: refusingWriter(refuse), opened: Promise.resolve() };
  }
  const { store, writer, indexer, opened } = parts.away == null ? await openThere(parts, closers.push) : openLate(parts, closers.push);
  woken.indexer = indexer;
  closers.push(askThreads(now, writer, indexer));
  return { store, writer, opened };
};

type There = Pick<Opened, 'store' | 'writer' | 'indexer'> & { readonly opened: Promise<void> };

const openThere = async (parts: BoardStoreParts, push: Closers['push']): Promise<There> => {
  const { home, task, programs, now, onEvent } = parts;
  const writer = await startWriter(task, programs, onEvent, parts.dialects);
  push(writer.close);
  keepReserve(home);
  const indexer: Indexer = await startIndexer(task, programs, (why) => {
    const ended = new Error(`nothing new can be searched: the indexer ended: ${why}`);
    now.search = failedTask('search', ended, Date.now());
    parts.onFault?.(ended);
  });
  push(indexer.close);
  await indexer.wake();
  return { store: await openForAsking(parts, push), writer, indexer, opened: Promise.resolve() };
};

/** REC-78: a reader tries it first, which writes and creates nothing. */
const openLate = (parts: BoardStoreParts, push: Closers['push']): There => {
  const { home, settings, away } = parts;
  if (away == null) throw new Error('the store is there');
  const path = fileOf(home);
  const late = createLateBoard({
    boardId: away.known.boardId,
    capabilities: path === null ? { isSharedByServers: true, hasFileBackup: false } : { isSharedByServers: false, hasFileBackup: true },
    isElsewhere: settings.embedding != null,
    why: away.fault,
    open: async () => {
      const closers = createClosers();
      try {
        const missing = missingDatabase(home);
        if (missing !== null) throw missing;
        if (path !== null) closers.push((await lockDatabase(path)).release);
        const reader = await openReader(home);
        try {
          await refuseAnotherBoard(reader.log, away.known);
        } finally {
          await reader.close();
        }
        return { ...(await openThere(parts, closers.push)), close: closers.close };
      } catch (cause) {
        await closers.close().catch(() => {}); // the first failure is the one to report
        throw cause;
      }
    },
  });
  push(late.writer.close);
  return late;
};
