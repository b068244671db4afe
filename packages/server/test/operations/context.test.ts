import type { OutputOf } from '@yarnboard/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

const SESSION = 'c0a7e870-0000-4000-8000-000000000001';
const tokens = (record: Fields, id: string, input: number): Fields => {
  const usage = Object.fromEntries([
    ['input_tokens', input],
    ['output_tokens', 50],
  ]);
  return { ...record, message: { ...(record['message'] as Fields), id, usage } }; // a record of a message
};

const MANY = 60;
const COMPACTED = 30;
const records = (): readonly Fields[] => {
  const made: Fields[] = [prompt('u0', null, 0, 'Weave '.repeat(200))];
  let parent = 'u0';
  for (let n = 0; n < MANY; n += 1) {
    if (n === COMPACTED) {
      made.push({
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'c',
        parentUuid: null,
        logicalParentUuid: parent,
        timestamp: '2025-08-06T10:10:00Z',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 100_000 },
      });
      made.push(prompt('s', 'c', 600, 'So far: weaving. '.repeat(300), { isCompactSummary: true }));
      parent = 's';
    }
    const since = n < COMPACTED ? n : n - COMPACTED;
    made.push(
      tokens(
        reply(`a${n}`, parent, 2 * n + 1 + (n < COMPACTED ? 0 : 600), [use(`t${n}`, 'Read', Object.fromEntries([['file_path', '/a']]))]),
        `m${n}`,
        10_000 + since * 1000,
      ),
    );
    made.push(result(`r${n}`, `a${n}`, 2 * n + 2 + (n < COMPACTED ? 0 : 600), `t${n}`, 'thread '.repeat(500)));
    parent = `r${n}`;
  }
  return made;
};

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: records() } });
});
afterAll(() => board.close());

const sum = (fill: object): number => Object.values(fill).reduce((all: number, one: number) => all + one, 0);

test('[CTX-1] the context of a session is returned response by response, with references, and the parts add up', async () => {
  const answer = await board.get('context', { id: SESSION });
  expect(answer).toMatchObject({ session_id: SESSION, thread: 'main', responses: MANY, window: 200_000, peak: 39_000 });
  expect(answer.points).toHaveLength(MANY);
  expect(answer.points[0]).toMatchObject({ index: 0, ref: 'MSG-2', tokens: 10_000, output: 50 });
  for (const { fill, tokens: all } of answer.points) expect(sum(fill)).toBe(all);
  expect(answer.tools[0]?.name).toBe('Read');
});

test('[CTX-2] compactions stand where they were', async () => {
  const { compactions } = await board.get('context', { id: SESSION });
  expect(compactions).toMatchObject([{ index: COMPACTED, trigger: 'auto', before: 100_000, after: 10_000 }]);
});

test('[CTX-3] of a long thread the first, the last, those around compactions and the fullest are returned', async () => {
  const { points }: OutputOf<'context'> = await board.get('context', { id: SESSION, points: 10 });
  expect(points.length).toBeLessThanOrEqual(10);
  const indexes = points.map(({ index }) => index);
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  expect(indexes).toEqual(expect.arrayContaining([0, COMPACTED - 1, COMPACTED, MANY - 1]));
});

test('[CTX-1] a sub-agent that is not there is refused, and a session without counts has no points', async () => {
  expect((await board.problem(`/api/v1/sessions/${SESSION}/context?thread=nobody`)).code).toBe('not-found');
  const quiet = await makeBoard({ files: { ['-p/quiet.jsonl']: [prompt('q1', null, 0, 'Hello'), reply('q2', 'q1', 1, 'Hello')] } });
  const { items } = await quiet.get('sessions');
  expect(await quiet.get('context', { id: items[0]?.session_id ?? '' })).toMatchObject({ responses: 0, points: [], tools: [], peak: 0 });
  await quiet.close();
});
