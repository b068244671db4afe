import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type Input, type TestBoard } from '../boards.ts';

const PARTS: readonly (readonly [
  'scratchpad' | 'sidebar' | 'episodes' | 'sidebar_memory' | 'inbox' | 'golds' | 'sidebar_archived' | 'log',
  Input,
])[] = [
  ['scratchpad', { sidebar_id: 'SB-2' }],
  ['sidebar', { sidebar_id: 'SB-2' }],
  ['sidebar_archived', { sidebar_id: 'SB-2' }],
  ['sidebar_memory', { sidebar_id: 'SB-2', part: 'local' }],
  ['sidebar_memory', { sidebar_id: 'SB-1', part: 'local' }],
  ['episodes', {}],
  ['golds', {}],
  ['inbox', {}],
  ['log', { limit: 500 }],
];

const shown = async (board: TestBoard): Promise<string> => {
  const answers: unknown[] = [];
  for (const [name, input] of PARTS) answers.push(await board.command(name, input));
  return JSON.stringify(answers);
};

const kept = async ({ board }: TestBoard): Promise<string> => {
  const { log } = board.store;
  const all = await log.payloadsOf(Array.from({ length: (await log.head()).count }, (_, i) => i + 1));
  return [...all.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n');
};

const findingIds = async (board: TestBoard, sidebar_id: string): Promise<ReadonlyMap<string, string>> => {
  const pad = await board.get('scratchpad', { sidebar_id });
  return new Map([...pad.confirmed_findings, ...pad.pending_findings, ...pad.rejected_findings].map(({ entry_id: ref, uuid }) => [ref, uuid]));
};

/** A parent, and a child in which two findings contradict each other; one of them was kept, merged and archived. */
const mergeChild = async (content: string, other: string): Promise<TestBoard> => {
  const board = await makeBoard({});
  await board.command('sidebar_spawn', { parent_id: null, task_description: 'parent' });
  await board.command('sidebar_child_spawn', { parent_sidebar_id: 'SB-1', sub_task_description: 'child', success_criteria: 'c' });
  await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content });
  await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content: other });
  await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: 'FINDING-2', status: 'rejected', validation_notes: 'no' });
  await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: 'FINDING-1', status: 'confirmed' });
  await board.command('scratchpad_checkpoint', { sidebar_id: 'SB-2', summary: 'so far' });
  await board.command('sidebar_consolidate', { sidebar_id: 'SB-2' });
  await board.command('sidebar_check_merge', { sidebar_id: 'SB-2' });
  await board.command('sidebar_merge', { sidebar_id: 'SB-2' });
  await board.command('sidebar_archive', { sidebar_id: 'SB-2' });
  // Being built upon backs the scratchpad up.
  await board.command('sidebar_fork', { original_sidebar_id: 'SB-2', fork_reason: 'again' });
  return board;
};

describe('what repeats what is forgotten', () => {
  test('[ENGINE-36] a finding is gone from wherever it was repeated: episodes, backups, conflicts, what was said about them, merges and archives', async () => {
    const board = await mergeChild('The xylophone limit is 3.', 'The xylophone limit is 5.');
    const before = await kept(board);
    for (const type of ['"finalSummary"', '"trigger":"checkpoint"', '"reason":"Referenced by fork', 'contradicts'])
      expect(before.split('\n').some((line) => line.includes(type) && line.includes('xylophone'))).toBe(true);
    const ids = await findingIds(board, 'SB-2');
    for (const ref of ['SCRATCH-2:FINDING-1', 'SCRATCH-2:FINDING-2']) await board.command('forget', { ref: ids.get(ref) ?? '' });
    await board.board.indexer.drain();
    expect([(await shown(board)).includes('xylophone'), (await kept(board)).includes('xylophone')]).toEqual([false, false]);
    expect(await board.get('scratchpad', { sidebar_id: 'SB-2' })).toMatchObject({
      confirmed_findings: [{ entry_id: 'SCRATCH-2:FINDING-1', content: '(forgotten)' }],
      rejected_findings: [{ entry_id: 'SCRATCH-2:FINDING-2', content: '(forgotten)' }],
      conflicts: [{ entry_ids: [], conflict_description: '(forgotten)', is_open: false }],
      final_summary: '(forgotten)',
    });
    expect(await board.get('sidebar', { sidebar_id: 'SB-2' })).toMatchObject({ status: 'ARCHIVED', merged_into: 'SB-1' });
    expect((await board.get('sidebar_memory', { sidebar_id: 'SB-1', part: 'local' })).items).toMatchObject([{ content: '[forgotten]' }]);
    expect((await board.get('search', { q: 'xylophone' })).items).toEqual([]);
    expect((await board.get('verify')).broken).toBeNull();
    expect(board.faults).toEqual([]);
  });

  test('[ENGINE-36] a short finding is gone from the summaries that were made of it, too', async () => {
    const board = await mergeChild('code zyx9', 'Nothing of the kind is known.');
    const ids = await findingIds(board, 'SB-2');
    await board.command('forget', { ref: ids.get('SCRATCH-2:FINDING-1') ?? '' });
    expect((await kept(board)).includes('zyx9')).toBe(false);
  });

  test('[ENGINE-36] a long finding is gone from summaries that have only its beginning, with other spaces and cut before a secret', async () => {
    const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const board = await mergeChild(`The  vibraphone\nis ${'loud and '.repeat(18)}${key} ${'on and on '.repeat(50)}`, 'Nothing of the kind is known.');
    expect(await kept(board)).toContain('child. Found: The vibraphone is loud');
    const ids = await findingIds(board, 'SB-2');
    await board.command('forget', { ref: ids.get('SCRATCH-2:FINDING-1') ?? '' });
    expect((await kept(board)).includes('vibraphone')).toBe(false);
  });

  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({});
    await board.command('agent_register', { agent_id: 'research' });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'ok?', success_criteria: 'c', participants: ['research'] });
  });

  test('[ENGINE-36] nothing else is touched, whatever words it has in common with it', async () => {
    const said = await board.command('chat_message', { sidebar_id: 'SB-1', content: 'ok' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The token is broken, ok' });
    await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: 'FINDING-1', status: 'confirmed' });
    await board.command('scratchpad_checkpoint', { sidebar_id: 'SB-1', summary: 'ok' });
    await board.command('mention_route', { sidebar_id: 'SB-1', target_agents: ['research'], message: 'ok' });
    const before = (await kept(board)).split('\n');
    const [message = ''] = said.refs;
    await board.command('forget', { ref: message });
    const after = new Set((await kept(board)).split('\n'));
    const uuid = before.find((line) => line.includes('"content":"ok"')) ?? '';
    expect(before.filter((line) => !after.has(line))).toEqual([uuid]);
  });

  test('[ENGINE-36] whom a message mentioned is not told any more what it said', async () => {
    const said = await board.command('chat_message', { sidebar_id: 'SB-1', content: '@research: the marimba is out of tune' });
    expect(await kept(board)).toContain('"message":"@research: the marimba');
    await board.command('forget', { ref: said.refs[0] ?? '' });
    expect((await kept(board)).includes('marimba')).toBe(false);
  });

  test('[SUM-5] a message is gone from the summary that was made of it', async () => {
    const made = await makeBoard({});
    await made.command('sidebar_spawn', { parent_id: null, task_description: 'Which instrument is it?', success_criteria: 'c' });
    const said = await made.command('chat_message', {
      sidebar_id: 'SB-1',
      content: 'It turns out that the celesta is broken, because a hammer is missing.',
    });
    await made.command('chat_message', { sidebar_id: 'SB-1', content: 'We decided to rent a harmonium for the concert in May.' });
    const before = await made.command('sidebar_archive', { sidebar_id: 'SB-1' });
    expect(before.refs).toBeDefined();
    const archived = await made.get('sidebar_archived', { sidebar_id: 'SB-1' });
    expect(archived.summary).toMatch(/celesta is broken.* \(MSG-\d+\)\. Decided: .*harmonium.* \(MSG-\d+\)\.$/u);
    await made.command('forget', { ref: said.refs[0] ?? '' });
    expect((await kept(made)).includes('celesta')).toBe(false);
    expect((await made.get('verify')).broken).toBeNull();
  });

  test('[ENGINE-36] a waypoint takes what is kept of it and where it was shown along', async () => {
    await board.command('gold_created', {
      sidebar_id: 'SB-1',
      source_refs: ['SCRATCH-1:FINDING-1'],
      key_insight: 'A glockenspiel drowns the rest',
      reuse_pattern: 'Take the glockenspiel away',
      trigger_conditions: ['Similar symptoms: glockenspiel + noise'],
    });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'elsewhere', success_criteria: 'c' });
    const shownIn = await board.command('chat_message', { sidebar_id: 'SB-2', content: 'There is noise from the glockenspiel' });
    expect(shownIn.events.map(({ type }) => type)).toContain('gold_surfaced');
    const before = await kept(board);
    const { uuid } = await board.get('gold', { gold_id: 'GOLD-1' });
    await board.command('forget', { ref: uuid });
    const after = new Set((await kept(board)).split('\n'));
    const gone = before.split('\n').filter((line) => !after.has(line));
    expect(
      gone.map((line) => Object.keys(JSON.parse(line) as object).filter((key) => ['keyInsight', 'trigger', 'priority', 'condition'].includes(key))),
    ).toEqual([['keyInsight'], ['priority', 'trigger'], ['priority'], ['condition']]);
    expect(await kept(board)).toContain('There is noise from the glockenspiel');
  });
});

describe('the same words', () => {
  test('[ENGINE-35] forgotten in one place stay in another, can be said again, and a board that is read anew is the same', async () => {
    const board = await makeBoard({});
    for (const task of ['one', 'two']) await board.command('sidebar_spawn', { parent_id: null, task_description: task });
    const said = await board.command('chat_message', { sidebar_id: 'SB-1', content: 'the password is swordfish' });
    await board.command('chat_message', { sidebar_id: 'SB-2', content: 'the password is swordfish' });
    await board.command('forget', { ref: said.refs[0] ?? '' });
    await board.command('chat_message', { sidebar_id: 'SB-1', content: 'the password is swordfish' });
    const contents = async (sidebar_id: string): Promise<readonly string[]> =>
      (await board.get('sidebar_memory', { sidebar_id, part: 'local' })).items.map(({ content }) => content);
    expect([await contents('SB-1'), await contents('SB-2')]).toEqual([['[forgotten]', 'the password is swordfish'], ['the password is swordfish']]);
  });
});
