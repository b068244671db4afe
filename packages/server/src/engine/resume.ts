import { setImmediate } from 'node:timers/promises';
import { assertNever, type Board, type Rejection, type Table } from '@yarnboard/domain';
import { forgottenIn, sha256, verifyRange, type LogPort } from '@yarnboard/store';
import type { Decided, Verdict } from './batch.ts';
import type { KeptBatch, Waiting } from './outage-port.ts';
import type { EngineRoom } from './engine-room.ts';
import type { Taken } from './outcomes.ts';
import type { Queued } from './waiting-room.ts';

/** The outcome of a waiting command. `known`: it was on the log after all, for example because of a commit whose confirmation was lost. */
export type Settling =
  | { readonly kind: 'replayed'; readonly position: number; readonly refs: readonly string[] }
  | { readonly kind: 'known'; readonly position: number; readonly refs: readonly string[] }
  /** It is refused now: a person decides. */
  | { readonly kind: 'conflict'; readonly rejection: Rejection | null; readonly why: string };

export type Settled = { readonly queued: Queued; readonly outcome: Settling };

export type ResumeWish = {
  readonly cacheId: string;
  /** The last entry known to be on the log when it went away. */
  readonly head: { readonly position: number; readonly checksum: string };
  /** Made durable, and announced. */
  readonly onSettled: (settled: readonly Settled[]) => Promise<void>;
  /** Nothing is waiting any more. New commands wait for this to finish, and are written after it. */
  readonly onDone: () => void;
  /** Everything is logged and verified: records that on the log before anything else is written. If it throws, the outage isn't over. */
  readonly record: (notes: readonly string[]) => Promise<void>;
};

type Options = {
  readonly room: EngineRoom;
  readonly wish: ResumeWish;
  readonly decideAndKeep: (batch: readonly Pick<Waiting, 'asked' | 'inherited'>[]) => Promise<KeptBatch>;
  readonly log: LogPort;
  /** Folds what others decided and forgot while the log could not be read here. */
  readonly catchUp: () => Promise<void>;
  readonly board: () => Board;
  readonly foldAll: () => Promise<Board>;
  /** What was replayed and isn't verified yet, including earlier attempts. */
  readonly written: Written[];
};

/** REC-60: the log is back. Throws if it isn't the one that went away, or goes away again; anything settled by then stays so. */
export const resumeFrom = async ({ room, wish, decideAndKeep, log, catchUp, board, foldAll, written }: Options): Promise<void> => {
  await refuseAnotherLog(log, wish.head);
  await catchUp();
  for (;;) {
    await room.settled();
    const waiting = room.waiting().slice(0, MOST_AT_ONCE);
    if (waiting.length === 0) {
      await verifyAll(log, wish.head.position, written);
      const notes = (await isSame(board(), await foldAll())) ? [] : ['The board differs from what the log says; run `yarnboard rebuild`.'];
      // New commands may have arrived in the meantime.
      if (room.isBusy() || room.waiting().length > 0) continue;
      written.length = 0;
      wish.onDone();
      await wish.record(notes);
      room.over();
      return;
    }
    const kept = await decideAndKeep(waiting.map((queued) => ({ asked: saidBefore(queued, wish.cacheId), inherited: null })));
    if (kept.kind === 'failed') throw kept.cause;
    if (kept.kind === 'barred') throw new Error(`the board was written by a newer version (${kept.barrier.type})`);
    const settled = waiting.slice(0, kept.verdicts.length).map((queued, i) => ({ queued, outcome: settlingOf(kept.verdicts, i, kept.taken) }));
    for (const [i, verdict] of kept.verdicts.entries()) if (verdict.kind === 'decided') written.push(...writtenBy(verdict.happenings, waiting[i]));
    await wish.onSettled(settled);
    room.release(settled.map(({ queued }) => queued));
  }
};

/** REC-61: with its original time, and the outage as its error, unless it names one itself. */
const saidBefore = ({ asked, queuedAt }: Queued, cacheId: string): Queued['asked'] => ({
  ...asked,
  saidAt: queuedAt,
  circumstances: { errorRef: cacheId, ...asked.circumstances },
});

/** REC-62: positions keep their meaning only on the log that went away. */
export const refuseAnotherLog = async (log: Pick<LogPort, 'entryAt'>, head: ResumeWish['head']): Promise<void> => {
  if (head.position === 0) return;
  const entry = await log.entryAt(head.position);
  if (entry?.checksum === head.checksum) return;
  throw new Error(
    entry === null
      ? `the log went back: entry ${head.position} was there and is gone`
      : `this is another log: entry ${head.position} has the checksum ${entry.checksum.slice(0, 12)}…, and had ${head.checksum.slice(0, 12)}…`,
  );
};

const settlingOf = (verdicts: readonly Verdict[], at: number, taken: Taken): Settling => {
  const verdict = verdicts[at];
  switch (verdict?.kind) {
    case 'decided': {
      const events = taken.get(verdict) ?? [];
      return { kind: 'replayed', position: events.at(-1)?.position ?? 0, refs: events.flatMap(({ refs }) => refs) };
    }
    case 'duplicate':
      return { kind: 'known', position: verdict.seq, refs: verdict.refs };
    case 'repeated':
      return settlingOf(verdicts, verdict.of, taken);
    case 'rejected':
      return { kind: 'conflict', rejection: verdict.rejection, why: verdict.rejection.reason };
    case 'failed':
      return { kind: 'conflict', rejection: null, why: verdict.cause instanceof Error ? verdict.cause.message : String(verdict.cause) };
    case undefined:
      return { kind: 'conflict', rejection: null, why: 'it was not decided' };
    default:
      return assertNever(verdict);
  }
};

export type Written = { readonly uuid: string; readonly hash: string; readonly n: number };

const writtenBy = (happenings: readonly Decided[], queued: Queued | undefined): readonly Written[] =>
  happenings.map(({ happening, item }) => ({
    uuid: happening.uuid,
    hash: Buffer.from(sha256(item.payload ?? new Uint8Array())).toString('hex'),
    n: queued?.n ?? 0,
  }));

/** REC-63: every write is found by its uuid, with the hash of its text, in a chain that is intact from where the log was left. */
const verifyAll = async (log: LogPort, from: number, written: readonly Written[]): Promise<void> => {
  for (const { uuid, hash, n } of written) {
    const entry = await log.entryByUuid(uuid);
    if (entry === null) throw new Error(`queued command ${n} is not on the log after its replay (${uuid})`);
    if (entry.payloadHash !== null && entry.payloadHash !== hash) throw new Error(`queued command ${n} is on the log in other words (${uuid})`);
  }
  const { count } = await log.head();
  const { broken } = await verifyRange(log, Math.max(1, from), count, { forgotten: await forgottenIn(log) });
  if (broken !== null) throw new Error(`the chain is broken at entry ${broken.position}: ${broken.why}`);
};

/** Compares row by row with pauses: a large board must not block others. */
export const isSame = async (one: Board, other: Board): Promise<boolean> => {
  for (const [name, table] of Object.entries(one)) {
    const theirs = other[name as keyof Board] as Table<unknown>; // both have the same tables
    if (table.size() !== theirs.size()) return false;
    let count = 0;
    for (const [key, row] of (table as Table<unknown>).entries()) {
      if (JSON.stringify(row) !== JSON.stringify(theirs.get(key))) return false;
      count += 1;
      if (count % STEP === 0) await setImmediate();
    }
  }
  return true;
};

const MOST_AT_ONCE = 500;
const STEP = 200;
