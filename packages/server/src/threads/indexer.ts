import type { Store } from '@yarnboard/store';

/** Keeps the search index up to date with the log. */
export type Indexer = {
  /** There may be something new. */
  readonly wake: () => Promise<void>;
  /** Resolves when everything that is on the log now is in the index. */
  readonly drain: () => Promise<void>;
  readonly clear: () => Promise<void>;
  readonly drop: (positions: readonly number[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const createIndexer = (store: Store): Indexer => {
  const { search } = store;
  let running: Promise<void> | null = null;
  let isAsked = false;
  let isClosed = false;

  let quiet: NodeJS.Timeout | null = null;

  const run = async (): Promise<void> => {
    do {
      isAsked = false;
      while (!isClosed && (await search.advance(STEP)) > 0) await breathe();
    } while (isAsked && !isClosed);
    if (!isClosed) settleSoon();
  };

  // The vocabulary is looked through as a whole: once after an import, not after each of its commits.
  const settleSoon = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    quiet = setTimeout(() => {
      quiet = null;
      search.settle().catch(() => {}); // the next quiet moment tries again; words that are spelled right are found all the same
    }, QUIET);
    quiet.unref();
  };

  const start = (): Promise<void> => {
    isAsked = true;
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    wake: async () => {
      // Not waited for. If it fails, the lag shows it (metrics, status) and the next wake tries again.
      start().catch(() => {});
    },
    drain: async () => {
      await start();
      await search.settle();
    },
    clear: async () => {
      await running?.catch(() => {}); // whoever started it was told
      await search.clear();
    },
    // Not after what is running, which may take an hour: what is not in the index yet has lost its text by now.
    drop: (positions) => search.drop(positions),
    close: async () => {
      isClosed = true;
      if (quiet !== null) clearTimeout(quiet);
      await running?.catch(() => {});
      await store.close();
    },
  };
};

const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const STEP = 2000;
const QUIET = 2000;
