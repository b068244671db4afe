import { setImmediate as breathe } from 'node:timers/promises';
import type { Store } from '@yarnboard/store';
import { createRunner, type Follower, type FollowerState } from '../followers/runner.ts';

/** Keeps the search index up to date with the log. */
export type Indexer = {
  /** There may be something new. */
  readonly wake: () => Promise<void>;
  /** Resolves when everything that is on the log now is in the index; for an endpoint, which may take hours or be away, nobody waits. */
  readonly drain: () => Promise<void>;
  readonly clear: () => Promise<void>;
  readonly drop: (positions: readonly number[]) => Promise<void>;
  readonly state: () => Promise<FollowerState>;
  /** The same of what is embedded by an endpoint; null where that is done here, with the words. */
  readonly meaning: () => Promise<FollowerState | null>;
  readonly close: () => Promise<void>;
};

export const createIndexer = (store: Store, now: () => number): Indexer => {
  const { search } = store;
  // The lag shows a failure (metrics, status); so does the state, with its reason.
  // STORE-61: on a shared database every pass is a commit of its own, beside those that people wait for: what comes within a moment goes together.
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
    // Not after what is running, which may take an hour: what is not in the index yet has lost its text by now.
    drop: (positions) => search.drop(positions),
    state: async () => runner.state(),
    meaning: async () => meaning?.state() ?? null,
    close: async () => {
      await Promise.all([runner.close(), meaning?.close()]);
      await store.close();
    },
  };
};

/** Feeds the index; the index itself knows how far it is. */
const searchFeed = (search: Store['search'], now: () => number, isHurried: () => boolean): Follower => {
  let fedAt = now();
  let isSettled = false;
  let isMuch = false;
  return {
    name: 'search',
    pass: async () => {
      // STORE-29: while an import goes on, what it commits in small batches is taken in large ones.
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
      // The vocabulary is looked through as a whole: once after an import, not after each of its commits.
      const quietFor = now() - fedAt;
      if (quietFor < QUIET) return QUIET - quietFor;
      await search.settle();
      isSettled = true;
      return null;
    },
  };
};

/** MEAN-21: what an endpoint embeds comes when it comes. Words do not wait for it, and when it fails they do not fail. */
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
