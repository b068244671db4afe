import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, ended, type TestHome } from '../home.ts';

export type Served = {
  readonly url: string;
  readonly token: string;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly post: (path: string, body: object) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;
};

/** A real server in a process of its own, with the built page. */
export const serve = async (home: TestHome): Promise<Served> => {
  const child = home.start('start', '--no-open', '--port', '0');
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await ended(child);
  };
  return {
    url,
    token,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    post: async (path, body) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
      const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
    },
  };
};
