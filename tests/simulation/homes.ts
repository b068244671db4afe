import { setImmediate } from 'node:timers/promises';
import { maskSecrets } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex } from '@yarnboard/language';
import { createEmergencyCache, StoreFault, type Appended, type Item, type Store } from '@yarnboard/store';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import { createOutageWatch, type OutageWatch, type SettledNews } from '../../packages/server/src/recovery/outage-watch.ts';
import { createRecovery, type Recovery } from '../../packages/server/src/recovery/recovery.ts';
import { describeQueued } from '../../packages/server/src/doors/ws/outage-news.ts';
import type { Chance } from './chance.ts';
import { shelfPlace, type Shelf } from './shelf.ts';

/** How the way from a home to the log can be. */
export type Away = 'no' | 'full' | 'unreachable' | 'hanging';

/** A home: its disks outlive its servers, and so does the way to its log. */
export type HomeOf = {
  readonly name: string;
  readonly store: Store;
  readonly shelves: readonly [Shelf, Shelf];
  away: Away;
  /** Those who wait for a log that hangs. */
  readonly hanging: (() => void)[];
  isClean: boolean;
  life: Life | null;
};

/** One life of its server: the real engine, watch, cache and recovery. */
export type Life = {
  readonly home: HomeOf;
  readonly engine: Engine;
  readonly watch: OutageWatch;
  readonly recovery: Recovery;
  readonly faults: unknown[];
  isDead: boolean;
};

export type World = {
  readonly chance: Chance;
  /** Runs by itself; `skew` is what a clock that jumps adds to it. */
  readonly time: { now: number; skew: number };
  /** What is due, and for whom. */
  readonly due: { readonly at: number; readonly work: () => void }[];
  /** A place that all homes reach, as Redis is. */
  readonly elsewhere: Shelf;
  readonly limits: { readonly mostWrites: number };
  readonly exports: string;
  readonly settled: (life: Life, news: SettledNews) => void;
  newId: () => string;
};

export const wallClock = ({ time }: World): number => time.now + time.skew;

/** Starts the server of a home. Its log must be there: it is read first. */
export const startLife = async (world: World, home: HomeOf): Promise<Life> => {
  const { chance, due, time, elsewhere, limits } = world;
  let life: Life | null = null;
  const isDead = (): boolean => life?.isDead === true;
  const faults: unknown[] = [];
  const onFault = (cause: unknown): void => void faults.push(cause);
  const store = overTheWay(home, isDead);
  const append = appendOver(world, home, isDead);
  const cache = createEmergencyCache({
    places: [...home.shelves.map((shelf) => shelfPlace(shelf, { isGone: isDead })), shelfPlace(elsewhere, { isLocal: false, isGone: isDead })],
    patience: LONG,
    farPatience: LONG,
    onFault,
  });
  const language = createLanguage({ mask: (text) => maskSecrets(text).text });
  const watch = createOutageWatch({
    cache,
    boardId: store.log.boardId,
    serverId: home.name,
    host: home.name,
    version: '0',
    now: () => wallClock(world),
    newId: world.newId,
    after: (ms, work) => {
      const one = { at: time.now + ms, work: (): void => (isDead() ? undefined : work()) };
      due.push(one);
      return () => {
        const i = due.indexOf(one);
        if (i >= 0) due.splice(i, 1);
      };
    },
    look: () => store.log.head(),
    log: store.log,
    probe: async () => {
      if (home.away === 'full') throw new StoreFault('full', 'no space left on device');
      await store.log.head();
    },
    append: (items) => append(items),
    describe: (queued) => describeQueued(engine.foreseen)(queued),
    onFault,
    settings: { mostWrites: limits.mostWrites },
  });
  const engine: Engine = await createEngine({
    store,
    append,
    now: () => wallClock(world),
    snapshot: null,
    language,
    createIndex: createTriggerIndex,
    limits: { batch: 1 + chance.below(6) },
    outage: watch.port,
    onFault,
  });
  const recovery = await createRecovery({
    cache,
    store,
    engine,
    append: (items) => append(items),
    serverId: home.name,
    lastStop: home.isClean ? 'clean' : 'abnormal',
    inUse: watch.inUse,
    exports: world.exports,
    now: () => wallClock(world),
  });
  const started: Life = { home, engine, watch, recovery, faults, isDead: false };
  life = started;
  home.life = started;
  home.isClean = false;
  const settled = (news: SettledNews): void => (started.isDead ? undefined : world.settled(started, news));
  recovery.listen({ changed: () => {}, settled });
  watch.watch(engine, { changed: () => {}, queued: () => {}, settled });
  return started;
};

/** Nothing of it is left but what is on disks. */
export const killLife = (life: Life): void => {
  life.isDead = true;
  life.home.life = null;
};

/** It stops as planned: what waits stays in the cache. */
export const stopLife = async (life: Life): Promise<void> => {
  await life.watch.close();
  life.home.isClean = life.engine.waiting().length === 0;
  killLife(life);
};

/** Lets go on what waits for what is going on: everything here is in memory. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 12; i += 1) await setImmediate();
};

/** Lets time pass: whatever is due by then is done. */
export const pass = async ({ due, time }: World, ms: number): Promise<void> => {
  const until = time.now + ms;
  for (;;) {
    const [next] = due.toSorted((a, b) => a.at - b.at);
    if (next === undefined || next.at > until) break;
    due.splice(due.indexOf(next), 1);
    time.now = Math.max(time.now, next.at);
    next.work();
    await settle();
  }
  time.now = until;
};

/** The store, as far as it can be reached. What hangs goes on when it is back. */
const overTheWay = (home: HomeOf, isDead: () => boolean): Store => {
  const way = async (): Promise<void> => {
    if (home.away === 'hanging') await new Promise<void>((resolve) => void home.hanging.push(resolve));
    if (isDead()) throw new Error('whoever asks was killed');
    if (home.away === 'unreachable') throw new StoreFault('unreachable', 'connection refused');
  };
  const over = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]: [string, unknown]) => {
        if (typeof value !== 'function') return [name, value];
        const ask = value as (...args: readonly unknown[]) => Promise<unknown>; // ports have functions that answer later, and values
        return [name, async (...args: readonly unknown[]) => way().then(() => ask(...args))];
      }),
    ) as P; // the same names, the same answers
  const { store } = home;
  return { ...store, log: over(store.log), library: over(store.library) };
};

/** What goes to the log: kept, refused, or kept without anybody being told. */
const appendOver =
  ({ chance }: World, home: HomeOf, isDead: () => boolean) =>
  async (items: readonly Item[], decidedAt?: number): Promise<readonly Appended[]> => {
    const write = (): Promise<readonly Appended[]> => home.store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) });
    await Promise.resolve();
    if (home.away === 'hanging') await new Promise<void>((resolve) => void home.hanging.push(resolve));
    // A commit that was on its way when its server was killed may be made all the same.
    if (isDead() && chance.happens(0.5)) throw new Error('whoever asks was killed');
    if (home.away === 'full') throw new StoreFault('full', 'no space left on device');
    if (home.away === 'unreachable') throw new StoreFault('unreachable', 'connection refused');
    if (chance.happens(0.03)) throw new StoreFault('io', 'the disk has a fault');
    const appended = await write();
    if (chance.happens(0.03)) throw new StoreFault('unreachable', 'the answer was lost', undefined, 'unknown');
    return appended;
  };

const LONG = 600_000;
