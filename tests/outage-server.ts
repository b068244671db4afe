import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addressOf, ended, expectWhole, until, type TestHome } from './home.ts';

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

/** A real server, and its operator. */
export const openServer = async (home: TestHome, ...more: readonly string[]) => {
  // A disk that is slow is none that is away.
  mkdirSync(join(home.folder, 'home'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home.folder, 'home/settings.json'), JSON.stringify({ emergency: { write_timeout_seconds: 60 } }));
  const child = home.start('start', '--no-open', '--port', '0', ...more);
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  // A connection of its own for each request: one that nobody used for a while may be closed by the server just as the next request is sent.
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
  const read = async (response: Response): Promise<Answer> => ({ status: response.status, body: (await response.json()) as Answer['body'] });
  const post = async (path: string, body: object): Promise<Answer> =>
    read(await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  const get = async (path: string): Promise<Answer> => read(await fetch(`${url}${path}`, { headers }));
  const say = (content: string, more: object = {}): Promise<Answer> => post('/sidebars/SB-1/messages', { content, ...more });
  // A connection that nobody used for a while may just be closed.
  const isWell = (): Promise<true | null> =>
    fetch(`${url}/healthz`).then(
      ({ status }) => (status === 200 ? true : null),
      () => null,
    );
  return {
    child,
    url,
    token,
    post,
    get,
    say,
    /** What the store is asked for on the way has less than a second while it is away: on a busy machine, the next time. */
    read: (path: string): Promise<Answer['body']> =>
      until(async () => {
        const { status, body } = await get(path);
        return status === 200 ? body : null;
      }),
    /** Said when the log is back. A busy machine may be taken for one that is away once more: then it waits, and is on the log all the same. */
    sayAfter: async (content: string): Promise<void> => {
      expect([200, 202]).toContain((await say(content)).status);
      await until(isWell);
    },
    isWell,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended(child);
    },
    kill: async (): Promise<void> => {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
};

/** The same with a sidebar, in which a word was said. */
export const serve = async (home: TestHome, ...more: readonly string[]) => {
  const server = await openServer(home, ...more);
  expect(await server.post('/sidebars', { parent_id: null, task_description: 'why is login slow?' })).toMatchObject({ status: 200 });
  expect(await server.say('before')).toMatchObject({ status: 200 });
  return server;
};

/** What was said, in order; the chain is whole. */
export const wordsOn = async (home: Pick<TestHome, 'open'>): Promise<readonly string[]> => {
  const store = await home.open();
  try {
    await expectWhole(store);
    const positions = await store.log.positionsOfType('chat.message');
    const payloads = await store.log.payloadsOf(positions);
    return positions.map((at) => (JSON.parse(Buffer.from(payloads.get(at) ?? []).toString()) as { readonly content: string }).content);
  } finally {
    await store.close();
  }
};
