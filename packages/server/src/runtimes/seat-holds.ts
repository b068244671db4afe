import { seatKey, seatRunOf, SYSTEM, type Board } from '@yarnboard/domain';
import type { Engine } from '../engine/engine.ts';
import type { SeatPlace } from './port.ts';
import { sweepMarked } from './process-group.ts';

/** A server among others of its board. */
export type SeatServer = {
  /** Stays the same as long as its home does. */
  readonly id: string;
  readonly host: string;
  /** Whether another server is off the list of all, or its lease has run out. */
  readonly isGone: (id: string) => boolean;
};

export type SeatHoldsOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly newId: () => string;
  /** Null on a board that has one server: all seats are its own. */
  readonly server: SeatServer | null;
  /** Closes what the server that had a seat left open in it. */
  readonly closeLeft: (place: SeatPlace) => Promise<void>;
  readonly onTaken: (place: SeatPlace) => void;
  readonly onFault: (cause: unknown) => void;
  /** A clock for pauses. */
  readonly steady?: () => number;
};

/** RT-66: of the servers of one board, one has a seat, as the log says. */
export type SeatHolds = {
  readonly isMine: (board: Board, place: SeatPlace) => boolean;
  /** Whether another server has it. */
  readonly isTaken: (board: Board, place: SeatPlace) => boolean;
  /** Takes a seat that nobody has, or whose server is gone; who else wants it may be first. */
  readonly take: (place: SeatPlace) => void;
  /** Lets others have it. */
  readonly give: (place: SeatPlace) => void;
};

export const createSeatHolds = ({
  engine,
  newId,
  server,
  closeLeft,
  onTaken,
  onFault,
  steady = () => performance.now(),
}: SeatHoldsOptions): SeatHolds => {
  if (server === null) return { isMine: () => true, isTaken: () => false, take: () => {}, give: () => {} };
  /** What is being taken or given back now. */
  const busy = new Set<string>();
  const missing = new Map<string, number>();

  const holderOf = (board: Board, { agent, sidebarId }: SeatPlace): string | null => seatRunOf(board, agent, sidebarId)?.heldBy?.server ?? null;

  /** For a while it may only be on its way: a server that starts has a seat before everybody has seen its lease. */
  const isLost = (holder: string): boolean => {
    if (!server.isGone(holder)) {
      missing.delete(holder);
      return false;
    }
    const since = missing.get(holder) ?? steady();
    missing.set(holder, since);
    return steady() - since >= GRACE;
  };

  const hold = async ({ agent, sidebarId }: SeatPlace, from: string | null, to: SeatServer | null): Promise<boolean> => {
    const outcome = await engine.execute({
      command: { type: 'seat.hold', sidebar: sidebarId, agent, server: to?.id ?? null, host: to?.host ?? null, from },
      actor: SYSTEM,
      messageId: newId(),
      client: 'yarnboard',
    });
    // Refused: somebody else was first, or the log is away. Whoever looks again sees which.
    return outcome.kind !== 'rejected';
  };

  const once = (place: SeatPlace, work: () => Promise<boolean>): void => {
    const key = seatKey(place.agent, place.sidebarId);
    if (busy.has(key)) return;
    busy.add(key);
    const done = async (): Promise<void> => {
      let isDone = false;
      try {
        isDone = await work();
      } finally {
        busy.delete(key);
      }
      if (isDone) onTaken(place);
    };
    done().catch(onFault);
  };

  return {
    isMine: (board, place) => holderOf(board, place) === server.id && !busy.has(seatKey(place.agent, place.sidebarId)),
    isTaken: (board, place) => {
      const holder = holderOf(board, place);
      return holder !== null && holder !== server.id;
    },
    take: (place) => {
      const holder = holderOf(engine.board(), place);
      if (holder === server.id || (holder !== null && !isLost(holder))) return;
      once(place, async () => {
        if (!(await hold(place, holder, server))) return false;
        // Where both are on one machine, what the other one left is still there.
        if (holder !== null) sweepMarked(`${holder}/${place.agent}/${place.sidebarId}`);
        await closeLeft(place);
        return true;
      });
    },
    give: (place) => {
      if (holderOf(engine.board(), place) !== server.id) return;
      once(place, async () => {
        await hold(place, server.id, null);
        return false;
      });
    },
  };
};

/** How long a server has to be gone before its seats are taken over, in milliseconds. */
const GRACE = 3000;
