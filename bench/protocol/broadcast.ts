import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { assertNever } from '@yarnboard/domain';
import { WebSocketServer, type WebSocket } from 'ws';
import { monotonicNow, type Answer, type BroadcastOrder } from './job.ts';

/**
 * The baseline: frames that are there as bytes, sent to everybody by `ws` and nothing else. It looks at no buffer, makes no text, reads no log. Whoever
 * says since when gets all of them at once.
 */
export const runBroadcast = (): void => {
  const answer = (what: Answer): void => void process.send?.(what);
  const sockets = new Set<WebSocket>();
  let frames: readonly Buffer[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, clientTracking: false });
  server.on('listening', () => answer({ is: 'listening', port: (server.address() as AddressInfo).port })); // a TCP server has no other kind of address
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // a close follows
    socket.on('message', (data: Buffer) => {
      const { since_seq: since } = JSON.parse(data.toString('utf8')) as { readonly since_seq?: number };
      socket.send(JSON.stringify({ type: 'connection_established', seq: firstOf(frames) - 1 }));
      if (since !== undefined) for (const frame of frames) socket.send(frame, AS_TEXT);
    });
  });
  process.on('message', (order: BroadcastOrder) => {
    switch (order.do) {
      case 'load':
        frames = loadFrames(order.path);
        answer({ is: 'done', at: monotonicNow() });
        break;
      case 'broadcast': {
        const startedAt = monotonicNow();
        const { only } = order;
        broadcast(sockets, only === null ? frames : frames.slice(only, only + 1), 0, () => answer({ is: 'done', at: startedAt }));
        break;
      }
      default:
        assertNever(order);
    }
  });
};

const broadcast = (sockets: ReadonlySet<WebSocket>, frames: readonly Buffer[], from: number, onSent: () => void): void => {
  const to = Math.min(frames.length, from + AT_ONCE);
  for (const socket of sockets) for (let i = from; i < to; i += 1) socket.send(frames[i] ?? '', AS_TEXT);
  if (to < frames.length) setImmediate(() => broadcast(sockets, frames, to, onSent));
  else onSent();
};

/** Frames one behind the other, each with its length before it. */
const loadFrames = (path: string): readonly Buffer[] => {
  const all = readFileSync(path);
  const frames: Buffer[] = [];
  for (let at = 0; at < all.length; at += 4 + all.readUInt32BE(at)) frames.push(all.subarray(at + 4, at + 4 + all.readUInt32BE(at)));
  return frames;
};

const firstOf = (frames: readonly Buffer[]): number => (JSON.parse(frames[0]?.toString('utf8') ?? '{"seq":0}') as { readonly seq: number }).seq;

const AS_TEXT = { binary: false } as const;
const AT_ONCE = 256;
