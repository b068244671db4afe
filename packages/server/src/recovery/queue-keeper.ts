import {
  currentNotes,
  RECOVERY_STEPS,
  rejectionOf,
  snapshotsOf,
  withAdditions,
  type Board,
  type EmergencyAddition,
  type EmergencyDocument,
  type PendingOutcome,
  type PendingWrite,
} from '@yarnboard/domain';
import { StoreFault, type EmergencyCache } from '@yarnboard/store';
import type { QueueKeeper, Queued } from '../engine/waiting-room.ts';

export type KeeperOptions = {
  readonly cache: EmergencyCache;
  readonly boardId: string;
  /** Which home's server this is. */
  readonly serverId: string;
  readonly host: string;
  readonly version: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly board: () => Board;
  readonly reason: () => EmergencyDocument['reason'];
  readonly servicesDown: () => EmergencyDocument['servicesDown'];
  readonly describe: (queued: Queued) => Described;
  /** The last entry that is known to be on the log. */
  readonly head: () => EmergencyDocument['head'];
  readonly limits: { readonly writes: number; readonly bytes: number };
};

/** Where a command was said (null for the board itself), and what it would do. */
export type Described = { readonly context: string | null; readonly wouldDo: string };

/** REC-53: the emergency cache of one outage: begun with its first fault, added to with every command, closed when everything is on the log. */
export type CacheKeeper = Pick<QueueKeeper, 'keep' | 'full'> & {
  /** Writes down how things stood, unless that was done. */
  readonly begin: () => void;
  readonly document: () => EmergencyDocument | null;
  readonly cacheId: () => string | null;
  readonly bytes: () => number;
  /** Places that took what was queued last. */
  readonly durableIn: () => readonly string[];
  readonly settle: (outcomes: readonly { readonly uuid: string; readonly outcome: PendingOutcome }[]) => Promise<void>;
  /** The outage is over: what was cached is marked as resolved, or thrown away where nothing was queued. One with open conflicts stays for the operator. */
  readonly end: (notes: readonly string[]) => Promise<void>;
  /** The server stops while something waits. */
  readonly leave: () => Promise<void>;
};

export const createCacheKeeper = (options: KeeperOptions): CacheKeeper => {
  const { cache, now, limits } = options;
  /** As it was when it was last written or begun; what came since is kept beside it, so that a command costs the same however many wait. */
  let document: EmergencyDocument | null = null;
  let added: EmergencyAddition[] = [];
  let isWritten = false;
  let bytes = 0;
  let places: readonly string[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const timeOf = (at: number): string => new Date(at).toISOString();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {}); // told by whoever asked for it
    return mine;
  };

  const begun = (): EmergencyDocument => {
    if (document !== null) return document;
    const at = timeOf(now());
    document = {
      format: 1,
      cacheId: `outage-${at.replaceAll(/[:.]/gu, '-')}-${options.newId().slice(0, 8)}`,
      createdAt: at,
      updatedAt: at,
      reason: options.reason(),
      servicesDown: options.servicesDown(),
      boardId: options.boardId,
      serverId: options.serverId,
      host: options.host,
      version: options.version,
      head: options.head(),
      lastKnownGoodState: at,
      ...snapshotsOf(options.board(), { timeOf, wordsOf: () => [] }),
      pendingWrites: [],
      pendingArchives: [],
      recoveryNotes: [],
      suggestedRecoveryOrder: [...RECOVERY_STEPS],
      resolvedAt: null,
      resolutionNotes: null,
    };
    return document;
  };

  const whole = (): EmergencyDocument => {
    document = added.length === 0 ? begun() : withAdditions(begun(), added);
    added = [];
    return document;
  };

  /** Whole, with everything that was added. */
  const write = async (): Promise<readonly string[]> => {
    const latest = { ...whole(), updatedAt: timeOf(now()) };
    const { durableIn } = await cache.write({ ...latest, recoveryNotes: currentNotes(latest) });
    isWritten = durableIn.length > 0;
    return durableIn;
  };

  const add = async (additions: readonly EmergencyAddition[]): Promise<readonly string[]> => {
    added.push(...additions);
    // Without its document an addition is of no use to anybody.
    const { durableIn } = isWritten ? await cache.add(begun().cacheId, additions) : { durableIn: await write() };
    return durableIn;
  };

  const forget = (): void => {
    [document, added, isWritten, bytes, places] = [null, [], false, 0, []];
  };

  const pendingOf = (queued: Queued): PendingWrite => {
    const { asked, n, uuid, queuedAt } = queued;
    const { context, wouldDo } = options.describe(queued);
    return {
      n,
      messageId: asked.messageId,
      uuid,
      sender: { id: asked.actor.id, type: asked.actor.type },
      client: asked.client ?? 'api',
      clientVersion: asked.clientVersion ?? null,
      context,
      command: asked.command,
      ifSeq: asked.ifSeq ?? null,
      fingerprint: asked.fingerprint ?? null,
      circumstances: { ...asked.circumstances },
      claims: asked.claims ?? null,
      queuedAt: timeOf(queuedAt),
      wouldDo,
      outcome: { kind: 'pending' },
    };
  };

  return {
    begin: () => {
      begun();
      inTurn(async () => void (isWritten || document === null ? [] : await write())).catch(() => {}); // tried again with the first command
    },
    document: () => (document === null ? null : whole()),
    cacheId: () => document?.cacheId ?? null,
    bytes: () => bytes,
    durableIn: () => places,
    full: (count) => (count >= limits.writes || bytes >= limits.bytes ? rejectionOf('emergency-full', { writes: count }) : null),
    keep: (queued) =>
      inTurn(async () => {
        const additions = queued.map((one): EmergencyAddition => ({ kind: 'write', write: pendingOf(one) }));
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
