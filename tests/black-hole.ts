import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine, as a network is: it can swallow everything without breaking anything, or be cut. */
export type Way = {
  readonly port: number;
  /** What is connected by now hears and says nothing any more, for ever. Whoever connects from now on gets through. */
  readonly swallow: () => void;
  /** Nobody gets through, and nobody is told. */
  readonly hang: () => void;
  /** Whoever connects from now on gets through; what was swallowed stays so. */
  readonly open: () => void;
  readonly close: () => Promise<void>;
};

export const openWay = (port: number): Promise<Way> =>
  new Promise((resolve, reject) => {
    const sockets = new Set<Socket>();
    const swallowed = new WeakSet<Socket>();
    let isHanging = false;
    const swallow = (): void => {
      for (const socket of sockets) swallowed.add(socket);
    };
    const keep = (socket: Socket): void => {
      sockets.add(socket);
      socket.on('error', () => {}); // its other end is told below
      socket.once('close', () => sockets.delete(socket));
    };
    const through = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => {
        if (!swallowed.has(from)) to.write(chunk);
      });
      from.once('close', () => {
        if (!swallowed.has(from)) to.destroy();
      });
    };
    const server = createServer((near) => {
      keep(near);
      if (isHanging) {
        swallowed.add(near);
        return;
      }
      const far = connect(port, '127.0.0.1');
      keep(far);
      through(near, far);
      through(far, near);
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) {
        reject(new Error('no port'));
        return;
      }
      resolve({
        port: address.port,
        swallow,
        hang: () => {
          isHanging = true;
          swallow();
        },
        open: () => {
          isHanging = false;
        },
        close: () =>
          new Promise((done) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => done());
          }),
      });
    });
  });
