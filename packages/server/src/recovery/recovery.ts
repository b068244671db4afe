import {
  BOARD_CONTEXT,
  currentNotes,
  openWrites,
  OPERATOR,
  planReplay,
  sidebarOf,
  startupOf,
  SYSTEM,
  type Actor,
  type EmergencyDocument,
  type LastStop,
  type PendingOutcome,
  type PendingWrite,
  type ReplayPlan,
  type Startup,
} from '@yarnboard/domain';
import { words, type RecoveryNews } from '@yarnboard/protocol';
import {
  StoreFault,
  uuidFor,
  type Appended,
  type Doubtful,
  type EmergencyCache,
  type FoundEmergenciesEverywhere,
  type Item,
  type Store,
} from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { exportOf, writeExport } from './cache-export.ts';
import { emergencyItem, lastPlaceIn, resolvedId, settledByLog } from './emergency-entry.ts';
import { withoutForgotten } from './forgotten-words.ts';
import { amended, askedBy, isPastPresence } from './pending-command.ts';
import type { SettledNews } from './outage-watch.ts';
import { formerNames, renamed, type FormerNames } from './present-names.ts';
import { previewOf } from './preview.ts';
import { checkReplay, onLog, type Checked } from './replay-check.ts';

export type RecoveryOptions = {
  readonly cache: EmergencyCache;
  readonly store: Store;
  readonly engine: Pick<Engine, 'board' | 'execute' | 'isAsTold' | 'language' | 'match' | 'memory'>;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly serverId: string;
  readonly lastStop: LastStop;
  /** The caches of this server's current outage. */
  readonly inUse: () => readonly string[];
  /** The folder for exports, which are written before anything is discarded. */
  readonly exports: string;
  readonly now: () => number;
};

export type Reviewed = {
  readonly document: EmergencyDocument;
  readonly isOwn: boolean;
  readonly plan: ReplayPlan;
  readonly copies: Looked['copies'];
};

/** Why a request cannot be done; the door words it. */
export type RecoveryRefusal =
  | { readonly kind: 'unknown-cache' | 'of-another-board' | 'resolved' | 'in-use' }
  | { readonly kind: 'of-another'; readonly host: string }
  | { readonly kind: 'unknown-write'; readonly asked: number }
  | { readonly kind: 'not-amendable' };

export type Settled = { readonly document: EmergencyDocument; readonly concerned: readonly PendingWrite[]; readonly exportedTo: string | null };
export type RecoveryAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: RecoveryRefusal };

export type Recovery = {
  /** How this server found things at its start, unless someone has acted on it since. */
  readonly startup: () => Startup;
  /** REC-19: whether an unresolved cache of this home blocks the server. */
  readonly isBlocking: () => boolean;
  /** REC-71: what an outage left behind, as everyone may see it; null if nothing. */
  readonly news: () => RecoveryNews | null;
  /** Sets the listener for changes of the news and for settled writes. */
  readonly listen: (listener: RecoveryListener) => void;
  /** Looks in all places. */
  readonly look: () => Promise<Looked>;
  readonly isOwn: (document: EmergencyDocument) => boolean;
  readonly review: (cacheId: string) => Promise<RecoveryAnswer<Reviewed>>;
  readonly replay: (cacheId: string, wish: Wish) => Promise<RecoveryAnswer<Settled>>;
  readonly discard: (cacheId: string, wish: Wish) => Promise<RecoveryAnswer<Settled>>;
  readonly resolve: (cacheId: string, notes: string | null) => Promise<RecoveryAnswer<Settled>>;
  readonly exported: (cacheId: string, reveal: boolean) => Promise<RecoveryAnswer<{ readonly json: string; readonly markdown: string }>>;
  /** REC-87: removes forgotten words from everything that is resolved. */
  readonly forget: () => Promise<void>;
  /** The operator has seen the alert about a bad stop. */
  readonly acknowledge: () => void;
};

export type RecoveryListener = { readonly changed: (news: RecoveryNews) => void; readonly settled: (settled: SettledNews) => void };

type Looked = {
  readonly documents: readonly EmergencyDocument[];
  readonly doubtful: readonly Doubtful[];
  readonly copies: FoundEmergenciesEverywhere['copies'];
};

type Chosen = { readonly document: EmergencyDocument; readonly former: FormerNames; readonly writes: readonly PendingWrite[] };

type Wish = { readonly writes?: readonly number[] | undefined; readonly otherHome?: boolean | undefined; readonly words?: string | undefined };

/** REC-17: what an outage left behind, and what the operator can do about it. */
export const createRecovery = async (options: RecoveryOptions): Promise<Recovery> => {
  const { cache, store, engine, serverId, now } = options;
  const home = { serverId, boardId: store.log.boardId };
  let lastStop = options.lastStop;
  let startup = startupOf(home, lastStop, []);
  /** The caches that existed when this server started. Those of its own outages wait for the operator and block nobody. */
  let atStart: ReadonlySet<string> | null = null;
  /** Open writes of this home, from any outage. */
  let openCount = 0;
  let listener: RecoveryListener | null = null;
  let lastTold: string | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: of two people replaying the same cache, the second finds it done. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {}); // the caller reports it
    return mine;
  };

  const look: Recovery['look'] = async () => lookAt(await cache.find());

  const lookAt = async ({ documents, doubtful, copies }: FoundEmergenciesEverywhere): Promise<Looked> => {
    const found = { documents: await Promise.all(documents.map(settled)), doubtful, copies };
    atStart ??= new Set(found.documents.map(({ cacheId }) => cacheId));
    const before = atStart;
    startup = startupOf(
      home,
      lastStop,
      found.documents.filter(({ cacheId }) => before.has(cacheId)),
    );
    // REC-71: the queue of the current outage is not news about an earlier one.
    const open = found.documents.filter((document) => document.resolvedAt === null && isOwn(document) && !options.inUse().includes(document.cacheId));
    openCount = open.reduce((sum, document) => sum + openWrites(document).length, 0);
    tell();
    return found;
  };

  const news = (): RecoveryNews | null =>
    startup.alert === null && openCount === 0 ? null : { ...(startup.alert ?? NOTHING_LEFT), state: startup.state, openWrites: openCount };

  const tell = (): void => {
    const told = news();
    const text = JSON.stringify(told);
    const isNews = lastTold !== null && lastTold !== text;
    lastTold = text;
    if (isNews) listener?.changed(told ?? { ...NOTHING_LEFT, state: 'CLEAN', openWrites: 0 });
  };

  const tellSettled = ({ messageId, uuid, sender, context }: PendingWrite, outcome: PendingOutcome): void => {
    if (outcome.kind === 'pending') return;
    const { position: seq, refs } = 'position' in outcome ? outcome : { position: null, refs: [] };
    const why = outcome.kind === 'conflict' ? { code: outcome.code, message: outcome.message } : {};
    const contextId = context === null ? BOARD_CONTEXT : (sidebarOf(engine.board(), context)?.contextId ?? null);
    listener?.settled({ messageId, uuid, sender: sender.id, contextId, outcome: outcome.kind, seq, refs, ...why });
  };

  const settled = async (document: EmergencyDocument): Promise<EmergencyDocument> => {
    if (document.boardId !== home.boardId) return document;
    return settledByLog(store.log, document).catch((cause: unknown) => {
      // While the log is away we can't ask it, but the queue can still be shown.
      if (cause instanceof StoreFault) return document;
      throw cause;
    });
  };

  const isOwn = (document: EmergencyDocument): boolean => document.serverId === home.serverId && document.boardId === home.boardId;

  const find = async (cacheId: string): Promise<EmergencyDocument | null> =>
    (await look()).documents.find((document) => document.cacheId === cacheId) ?? null;

  const timeNow = (): string => new Date(now()).toISOString();

  const planOf = async (document: EmergencyDocument, former: FormerNames): Promise<ReplayPlan> => {
    const presents = await previewOf({ store, engine, now }, { document, former }, openWrites(document));
    return planReplay(document, ({ uuid }) => presents.get(uuid) ?? { kind: 'conflict', code: 'internal', message: 'it could not be looked at' });
  };

  /** Finds the document that a request is about, checks that it may be changed, and picks the writes. */
  const chosen = async (cacheId: string, wish: Wish): Promise<RecoveryAnswer<Chosen>> => {
    const { documents } = await look();
    const document = documents.find((one) => one.cacheId === cacheId);
    if (document === undefined) return refused({ kind: 'unknown-cache' });
    if (document.boardId !== home.boardId) return refused({ kind: 'of-another-board' });
    if (document.resolvedAt !== null) return refused({ kind: 'resolved' });
    // REC-73: the server settles this one itself, from memory.
    if (options.inUse().includes(cacheId)) return refused({ kind: 'in-use' });
    if (!isOwn(document) && wish.otherHome !== true) return refused({ kind: 'of-another', host: document.host });
    const open = openWrites(document);
    const asked = wish.writes?.find((n) => !open.some((write) => write.n === n));
    if (asked !== undefined) return refused({ kind: 'unknown-write', asked });
    const former = await formerNames(store.log, documents, document);
    return { ok: true, value: { document, former, writes: open.filter(({ n }) => wish.writes === undefined || wish.writes.includes(n)) } };
  };

  const outcomeOf = async ({ document, former }: Chosen, waiting: PendingWrite, amendedBy?: string): Promise<PendingOutcome> => {
    const there = await onLog(store.log, waiting);
    if (there.kind === 'same') return { kind: 'known', position: there.entry.position, refs: there.entry.refs };
    if (isPastPresence(waiting)) return { kind: 'discarded', by: SYSTEM.id, at: timeNow() };
    const { write, conflict } = await renamed({ log: store.log, board: engine.board(), document, former }, waiting);
    if (conflict !== null) return { kind: 'conflict', ...conflict };
    const asked = askedBy(engine.board(), write, document.cacheId);
    if (!asked.ok) return { kind: 'conflict', ...asked.error };
    const outcome = await engine.execute({ ...asked.value, amendedBy });
    if (outcome.kind === 'done') return { kind: 'replayed', position: outcome.seq, refs: outcome.refs };
    if (outcome.kind === 'duplicate') return { kind: 'known', position: outcome.seq, refs: outcome.refs };
    if (outcome.kind === 'rejected') return { kind: 'conflict', code: outcome.code, message: words(outcome, 'http') };
    throw new Error('the log is away again; what was replayed by now stays so');
  };

  /** Makes each outcome durable before handling the next write, so that a killed server can continue from there. */
  const settle = async (
    document: EmergencyDocument,
    writes: readonly PendingWrite[],
    outcomeFor: (write: PendingWrite) => Promise<PendingOutcome>,
  ): Promise<EmergencyDocument> => {
    // Outcomes are added to a copy. Without any, make no copy: its own server may be about to remove the original.
    if (writes.length > 0) await cache.write({ ...document, updatedAt: timeNow() });
    const settled = new Map<string, PendingOutcome>();
    for (const write of writes) {
      const outcome = await outcomeFor(write);
      settled.set(write.uuid, outcome);
      await cache.add(document.cacheId, [{ kind: 'outcome', uuid: write.uuid, outcome }]);
      tellSettled(write, outcome);
    }
    const withOutcome = (write: PendingWrite): PendingWrite => ({ ...write, outcome: settled.get(write.uuid) ?? write.outcome });
    return {
      ...document,
      pendingWrites: document.pendingWrites.map(withOutcome),
      pendingArchives: document.pendingArchives.map(withOutcome),
      updatedAt: timeNow(),
    };
  };

  /** Logs the end of an outage. A discard while other writes are still open gets its own entry. */
  const record = async (document: EmergencyDocument): Promise<void> => {
    const { cacheId, resolvedAt, pendingWrites, pendingArchives } = document;
    const discarded = [...pendingWrites, ...pendingArchives].filter(({ outcome }) => outcome.kind === 'discarded').length;
    const isOver = resolvedAt !== null;
    const uuid = isOver ? resolvedId(cacheId, lastPlaceIn(document)) : uuidFor(`emergency|${cacheId}|discarded|${discarded}`);
    await options.append([emergencyItem(document, { uuid, isOver }, BY, now())]);
  };

  const finish = async (
    document: EmergencyDocument,
    concerned: readonly PendingWrite[],
    resolution: string | null,
    exportedTo: string | null,
    { faults, notes }: Checked = NOT_CHECKED,
  ): Promise<Settled> => {
    const isOver = resolution !== null && faults.length === 0;
    const settledNow: EmergencyDocument = {
      ...document,
      recoveryNotes: [...new Set([...currentNotes(document), ...faults, ...notes])],
      ...(isOver ? { resolvedAt: timeNow(), resolutionNotes: resolution } : {}),
    };
    const whole = isOver ? ((await withoutForgotten(store.log, settledNow)) ?? settledNow) : settledNow;
    // The log comes first: it corrects any place that returns with an old copy.
    if (isOver || exportedTo !== null) await record(whole);
    await cache.write(whole);
    await look();
    const uuids = new Set(concerned.map(({ uuid }) => uuid));
    return { document: whole, concerned: [...whole.pendingWrites, ...whole.pendingArchives].filter(({ uuid }) => uuids.has(uuid)), exportedTo };
  };

  /** REC-20: a server may be killed after the log says that an outage is over, and before its cache does. */
  const begin = async (): Promise<void> => {
    const found = await cache.find();
    const { documents } = await lookAt(found);
    const wereOpen = new Set(found.documents.filter(({ resolvedAt }) => resolvedAt === null).map(({ cacheId }) => cacheId));
    for (const document of documents) {
      if (document.resolvedAt === null || !wereOpen.has(document.cacheId) || !isOwn(document)) continue;
      const whole = { ...((await withoutForgotten(store.log, document)) ?? document), updatedAt: timeNow() };
      await cache.write(whole).catch(() => {}); // where no place takes it, the log still says so
    }
  };

  await begin();
  return {
    startup: () => startup,
    isBlocking: () => startup.state === 'RECOVERY_NEEDED',
    news,
    listen: (told) => {
      listener = told;
    },
    look,
    isOwn,
    review: async (cacheId) => {
      const { documents, copies } = await look();
      const document = documents.find((one) => one.cacheId === cacheId);
      if (document === undefined) return refused({ kind: 'unknown-cache' });
      const isPlanned = document.boardId === home.boardId && document.resolvedAt === null;
      return {
        ok: true,
        value: {
          document,
          copies,
          isOwn: isOwn(document),
          plan: isPlanned ? await planOf(document, await formerNames(store.log, documents, document)) : planReplay(document, NOT_NOW, new Set()),
        },
      };
    },
    replay: (cacheId, wish) =>
      inTurn(async () => {
        const found = await chosen(cacheId, wish);
        if (!found.ok) return found;
        const { document, writes } = found.value;
        const changed = wish.words === undefined ? null : conflictIn(wish.words, writes);
        if (wish.words !== undefined && changed === null) return refused({ kind: 'not-amendable' });
        const replayed = await settle(document, writes, (write) =>
          changed === null ? outcomeOf(found.value, write) : outcomeOf(found.value, changed, BY.id),
        );
        const isDone = openWrites(replayed).length === 0;
        const checked = await checkReplay(store.log, engine, replayed);
        return { ok: true, value: await finish(replayed, writes, isDone ? `Replayed by ${BY.id}.` : null, null, checked) };
      }),
    discard: (cacheId, wish) =>
      inTurn(async () => {
        const found = await chosen(cacheId, { ...wish, otherHome: true });
        if (!found.ok) return found;
        const { document, writes } = found.value;
        const exportedTo = await writeExport(options.exports, document);
        const at = timeNow();
        const discarded = await settle(document, writes, () => Promise.resolve({ kind: 'discarded', by: BY.id, at }));
        const isDone = openWrites(discarded).length === 0;
        return { ok: true, value: await finish(discarded, writes, isDone ? `Discarded by ${BY.id}; exported to ${exportedTo}.` : null, exportedTo) };
      }),
    resolve: (cacheId, notes) =>
      inTurn(async () => {
        const found = await chosen(cacheId, { otherHome: true });
        if (!found.ok) return found;
        const { document, writes } = found.value;
        const at = timeNow();
        // Writes that nobody wants to replay count as discarded. Otherwise we couldn't tell them from what a server that was only cut off queues
        // there later.
        const left = await settle(document, writes, () => Promise.resolve({ kind: 'discarded', by: BY.id, at }));
        return { ok: true, value: await finish(left, writes, notes ?? `Marked as resolved by ${BY.id}.`, null) };
      }),
    exported: async (cacheId, reveal) => {
      const document = await find(cacheId);
      return document === null ? refused({ kind: 'unknown-cache' }) : { ok: true, value: exportOf(document, reveal) };
    },
    forget: async () => {
      const { documents } = await cache.find();
      for (const document of documents) {
        if (document.boardId !== home.boardId || document.resolvedAt === null) continue;
        const silent = await withoutForgotten(store.log, document);
        if (silent !== null) await cache.write({ ...silent, updatedAt: timeNow() });
      }
    },
    acknowledge: () => {
      if (startup.state !== 'AUDIT_RECOMMENDED') return;
      lastStop = 'clean';
      startup = { ...startup, state: 'CLEAN', alert: null };
      tell();
    },
  };
};

const BY: Actor = OPERATOR;

/** REC-82: the one conflict that was chosen, with new words; null if it isn't exactly one conflict, or has no words. */
const conflictIn = (words: string, writes: readonly PendingWrite[]): PendingWrite | null => {
  const [write, ...others] = writes;
  return write === undefined || others.length > 0 || write.outcome.kind !== 'conflict' ? null : amended(write, words);
};

/** The operator's word that it is over stands, whatever the log looks like. */
const NOT_CHECKED: Checked = { faults: [], notes: [] };

const NOTHING_LEFT: Omit<RecoveryNews, 'state' | 'openWrites'> = {
  severity: 'info',
  message: 'Nothing is left of the previous session.',
  details: [],
  recommendation: '',
  actions: [],
};

const refused = (error: RecoveryRefusal): { readonly ok: false; readonly error: RecoveryRefusal } => ({ ok: false, error });

const NOT_NOW = (): { readonly kind: 'conflict'; readonly code: string; readonly message: string } => ({
  kind: 'conflict',
  code: 'internal',
  message: '',
});
