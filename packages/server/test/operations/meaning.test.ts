import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBoard } from '../../src/main.ts';
import { ADDRESS, makeBoard, pathOf } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const SECRET = `sk-ant-api03-${'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'.repeat(3)}AA`;

const make = () =>
  makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, `Users cannot sign in: authentication and login failures ${SECRET}`),
        reply('u2', 'u1', 1, [{ type: 'text', text: 'The colour of the button is blue now' }, use('t1', 'Bash', { command: 'ls' })]),
        result('u3', 'u2', 2, 't1', 'authentication failures'),
      ],
    },
  });

test('[MEAN-6] [MEAN-11] over HTTP a question finds what means the same, told by what, how near and with what coverage, and masked', async () => {
  const board = await make();
  const { items, coverage } = await board.get('search', { q: 'login problems', mode: 'semantic' });
  expect(items.map(({ uuid, by }) => [uuid, by])).toEqual([['u1', 'meaning']]);
  expect([items[0]?.near === null, items[0]?.snippet.startsWith('Users cannot sign in'), items[0]?.snippet.includes('sk-ant')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(coverage).toMatchObject({ model: expect.any(String) as string, of: coverage?.position });
  const asked = await board.get('search', { q: 'what login problems do users have' });
  expect([asked.items[0]?.uuid, asked.items[0]?.by]).toEqual(['u1', 'both']);
  expect((await board.get('search', { q: 'button', mode: 'hybrid' })).items.map(({ by }) => by)).toEqual(['words']);
  await board.close();
});

test('[MEAN-9] what is forgotten is found by meaning no more', async () => {
  const board = await make();
  const found = async (): Promise<number> => (await board.get('search', { q: 'login problems', mode: 'semantic' })).items.length;
  expect(await found()).toBe(1);
  await board.command('forget', { ref: 'MSG-1' });
  expect(await found()).toBe(0);
  await board.close();
});

test('[MEAN-10] semantic search without its index is refused as such; hybrid goes by words', async () => {
  const board = await make();
  await board.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(board.home.folder, 'board', `meaning.db${suffix}`), { force: true });
  const again = await openBoard({
    home: board.home,
    settings: { excludedProjects: [], roots: [] },
    roots: [],
    version: '0',
    programs: null,
    readOnly: true,
  });
  const ask = async (mode: string) => {
    const response = await again.app.request(`http://${ADDRESS}${pathOf('search', { q: 'which colour has the button', mode })}`, {
      headers: { host: ADDRESS },
    });
    return [response.status, await response.text()] as const;
  };
  const [status, problem] = await ask('semantic');
  expect([status, problem.includes('semantic-unavailable')]).toEqual([503, true]);
  const [fine, answer] = await ask('hybrid');
  expect([fine, answer.includes('The colour of the button')]).toEqual([200, true]);
  await again.close();
});
