import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, walk, walkMessages, type Message, type TestBoard } from './boards.ts';
import { ID, MODEL, ODD, SEED } from './hierarchies.ts';
import { prompt, reply, use } from './records.ts';

let seed: TestBoard;
let odd: TestBoard;
beforeAll(async () => {
  seed = await makeBoard({ files: SEED });
  odd = await makeBoard({ files: ODD });
});

/** The tree that a reader sees, by display parents. */
const drawn = (messages: readonly Message[]): readonly string[] => {
  const lines: string[] = [];
  const draw = (parent: string | null, depth: number): void => {
    for (const message of messages.filter((one) => one.parent_uuid === parent)) {
      lines.push(`${'  '.repeat(depth)}${message.type}: ${message.content.split('\n', 1)[0] ?? ''}`);
      draw(message.uuid, depth + 1);
    }
  };
  draw(null, 0);
  return lines;
};

describe('the examples of the seed', () => {
  test('[API-6] example 1: a tool use is a child of the record that holds it, its result a child of the use', async () => {
    expect(drawn(await walkMessages(seed, ID('1')))).toEqual([
      "user: What's in README.md?",
      "  assistant: I'll read that for you",
      '    assistant: 📄 Reading README.md',
      '      tool_use: {"type":"tool_use","name":"Read","input":{"file_path":"README.md"}}',
      '        tool_result: # Project Title...',
      '      user: ↩ # Project Title...',
      '      user: Can you summarize it?',
      '        assistant: The README contains...',
    ]);
  });

  test('[API-6] example 2: each of several uses has its own result', async () => {
    const messages = await walkMessages(seed, ID('2'));
    const parents = Object.fromEntries(messages.map((message) => [message.uuid, message.parent_uuid]));
    expect(parents).toMatchObject({
      b3_tool_0: 'b3',
      b3_result_0: 'b3_tool_0',
      b5: 'b3',
      b5_tool_0: 'b5',
      b5_result_0: 'b5_tool_0',
      b7: 'b5',
      b8: 'b7',
    });
  });

  test('[API-11] example 3: all operations of the turn are grouped under the text that announced them', async () => {
    const operations = await walk(seed, 'operations', { id: ID('3') });
    expect(operations.map(({ group_uuid: group, summary }) => [group, summary])).toEqual([
      ['c2', '🔍 Looked for files *.test.js'],
      ['c2', '📄 Read test1.js'],
      ['c2', '✏️ Edited test1.js'],
      ['c2', '📄 Read test2.js'],
      ['c2', '✏️ Edited test2.js'],
    ]);
    expect(operations.map((one) => [one.uuid, one.result_uuid, one.message_uuid, one.duration_ms])).toEqual([
      ['c3_tool_0', 'c3_result_0', 'c3', 1000],
      ['c5_tool_0', 'c5_result_0', 'c5', 1000],
      ['c7_tool_0', 'c7_result_0', 'c7', 1000],
      ['c9_tool_0', 'c9_result_0', 'c9', 1000],
      ['c11_tool_0', 'c11_result_0', 'c11', 1000],
    ]);
    const main = (await walkMessages(seed, ID('3'), { operations: false })).filter(
      ({ role, content }) => role !== 'result' && !/^[^\w"]/u.test(content),
    );
    expect(main.map(({ content }) => content)).toEqual([
      'Update all test files to use the new API',
      "I'll update the test files",
      'All test files have been updated',
    ]);
  });

  test('[API-6] example 4: uuids, parents, contents and flags are those that the seed writes', async () => {
    const messages = await walkMessages(seed, 'test-session-001');
    const [, owner, used] = messages;
    expect(owner).toMatchObject({
      type: 'assistant',
      uuid: 'msg-3',
      parent_uuid: 'msg-2',
      session_id: 'test-session-001',
      content: '📁 Listing directory: /home/user/project',
      model: MODEL,
      isSidechain: false,
    });
    expect(used).toMatchObject({
      type: 'tool_use',
      uuid: 'msg-3_tool_0',
      parent_uuid: 'msg-3',
      session_id: 'test-session-001',
      content: '{"type":"tool_use","name":"LS","input":{"path":"/home/user/project"}}',
      isSidechain: true,
    });
    expect(messages.find(({ type }) => type === 'tool_result')).toMatchObject({
      uuid: 'msg-3_result_0',
      parent_uuid: 'msg-3_tool_0',
      timestamp: '2025-08-06T10:00:10.000Z',
      content: 'src/\nconfig.json\npackage.json\nREADME.md\ntests/',
      isSidechain: true,
    });
    expect(drawn(messages)).toEqual([
      'user: analyze project',
      '  assistant: 📁 Listing directory: /home/user/project',
      '    tool_use: {"type":"tool_use","name":"LS","input":{"path":"/home/user/project"}}',
      '      tool_result: src/',
      '    user: ↩ src/',
      '    assistant: It is a small project.',
    ]);
  });

  test('[API-6] the blocks of a record stay in its data as they were written, and each operation has its own', async () => {
    const block = { type: 'tool_use', id: 'tool-001', name: 'LS', input: { path: '/home/user/project' } };
    expect((await seed.get('message', { ref: 'msg-3' })).message_data).toMatchObject({ uuid: 'msg-3', message: { content: [block] } });
    expect((await seed.get('message', { ref: 'msg-3_tool_0' })).message_data).toEqual(block);
  });

  test('[API-3] every alias says the same, on records and on what was taken out of them', async () => {
    const messages = await walkMessages(seed, ID('2'));
    expect(messages.length).toBe(12);
    for (const message of messages) {
      expect(message).toMatchObject({ _id: message.uuid, message_uuid: message.uuid, session_id_alias: ID('2'), session_id: ID('2') });
      expect(message.parent_uuid_alias).toBe(message.parent_uuid);
      expect(message.isSidechain).toBe(message.is_sidechain);
      expect(message.created_at).toBe(message.timestamp);
      expect(message.isSidechain).toBe(message.type === 'tool_use' || message.type === 'tool_result');
    }
  });
});

describe('data that is not as it should be', () => {
  test('[API-12] tool messages of the old structure are shown under the owner that their name tells; the raw parent stays', async () => {
    const messages = await walkMessages(odd, ID('a'));
    expect(messages.map((message) => [message.uuid, message.parent_uuid, message.raw_parent_uuid, message.isSidechain])).toEqual([
      ['o1', null, null, false],
      ['o2', 'o1', 'o1', false],
      ['o2_tool_0', 'o2', 'o1', true],
      ['o2_result_0', 'o2_tool_0', 'o1', true],
      ['o2_tool_1', 'o2', null, true],
      ['o2_result_1', 'o2_tool_1', null, true],
      ['stray', null, null, true],
      ['stray_result', null, null, true],
      ['o3', 'o2', 'o2', false],
    ]);
    const tree = await walk(odd, 'tree', { id: ID('a') });
    expect(tree.map((node) => [node.uuid, node.parent_uuid, node.is_sidechain])).toEqual(messages.map((m) => [m.uuid, m.parent_uuid, m.isSidechain]));
    expect((await odd.get('message', { ref: 'o2_tool_1' })).parent_uuid).toBe('o2');
  });

  test('[API-12] an operation that stands in a record of its own as well is shown once', async () => {
    expect((await walkMessages(odd, ID('b'))).map(({ uuid }) => uuid)).toEqual(['m1', 'm2', 'm2_tool_0', 'm3', 'm2_result_0']);
  });

  test('[API-6] a result without a use is listed and hangs nowhere', async () => {
    expect(await odd.get('message', { ref: 'r3_result_0' })).toMatchObject({
      parent_uuid: null,
      content: 'lost',
      isSidechain: true,
      type: 'tool_result',
    });
    const loose = (await walkMessages(odd, ID('c'))).filter(({ uuid }) => uuid.startsWith('r8_result_'));
    expect(loose.map((message) => [message.uuid, message.parent_uuid, message.content])).toEqual([
      ['r8_result_0', null, 'no id'],
      ['r8_result_1', null, 'empty id'],
    ]);
  });

  test('[API-6] of several results of one use the one that counts has the name of the use, the others those of their records', async () => {
    const results = (await walkMessages(odd, ID('c'))).filter(
      ({ uuid, type }) => type === 'tool_result' && !uuid.startsWith('r8') && !uuid.startsWith('r3'),
    );
    expect(results.map((message) => [message.uuid, message.parent_uuid, message.content, message.is_error])).toEqual([
      ['r4_result_0', 'r2_tool_1', 'Async agent launched successfully.', false],
      ['r2_result_0', 'r2_tool_0', 'one\ntwo', true],
      ['r2_result_1', 'r2_tool_1', 'dug', false],
      ['r7_result_0', 'r2_tool_0', 'again', false],
    ]);
    const operations = await walk(odd, 'operations', { id: ID('c') });
    expect(operations.map((one) => [one.uuid, one.result_uuid, one.is_error])).toEqual([
      ['r2_tool_0', 'r2_result_0', true],
      ['r2_tool_1', 'r2_result_1', false],
      ['r9_tool_0', null, false],
      ['r9_tool_1', null, false],
    ]);
    for (const { uuid } of results) expect((await odd.get('message', { ref: uuid })).uuid).toBe(uuid);
  });

  test('[API-6] whatever page it is on, an operation is the same', async () => {
    const all = await walkMessages(odd, ID('c'), { limit: 500 });
    for (const limit of [1, 2, 3]) expect(await walkMessages(odd, ID('c'), { limit })).toEqual(all);
  });

  test('[API-11] what is used without a word before it has no group; a record that says something is its own', async () => {
    const groups = (await walk(odd, 'operations', { id: ID('c') })).map(({ uuid, group_uuid: group }) => [uuid, group]);
    expect(groups).toEqual([
      ['r2_tool_0', 'r2'],
      ['r2_tool_1', 'r2'],
      ['r9_tool_0', 'r2'],
      ['r9_tool_1', 'r2'],
    ]);
    expect((await walk(odd, 'operations', { id: ID('b') })).map(({ group_uuid: group }) => group)).toEqual([null]);
  });

  test('[API-11] a group never reaches into the turn before, and parents in a circle end', async () => {
    const board = await makeBoard({
      files: {
        'p/00000000-0000-4000-8000-000000000001.jsonl': [
          prompt('p1', null, 0, 'first'),
          reply('p2', 'p1', 1, 'said in the first turn'),
          prompt('p3', 'p2', 2, '<command-name>/review</command-name>'),
          reply('p4', 'p3', 3, [use('t1', 'Bash', {})]),
          prompt('p5', 'p4', 4, '[Request interrupted by user]'),
          reply('p6', 'p5', 5, [use('t2', 'Bash', {})]),
          prompt('p7', 'p2', 6, 'second'),
          reply('p8', 'p7', 7, [{ type: 'thinking', thinking: 'hm' }, use('t3', 'Bash', {})]),
          reply('p9', 'p8', 8, [{ type: 'text', text: '  ' }, use('t4', 'Bash', {})]),
          reply('q1', 'q2', 9, [use('t5', 'Bash', {})]),
          reply('q2', 'q1', 10, [use('t6', 'Bash', {})]),
          reply('q3', 'q3', 11, [use('t7', 'Bash', {})]),
        ],
      },
    });
    const operations = await walk(board, 'operations', { id: ID('1') });
    expect(operations.map(({ group_uuid: group }) => group)).toEqual([null, null, null, null, null, null, null]);
    expect(operations).toHaveLength(7);
  });
});
