import { expect, test } from 'vitest';
import { makeBoard } from './boards.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

const spent = (record: Fields, id: string, at: string, input: number, read: number): Fields => {
  const usage = Object.fromEntries([
    ['input_tokens', input],
    ['output_tokens', 10],
    ['cache_read_input_tokens', read],
  ]);
  return { ...record, timestamp: at, message: { ...(record['message'] as Fields), id, usage } }; // a record of a message
};
const SESSION = '05a9e000-0000-4000-8000-000000000001';

const files = {
  [`-p/${SESSION}.jsonl`]: [
    prompt('u1', null, 0, 'Weave'),
    spent(
      reply('a1', 'u1', 1, [use('t1', 'Bash', { command: 'a' }), use('t2', 'Bash', { command: 'b' }), use('t3', 'Read', {})]),
      'm1',
      '2026-03-01T22:30:00Z',
      100,
      5000,
    ),
    result('r1', 'a1', 2, 't1', 'bad', { isError: true, timestamp: '2026-03-01T22:31:00Z' }),
    result('r2', 'r1', 3, 't2', 'ok', { timestamp: '2026-03-01T22:32:00Z' }),
    spent(reply('a2', 'r2', 4, 'Done'), 'm2', '2026-03-04T10:00:00Z', 200, 7000),
  ],
};

test('[USE-1] a period has its tokens by kind, by day, hour of the week, model, project and session', async () => {
  const board = await makeBoard({ files });
  const all = await board.get('usage');
  expect(all.total).toMatchObject({ responses: 2, usage: { input_tokens: 300, output_tokens: 20, cache_read_tokens: 12_000 } });
  expect(all.by_day.map(({ day, responses }) => [day, responses])).toEqual([
    ['2026-03-01', 1],
    ['2026-03-04', 1],
  ]);
  expect(all.by_week_hour.map(({ weekday, hour }) => [weekday, hour])).toEqual([
    [2, 10],
    [6, 22],
  ]);
  expect(all.sessions).toMatchObject([{ session_id: SESSION, title: 'Weave', project: '/home/ada/loom', responses: 2 }]);
  expect(all.by_project).toMatchObject([{ key: '/home/ada/loom', responses: 2 }]);
  expect(all.by_model).toHaveLength(1);
  const part = await board.get('usage', { since: '2026-03-02', until: '2026-03-04' });
  expect(part.total.responses).toBe(1);
  expect(part.tools).toEqual([]);
  await board.close();
});

test('[USE-2] days and hours are counted where somebody is', async () => {
  const board = await makeBoard({ files });
  const { by_day: days, by_week_hour: hours } = await board.get('usage', { utc_offset: 120 });
  expect(days.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-04']);
  expect(hours.map(({ weekday, hour }) => [weekday, hour])).toEqual([
    [0, 0],
    [2, 12],
  ]);
  const first = await board.get('usage', { utc_offset: 120, since: '2026-03-02', until: '2026-03-02' });
  expect(first.total.responses).toBe(1);
  expect((await board.problem('/api/v1/usage?since=nonsense')).code).toBe('bad-request');
  expect((await board.problem('/api/v1/usage?utc_offset=9999')).code).toBe('bad-request');
  await board.close();
});

test('[USE-3] tools tell how often they were used and how often they failed; what is copied is counted once', async () => {
  const fork = {
    [`-p/05a9e000-0000-4000-8000-000000000002.jsonl`]: files[`-p/${SESSION}.jsonl`]?.map((record) => ({ ...record, sessionId: 'x' })) ?? [],
  };
  const board = await makeBoard({ files: { ...files, ...fork } });
  expect((await board.get('usage')).tools).toEqual([
    { name: 'Bash', uses: 2, errors: 1 },
    { name: 'Read', uses: 1, errors: 0 },
  ]);
  await board.close();
});

test('[USE-4] the last five hours and the last week end now, whatever the period', async () => {
  const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, 'Weave'),
        spent(reply('a1', 'u1', 1, 'One'), 'm1', ago(200), 1, 0),
        spent(reply('a2', 'a1', 2, 'Two'), 'm2', ago(48), 2, 0),
        spent(reply('a3', 'a2', 3, 'Three'), 'm3', ago(1), 4, 0),
      ],
    },
  });
  const { last_five_hours: five, last_week: week, total } = await board.get('usage', { until: '2020-01-01' });
  expect([total.responses, five.usage.input_tokens, week.usage.input_tokens]).toEqual([0, 4, 6]);
  await board.close();
});
