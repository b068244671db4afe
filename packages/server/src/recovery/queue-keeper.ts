import { currentNotes, rejectionOf, withAdditions, type EmergencyAddition, type EmergencyDocument, type PendingOutcome } from '@yarnboard/domain';
import { StoreFault, type EmergencyCache } from '@yarnboard/store';
import type { QueueKeeper } from '../engine/waiting-room.ts';
import { emptyDocument, pendingWriteOf, type DocumentFacts } from './pending-document.ts';

export type KeeperOptions = DocumentFacts & {
  readonly cache: EmergencyCache;
  readonly limits: { readonly writes: number; readonly bytes: number };
};

/** REC-53: the emergency cache of one outage: begun at the first fault, extended by every command, closed when everything is on the log. */
export type CacheKeeper = Pick<QueueKeeper, 'keep' | 'full'> & {
  /** Records the state at the start of the outage, once. */
  readonly begin: () => void;
  readonly document: () => EmergencyDocument | null;
  readonly cacheId: () => string | null;
  readonly bytes: () => number;
  /** The places that took the latest command. */
  readonly durableIn: () => readonly string[];
  readonly settle: (outcomes: readonly { readonly uuid: string; readonly outcome: PendingOutcome }[]) => Promise<void>;
  /** The outage is over: marks the cache as resolved, or removes it if nothing was queued. A cache with open conflicts stays for the operator. */
  readonly end: (notes: readonly string[]) => Promise<void>;
  /** The server stops while commands are queued. */
  readonly leave: () => Promise<void>;
};

export const createCacheKeeper = (options: KeeperOptions): CacheKeeper => {
  const { cache, now, limits } = options;
  /** As last written or begun. Additions since are kept separately, so that a command costs the same however many are queued. */
  let document: EmergencyDocument | null = null;
  let added: EmergencyAddition[] = [];
  let isWritten = false;
  let bytes = 0;
  let places: readonly string[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const timeOf = (at: number): string => new Date(at).toISOString();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {}); // the caller reports it
    return mine;
  };

  const begun = (): EmergencyDocument => {
    if (document !== null) return document;
    document = emptyDocument(options, 'outage');
    return document;
  };

  const whole = (): EmergencyDocument => {
    document = added.length === 0 ? begun() : withAdditions(begun(), added);
    added = [];
    return document;
  };

  /** Writes the whole document, with all additions. */
  const write = async (): Promise<readonly string[]> => {
    const latest = { ...whole(), updatedAt: timeOf(now()) };
    const { durableIn } = await cache.write({ ...latest, recoveryNotes: currentNotes(latest) });
    isWritten = durableIn.length > 0;
    return durableIn;
  };

  const add = async (additions: readonly EmergencyAddition[]): Promise<readonly string[]> => {
    added.push(...additions);
    // An addition is useless without its document.
    const { durableIn } = isWritten ? await cache.add(begun().cacheId, additions) : { durableIn: await write() };
    return durableIn;
  };

  const forget = (): void => {
    [document, added, isWritten, bytes, places] = [null, [], false, 0, []];
  };

  return {
    begin: () => {
      begun();
      inTurn(async () => void (isWritten || document === null ? [] : await write())).catch(() => {}); // the first command tries again
    },
    document: () => (document === null ? null : whole()),
    cacheId: () => document?.cacheId ?? null,
    bytes: () => bytes,
    durableIn: () => places,
    full: (count) => (count >= limits.writes || bytes >= limits.bytes ? rejectionOf('emergency-full', { writes: count }) : null),
    keep: (queued) =>
      inTurn(async () => {
        const additions = queued.map((one): EmergencyAddition => ({ kind: 'write', write: pendingWriteOf(one, options.describe) }));
        const durableIn = await add(additions);
        if (durableIn.length === 0) {
          const lost = new Set(queued.map(({ uuid }) => uuid));
          document = { ...whole(), pendingWrites: whole().pendingWrites.filter(({ uuid }) => !lost.has(uuid)) };
          throw new StoreFault('failed', 'the log cannot be written, and the command could not be queued in any place: none of it was kept');
        }
        places = durableIn;
        bytes += additions.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
        return { cacheId: begun().cacheId, durableIn };
      }),
    settle: (outcomes) => inTurn(async () => void (await add(outcomes.map(({ uuid, outcome }) => ({ kind: 'outcome', uuid, outcome }))))),
    end: (notes) =>
      inTurn(async () => {
        if (document === null) return;
        const { cacheId, pendingWrites } = whole();
        const conflicts = pendingWrites.filter(({ outcome }) => outcome.kind === 'conflict').length;
        if (pendingWrites.length === 0) {
          forget();
          await cache.remove(cacheId);
          return;
        }
        const at = timeOf(now());
        document = {
          ...document,
          recoveryNotes: [...document.recoveryNotes, ...notes],
          ...(conflicts === 0 ? { resolvedAt: at, resolutionNotes: `Replayed when the log was back: ${pendingWrites.length} commands.` } : {}),
        };
        await write();
        forget();
      }),
    leave: () =>
      inTurn(async () => {
        if (document === null) return;
        const latest = whole();
        document = {
          ...latest,
          reason: 'system_shutdown',
          recoveryNotes: [...latest.recoveryNotes, 'The server was stopped while commands were queued.'],
        };
        await write();
      }),
  };
};
