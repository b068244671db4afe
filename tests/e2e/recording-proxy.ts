import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RecordingProxy = {
  readonly url: string;
  /** Everything that somebody wanted from elsewhere, in order. */
  readonly wanted: readonly string[];
  readonly close: () => Promise<void>;
};

/** A proxy that lets nothing through and remembers who was asked for. */
export const startRecordingProxy = async (): Promise<RecordingProxy> => {
  const wanted: string[] = [];
  const server: Server = createServer((request, response) => {
    wanted.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    wanted.push(`CONNECT ${request.url ?? ''}`);
    socket.on('error', () => {}); // whoever asked may be gone already
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // listens on a port, not on a path
  return {
    url: `http://127.0.0.1:${port}`,
    wanted,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
