import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class PortInUse extends Error {}

export const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE' || cause.code === 'EACCES';
      reject(isTaken ? new PortInUse(`port ${port} of 127.0.0.1 is taken (${cause.code ?? ''}); choose another with --port, or 0 for any`) : cause);
    });
    // SEC-10: only reachable from this machine.
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // a TCP server has no other kind of address
  });

export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // An open connection delays the end no longer than this.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
