import { describe, beforeAll, expect, test } from 'vitest';
import type { OutputOf } from '@yarnboard/protocol';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SESSION = '0071e000-0000-4000-8000-000000000001';
const PLAIN = '0071e000-0000-4000-8000-000000000002';
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';

const todos = (...states: readonly string[]) => ({ todos: states.map((status, n) => ({ content: `step ${n + 1} ${SECRET}`, status })) });

describe('the outline of a session', () => {
  let board: TestBoard;
  const outline = (input: Input = {}): Promise<OutputOf<'outline'>> => board.get('outline', { id: SESSION, ...input });

  beforeAll(async () => {
    board = await makeBoard({
      files: {
        [`-p/${SESSION}.jsonl`]: [
          prompt('u1', null, 0, `Weave a sleeve\nwith ${SECRET}`),
          reply('a1', 'u1', 1, [use('t1', 'TodoWrite', todos('pending', 'pending'))]),
          result('r1', 'a1', 2, 't1', 'ok'),
          reply('a2', 'r1', 3, 'I begin.'),
          prompt('u2', 'a2', 4, 'Now the collar'),
          reply('a3', 'u2', 5, [use('t2', 'TodoWrite', todos('completed', 'in_progress', 'pending'))]),
          result('r2', 'a3', 6, 't2', 'ok'),
          reply('a4', 'r2', 7, [use('t3', 'TodoWrite', todos('completed'))]),
          result('r3', 'a4', 8, 't3', 'no such tool', { isError: true }),
          reply('a5', 'r3', 9, 'Done.'),
          prompt('u3', 'a5', 10, 'Thank you'),
        ],
        [`-p/${PLAIN}.jsonl`]: [prompt('p1', null, 0, 'Hello', { sessionId: PLAIN }), reply('p2', 'p1', 1, 'Hi', { sessionId: PLAIN })],
      },
    });
  });

  test('[API-60] prompts are returned in order with their step, masked and on one line', async () => {
    const { items, prompts, steps, next_cursor: next } = await outline();
    expect(items.map(({ uuid, index, kind }) => [uuid, index, kind])).toEqual([
      ['u1', 0, 'prompt'],
      ['u2', 3, 'prompt'],
      ['u3', 6, 'prompt'],
    ]);
    expect(items[0]?.text).toMatch(/^Weave a sleeve .*with/u);
    expect(items[0]?.text).not.toContain(SECRET);
    expect(items.every(({ ref }) => ref?.startsWith('MSG-'))).toBe(true);
    expect([prompts, steps, next]).toEqual([3, 7, null]);
    const { items: whole } = await board.get('conversation', { id: SESSION });
    expect(items.map(({ index, uuid }) => whole[index]?.uuid === uuid)).toEqual([true, true, true]);
  });

  test('[API-60] it comes in pages', async () => {
    const first = await outline({ limit: 2 });
    const second = await outline({ limit: 2, cursor: first.next_cursor });
    expect([...first.items, ...second.items].map(({ uuid }) => uuid)).toEqual(['u1', 'u2', 'u3']);
    expect(second.next_cursor).toBeNull();
  });

  test('[TASK-3] the task list is that of the last call that went well', async () => {
    const { tasks } = await outline();
    expect(tasks?.items.map(({ state }) => state)).toEqual(['completed', 'in_progress', 'pending']);
    expect(JSON.stringify(tasks)).not.toContain(SECRET);
    expect(tasks?.uuid).toBe('a3_tool_0');
    expect((await board.get('outline', { id: PLAIN })).tasks).toBeNull();
  });

  test('[TASK-3] an earlier branch has the list of its own', async () => {
    expect((await outline({ through: 'a2' })).items).toHaveLength(3);
    const problem = await board.problem(`/api/v1/sessions/${SESSION}/outline?thread=nobody`);
    expect(problem.status).toBe(404);
  });
});
