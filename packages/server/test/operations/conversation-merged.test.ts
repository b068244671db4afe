import { expect, test } from 'vitest';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { TALK, TALK_FILES } from './conversations.ts';
import { prompt } from './records.ts';

const OTHER = 'other';
const FILES = { ...TALK_FILES, [`p/${OTHER}.jsonl`]: [prompt('x', null, 500, 'elsewhere', { sessionId: OTHER })] };

/** Merges a sidebar; the references of what it left where it went. */
const merged = async (board: TestBoard, sidebar: string, input: Input = {}): Promise<readonly string[]> => {
  await board.command('sidebar_consolidate', { sidebar_id: sidebar, summary: 'It is red.' });
  await board.command('sidebar_check_merge', { sidebar_id: sidebar });
  const { refs } = await board.command('sidebar_merge', { sidebar_id: sidebar, ...input });
  return refs;
};

const spawned = async (board: TestBoard, parent: string | null): Promise<string> =>
  (await board.command('sidebar_spawn', { parent_id: parent, task_description: 'Why red?' })).ref ?? '';

/** The step that was asked for, by its first record. */
const stepAt = async (board: TestBoard, at: string, more: Input = {}): Promise<string | null> => {
  const told = await board.get('conversation', { id: TALK, at, ...more });
  return told.items.find(({ index }) => index === told.at)?.uuid ?? null;
};

test('[API-37] what was merged into a session is shown where its sidebar branched off, by any of its names', async () => {
  const board = await makeBoard({ files: FILES });
  const { ref: message } = await board.get('message', { ref: 'u2' });
  const [ref = '', exchange = ''] = await merged(board, await spawned(board, message ?? ''));
  const { message: told } = await board.get('reference', { ref });
  expect(told).toMatchObject({ ref, session_id: TALK, content: 'Sidebar SB-1 completed: It is red.' });
  // The first is asked while the session was never read as a whole.
  expect(await stepAt(board, ref, { quick: 'true' })).toBe('u2');
  for (const name of [ref, ref.toLowerCase(), exchange, told?.uuid ?? '']) expect([name, await stepAt(board, name)]).toEqual([name, 'u2']);
});

test('[API-37] it is shown on the branch that it belongs to, and so is what goes on from it', async () => {
  const board = await makeBoard({ files: FILES });
  const { ref: left } = await board.get('message', { ref: 'old' });
  const [first = ''] = await merged(board, await spawned(board, left ?? ''));
  const [second = ''] = await merged(board, await spawned(board, first));
  for (const ref of [first, second]) {
    expect(await board.get('conversation', { id: TALK, at: ref })).toMatchObject({ leaf_uuid: 'old1', is_active: false });
    expect(await stepAt(board, ref)).toBe('old');
  }
});

test('[API-37] where it is from elsewhere, it is shown at what was said last before', async () => {
  const board = await makeBoard({ files: FILES });
  const [rootless = ''] = await merged(board, await spawned(board, null), { parent_id: TALK });
  expect(await stepAt(board, rootless)).toBe('f1');
});

test('[API-37] what stands in a sidebar, in another session or in none is said to be there', async () => {
  const board = await makeBoard({ files: FILES });
  const sidebar = await spawned(board, OTHER);
  const { refs } = await board.command('chat_message', { sidebar_id: sidebar, content: 'Because.' });
  const [elsewhere = ''] = await merged(board, sidebar);
  const { ref: gold } = await board.command('gold_created', {
    source_refs: [elsewhere],
    key_insight: 'Red it is',
    reuse_pattern: 'Paint it',
    trigger_conditions: ['a colour is wanted'],
  });
  const detail = async (at: string): Promise<string> => (await board.problem(`/api/v1/sessions/${TALK}/conversation?at=${at}`)).detail;
  expect([await detail(refs[0] ?? ''), await detail(elsewhere), await detail(gold ?? '')]).toEqual([
    `${refs[0]} is in SB-1, not in ${TALK}`,
    `${elsewhere} is in session ${OTHER}, not in ${TALK}`,
    `${gold} is not part of a conversation`,
  ]);
});
