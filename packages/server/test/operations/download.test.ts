import { beforeAll, describe, expect, test } from 'vitest';
import { downloadSession } from '../../src/operations/download.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SECRET = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
const SMALL = '11111111-0000-4000-8000-000000000001';
const LONG = '22222222-0000-4000-8000-000000000002';
const TURNS = 1000;

describe('downloading a session', () => {
  let board: TestBoard;
  beforeAll(async () => {
    const small = [
      prompt('p0', null, 0, `Use ${SECRET}, "please"/now`),
      reply('r0', 'p0', 1, [use('t0', 'Bash', { command: `curl -H "Authorization: Bearer ${SECRET}"` })]),
      result('s0', 'r0', 2, 't0', `token=${SECRET}`),
      reply('r1', 's0', 3, 'One way.'),
      prompt('p1', 'r1', 4, 'Left.'),
      prompt('p2', 'r1', 5, 'Right.'),
    ];
    const long = Array.from({ length: TURNS }, (_, i) => [
      prompt(`q${i}`, i === 0 ? null : `a${i - 1}`, i, `question ${i}`),
      // Many in a row that nothing is to be seen of.
      reply(`a${i}`, `q${i}`, i, i % 300 < 200 ? [{ type: 'text', text: ' ' }] : `answer ${i}`),
    ]).flat();
    board = await makeBoard({ files: { [`-p/${SMALL}.jsonl`]: small, [`-p/${LONG}.jsonl`]: long } });
  });

  const download = (id: string, query: string): Promise<Response> => board.ask(`/downloads/sessions/${id}?${query}`);

  test.each([
    ['html', 'text/html; charset=utf-8'],
    ['md', 'text/markdown; charset=utf-8'],
    ['json', 'application/json'],
  ])('[PAGE-203] [SEC-11] as %s it is a file with a name, and has no secret in it', async (format, type) => {
    const response = await download(SMALL, `format=${format}`);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="use-[a-z0-9-]+-11111111\\.${format}"$`, 'u'));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await response.text();
    expect([text.includes(SECRET), text.includes('One way.'), text.includes('Right.'), text.includes('Left.')]).toEqual([false, true, true, false]);
  });

  test('[PAGE-203] the branch that is shown is the one that is written', async () => {
    const text = await (await download(SMALL, 'format=md&through=p1')).text();
    expect([text.includes('Left.'), text.includes('Right.')]).toEqual([true, false]);
  });

  test('[PAGE-203] what cannot be written is refused, and nothing is begun', async () => {
    expect(await board.problem('/downloads/sessions/nowhere?format=md')).toMatchObject({ status: 404 });
    expect(await board.problem(`/downloads/sessions/${SMALL}?format=pdf`)).toMatchObject({
      status: 400,
      detail: 'a session can be written as html, md, json, text',
    });
    expect(await board.problem(`/downloads/sessions/${SMALL}`)).toMatchObject({ status: 400 });
    expect(await board.problem(`/downloads/sessions/${SMALL}?format=md&through=nothing`)).toMatchObject({ status: 404 });
    expect(await board.problem(`/downloads/sessions/${SMALL}`, { method: 'POST' })).toMatchObject({ status: 405 });
  });

  test.each(['html', 'md', 'json'])('[PAGE-203] a long one is read as it is taken, as %s, and has everything', async (format) => {
    const { store } = board.board;
    const read: number[] = [];
    const watched = { ...store, log: { ...store.log, payloadsOf: (at: readonly number[]) => (read.push(at.length), store.log.payloadsOf(at)) } };
    const needs = { store: watched, sessions: createSessionLoader(watched), engine: board.board.engine, pending: () => [], now: () => 0 };
    const { pieces } = await downloadSession(needs, { id: LONG, format, through: undefined });
    const first = await pieces.next();
    expect([first.done, read.reduce((sum, n) => sum + n, 0)]).toEqual([false, 64]);
    let text = String(first.value);
    for await (const piece of pieces) text += piece;
    expect([Math.max(...read), read.reduce((sum, n) => sum + n, 0)]).toEqual([64, 2 * TURNS]);
    const said = Array.from({ length: TURNS }, (_, i) => [`question ${i}`, ...(i % 300 < 200 ? [] : [`answer ${i}`])]).flat();
    expect(text.match(/(?:question|answer) \d+/gu)?.slice(-said.length)).toEqual(said);
    expect(text).not.toContain('has changed or is gone');
  });

  test('[PAGE-203] whoever stops taking it stops the reading', async () => {
    const response = await download(LONG, 'format=json');
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    expect(board.faults).toEqual([]);
  });
});
