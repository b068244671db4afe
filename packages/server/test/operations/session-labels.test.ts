import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply } from './records.ts';

const idOf = (n: number): string => `1abe1000-0000-4000-8000-00000000000${n}`;
const file = (n: number) => [
  prompt(`u${n}`, null, n, `Question ${n} about zithers`, { sessionId: idOf(n) }),
  reply(`a${n}`, `u${n}`, n + 1, 'An answer', { sessionId: idOf(n) }),
];

describe('labels of sessions', () => {
  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({ files: Object.fromEntries([1, 2, 3].map((n) => [`-p/${idOf(n)}.jsonl`, file(n)])) });
  });
  const listed = async (input = {}): Promise<readonly string[]> =>
    (await board.get('sessions', input)).items.map(({ session_id: id }) => id.slice(-1));

  test('[LABEL-4] a name stands wherever the title would: in lists, in the session, and beside what is found in it', async () => {
    await board.command('session_label', { id: idOf(1), name: 'The zither session', tags: ['music'], note: 'worth reading', pinned: true });
    const [row] = (await board.get('sessions', { tag: 'MUSIC' })).items;
    expect(row).toMatchObject({
      session_id: idOf(1),
      title: 'The zither session',
      labels: { pinned: true, hidden: false, name: 'The zither session', note: 'worth reading', tags: ['music'] },
    });
    expect(await board.get('session', { id: idOf(1) })).toMatchObject({ title: 'The zither session', labels: { pinned: true } });
    expect((await board.get('session', { id: idOf(2) })).labels).toBeUndefined();
    const found = (await board.get('search', { q: 'zithers' })).items.find(({ session_id: id }) => id === idOf(1));
    expect(found?.session_title).toBe('The zither session');
    await board.command('session_label', { id: idOf(1), name: '' });
    expect((await board.get('session', { id: idOf(1) })).title).not.toBe('The zither session');
  });

  test('[LABEL-5] lists leave out what is hidden, unless asked; pinned ones and those with a tag are asked for, page by page', async () => {
    await board.command('session_label', { id: idOf(2), hidden: true });
    expect(await listed()).toEqual(['3', '1']);
    expect(await listed({ hidden: true })).toEqual(['3', '2', '1']);
    expect(await listed({ pinned: true })).toEqual(['1']);
    const first = await board.get('sessions', { limit: 1 });
    const second = await board.get('sessions', { limit: 1, cursor: first.next_cursor });
    expect([first, second].map(({ items }) => items.map(({ session_id: id }) => id.slice(-1)))).toEqual([['3'], ['1']]);
    expect((await board.get('session', { id: idOf(2) })).labels?.hidden).toBe(true);
    await board.command('session_label', { id: idOf(2), hidden: false });
    expect(await listed()).toEqual(['3', '2', '1']);
  });

  test('[LABEL-2] nobody but the operator may, and there has to be such a session', async () => {
    const body = JSON.stringify({ pinned: true });
    const anybody = await board.ask(`/api/v1/sessions/${idOf(3)}/labels`, { method: 'POST', body });
    expect(anybody.status).toBe(401);
    const unknown = await board.ask('/api/v1/sessions/feedfeed-0000-4000-8000-000000000000/labels', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${board.token}` },
    });
    expect(unknown.status).toBe(404);
  });
});
