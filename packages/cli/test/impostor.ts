import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { lockHome, type homeOf } from '@yarnboard/server';
import { afterTest } from '../../../tests/afterwards.ts';

type Impostor = { readonly heard: () => readonly string[]; readonly bodies: () => readonly string[] };

/** Stands where a server of the home would, and breaks every connection it is asked over. */
export const impostor = async (
  home: ReturnType<typeof homeOf>,
  onHeard: (heard: number, leave: () => void) => void,
  listensAfter = 0,
): Promise<Impostor> => {
  const lock = await lockHome(home);
  const heard: string[] = [];
  const bodies: string[] = [];
  let isHere = true;
  const leave = (): void => {
    if (!isHere) return;
    isHere = false;
    lock.release();
    rmSync(home.serverFile, { force: true });
  };
  const server: Server = createServer((request) => {
    heard.push(request.method ?? '');
    onHeard(heard.length, leave);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      request.socket.destroy();
    });
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve((server.address() as { readonly port: number }).port)); // a TCP server has no other kind
    });
  const port = await listen(0);
  if (listensAfter > 0) {
    await new Promise((resolve) => {
      server.close(resolve);
    });
    setTimeout(() => void listen(port), listensAfter);
  }
  const mark = { pid: process.pid, url: `http://127.0.0.1:${port}`, startedAt: '', version: '0', database: home.database };
  writeFileSync(home.serverFile, JSON.stringify(mark));
  afterTest(() => {
    leave();
    server.close();
  });
  return { heard: () => heard, bodies: () => bodies };
};
