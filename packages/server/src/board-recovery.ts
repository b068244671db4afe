import { join } from 'node:path';
import type { EmergencyDocument } from '@yarnboard/domain';
import type { Appended, EmergencyCache, Item, Store } from '@yarnboard/store';
import type { BoardOptions } from './board-options.ts';
import type { Closers } from './closers.ts';
import type { Engine } from './engine/engine.ts';
import type { Follower } from './followers/runner.ts';
import { lastStopOf, markRunning, markStopped } from './recovery/stop-mark.ts';
import type { OutageWatch } from './recovery/outage-watch.ts';
import { createRecovery, type Recovery } from './recovery/recovery.ts';

/** REC-16: marks left by a server before it accepts anything, and after everything is closed. */
export type StopMark = {
  readonly lastStop: ReturnType<typeof lastStopOf>;
  /** It started accepting requests: from now on a stop counts as one. */
  readonly opened: () => void;
};

/** Only a server leaves marks: a single command must not cover up how the last server ended. */
export const keepStopMark = (options: Pick<BoardOptions, 'home' | 'isFollowing'>, closers: Closers, isClean: () => boolean): StopMark => {
  const lastStop = lastStopOf(options.home);
  if (options.isFollowing !== true) return { lastStop, opened: () => {} };
  let isOpen = false;
  markRunning(options.home);
  closers.push(() => {
    if (isOpen ? isClean() : lastStop !== 'abnormal') markStopped(options.home);
  });
  return {
    lastStop,
    opened: () => {
      isOpen = true;
    },
  };
};

export type BoardRecoveryOptions = Pick<BoardOptions, 'home' | 'isFollowing'> & {
  readonly cache: EmergencyCache;
  readonly store: Store;
  readonly engine: Engine;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly serverId: string;
  readonly mark: Pick<StopMark, 'lastStop'>;
  readonly outage: Pick<OutageWatch, 'asOf' | 'inUse' | 'onResolved'> | null;
};

export const createBoardRecovery = async (options: BoardRecoveryOptions): Promise<Recovery> => {
  const { cache, home, mark, outage } = options;
  const now = (): number => Date.now();
  const recovery = await createRecovery({
    ...options,
    lastStop: mark.lastStop,
    inUse: () => outage?.inUse() ?? [],
    exports: join(home.folder, 'emergency', 'exports'),
    now,
  });
  options.engine.onForgotten(recovery.forget);
  outage?.onResolved(recovery.forget);
  if (options.isFollowing === true) {
    await cache.prepare();
    const { documents } = await recovery.look();
    // Others may have forgotten something while this home had no server.
    if (options.outage?.asOf() == null) await recovery.forget().catch(() => {}); // the next start does
    for (const { cacheId } of documents.filter((document) => isLongOver(document, now()))) await cache.remove(cacheId);
  }
  return recovery;
};

/** REC-19: automatic work waits until recovery is done. */
export const heldBy =
  (recovery: Pick<Recovery, 'isBlocking'>) =>
  (follower: Follower): Follower => ({
    ...follower,
    pass: (signal) => (recovery.isBlocking() ? Promise.resolve(LOOK_AGAIN) : follower.pass(signal)),
  });

const LOOK_AGAIN = 1000;

const isLongOver = ({ resolvedAt }: EmergencyDocument, now: number): boolean => resolvedAt !== null && now - Date.parse(resolvedAt) > KEPT_FOR;

/** REC-20: its contents can be inspected for thirty days. */
const KEPT_FOR = 30 * 24 * 3_600_000;
