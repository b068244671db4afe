import type { WebSocket } from 'ws';

/** What is in flight to one client. A large frame is sent in pieces, so that a slow but steady reader shows progress. */
export type Outbox = {
  /** `told` is the last position the client has if this never arrives completely. */
  readonly send: (bytes: Buffer, told: number) => void;
  readonly pong: (data: Buffer) => void;
  /** Enough is in flight: nothing more should be prepared for it, nor read from it, until it has taken some. */
  readonly isStuck: () => boolean;
  /** When it last took something, or was given something while idle. */
  readonly movedAt: () => number;
  /** The position the client is guaranteed to reach by reading what is in flight; null if that is everything. */
  readonly toldAtLeast: () => number | null;
};

type Rest = { readonly bytes: Buffer; from: number; readonly told: number };

export const createOutbox = (socket: WebSocket, now: () => number, mostBuffered: number, onRoom: () => void): Outbox => {
  let movedAt = now();
  // Nothing may come between the pieces of a frame: later messages wait behind them.
  let rest: Rest[] = [];

  const isStuck = (): boolean => rest.length > 0 || socket.bufferedAmount >= mostBuffered;

  const sendPieces = (): void => {
    // Not all at once: the system reports when it has taken a whole write, and nothing about a part of it.
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
