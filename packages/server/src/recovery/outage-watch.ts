import {
  assertNever,
  BOARD_CONTEXT,
  isQueueing,
  NORMAL,
  stepOutage,
  WHILE_AWAY,
  type Board,
  type EmergencyDocument,
  type Head,
  type Outage,
  type OutageInput,
  type PendingOutcome,
  type Service,
} from '@yarnboard/domain';
import { BOARD_OPERATIONS, isBoardCommand, words, type EmergencyNews, type SettledOutcome } from '@yarnboard/protocol';
import { StoreFault, uuidFor, type Appended, type EmergencyCache, type Item, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { OutagePort } from '../engine/outage-port.ts';
import type { Settled, Settling } from '../engine/resume.ts';
import type { Queued } from '../engine/waiting-room.ts';
import type { Waits } from '../engine/outcomes.ts';
import { emergencyItem, lastPlaceIn, resolvedId } from './emergency-entry.ts';
import { createLostEntries, refuseLostEnd } from './lost-entries.ts';
import type { Described } from './pending-document.ts';
import { createCacheKeeper } from './queue-keeper.ts';

export type OutageSettings = {
  /** How often to check the log, in milliseconds. */
  readonly checkEvery: number;
  /** How long to wait for the store to answer. */
  readonly patience: number;
  readonly mostWrites: number;
  readonly mostBytes: number;
};

export type OutageOptions = {
  readonly cache: EmergencyCache;
  readonly boardId: string;
  readonly serverId: string;
  readonly host: string;
  readonly version: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: (ms: number, work: () => void) => () => void;
  /** Checks that the log is there and where it ends. Writes nothing. */
  readonly look: () => Promise<Head>;
  /** For checking that acknowledged entries are still there. */
  readonly log: Pick<LogPort, 'entryAt' | 'entryByUuid'>;
  /** Checks that the log can be written. */
  readonly probe: () => Promise<void>;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  /** REC-76: other services that are down; none by default. */
  readonly alsoDown?: () => readonly Service[];
  /** The services this server has besides its log; none if it has only its database. */
  readonly besides?: readonly Service[];
  /** Where a command was sent, and in words what it would do. */
  readonly describe: (queued: Queued) => Described;
  readonly onFault: (cause: unknown) => void;
  readonly settings?: Partial<OutageSettings>;
  /** REC-78: why the log was away when the server started; null if it was there. */
  readonly away?: AwayAtStart | null;
};

export type AwayAtStart = {
  readonly why: string;
  readonly since: number;
  /** The time of the data we have. */
  readonly knownAt: number;
  readonly head: EmergencyDocument['head'];
};

/** Figures for monitoring. */
export type OutageFigures = {
  readonly isActive: boolean;
  readonly pendingWrites: number;
  readonly conflicts: number;
  readonly cacheBytes: number;
  readonly placeFailures: number;
};

/** Gets notified of changes. */
export type OutageListener = {
  readonly changed: (news: EmergencyNews) => void;
  readonly queued: (queued: Queued, waits: Waits) => void;
  readonly settled: (settled: SettledNews) => void;
};

export type SettledNews = {
  readonly messageId: string;
  /** The uuid of its first entry, as announced when it was queued. */
  readonly uuid: string;
  readonly sender: string;
  /** The context it was sent in, as the log names it; null if unknown. */
  readonly contextId: string | null;
  readonly outcome: SettledOutcome;
  readonly seq: number | null;
  readonly refs: readonly string[];
  readonly code?: string;
  readonly message?: string;
};

export type OutageWatch = {
  /** The engine's side. */
  readonly port: OutagePort;
  /** Starts watching the log for this engine and these clients. */
  readonly watch: (engine: Pick<Engine, 'board' | 'foreseen' | 'makeWait' | 'resume' | 'waiting'>, listener: OutageListener) => void;
  readonly state: () => Outage;
  /** REC-65: null while the log is fine. */
  readonly news: () => EmergencyNews | null;
  /** REC-89: the same, and what is told when only another service is away. */
  readonly announced: () => EmergencyNews | null;
  /** REC-89: nothing this server uses is there. */
  readonly isAllDown: () => boolean;
  readonly figures: () => OutageFigures;
  /** REC-66: since when the store has been away, for marking answers that are as old as that; null while it is there. */
  readonly asOf: () => number | null;
  /** REC-73: the caches of the current outage. */
  readonly inUse: () => readonly string[];
  /** REC-87: runs this after an outage, once its caches are written for the last time. */
  readonly onResolved: (work: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
};

/** REC-50: detects that the log is gone or back, and does what follows. */
export const createOutageWatch = (options: OutageOptions): OutageWatch => {
  const { cache, now, after, onFault } = options;
  const settings: OutageSettings = { ...SETTINGS, ...options.settings };
  let away = options.away ?? null;
  let outage: Outage = away === null ? NORMAL : stepOutage(NORMAL, { kind: 'no-answer', at: away.since, why: away.why });
  let head: EmergencyDocument['head'] = away?.head ?? { position: 0, checksum: '0'.repeat(64) };
  let engine: Parameters<OutageWatch['watch']>[0] | null = null;
  let listener: OutageListener | null = null;
  let stopTimer = (): void => {};
  let isClosed = false;
  let conflicts = 0;
  /** How many writes of this outage are settled so far. */
  let settledWrites = 0;
  /**
   * All writes are on the log, only the entry that closes the outage is missing. New commands need not queue any more, but the outage is not over
   * yet.
   */
  let isRecording = false;
  let isTellingSoon = false;
  let toldOthers = '';
  const resolving: (() => Promise<void>)[] = [];

  let reason: EmergencyDocument['reason'] = 'working_memory_down';

  const facts = { ...options, reason: () => reasonNow(), servicesDown: () => servicesDown(), board: () => boardOf(), head: () => head };
  const lost = createLostEntries(facts);
  const keeper = createCacheKeeper({
    ...facts,
    words: lost.words,
    limits: { writes: settings.mostWrites, bytes: settings.mostBytes },
  });

  const servicesDown = (): readonly Service[] => ['working_memory', ...(options.alsoDown?.() ?? [])];

  const isAllDown = (): boolean => {
    const others = options.besides ?? [];
    const down = options.alsoDown?.() ?? [];
    return isQueueing(outage) && others.length > 0 && others.every((service) => down.includes(service));
  };

  const reasonNow = (): EmergencyDocument['reason'] => (reason === 'working_memory_down' && isAllDown() ? 'all_services_down' : reason);

  const boardOf = (): Board => {
    if (engine === null) throw new Error('nobody watches yet');
    return engine.board();
  };

  const step = (input: OutageInput): void => {
    const before = outage;
    outage = stepOutage(outage, input);
    if (before.kind !== outage.kind) changed(before);
  };

  const changed = (before: Outage): void => {
    switch (outage.kind) {
      case 'normal':
        if (before.kind === 'degraded') keeper.end([]).catch(onFault);
        settledWrites = 0;
        away = null;
        settleLost(before).catch(onFault);
        break;
      case 'degraded':
        if (engine !== null) keeper.begin();
        break;
      case 'emergency':
        if (engine !== null) keeper.begin();
        engine?.makeWait();
        break;
      case 'resuming':
        void resume();
        break;
      default:
        assertNever(outage);
    }
    tell();
  };

  const settleLost = async ({ kind }: Outage): Promise<void> => {
    await lost.settle();
    if (kind === 'resuming' && !isClosed) for (const work of resolving) await work();
  };

  /** REC-85: remembers the last entry this server knows to be on the log, from a write or from a check. */
  const isKnown = (known: EmergencyDocument['head']): void => {
    if (known.position >= head.position) head = known;
  };

  const tell = (): void => listener?.changed(newsOf());

  /** Announces the queue's size from time to time, not with every command. */
  const tellSoon = (): void => {
    if (isTellingSoon) return;
    isTellingSoon = true;
    after(COUNTED_EVERY, () => {
      isTellingSoon = false;
      if (!isClosed && isQueueing(outage)) tell();
    });
  };

  const newsOf = (): EmergencyNews => {
    const isWell = outage.kind === 'normal';
    const others = options.alsoDown?.() ?? [];
    const since = 'since' in outage ? new Date(outage.since).toISOString() : null;
    return {
      state: outage.kind,
      reason: isWell ? reasonOfOthers(others) : reasonNow(),
      servicesDown: isWell ? others : servicesDown(),
      since,
      pendingWrites: engine?.waiting().length ?? 0,
      settledWrites,
      conflicts,
      places: isWell ? [] : keeper.durableIn(),
      blocked: isQueueing(outage) ? BLOCKED : [],
      message: messageOf(),
    };
  };

  const messageOf = (): string => {
    switch (outage.kind) {
      case 'normal':
        return wordsOfOthers(options.alsoDown?.() ?? []) ?? 'Working memory service is back';
      case 'degraded':
        return `A write failed and is tried again: ${outage.why}`;
      case 'emergency':
        return `${reason === 'log_went_back' ? 'The log went back' : isAllDown() ? 'All services down' : 'Working memory service down'}, operating in cached mode: ${outage.why}`;
      case 'resuming':
        return 'Working memory service is back; what was queued is being written';
      default:
        return assertNever(outage);
    }
  };

  // ---- watching the log

  const checkSoon = (): void => {
    stopTimer();
    if (!isClosed) stopTimer = after(settings.checkEvery, () => void check());
  };

  const check = async (): Promise<void> => {
    try {
      if (isQueueing(outage)) await inTime(options.probe());
      else {
        const known = head;
        const found = await inTime(options.look());
        const end = { position: found.count, checksum: Buffer.from(found.checksum).toString('hex') };
        await inTime(refuseLostEnd(options.log, known, end));
        isKnown(end);
      }
      step({ kind: 'probed', at: now(), why: null });
    } catch (cause) {
      reason = reasonFor(cause);
      step({ kind: 'probed', at: now(), why: whyOf(cause), isExchanged: isAnother(cause) });
      if (reason === 'log_went_back') lost.offer().catch(onFault); // the next probe tries again
    }
    tellOthers();
    checkSoon();
  };

  /** REC-89: another service went away or came back. */
  const tellOthers = (): void => {
    const others = (options.alsoDown?.() ?? []).join();
    if (others === toldOthers || isClosed) return;
    toldOthers = others;
    if (outage.kind === 'normal' && others === '') listener?.changed({ ...newsOf(), message: 'All services are back' });
    else tell();
  };

  const inTime = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = after(settings.patience, () => reject(new StoreFault('unreachable', 'the store does not answer')));
      work.then(resolve, reject).finally(stop);
    });

  // ---- when it is back

  const resume = async (): Promise<void> => {
    const known = keeper.document();
    try {
      if (engine === null) throw new Error('nobody watches yet');
      await engine.resume({
        cacheId: known?.cacheId ?? '',
        head: known?.head ?? head,
        onSettled: settle,
        onDone: () => {
          isRecording = true;
        },
        record: async (notes) => {
          if (known !== null) await record(keeper.document() ?? known);
          await keeper.end(notes);
        },
      });
      isRecording = false;
      step({ kind: 'resumed', at: now() });
    } catch (cause) {
      isRecording = false;
      onFault(new Error(`what was queued could not be put on the log: ${whyOf(cause)}`, { cause }));
      step({ kind: 'resume-failed', at: now(), why: whyOf(cause) });
    }
  };

  const settle = async (settled: readonly Settled[]): Promise<void> => {
    await keeper.settle(settled.map(({ queued, outcome }) => ({ uuid: queued.uuid, outcome: outcomeOf(outcome) })));
    conflicts += settled.filter(({ outcome }) => outcome.kind === 'conflict').length;
    settledWrites += settled.length;
    tellSoon();
    for (const { queued, outcome } of settled) {
      const { uuid, asked } = queued;
      const contextId = contextOf(queued);
      const said = outcome.kind === 'conflict' ? { code: outcome.rejection?.code ?? 'internal', message: wordsOf(outcome) } : {};
      const where = outcome.kind === 'conflict' ? { seq: null, refs: [] } : { seq: outcome.position, refs: outcome.refs };
      listener?.settled({ messageId: asked.messageId, uuid, sender: asked.actor.id, contextId, outcome: outcome.kind, ...where, ...said });
    }
  };

  /** REC-60: logs the outage itself. If conflicts remain, the entry that closes it comes when the operator has dealt with them. */
  const record = async (document: EmergencyDocument): Promise<void> => {
    const { cacheId, pendingWrites } = document;
    if (pendingWrites.length === 0) return;
    const hasConflict = pendingWrites.some(({ outcome }) => outcome.kind === 'conflict');
    const uuid = hasConflict ? uuidFor(`emergency|${cacheId}`) : resolvedId(cacheId, lastPlaceIn(document));
    await options.append([emergencyItem(document, { uuid, isOver: !hasConflict }, SERVER, now())]);
  };

  return {
    port: {
      isQueueing: () => isQueueing(outage) && !isRecording,
      state: () => (outage.kind === 'normal' ? { why: '', since: now(), isAllDown: false } : { ...outage, isAllDown: isAllDown() }),
      failed: (cause) => {
        reason = reasonFor(cause);
        step({ kind: 'write-failed', at: now(), why: whyOf(cause) });
      },
      noAnswer: (why) => {
        if (outage.kind === 'normal') reason = 'working_memory_down';
        step({ kind: 'no-answer', at: now(), why });
      },
      written: ({ head: known, done }) => {
        if (known !== null) isKnown(known);
        lost.note(done);
        if (outage.kind !== 'normal') step({ kind: 'written', at: now() });
      },
      forgot: lost.forget,
      keeper: {
        keep: keeper.keep,
        full: keeper.full,
        onQueued: (queued, waits) => {
          tellSoon();
          try {
            listener?.queued(queued, waits);
          } catch (cause) {
            onFault(cause); // the command waits all the same
          }
        },
      },
      patience: settings.patience,
      after,
    },
    watch: (watched, told) => {
      [engine, listener] = [watched, told];
      if (away !== null) changed(NORMAL);
      void check();
    },
    state: () => outage,
    news: () => (outage.kind === 'normal' ? null : newsOf()),
    announced: () => (outage.kind === 'normal' && toldOthers === '' ? null : newsOf()),
    isAllDown,
    figures: () => ({
      isActive: outage.kind !== 'normal',
      pendingWrites: engine?.waiting().length ?? 0,
      conflicts,
      cacheBytes: keeper.bytes(),
      placeFailures: cache.places().reduce((sum, { failures }) => sum + failures, 0),
    }),
    asOf: () => (isQueueing(outage) && 'since' in outage ? (away?.knownAt ?? outage.since) : null),
    inUse: () => [keeper.cacheId() ?? [], lost.cacheId() ?? []].flat(),
    onResolved: (work) => void resolving.push(work),
    close: async () => {
      isClosed = true;
      stopTimer();
      if ((engine?.waiting().length ?? 0) > 0) await keeper.leave().catch(onFault);
      // Nothing was queued, so there is nothing to recover.
      else if (keeper.document()?.pendingWrites.length === 0) await keeper.end([]).catch(onFault);
    },
  };
};

/** The context a queued command was sent in. */
export const contextOf = ({ events }: Pick<Queued, 'events'>): string => events[0]?.contextId ?? BOARD_CONTEXT;

const outcomeOf = (outcome: Settling): PendingOutcome =>
  outcome.kind === 'conflict' ? { kind: 'conflict', code: outcome.rejection?.code ?? 'internal', message: wordsOf(outcome) } : outcome;

const wordsOf = ({ rejection, why }: Extract<Settling, { kind: 'conflict' }>): string => (rejection === null ? why : words(rejection, 'http'));

/** The database was exchanged or went back, which won't pass by itself. */
const isAnother = (cause: unknown): boolean => cause instanceof StoreFault && (cause.kind === 'exchanged' || cause.kind === 'went-back');

/** MANY-18: acknowledged entries are gone. */
const reasonFor = (cause: unknown): EmergencyDocument['reason'] =>
  cause instanceof StoreFault && cause.kind === 'went-back' ? 'log_went_back' : 'working_memory_down';

const whyOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** REC-89: the log is there, and something else is not. Nothing is queued for its sake. */
const reasonOfOthers = (others: readonly Service[]): EmergencyDocument['reason'] | null =>
  others.includes('episodic_memory') ? 'episodic_memory_down' : others.includes('redis') ? 'redis_lost' : null;

const wordsOfOthers = (others: readonly Service[]): string | null => {
  const told = [
    ...(others.includes('episodic_memory') ? ['Episodic memory service down: search may miss what is new'] : []),
    ...(others.includes('redis') ? ['Redis lost: news from other servers takes up to a second'] : []),
  ];
  return told.length === 0 ? null : told.join('; ');
};

/** Operations that are refused while the log is away. */
const BLOCKED: readonly string[] = Object.keys(BOARD_OPERATIONS).filter(
  (name) => isBoardCommand(name) && WHILE_AWAY[BOARD_OPERATIONS[name].command] === 'blocked',
);

const SERVER = { id: 'yarnboard', type: 'system' } as const;

/** Milliseconds between two announcements of the queue's size. */
const COUNTED_EVERY = 250;

const SETTINGS: OutageSettings = { checkEvery: 2000, patience: 5000, mostWrites: 10_000, mostBytes: 64 * 1024 * 1024 };
