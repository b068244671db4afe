import {
  assertNever,
  ENTRY_TYPES,
  err,
  isDecided,
  ok,
  rejectionOf,
  type Board,
  type ChainedEntry,
  type Language,
  type Recorded,
  type Result,
} from '@yarnboard/domain';
import { StoreFault, type Appended, type Item, type Store } from '@yarnboard/store';
import type { SessionLoader } from '../sessions/session-loader.ts';
import { acknowledgedIn } from './acknowledged.ts';
import { readOnlyBecause } from './barrier.ts';
import { decideBatch, type Asked, type Decided, type Prepared, type Verdict } from './batch.ts';
import { entriesOfCommand, idOf, keyOf } from './command-ids.ts';
import { asksForInherited, inheritedFor, type Inherited } from './inherited.ts';
import { createMemory, type Memory } from './memory.ts';
import { talkFor } from './talk.ts';
import { writesFor } from './writes.ts';
import { LIMITS, type EngineLimits } from './limits.ts';
import { outcomeOf, type Outcome, type Taken } from './outcomes.ts';
import { lookUp, refsIn } from './references.ts';
import { fingerprintIn } from './stored-events.ts';
import { createSnapshotKeeper } from './snapshot-keeper.ts';
import type { SnapshotPlace, UnprovenSnapshot } from './snapshot.ts';
import { createKnowledge } from './knowledge.ts';
import { createEngineRoom } from './engine-room.ts';
import type { KeptBatch, OutagePort, Waiting } from './outage-port.ts';
import { isSame, refuseAnotherLog, resumeFrom, type ResumeWish, type Written } from './resume.ts';
import type { Queued } from './waiting-room.ts';
import { emptyIndex, type GoldMatch, type TriggerIndex } from './surfacings.ts';

export type EngineOptions = {
  /** For reading; decisions are written through `append`. */
  readonly store: Store;
  /** Durable when it resolves; fails with `stale` if a decision was made without knowing all earlier ones. */
  readonly append: (items: readonly Item[], decidedAt?: number) => Promise<readonly Appended[]>;
  readonly now: () => number;
  readonly snapshot: SnapshotPlace | null;
  /** REC-78: the starting point while the log is away, before anything of it was read. */
  readonly unproven?: UnprovenSnapshot | null;
  readonly onFault: (cause: unknown) => void;
  /** Detects contradictions between findings. */
  readonly language: Language;
  readonly createIndex?: () => TriggerIndex;
  /** Sessions shared with other readers; by default the engine reads its own. */
  readonly sessions?: Pick<SessionLoader, 'load'>;
  readonly limits?: Partial<EngineLimits>;
  /** REC-50: detects outages of the log, and keeps what waits for it. Without it, commands that can't be logged fail at once. */
  readonly outage?: OutagePort | null;
};

export type Engine = {
  /** The durable decisions. */
  readonly board: () => Board;
  /**
   * Throws a `StoreFault` if the decision could not be logged. Its `outcome` says whether certainly nothing happened, or nobody knows (ENGINE-54).
   */
  readonly execute: (asked: Asked) => Promise<Outcome>;
  /** Folds what others have decided. */
  readonly follow: () => Promise<void>;
  /** The same, soon. */
  readonly wake: () => void;
  /** The position of the last decided entry that the board knows. */
  readonly position: () => number;
  /** ENGINE-40: why no decisions can be made here: a newer version has written. Null as long as everything on the log can be read. */
  readonly readOnly: () => string | null;
  /** The position of the last `payload.forgotten` the board knows: what that removed isn't in the board. */
  readonly forgotten: () => number;
  /** Reports decisions, made here or elsewhere, once they are in the board. Returns how to unsubscribe. */
  readonly onCommitted: (listener: (events: readonly Recorded[]) => void) => () => void;
  /** REC-87: is done when something was forgotten, here or elsewhere. */
  readonly onForgotten: (work: () => Promise<void>) => void;
  /** REC-78: false as long as the board is a snapshot's, and the log was not there to tell whether it is so. */
  readonly isProven: () => boolean;
  /** Writes a snapshot, if anything was decided since the last one. */
  readonly leaveSnapshot: () => Promise<void>;
  /** Folds the whole log again: something was forgotten that the board must not keep. */
  readonly refold: () => Promise<void>;
  /** Whether the board matches a fold of the whole log, entry by entry. Nothing is decided in the meantime. */
  readonly isAsTold: () => Promise<boolean>;
  readonly memory: Memory;
  /** The waypoints whose symptoms a text shows, best first. */
  readonly match: (text: string) => readonly GoldMatch[];
  readonly language: Language;
  /** The commands that wait for the log, in order. */
  readonly waiting: () => readonly Queued[];
  /** The board including waiting commands: somebody retired in the meantime is out at once. */
  readonly foreseen: () => Board;
  /** REC-53: the log is away: commands waiting for their turn are queued now. */
  readonly makeWait: () => void;
  /** REC-60: writes the waiting commands to the log, in order. Resolves when none is left; `onDone` is called in the same turn. */
  readonly resume: (wish: ResumeWish) => Promise<void>;
  /** Finishes earlier requests, and writes a snapshot. */
  readonly close: () => Promise<void>;
};

/** The only decision maker: takes commands and writes entries to the log. Its answers are on the log, and its board is what the log says. */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const { store, now, snapshot, onFault, language } = options;
  const { log } = store;
  const limits: EngineLimits = { ...LIMITS, ...options.limits };
  const memory = createMemory(store, options.sessions);
  const outage = options.outage ?? null;
  const listeners = new Set<(events: readonly Recorded[]) => void>();
  const forgetting: (() => Promise<void>)[] = [];
  const queue: Waiting[] = [];
  const entering = new Set<Promise<void>>();
  const replayed: Written[] = [];
  let turn: Promise<void> = Promise.resolve();
  let isPumping = false;
  let isWoken = false;
  let isClosed = false;
  let isUnsure = false;
  let unproven = options.unproven ?? null;

  const tell = (events: readonly Recorded[]): void => {
    if (events.length === 0) return;
    for (const listener of listeners) {
      try {
        listener(events);
      } catch (cause) {
        onFault(cause);
      }
    }
  };

  const { fold, readOn, foldAll, start } = createKnowledge({
    log,
    snapshot,
    unproven,
    createIndex: options.createIndex ?? emptyIndex,
    tell,
    onFault,
  });
  let known = await start();
  const { save, rest } = createSnapshotKeeper({ snapshot, log, now, known: () => known });

  /** One at a time: folding must not interleave with deciding. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.then(
      () => {},
      () => {},
    );
    return mine;
  };

  const prepare = async ({ asked, inherited }: Pick<Waiting, 'asked' | 'inherited'>): Promise<Prepared> => {
    const { actor, messageId, command } = asked;
    const key = keyOf(actor.id, messageId);
    const first = await log.entryByUuid(idOf(key, 0));
    if (first !== null) return { asked, key, before: await doneBefore(key, first), refs: new Map(), inherited: null };
    const { errorRef } = asked.circumstances ?? {};
    const refs = await lookUp(log, known.board, errorRef === undefined ? refsIn(command) : [...refsIn(command), errorRef]);
    const talk = await talkFor(memory, known.board, command);
    const writes = await writesFor(memory, known.board, command);
    return { asked, key, before: null, refs, talk, writes, inherited: inherited ?? (await inheritedFor(memory, known.board, command)) };
  };

  /** The same after others decided something: only that can have changed the look-ups. */
  const prepareAgain = async (one: Prepared, since: readonly ChainedEntry[]): Promise<Prepared> => {
    if (one.before !== null) return one;
    const firstId = idOf(one.key, 0);
    const first = since.find(({ uuid }) => uuid === firstId);
    const made = since.flatMap(({ refs, contextId, position }) => refs.map((ref) => [ref, { contextId, position }] as const));
    return {
      ...one,
      before: first === undefined ? null : await doneBefore(one.key, first),
      refs: new Map([...one.refs, ...made]),
      inherited: one.inherited ?? (await inheritedFor(memory, known.board, one.asked.command)),
      writes: await writesFor(memory, known.board, one.asked.command),
    };
  };

  const prepareAll = async (all: readonly Prepared[], since: readonly ChainedEntry[]): Promise<readonly Prepared[]> =>
    since.length === 0 ? all : Promise.all(all.map((one) => prepareAgain(one, since)));

  const doneBefore = async (key: string, first: ChainedEntry): Promise<Prepared['before']> => {
    if (!isDecided(first.type)) return 'taken';
    const entries = await entriesOfCommand(log, key, first);
    const bytes = (await log.payloadsOf([first.position])).get(first.position);
    const fingerprint = bytes === undefined ? null : fingerprintIn(bytes);
    return { seq: entries.at(-1)?.position ?? first.position, refs: entries.flatMap(({ refs }) => refs), fingerprint };
  };

  /** Decides the waiting commands, logs them, and answers; returns how many were left for the next time. */
  const commit = async (batch: readonly Waiting[]): Promise<number> => {
    const kept = await decideAndKeep(batch);
    switch (kept.kind) {
      case 'barred': {
        const rejection = rejectionOf('newer-board', kept.barrier);
        for (const { resolve } of batch) resolve({ kind: 'rejected', ...rejection });
        return 0;
      }
      case 'kept':
        answer(batch.slice(0, kept.verdicts.length), kept.verdicts, kept.taken);
        return batch.length - kept.verdicts.length;
      case 'failed': {
        if (outage !== null && kept.isOfStore) return waitOrAgain(batch, kept);
        // Refusals, too, since they may depend on what isn't logged now.
        for (const [i, verdict] of kept.verdicts.entries()) {
          if (verdict.kind === 'duplicate') batch[i]?.resolve(verdict);
          else batch[i]?.reject(kept.cause);
        }
        if (kept.verdicts.length === 0) for (const { reject } of batch) reject(kept.cause);
        return kept.verdicts.length === 0 ? 0 : batch.length - kept.verdicts.length;
      }
      default:
        return assertNever(kept);
    }
  };

  /** REC-51: a hiccup is retried for a second; then the whole batch waits for the log. */
  const waitOrAgain = async (batch: readonly Waiting[], { cause }: Extract<KeptBatch, { kind: 'failed' }>): Promise<number> => {
    if (outage === null) return 0;
    if (!outage.isQueueing()) outage.failed(cause);
    if (!outage.isQueueing()) {
      await new Promise<void>((resolve) => void outage.after(AGAIN_AFTER, resolve));
      if (!outage.isQueueing()) return batch.length;
    }
    for (const one of batch) room?.admit(one, cause);
    return 0;
  };

  /** The result of a batch: logged and in the board, or why not. `isOfStore`: the store is to blame. */
  const decideAndKeep = async (batch: readonly Pick<Waiting, 'asked' | 'inherited'>[]): Promise<KeptBatch> => {
    // On a shared board, others' decisions are read first, during the look-ups. A write that seemed to fail may be there nevertheless.
    const isBehind = store.capabilities.isSharedByServers || isUnsure;
    const lookedUp = await answeredInTime(async () => {
      const [looked, since] = await Promise.all([Promise.all(batch.map(prepare)), isBehind ? readOn(known, true) : []]);
      return prepareAll(looked, since);
    });
    if (!lookedUp.ok) return { kind: 'failed', cause: lookedUp.error, isOfStore: lookedUp.error instanceof StoreFault, verdicts: [] };
    let prepared = lookedUp.value;
    isUnsure = false;
    for (let tries = 1; ; tries += 1) {
      if (known.barrier !== null) return { kind: 'barred', barrier: known.barrier };
      const { match } = known.surfacings;
      const { verdicts, items } = decideBatch(known.board, prepared, { now: now(), match, language, mostBytes: limits.bytes });
      const kept = await keep(items);
      if (kept.ok) {
        const taken = take(verdicts, kept.value);
        if (items.length > 0) outage?.written(acknowledgedIn(prepared, verdicts, taken, kept.value));
        return { kind: 'kept', verdicts, taken };
      }
      if (!isStale(kept.error) || tries >= limits.tries) {
        isUnsure = true;
        return { kind: 'failed', cause: kept.error, isOfStore: !isStale(kept.error), verdicts };
      }
      const again = await answeredInTime(async () => prepareAll(prepared, await readOn(known, true)));
      if (!again.ok) return { kind: 'failed', cause: again.error, isOfStore: again.error instanceof StoreFault, verdicts: [] };
      prepared = again.value;
    }
  };

  /** REC-51: a store that doesn't answer counts as away. Whatever it does later is discovered when it is back. */
  const answeredInTime = async <T>(work: () => Promise<T>): Promise<Result<T, unknown>> => {
    const answered = work().then(
      (value) => ok(value),
      (cause: unknown) => err(cause),
    );
    if (outage === null) return answered;
    let stop = (): void => {};
    const late = new Promise<Result<T, unknown>>((resolve) => {
      stop = outage.after(outage.patience, () => {
        isUnsure = true;
        const why = `the store has not answered for ${outage.patience / 1000} s`;
        outage.noAnswer(why);
        resolve(err(new StoreFault('unreachable', why, undefined, 'unknown')));
      });
    });
    try {
      return await Promise.race([answered, late]);
    } finally {
      stop();
    }
  };

  const keep = (items: readonly Item[]): Promise<Result<readonly Appended[], unknown>> =>
    answeredInTime(async () => (items.length === 0 ? [] : options.append(items, known.position)));

  /** Applies what was logged to the board, as the log has it. */
  const take = (verdicts: readonly Verdict[], appended: readonly Appended[]): Taken => {
    const taken = new Map<Verdict, readonly Recorded[]>();
    let at = 0;
    for (const verdict of verdicts) {
      if (verdict.kind !== 'decided') continue;
      const events = verdict.happenings.flatMap((decided, i) => recordedAs(decided, appended[at + i]) ?? []);
      at += verdict.happenings.length;
      for (const event of events) {
        fold(known, event);
        known.position = event.position;
      }
      known.seen = Math.max(known.seen, known.position);
      taken.set(verdict, events);
    }
    return taken;
  };

  const recordedAs = ({ happening, item, payload }: Decided, appended: Appended | undefined): Recorded | null => {
    if (appended?.status !== 'new') {
      onFault(new Error(`${happening.type} ${happening.uuid} is not on the log: its uuid is somebody else's`));
      return null;
    }
    const { type, uuid, contextId, by } = happening;
    const { position, refs } = appended;
    return { type, uuid, contextId, by, position, refs, at: item.draft.timestamp, payload } as Recorded; // type and payload belong to the event
  };

  const answer = (waiting: readonly Waiting[], verdicts: readonly Verdict[], taken: Taken): void => {
    tell([...taken.values()].flat());
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const verdict = verdicts[i];
      if (verdict === undefined || verdict.kind === 'failed') reject(verdict?.cause);
      else resolve(outcomeOf(verdict, verdicts, taken, known));
    }
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, limits.batch);
      try {
        const left = await commit(batch);
        if (left > 0) queue.unshift(...batch.slice(-left));
      } catch (cause) {
        for (const { reject } of batch) reject(cause);
      }
      if (known.sinceSnapshot > Math.max(limits.snapshotEvery, rowsIn(known.board) / 4)) save().catch(onFault);
    }
    isPumping = false;
  };

  const startAnew = async (): Promise<void> => {
    outage?.forgot();
    for (const work of forgetting) await work().catch(onFault);
    known = await foldAll();
    known.sinceSnapshot += 1; // the snapshot contains what was forgotten
    await rest();
    await save();
  };

  const catchUp = async (): Promise<void> => {
    if (unproven !== null) await refuseAnotherLog(log, unproven);
    unproven = null;
    await readOn(known, true);
    const forgotten = await log.positionsOfType(ENTRY_TYPES.forgotten, known.forgotten);
    if (forgotten.length === 0) return;
    for (const { note } of await log.entriesAt(forgotten)) {
      // Announced, and not done yet: if read now, it would stay.
      if (note !== null && (await log.payloadByHash(note)) !== null) return;
    }
    await startAnew();
  };

  const follow = (): Promise<void> => inTurn(catchUp);

  const enqueue = (asked: Asked, inherited: Inherited | null): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      queue.push({ asked, inherited, resolve, reject });
      if (isPumping) return;
      isPumping = true;
      void inTurn(pump);
    });

  const room =
    outage === null
      ? null
      : createEngineRoom({
          outage,
          isShared: store.capabilities.isSharedByServers,
          prepare,
          room: { board: () => known.board, position: () => known.position, now, match: (text) => known.surfacings.match(text), language },
        });

  return {
    board: () => known.board,
    waiting: () => room?.waiting() ?? [],
    foreseen: () => room?.board() ?? known.board,
    makeWait: () => {
      for (const one of queue.splice(0)) room?.admit(one, null);
    },
    resume: (wish) =>
      inTurn(async () => {
        if (room === null) return;
        isUnsure = true;
        await resumeFrom({
          room,
          wish,
          decideAndKeep,
          log,
          catchUp,
          board: () => known.board,
          foldAll: async () => (await foldAll()).board,
          written: replayed,
        });
      }),
    execute: (asked) => {
      if (isClosed) return Promise.reject(new StoreFault('failed', 'the board is being closed: none of this was done'));
      if (room !== null && outage?.isQueueing() === true)
        return new Promise((resolve, reject) => room.admit({ asked, inherited: null, resolve, reject }, null));
      if (!asksForInherited(asked.command)) return enqueue(asked, null);
      // ENGINE-37: walking a long session takes a while, and nobody else has to wait for it. Inherited memory never changes.
      const looking = inheritedFor(memory, known.board, asked.command);
      const entered = looking.then(
        () => void entering.delete(entered),
        () => void entering.delete(entered),
      );
      entering.add(entered);
      return looking.then(
        (inherited) => enqueue(asked, inherited),
        // The log may have gone away: the decision discovers that.
        (cause: unknown) => {
          if (outage === null) throw cause;
          return enqueue(asked, null);
        },
      );
    },
    follow,
    wake: () => {
      if (isWoken || isClosed) return;
      isWoken = true;
      inTurn(() => {
        isWoken = false;
        return catchUp();
      }).catch(onFault);
    },
    position: () => known.position,
    readOnly: () => (known.barrier === null ? null : readOnlyBecause(known.barrier)),
    forgotten: () => known.forgotten,
    onCommitted: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onForgotten: (work) => void forgetting.push(work),
    isProven: () => unproven === null,
    leaveSnapshot: save,
    refold: () => inTurn(startAnew),
    isAsTold: () =>
      inTurn(async () => {
        await readOn(known, true);
        return isSame(known.board, (await foldAll()).board);
      }),
    memory,
    match: (text) => known.surfacings.match(text),
    language,
    close: async () => {
      isClosed = true;
      await Promise.all(entering);
      await inTurn(async () => {});
      await rest();
      await save();
    },
  };
};

// A snapshot costs as much as the board is large: a large board gets one less often, or every entry would pay for it.
const rowsIn = (board: Board): number => Object.values(board).reduce((sum, table) => sum + table.size(), 0);

const isStale = (cause: unknown): boolean => cause instanceof StoreFault && cause.kind === 'stale';

/** The pause after a failed write. */
const AGAIN_AFTER = 100;
