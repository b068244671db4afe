import { seatKey, seatRunOf, SYSTEM, type Board } from '@yarnboard/domain';
import type { Engine } from '../engine/engine.ts';
import type { SeatPlace } from './port.ts';
import { sweepMarked } from './process-group.ts';

/** One of the servers of a board. */
export type SeatServer = {
  /** Stays the same as long as the home exists. */
  readonly id: string;
  readonly host: string;
  /** Whether another server has left the list, or its lease has expired. */
  readonly isGone: (id: string) => boolean;
};

export type SeatHoldsOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly newId: () => string;
  /** Null on a board with one server, which holds all seats. */
  readonly server: SeatServer | null;
  /** Closes whatever the seat's previous server left open. */
  readonly closeLeft: (place: SeatPlace) => Promise<void>;
  readonly onTaken: (place: SeatPlace) => void;
  readonly onFault: (cause: unknown) => void;
  /** A clock for measuring pauses. */
  readonly steady?: () => number;
};

/** RT-66: ensures that only one of a board's servers holds a seat, as recorded on the log. */
export type SeatHolds = {
  readonly isMine: (board: Board, place: SeatPlace) => boolean;
  /** Whether another server holds it. */
  readonly isTaken: (board: Board, place: SeatPlace) => boolean;
  /** Takes a seat that is free or whose server is gone; another server may be faster. */
  readonly take: (place: SeatPlace) => void;
  /** Releases it for other servers. */
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
  /** Seats being taken or released right now. */
  const busy = new Set<string>();
  const missing = new Map<string, number>();

  const holderOf = (board: Board, { agent, sidebarId }: SeatPlace): string | null => seatRunOf(board, agent, sidebarId)?.heldBy?.server ?? null;

  /** A server may only seem gone for a moment: a starting server holds seats before everyone has seen its lease. */
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
    // If refused, another server was first, or the log is away; the next look at the board tells which.
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
        // If both servers run on this machine, the other one's processes are still there.
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

/** How long a server must be gone before others take over its seats, in milliseconds. */
const GRACE = 3000;
