import {
  assertNever,
  emptyBoard,
  ENTRY_TYPES,
  err,
  evolve,
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
import { readOnlyBecause, tellingOf, type Barrier } from './barrier.ts';
import { decideBatch, type Asked, type Decided, type Prepared, type Verdict } from './batch.ts';
import { entriesOfCommand, idOf, keyOf } from './command-ids.ts';
import { decidedBehind, type DecidedEntry } from './decided-entries.ts';
import { asksForInherited, inheritedFor, type Inherited } from './inherited.ts';
import { createMemory, type Memory } from './memory.ts';
import { talkFor } from './talk.ts';
import { writesFor } from './writes.ts';
import { outcomeOf, type Outcome, type Taken } from './outcomes.ts';
import { lookUp, refsIn } from './references.ts';
import { fingerprintIn } from './stored-events.ts';
import { readSnapshot, writeSnapshot, type Snapshot, type SnapshotPlace } from './snapshot.ts';
import { createSurfacings, emptyIndex, type GoldMatch, type Surfacings, type TriggerIndex } from './surfacings.ts';

export type EngineOptions = {
  /** Read from; what is decided goes through `append`. */
  readonly store: Store;
  /** Durable when it resolves; refuses with a `stale` fault what was decided without knowing all that was decided up to now. */
  readonly append: (items: readonly Item[], decidedAt?: number) => Promise<readonly Appended[]>;
  readonly now: () => number;
  readonly snapshot: SnapshotPlace | null;
  readonly onFault: (cause: unknown) => void;
  /** Tells which findings contradict each other. */
  readonly language: Language;
  readonly createIndex?: () => TriggerIndex;
  /** Sessions that others read, too; unless given, the engine reads its own. */
  readonly sessions?: Pick<SessionLoader, 'load'>;
  readonly limits?: Partial<EngineLimits>;
};

export type EngineLimits = {
  /** Commands in one commit. */
  readonly batch: number;
  /** Characters of payload in one commit, unless one command alone has more. */
  readonly bytes: number;
  /** How often a batch is decided again because others decided meanwhile. */
  readonly tries: number;
  /** After how many entries a snapshot is written. */
  readonly snapshotEvery: number;
};

export type Engine = {
  /** What has been decided and is durable. */
  readonly board: () => Board;
  /** Throws a `StoreFault` when what was decided could not be kept. Its `outcome` says whether nothing of it has happened, or nobody knows (ENGINE-54). */
  readonly execute: (asked: Asked) => Promise<Outcome>;
  /** Takes in what others have decided. */
  readonly follow: () => Promise<void>;
  /** The same, some time soon. */
  readonly wake: () => void;
  /** Where the last decided entry stands that the board knows. */
  readonly position: () => number;
  /** ENGINE-40: why nothing can be decided here: a newer version has. Null as long as everything on the log can be read. */
  readonly readOnly: () => string | null;
  /** Where the last `payload.forgotten` stands that the board knows: what it made one forget is not in the board. */
  readonly forgotten: () => number;
  /** Tells what was decided, here or elsewhere, once it is in the board. Returns how to stop listening. */
  readonly onCommitted: (listener: (events: readonly Recorded[]) => void) => () => void;
  /** Reads the log anew: something was forgotten, and the board may not keep it. */
  readonly refold: () => Promise<void>;
  readonly memory: Memory;
  /** The waypoints whose symptoms a text shows, the best first. */
  readonly match: (text: string) => readonly GoldMatch[];
  readonly language: Language;
  /** Does what was asked for before, and leaves a snapshot. */
  readonly close: () => Promise<void>;
};

/** `inherited` is what was looked up before it had to wait. */
type Waiting = {
  readonly asked: Asked;
  readonly inherited: Inherited | null;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (cause: unknown) => void;
};

/** The board as this server knows it: `seen` is how far the log was looked through, `position` the last decided entry of that. */
type Known = {
  board: Board;
  surfacings: Surfacings;
  position: number;
  seen: number;
  forgotten: number;
  sinceSnapshot: number;
  barrier: Barrier | null;
};

/** The one who decides: commands in, entries of the log out. What it answers is on the log, and its board is what the log says. */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const { store, now, snapshot, onFault, language } = options;
  const { log } = store;
  const limits: EngineLimits = { ...LIMITS, ...options.limits };
  const memory = createMemory(store, options.sessions);
  const listeners = new Set<(events: readonly Recorded[]) => void>();
  const queue: Waiting[] = [];
  const entering = new Set<Promise<void>>();
  let turn: Promise<void> = Promise.resolve();
  let isPumping = false;
  let isWoken = false;
  let isClosed = false;
  let isUnsure = false;
  let saving: Promise<void> = Promise.resolve();
  let isSaving = false;

  const knowing = (board: Board, position: number, forgotten: number): Known => {
    const surfacings = createSurfacings((options.createIndex ?? emptyIndex)(), board);
    return { board, surfacings, position, seen: position, forgotten, sinceSnapshot: 0, barrier: null };
  };

  const fold = (known: Known, event: Recorded): boolean => {
    known.sinceSnapshot += 1;
    try {
      evolve(known.board, event);
      known.surfacings.follow(known.board, event);
      return true;
    } catch (cause) {
      // An entry that nobody of this version has written must not keep the board closed.
      onFault(new Error(`entry ${event.position} (${event.type}) could not be taken into the board`, { cause }));
      return false;
    }
  };

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

  /** What an entry tells the board; null when it tells nothing. What only a newer version can read raises the barrier. */
  const eventOf = (known: Known, one: DecidedEntry): Recorded | null => {
    const telling = tellingOf(known.board, one);
    switch (telling.kind) {
      case 'event':
        return telling.event;
      case 'nothing':
        return null;
      case 'malformed':
        onFault(new Error(telling.why));
        return null;
      case 'barrier':
        known.barrier = telling.barrier;
        onFault(new Error(readOnlyBecause(telling.barrier)));
        return null;
      default:
        return assertNever(telling);
    }
  };

  /** Takes in what is on the log and not in the board; these are the entries. */
  const readOn = async (known: Known, isTold: boolean): Promise<readonly ChainedEntry[]> => {
    const read: ChainedEntry[] = [];
    if (known.barrier !== null) return read;
    for await (const { entries, upTo } of decidedBehind(log, known.seen)) {
      const events: Recorded[] = [];
      for (const one of entries) {
        const event = eventOf(known, one);
        if (known.barrier !== null) break;
        if (event !== null && fold(known, event)) events.push(event);
        known.position = one.entry.position;
        if (isTold) read.push(one.entry);
      }
      if (isTold) tell(events);
      if (known.barrier !== null) return read;
      known.seen = Math.max(known.seen, upTo);
    }
    return read;
  };

  const foldAll = async (): Promise<Known> => {
    // Looked for first: what is forgotten while the log is read is noticed the next time.
    const [forgotten = 0] = (await log.positionsOfType(ENTRY_TYPES.forgotten)).slice(-1);
    const known = knowing(emptyBoard(), 0, forgotten);
    await readOn(known, false);
    return known;
  };

  const readable = (place: SnapshotPlace): ReturnType<SnapshotPlace['read']> => {
    try {
      return place.read();
    } catch (cause) {
      onFault(cause);
      return null;
    }
  };

  const believed = ({ board, position, forgotten }: Snapshot): Known | null => {
    try {
      return knowing(board, position, forgotten);
    } catch (cause) {
      onFault(new Error('the snapshot is no board; the log is read instead', { cause }));
      return null;
    }
  };

  const start = async (): Promise<Known> => {
    const taken = snapshot === null ? null : await readSnapshot({ ...snapshot, read: () => readable(snapshot) }, log);
    const known = taken === null ? null : believed(taken);
    if (known === null) return foldAll();
    await readOn(known, false);
    return known;
  };

  let known = await start();

  /** One at a time: what is folded must not come in between of what is decided. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.then(
      () => {},
      () => {},
    );
    return mine;
  };

  const prepare = async ({ asked, inherited }: Waiting): Promise<Prepared> => {
    const { actor, messageId, command } = asked;
    const key = keyOf(actor.id, messageId);
    const first = await log.entryByUuid(idOf(key, 0));
    if (first !== null) return { asked, key, before: await doneBefore(key, first), refs: new Map(), inherited: null };
    const { errorRef } = asked.circumstances ?? {};
    const refs = await lookUp(log, known.board, errorRef === undefined ? refsIn(command) : [...refsIn(command), errorRef]);
    const talk = await talkFor(memory, known.board, command);
    const writes = await writesFor(log, known.board, command);
    return { asked, key, before: null, refs, talk, writes, inherited: inherited ?? (await inheritedFor(memory, known.board, command)) };
  };

  /** The same after others decided something: only that can have changed what was looked up. */
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
      writes: await writesFor(log, known.board, one.asked.command),
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

  /** Decides what waits, keeps it, and answers; returns how many of them had to be left for the next time. */
  const commit = async (batch: readonly Waiting[]): Promise<number> => {
    // With others at work it is read first what they did, while everything is looked up. What seemed to fail may have been written all the same.
    const isBehind = store.capabilities.isSharedByServers || isUnsure;
    const [looked, since] = await Promise.all([Promise.all(batch.map(prepare)), isBehind ? readOn(known, true) : []]);
    let prepared = await prepareAll(looked, since);
    isUnsure = false;
    for (let tries = 1; ; tries += 1) {
      if (known.barrier !== null) {
        const rejection = rejectionOf('newer-board', known.barrier);
        for (const { resolve } of batch) resolve({ kind: 'rejected', ...rejection });
        return 0;
      }
      const { match } = known.surfacings;
      const { verdicts, items } = decideBatch(known.board, prepared, { now: now(), match, language, mostBytes: limits.bytes });
      const answered = batch.slice(0, verdicts.length);
      const kept = await keep(items);
      if (kept.ok) answer(answered, verdicts, take(verdicts, kept.value));
      else if (isStale(kept.error) && tries < limits.tries) {
        prepared = await prepareAll(prepared, await readOn(known, true));
        continue;
      } else {
        isUnsure = true;
        // Those too that were refused, since they may have been because of what is not kept now.
        for (const [i, verdict] of verdicts.entries()) {
          if (verdict.kind === 'duplicate') answered[i]?.resolve(verdict);
          else answered[i]?.reject(kept.error);
        }
      }
      return batch.length - verdicts.length;
    }
  };

  const keep = async (items: readonly Item[]): Promise<Result<readonly Appended[], unknown>> => {
    try {
      return ok(items.length === 0 ? [] : await options.append(items, known.position));
    } catch (cause) {
      return err(cause);
    }
  };

  /** Takes what was kept into the board, as the log has it. */
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
    return { type, uuid, contextId, by, position, refs, at: item.draft.timestamp, payload } as Recorded; // type and payload are the happening's
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

  const save = (): Promise<void> => {
    if (snapshot === null || isSaving || known.sinceSnapshot === 0) return saving;
    isSaving = true;
    const { board, position, forgotten, sinceSnapshot } = known;
    known.sinceSnapshot = 0;
    saving = writeSnapshot(snapshot, log, { board, position, forgotten }).then(
      () => {
        isSaving = false;
      },
      (cause: unknown) => {
        isSaving = false;
        known.sinceSnapshot += sinceSnapshot;
        throw cause;
      },
    );
    return saving;
  };

  const startAnew = async (): Promise<void> => {
    known = await foldAll();
    known.sinceSnapshot += 1; // the snapshot has what was forgotten
    await saving.catch(() => {}); // told by whoever began it
    await save();
  };

  const catchUp = async (): Promise<void> => {
    await readOn(known, true);
    const forgotten = await log.positionsOfType(ENTRY_TYPES.forgotten, known.forgotten);
    if (forgotten.length === 0) return;
    for (const { note } of await log.entriesAt(forgotten)) {
      // Said, and not done yet: read now, it would stay.
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

  return {
    board: () => known.board,
    execute: (asked) => {
      if (isClosed) return Promise.reject(new StoreFault('failed', 'the board is being closed: nothing of this was done'));
      if (!asksForInherited(asked.command)) return enqueue(asked, null);
      // ENGINE-37: a long session takes a while to walk, and nobody else has to wait for it. What was inherited never changes.
      const looking = inheritedFor(memory, known.board, asked.command);
      const entered = looking.then(
        () => void entering.delete(entered),
        () => void entering.delete(entered),
      );
      entering.add(entered);
      return looking.then((inherited) => enqueue(asked, inherited));
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
    refold: () => inTurn(startAnew),
    memory,
    match: (text) => known.surfacings.match(text),
    language,
    close: async () => {
      isClosed = true;
      await Promise.all(entering);
      await inTurn(async () => {});
      await saving.catch(() => {});
      await save();
    },
  };
};

// A snapshot costs as much as the board is large: a large one is taken less often, or every entry would pay for all.
const rowsIn = (board: Board): number => Object.values(board).reduce((sum, table) => sum + table.size(), 0);

const isStale = (cause: unknown): boolean => cause instanceof StoreFault && cause.kind === 'stale';

const LIMITS: EngineLimits = { batch: 500, bytes: 16_000_000, tries: 100, snapshotEvery: 2000 };
