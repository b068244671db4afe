import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from './boards.ts';
import { block, pagesOf, said, TALK, TALK_FILES } from './conversations.ts';
import { prompt, use, result } from './records.ts';

const tokens = (turns: number): object => ({
  input_tokens: 10 * turns,
  output_tokens: 20 * turns,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  cache_read_tokens: 0,
});

let talk: TestBoard;
beforeAll(async () => {
  talk = await makeBoard({ files: TALK_FILES });
});

test('[API-61] the last reply of a turn says what all of it took; those before it are told as one turn', async () => {
  const { items } = await pagesOf(talk, { id: TALK });
  const told = items.filter(({ kind }) => kind === 'reply').map(({ uuid, is_going_on: isGoingOn, turn }) => ({ uuid, isGoingOn, turn }));
  expect(told).toMatchObject([
    { uuid: 'a1', isGoingOn: undefined, turn: undefined },
    { uuid: 'c1', isGoingOn: true, turn: undefined },
    { uuid: 'd1', isGoingOn: true, turn: { duration_ms: 21_000, usage: tokens(4) } },
    { uuid: 'e1', isGoingOn: undefined, turn: { duration_ms: 2000, usage: tokens(1) } },
    { uuid: 'f1', isGoingOn: undefined, turn: { usage: tokens(1) } },
  ]);
  expect(items.filter(({ kind, turn, is_going_on: on }) => kind !== 'reply' && (turn !== undefined || on === true))).toEqual([]);
});

test('[API-61] whatever turns there are, each is returned once, with the tokens of all its replies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      async (turns, limit) => {
        const id = '22222222-0000-4000-8000-000000000002';
        let last: string | null = null;
        const lines = turns.flatMap((replies, t) => {
          const asked = prompt(`p${t}`, last, t * 100, `ask ${t}`);
          last = `p${t}`;
          const answers = Array.from({ length: replies }, (_, n) => {
            const [uuid, tool, parent] = [`s${t}-${n}`, `t${t}-${n}`, last ?? ''];
            last = `r${t}-${n}`;
            const at = t * 100 + n * 3 + 1;
            return [
              block(uuid, parent, at, `m${t}-${n}`, said(`say ${n}`)),
              block(`u${t}-${n}`, uuid, at + 1, `m${t}-${n}`, use(tool, 'Bash', { command: 'ls' })),
              result(`r${t}-${n}`, `u${t}-${n}`, at + 2, tool, 'x'),
            ];
          });
          return [asked, ...answers.flat()];
        });
        const board = await makeBoard({ files: { [`-home-ada-loom/${id}.jsonl`]: lines } });
        const { items } = await pagesOf(board, { id }, limit);
        expect(items.flatMap(({ turn }) => (turn === undefined ? [] : [turn.usage]))).toEqual(
          turns.filter((replies) => replies > 0).map((replies) => tokens(replies)),
        );
        expect(items.filter(({ is_going_on: on }) => on === true)).toHaveLength(turns.reduce((sum, replies) => sum + Math.max(0, replies - 1), 0));
        await board.close();
      },
    ),
    { numRuns: 8 },
  );
});
