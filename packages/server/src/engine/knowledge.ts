import { assertNever, emptyBoard, ENTRY_TYPES, evolve, type Board, type ChainedEntry, type Recorded } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { readOnlyBecause, tellingOf, type Barrier } from './barrier.ts';
import { decidedBehind, type DecidedEntry } from './decided-entries.ts';
import { readSnapshot, type Snapshot, type SnapshotPlace, type UnprovenSnapshot } from './snapshot.ts';
import { createSurfacings, type Surfacings, type TriggerIndex } from './surfacings.ts';

/** The board as this server knows it: `seen` is how far the log was looked through, `position` the last decided entry of that. */
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
  /** REC-78: begun with while the log is away. */
  readonly unproven: UnprovenSnapshot | null;
  readonly createIndex: () => TriggerIndex;
  readonly tell: (events: readonly Recorded[]) => void;
  readonly onFault: (cause: unknown) => void;
};

export type Knowledge = {
  /** Takes what happened into the board; false when it could not be. */
  readonly fold: (known: Known, event: Recorded) => boolean;
  /** Takes in what is on the log and not in the board; these are the entries. */
  readonly readOn: (known: Known, isTold: boolean) => Promise<readonly ChainedEntry[]>;
  /** The board that the log tells of, and nothing else. */
  readonly foldAll: () => Promise<Known>;
  /** The same, by the shortcut of a snapshot where there is one that is believed. */
  readonly start: () => Promise<Known>;
};

/** How a board comes from its log. */
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
      // An entry that nobody of this version has written must not keep the board closed.
      onFault(new Error(`entry ${event.position} (${event.type}) could not be taken into the board`, { cause }));
      return false;
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
        // Somebody who was given up waiting for may read on after all.
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
    if (unproven !== null) return knowing(unproven.board, unproven.position, unproven.forgotten);
    const taken = snapshot === null ? null : await readSnapshot({ ...snapshot, read: () => readable(snapshot) }, log);
    const known = taken === null ? null : believed(taken);
    if (known === null) return foldAll();
    await readOn(known, false);
    return known;
  };

  return { fold, readOn, foldAll, start };
};
