import type { WebSocket } from 'ws';

/** What is on its way to one client. A large frame goes out in pieces, so that whoever reads slowly but steadily is seen to read. */
export type Outbox = {
  /** `told` is the last position the client knows of if this never arrives whole. */
  readonly send: (bytes: Buffer, told: number) => void;
  readonly pong: (data: Buffer) => void;
  /** Enough is on its way: nothing more should be made for it, nor be heard from it, until it has taken some. */
  readonly isStuck: () => boolean;
  /** When it last took something, or was last given something while nothing was on its way. */
  readonly movedAt: () => number;
  /** What the client knows of at least, once it has read what is on its way; null when that is everything. */
  readonly toldAtLeast: () => number | null;
};

type Rest = { readonly bytes: Buffer; from: number; readonly told: number };

export const createOutbox = (socket: WebSocket, now: () => number, mostBuffered: number, onRoom: () => void): Outbox => {
  let movedAt = now();
  // Nothing may come between the pieces of a frame: what is said meanwhile waits behind them.
  let rest: Rest[] = [];

  const isStuck = (): boolean => rest.length > 0 || socket.bufferedAmount >= mostBuffered;

  const sendPieces = (): void => {
    // Not all at once: the system tells when it has taken what it was given in one go, and of a part of that nothing.
    for (let [next] = rest; next !== undefined && socket.bufferedAmount < mostBuffered; [next] = rest) {
      const piece = next.bytes.subarray(next.from, next.from + PIECE);
      next.from += piece.length;
      const isLast = next.from >= next.bytes.length;
      if (isLast) rest.shift();
      socket.send(piece, isLast ? AS_TEXT : AS_PIECE, onFlushed);
    }
  };

  const onFlushed = (): void => {
    movedAt = now();
    if (socket.readyState !== socket.OPEN) {
      rest = [];
      return;
    }
    sendPieces();
    if (rest.length === 0 && socket.bufferedAmount < mostBuffered / 2) onRoom();
  };

  const begin = (): boolean => {
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount === 0) movedAt = now();
    return true;
  };

  return {
    send: (bytes, told) => {
      if (!begin()) return;
      if (rest.length === 0 && bytes.length <= PIECE) {
        socket.send(bytes, AS_TEXT, onFlushed);
      } else {
        rest.push({ bytes, from: 0, told });
        sendPieces();
      }
    },
    pong: (data) => {
      if (begin()) socket.pong(data, false, onFlushed);
    },
    isStuck,
    movedAt: () => movedAt,
    toldAtLeast: () => rest[0]?.told ?? null,
  };
};

const PIECE = 256 * 1024;
const AS_TEXT = { binary: false, compress: false, fin: true } as const;
const AS_PIECE = { ...AS_TEXT, fin: false } as const;
