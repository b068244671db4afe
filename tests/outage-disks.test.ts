import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, ended, expectWhole, testHome, until, type TestHome } from './home.ts';
import { diskFor, fill, isSkipped, mount } from './small-disk.ts';

type Answer = { readonly status: number; readonly body: { readonly durable_in?: readonly string[]; readonly code?: string } };

const serve = async (home: TestHome, reserve: number) => {
  writeFileSync(join(home.folder, 'home/settings.json'), JSON.stringify({ emergency: { reserve_bytes: reserve, write_timeout_seconds: 60 } }));
  const child = home.start('start', '--no-open', '--port', '0');
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
  const post = async (path: string, body: object): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  expect(await post('/sidebars', { parent_id: null, task_description: 'why is login slow?' })).toMatchObject({ status: 200 });
  return {
    say: (content: string) => post('/sidebars/SB-1/messages', { content }),
    isWell: async (): Promise<true | null> => ((await fetch(`${url}/healthz`)).status === 200 ? true : null),
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
};

const wordsOn = async (home: TestHome): Promise<readonly string[]> => {
  const store = await home.open();
  await expectWhole(store);
  const positions = await store.log.positionsOfType('chat.message');
  const payloads = await store.log.payloadsOf(positions);
  await store.close();
  return positions.map((at) => (JSON.parse(Buffer.from(payloads.get(at) ?? []).toString()) as { readonly content: string }).content);
};

/** Says something long until it has to wait: a full disk still has room in files that are there already. */
const sayUntilQueued = async (say: (content: string) => Promise<Answer>): Promise<{ readonly said: string[]; readonly queued: Answer }> => {
  const said: string[] = [];
  for (;;) {
    const word = `word ${said.length} ${'and more '.repeat(2000)}`;
    const answer = await say(word);
    said.push(word);
    if (answer.status === 202) return { said, queued: answer };
    expect(answer.status).toBe(200);
  }
};

test.skipIf(isSkipped)('[REC-14] on a full disk words wait in the room that was reserved, and are on the log once when there is room', async () => {
  const home = testHome();
  const folders = [join(home.folder, 'home'), join(home.folder, 'state')];
  const releases = folders.map((folder) => diskFor(folder, '64m'));
  try {
    const server = await serve(home, 1024 * 1024);
    for (const folder of folders) fill(folder);
    const { said, queued } = await sayUntilQueued(server.say);
    expect(queued.body.durable_in).toEqual(expect.arrayContaining(['home', 'state']));
    for (let n = 0; n < 10; n += 1) {
      const word = `waits ${n} ${'and more '.repeat(500)}`;
      expect(await server.say(word)).toMatchObject({ status: 202 });
      said.push(word);
    }
    for (const folder of folders) mount('-o', 'remount,size=256m', folder);
    await until(server.isWell);
    await server.stop();
    expect(await wordsOn(home)).toEqual(said);
  } finally {
    for (const release of releases) release();
  }
});
