import { setImmediate as breathe } from 'node:timers/promises';
import type { Store } from '@yarnboard/store';
import { createRunner, type Follower, type FollowerState } from '../followers/runner.ts';

/** Keeps the search index up to date with the log. */
export type Indexer = {
  /** There may be something new. */
  readonly wake: () => Promise<void>;
  /** Resolves when everything on the log now is in the index; a remote model, which may take hours or be down, isn't waited for. */
  readonly drain: () => Promise<void>;
  readonly clear: () => Promise<void>;
  readonly drop: (positions: readonly number[]) => Promise<void>;
  readonly state: () => Promise<FollowerState>;
  /** The same for a remote model; null if embedding is done here, along with the words. */
  readonly meaning: () => Promise<FollowerState | null>;
  readonly close: () => Promise<void>;
};

export const createIndexer = (store: Store, now: () => number): Indexer => {
  const { search } = store;
  // The lag reveals a failure (metrics, status), and the state has its reason. STORE-61: on a shared database, every pass is a commit that competes
  // with people's, so entries that arrive close together are processed together.
  const settle = store.capabilities.isSharedByServers ? SETTLE : 0;
  let draining = 0;
  const quietly = { onFault: () => {}, wallClock: now };
  const runner = createRunner({ ...searchFeed(search, now, () => draining > 0), timing: { settle } }, quietly);
  const meaning = search.meaning.isElsewhere ? createRunner(meaningFeed(search), quietly) : null;
  return {
    wake: async () => {
      runner.wake();
      meaning?.wake();
    },
    drain: async () => {
      draining += 1;
      try {
        await runner.drain();
      } finally {
        draining -= 1;
      }
      await search.settle();
    },
    clear: async () => {
      await runner.rest();
      await search.clear();
    },
    // Not queued behind the current work, which may take an hour: entries that aren't indexed yet have already lost their text.
    drop: (positions) => search.drop(positions),
    state: async () => runner.state(),
    meaning: async () => meaning?.state() ?? null,
    close: async () => {
      await Promise.all([runner.close(), meaning?.close()]);
      await store.close();
    },
  };
};

/** Feeds the index; the index itself knows its progress. */
const searchFeed = (search: Store['search'], now: () => number, isHurried: () => boolean): Follower => {
  let fedAt = now();
  let isSettled = false;
  let isMuch = false;
  return {
    name: 'search',
    pass: async () => {
      // STORE-29: during an import, its small commits are processed in large batches.
      const since = now() - fedAt;
      if (isMuch && !isHurried() && since >= 0 && since < GATHERED) return GATHERED - since;
      const fed = await search.advance(STEP);
      isMuch = fed > MUCH && fed < STEP;
      if (fed > 0) {
        fedAt = now();
        isSettled = false;
        await breathe();
        return 0;
      }
      // Words first: meaning catches up when nobody waits for them.
      if (!search.meaning.isElsewhere && (await search.meaning.advance(STEP)) > 0) {
        await breathe();
        return 0;
      }
      if (isSettled) return null;
      // The vocabulary is processed as a whole: once after an import, not after each of its commits.
      const quietFor = now() - fedAt;
      if (quietFor < QUIET) return QUIET - quietFor;
      await search.settle();
      isSettled = true;
      return null;
    },
  };
};

/** MEAN-21: a remote model takes as long as it takes. Words don't wait for it, and its failure isn't theirs. */
const meaningFeed = ({ meaning }: Store['search']): Follower => ({
  name: 'meaning',
  pass: async (signal) => ((await meaning.advance(STEP, signal)) > 0 ? 0 : null),
  timing: { settle: SETTLE, retry: { first: 1000, most: 60_000 } },
});

const SETTLE = 200;
const STEP = 2000;
const MUCH = 64;
const GATHERED = 300;
const QUIET = 2000;
