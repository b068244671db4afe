import { assertNever, emptyBoard, ENTRY_TYPES, evolve, type Board, type ChainedEntry, type Recorded } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { readOnlyBecause, tellingOf, type Barrier } from './barrier.ts';
import { decidedBehind, type DecidedEntry } from './decided-entries.ts';
import { readSnapshot, type Snapshot, type SnapshotPlace, type UnprovenSnapshot } from './snapshot.ts';
import { createSurfacings, type Surfacings, type TriggerIndex } from './surfacings.ts';

/** The board as this server knows it: `seen` is how far the log was read, `position` the last decided entry in that. */
export type Known = {
  board: Board;
  surfacings: Surfacings;
  position: number;
  seen: number;
  forgotten: number;
  sinceSnapshot: number;
  barrier: Barrier | null;
};

type KnowledgeOptions = {
  readonly log: LogPort;
  readonly snapshot: SnapshotPlace | null;
  /** REC-78: the starting point while the log is away. */
  readonly unproven: UnprovenSnapshot | null;
  readonly createIndex: () => TriggerIndex;
  readonly tell: (events: readonly Recorded[]) => void;
  readonly onFault: (cause: unknown) => void;
};

export type Knowledge = {
  /** Applies an event to the board; false if that failed. */
  readonly fold: (known: Known, event: Recorded) => boolean;
  /** Folds the entries of the log that aren't in the board yet, and returns them. */
  readonly readOn: (known: Known, isTold: boolean) => Promise<readonly ChainedEntry[]>;
  /** The board folded from the whole log. */
  readonly foldAll: () => Promise<Known>;
  /** The same, starting from a snapshot if there is a trustworthy one. */
  readonly start: () => Promise<Known>;
};

/** Builds a board from its log. */
export const createKnowledge = ({ log, snapshot, unproven, createIndex, tell, onFault }: KnowledgeOptions): Knowledge => {
  const knowing = (board: Board, position: number, forgotten: number): Known => {
    const surfacings = createSurfacings(createIndex(), board);
    return { board, surfacings, position, seen: position, forgotten, sinceSnapshot: 0, barrier: null };
  };

  const fold = (known: Known, event: Recorded): boolean => {
    known.sinceSnapshot += 1;
    try {
      evolve(known.board, event);
      known.surfacings.follow(known.board, event);
      return true;
    } catch (cause) {
      // An entry that no version of ours has written must not make the board unusable.
      onFault(new Error(`entry ${event.position} (${event.type}) could not be taken into the board`, { cause }));
      return false;
    }
  };

  /** An entry as an event; null if it isn't one. An entry that only a newer version can read raises the barrier. */
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

  /** Folds the entries of the log that aren't in the board yet, and returns them. */
  const readOn = async (known: Known, isTold: boolean): Promise<readonly ChainedEntry[]> => {
    const read: ChainedEntry[] = [];
    if (known.barrier !== null) return read;
    for await (const { entries, upTo } of decidedBehind(log, known.seen)) {
      const events: Recorded[] = [];
      for (const one of entries) {
        // A reader that was given up on may still continue.
        if (one.entry.position <= known.position) continue;
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
    // Read first: anything forgotten while the log is read is noticed the next time.
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
    if (unproven !== null) return knowing(unproven.board, unproven.position, unproven.forgotten);
    const taken = snapshot === null ? null : await readSnapshot({ ...snapshot, read: () => readable(snapshot) }, log);
    const known = taken === null ? null : believed(taken);
    if (known === null) return foldAll();
    await readOn(known, false);
    return known;
  };

  return { fold, readOn, foldAll, start };
};
