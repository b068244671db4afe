import { beforeAll, expect, test } from 'vitest';
import { makeBoard, walk, walkMessages, type TestBoard } from './boards.ts';
import { ID, ODD, SEED } from './hierarchies.ts';

let seed: TestBoard;
let odd: TestBoard;
beforeAll(async () => {
  seed = await makeBoard({ files: SEED });
  odd = await makeBoard({ files: ODD });
});

test('[API-6] MSG-n#i is the i-th operation of the record, from 1, and says so wherever it is shown', async () => {
  for (const board of [seed, odd]) {
    for (const { session_id: id } of await walk(board, 'sessions')) {
      for (const message of await walkMessages(board, id, { thread: 'all' })) {
        if (message.ref === null) continue;
        expect(await board.get('message', { ref: message.ref })).toEqual(message);
        expect((await board.get('reference', { ref: message.ref })).message).toEqual(message);
      }
    }
  }
  expect((await odd.get('message', { ref: 'r2_tool_1' })).ref).toMatch(/^MSG-\d+#2$/u);
  const { ref } = await odd.get('message', { ref: 'r2' });
  expect((await odd.get('message', { ref: `${ref ?? ''}#2` })).uuid).toBe('r2_tool_1');
  expect((await walk(odd, 'operations', { id: ID('c') })).map((one) => one.ref)).toEqual([
    `${ref}#1`,
    `${ref}#2`,
    expect.stringMatching(/#1$/u),
    expect.stringMatching(/#2$/u),
  ]);
});

test('[API-6] a message is found by any of its names', async () => {
  const { ref } = await seed.get('message', { ref: 'a3' });
  for (const [wanted, uuid] of [
    ['a3', 'a3'],
    [ref ?? '', 'a3'],
    [(ref ?? '').toLowerCase(), 'a3'],
    [` ${ref ?? ''} `, 'a3'],
    ['a3_tool_0', 'a3_tool_0'],
    ['a3_result_0', 'a3_result_0'],
    [`${ref ?? ''}#1`, 'a3_tool_0'],
  ] as const) {
    expect((await seed.get('message', { ref: wanted })).uuid, `for ${wanted}`).toBe(uuid);
  }
});

test('[API-6] a record may be called like a reference: in its printed spelling the reference is meant, else the record', async () => {
  const third = await seed.get('message', { ref: 'MSG-3' });
  expect(third.ref).toBe('MSG-3');
  expect((await seed.get('message', { ref: 'msg-3' })).uuid).toBe('msg-3');
  expect(third.uuid).not.toBe('msg-3');
});

test('[API-6] EXCH-n is the prompt that began it; a reference knows where, when and by whom it was made', async () => {
  const exchange = await seed.get('reference', { ref: 'EXCH-1' });
  expect(exchange).toMatchObject({
    id: 'EXCH-1',
    kind: 'EXCH',
    created_by: 'human',
    created_at: '2025-08-06T10:00:00.000Z',
    message: { role: 'prompt', exchange: 'EXCH-1' },
  });
  expect(exchange.created_in).toBe(exchange.message?.session_id);
  const part = await seed.get('reference', { ref: `${(await seed.get('message', { ref: 'a3' })).ref ?? ''}#1` });
  expect(part).toMatchObject({ uuid: 'a3_tool_0', kind: 'MSG', created_by: 'AGENT-claude', created_in: ID('1'), message: { uuid: 'a3_tool_0' } });
});

test('[API-7] what is unknown is not found, what is malformed is refused, each with a sentence', async () => {
  const missing = [
    'MSG-99999',
    'MSG-1%239',
    'EXCH-99999',
    'CITE-1',
    'SB-1',
    'FILE-a3b2',
    'FILE-a3b2:10-20',
    'AGENT-x',
    'SCRATCH-89:FINDING-3',
    'MSG-9007199254740991',
  ];
  for (const ref of missing) {
    expect(await seed.problem(`/api/v1/refs/${ref}`), `for ${ref}`).toMatchObject({ status: 404, code: 'not-found' });
    expect(await seed.problem(`/api/v1/messages/${ref}`), `for ${ref}`).toMatchObject({ status: 404, code: 'not-found' });
  }
  for (const ref of [
    'a3_tool_1',
    'a3_tool_999999999',
    'a3_result_7',
    'nobody_tool_0',
    'a1_tool_0',
    'nobody',
    '550e8400-e29b-41d4-a716-446655440000',
  ]) {
    expect(await seed.problem(`/api/v1/messages/${ref}`), `for ${ref}`).toMatchObject({ status: 404, code: 'not-found' });
  }
  for (const ref of [
    'MSG-0',
    'MSG-',
    'MSG-01',
    'MSG-x',
    'MSG-1%230',
    'MSG-1%23',
    'MSG-1.5',
    'MSG--1',
    'EXCH-1%231',
    'XYZ-1',
    'MSG-99999999999999999999',
    'SCRATCH-0',
    'FILE-zz',
  ]) {
    expect(await seed.problem(`/api/v1/refs/${ref}`), `for ${ref}`).toMatchObject({ status: 400, code: 'bad-reference' });
  }
  for (const ref of ['%20', 'two%20words', '%00', "x'%20OR%201=1", '%F0%9F%A6%84%20'])
    expect(await seed.problem(`/api/v1/messages/${ref}`), `for ${ref}`).toMatchObject({ status: 400 });
});
