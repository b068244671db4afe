import { closeSync, openSync, readdirSync, readSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Answer } from './job.ts';

/**
 * The least that anybody has to do who tells a client of an appended line: watch, read the new bytes, send them. How long this takes is what the machine
 * takes. A frame is the name of the file, a line end, and what was appended.
 */
export const runRelay = (folder: string): void => {
  const ends = new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));
  const sockets = new Set<WebSocket>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, clientTracking: false });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // a close follows
    socket.on('message', () => socket.send('{"type":"connection_established","seq":0}'));
  });
  server.on('listening', () => {
    const answer: Answer = { is: 'listening', port: (server.address() as AddressInfo).port }; // a TCP server has no other kind of address
    process.send?.(answer);
  });
  watch(folder, (_, name) => {
    if (name === null) return;
    const from = ends.get(name) ?? 0;
    const { size } = statSync(join(folder, name));
    if (size === from) return;
    ends.set(name, size);
    const head = Buffer.from(`${name}\n`);
    const frame = Buffer.alloc(head.length + size - from);
    head.copy(frame);
    const descriptor = openSync(join(folder, name), 'r');
    readSync(descriptor, frame, head.length, size - from, from);
    closeSync(descriptor);
    for (const socket of sockets) socket.send(frame, { binary: false });
  });
};
