import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { makeBoard, pathOf, walk, walkMessages, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
// Lower case letters only: the index keeps words in small letters.
const PLANTED = ['zebracrossing', 'quaggafoal', 'okapistripe', 'nyalatitle', 'kudusummary'] as const;

const makeForgettable = (): Promise<TestBoard> =>
  makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, `please forget ${PLANTED[0]} soon`),
        reply('u2', 'u1', 1, [{ type: 'text', text: `I said ${PLANTED[1]}` }, use('t1', 'Bash', { command: `echo ${PLANTED[1]}` })]),
        result('u3', 'u2', 2, 't1', `printed ${PLANTED[2]}`),
        prompt('u4', 'u3', 3, 'what remains is said here'),
        { type: 'custom-title', customTitle: `about ${PLANTED[3]}`, sessionId: SESSION },
        { type: 'summary', summary: `of ${PLANTED[4]}`, leafUuid: 'u4' },
      ],
    },
  });

const everything = async (board: TestBoard): Promise<string> => {
  const answers: string[] = [];
  for (const { name, method, input } of Object.values<Operation>(REGISTRY)) {
    if (method !== 'GET') continue;
    const { shape } = input;
    const inputs =
      'ref' in shape
        ? ['MSG-1', 'MSG-2', 'MSG-3', 'MSG-4'].map((ref) => ({ ref }))
        : 'q' in shape
          ? PLANTED.map((q) => ({ q: `${q.slice(0, -1)}*` }))
          : [{ id: SESSION }];
    for (const one of inputs)
      answers.push(await (await board.ask(pathOf(name as OperationName, 'ref' in one || 'q' in one || 'id' in shape ? one : {}))).text());
    if ('thread' in shape) answers.push(await (await board.ask(pathOf('messages', { id: SESSION, thread: 'all' }))).text());
  }
  for (const path of ['/', '/metrics', '/healthz']) answers.push(await (await board.ask(path)).text());
  return answers.join('\n');
};

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('[DATA-4] what is forgotten over HTTP is gone from every route and from every file of the home, and the log verifies', async () => {
  const board = await makeForgettable();
  const before = await everything(board);
  for (const word of PLANTED) expect(before).toContain(word);
  // Kept in memory by now, as a graph.
  await board.get('session', { id: SESSION });
  const entries = (await walk(board, 'log')).filter(({ raw_content: raw }) => PLANTED.some((word) => raw?.includes(word)));
  expect(entries).toHaveLength(5);
  for (const { refs, payload_hash: hash } of entries) {
    const ref = refs[0] ?? hash ?? '';
    const done = await board.command('forget', { ref });
    expect(done.payload_hash).toBe(hash);
    expect(
      await board.problem('/api/v1/forget', { method: 'POST', body: JSON.stringify({ ref }), headers: { authorization: `Bearer ${board.token}` } }),
    ).toMatchObject({
      status: 409,
      code: 'already-forgotten',
    });
  }
  await board.board.indexer.drain();
  const after = await everything(board);
  for (const word of PLANTED) expect(after.includes(word)).toBe(false);
  expect(after).toContain('what remains is said here');
  expect(await board.get('verify')).toMatchObject({ is_whole: true, forgotten: 5, broken: null });
  expect(board.faults).toEqual([]);
  await board.close();
  for (const file of filesBelow(board.home.folder)) {
    const bytes = readFileSync(file).toString('latin1').toLowerCase();
    for (const word of PLANTED) expect(bytes.includes(word), `${word} in ${file}`).toBe(false);
  }
});

test('[DATA-4] [LIB-12] a kind of sub-agent that only a forgotten meta file told is told no more', async () => {
  const below = `-p/${SESSION}/subagents/agent-a1`;
  const said = reply('x1', null, 1, 'hm', { isSidechain: true, agentId: 'a1' });
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [prompt('u1', null, 0, 'go')],
      [`${below}.jsonl`]: [{ ...said, message: { role: 'assistant', content: 'hm', usage: { ['output_tokens']: 3 } } }],
      [`${below}.meta.json`]: [{ agentType: PLANTED[0] }],
    },
  });
  const kinds = async (): Promise<readonly string[]> => (await board.get('stats')).by_agent.map(({ key }) => key);
  expect(await kinds()).toEqual([PLANTED[0]]);
  const entry = (await walk(board, 'log')).find(({ raw_content: raw }) => raw?.includes(PLANTED[0]));
  await board.command('forget', { ref: entry?.payload_hash ?? '' });
  expect(await kinds()).toEqual(['sub-agent']);
  await board.close();
});

test('[DATA-4] what is forgotten keeps its place: number, parent, neighbours, and says what happened', async () => {
  const board = await makeForgettable();
  const shape = await board.get('session', { id: SESSION });
  const tree = await walk(board, 'tree', { id: SESSION });
  await board.command('forget', { ref: 'MSG-1' });
  const message = await board.get('message', { ref: 'MSG-1' });
  expect(message).toMatchObject({ uuid: 'u1', ref: 'MSG-1', exchange: 'EXCH-1', is_forgotten: true, content: '[forgotten]', message_data: null });
  expect((await board.get('reference', { ref: 'EXCH-1' })).message).toEqual(message);
  expect(await walk(board, 'tree', { id: SESSION })).toEqual(tree);
  expect(await board.get('session', { id: SESSION })).toMatchObject({
    roots: shape.roots,
    active_path: { leaf_uuid: shape.active_path.leaf_uuid },
    tools: shape.tools,
  });
  expect((await walkMessages(board, SESSION)).map(({ uuid }) => uuid)).toEqual(['u1', 'u2', 'u2_tool_0', 'u3', 'u2_result_0', 'u4']);
  expect((await board.get('search', { q: PLANTED[0], mode: 'words' })).items).toEqual([]);
  // By meaning others may be near; none of them tells of it.
  expect(JSON.stringify((await board.get('search', { q: PLANTED[0] })).items)).not.toContain(PLANTED[0]);
  expect((await board.get('log', { limit: 1 })).items[0]).toMatchObject({ raw_content: null, entry_id: 'MSG-1' });
  const last = (await walk(board, 'log')).at(-1);
  expect(last).toMatchObject({ type: 'payload.forgotten', sender: 'human', note: (await board.get('log', { limit: 1 })).items[0]?.payload_hash });
});

test('[DATA-4] reading the file again brings nothing back, and neither does a rebuild', async () => {
  const board = await makeForgettable();
  await board.command('forget', { ref: 'u1' });
  expect(await board.command('import', { paths: [join(board.folder, 'projects')] })).toMatchObject({ added: 0, copied: 0 });
  await board.command('rebuild');
  await board.command('repair', { session: SESSION });
  await board.board.indexer.drain();
  expect((await everything(board)).includes(PLANTED[0])).toBe(false);
  expect((await board.get('verify')).is_whole).toBe(true);
});

test('[DATA-4] a record that is called like a reference is forgotten by its own name, never another in its place', async () => {
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [prompt('a', null, 0, 'first'), prompt('b', 'a', 1, 'second'), prompt('msg-1', 'b', 2, 'third')],
    },
  });
  await board.command('forget', { ref: 'msg-1' });
  expect((await walkMessages(board, SESSION)).map(({ content }) => content)).toEqual(['first', 'second', '[forgotten]']);
  await board.command('forget', { ref: 'MSG-1' });
  expect((await walkMessages(board, SESSION)).map(({ content }) => content)).toEqual(['[forgotten]', 'second', '[forgotten]']);
});

test('[DATA-4] what a fork says again is forgotten with the original', async () => {
  const fork = '22222222-0000-4000-8000-000000000002';
  const said = prompt('u1', null, 0, `please forget ${PLANTED[0]} soon`);
  const board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [{ ...said, sessionId: SESSION }, prompt('u2', 'u1', 1, 'and go on')],
      [`-p/${fork}.jsonl`]: [{ ...said, sessionId: fork, forkedFrom: { sessionId: SESSION, messageUuid: 'u1' } }, prompt('v2', 'u1', 2, 'or do not')],
    },
  });
  expect((await walkMessages(board, fork))[0]).toMatchObject({
    is_copy: true,
    copy_of: 'MSG-1',
    ref: 'MSG-1',
    content: `please forget ${PLANTED[0]} soon`,
  });
  expect((await board.get('session', { id: fork })).ref).toBe('MSG-1');
  await board.command('forget', { ref: 'MSG-1' });
  await board.board.indexer.drain();
  expect((await walkMessages(board, fork)).map(({ content }) => content)).toEqual(['[forgotten]', 'or do not']);
  expect(await (await board.ask('/api/v1/log')).text()).not.toContain(PLANTED[0]);
  expect(await (await board.ask('/api/v1/sessions')).text()).not.toContain(PLANTED[0]);
  expect(await board.get('verify')).toMatchObject({ is_whole: true, forgotten: 2 });
});
