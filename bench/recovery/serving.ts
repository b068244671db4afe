import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { WrongResult } from '../measure/run.ts';

export type Running = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly folder: string;
  readonly token: string;
  /** Asks for something by HTTP; the status it was answered with. Anything that is no answer to a command ends the bench. */
  readonly post: (path: string, body: object) => Promise<number>;
};

const command = fileURLToPath(new URL('../../packages/cli/dist/yarnboard.mjs', import.meta.url));

/** The built command, with a home of its own. */
export const serve = async (folder: string, { database, redis }: { readonly database?: string; readonly redis?: string } = {}): Promise<Running> => {
  mkdirSync(join(folder, 'home'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'home/settings.json'), JSON.stringify(redis === undefined ? {} : { redis }));
  const env = {
    ...process.env,
    YARNBOARD_HOME: join(folder, 'home'),
    YARNBOARD_STATE: join(folder, 'state'),
    CLAUDE_CONFIG_DIR: join(folder, 'none'),
  };
  const given = database === undefined ? [] : ['--db', database];
  const child = spawn(process.execPath, [command, 'start', '--no-open', '--port', '0', ...given], {
    env,
    stdio: ['ignore', 'pipe', openSync(join(folder, 'errors'), 'a')],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = / on (http:\/\/\S+)/u.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}${readFileSync(join(folder, 'errors'), 'utf8')}`)));
  });
  const token = readFileSync(join(folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    child,
    url,
    folder,
    token,
    post: async (path, body) => {
      const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (response.status !== 200 && response.status !== 202) throw new WrongResult(`${path}: ${response.status} ${text}`);
      return response.status;
    },
  };
};

export const stop = ({ child }: Running): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(); // `exit` isn't emitted a second time
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

export type Frame = { readonly type: string; readonly content?: string; readonly state?: string };

/** A client that hears everything from when it resolves. */
export const listen = async ({ url, token }: Pick<Running, 'url' | 'token'>, onFrame: (frame: Frame) => void): Promise<WebSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1, queued: true })));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame; // the server's own
      if (frame.type === 'connection_established') resolve(); // whoever begins anew has nothing to catch up with
      onFrame(frame);
    });
  });
  return socket;
};
