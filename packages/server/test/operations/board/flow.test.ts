import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from '../boards.ts';

describe('a sidebar over HTTP', () => {
  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({});
  });
  afterAll(() => board.close());

  test('[API-13] from spawn to fork', async () => {
    const spawned = await board.command('sidebar_spawn', {
      parent_id: null,
      task_description: 'Why do logins time out?',
      success_criteria: 'The cause is known',
    });
    expect(spawned).toMatchObject({ ref: 'SB-1', refs: ['SB-1'], duplicate: false, warnings: [] });
    expect(spawned.events.map(({ type }) => type)).toEqual(['sidebar_spawn', 'scratchpad_created']);
    const said = await board.command('chat_message', { sidebar_id: 'SB-1', content: 'The pool is exhausted at noon.' });
    expect(said.refs).toEqual(['MSG-1', 'EXCH-1']);
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The retry limit is 3.', source_refs: ['MSG-1'] });
    const clash = await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The retry limit is 5.', source_refs: ['MSG-1'] });
    expect(clash.events.map(({ type }) => type)).toEqual(['scratchpad_entry_submitted', 'scratchpad_conflict', 'chat_message']);
    await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: 'FINDING-1', status: 'confirmed' });
    const refused = await board.problem('/api/v1/sidebars/SB-1/findings/FINDING-2/validation', {
      method: 'POST',
      body: JSON.stringify({ status: 'confirmed' }),
      headers: { authorization: `Bearer ${board.token}` },
    });
    expect(refused).toMatchObject({ status: 409, code: 'open-conflict' });
    await board.command('scratchpad_entry_validated', {
      sidebar_id: 'SB-1',
      entry_id: 'FINDING-2',
      status: 'rejected',
      validation_notes: 'measured: it is 3',
    });
    const gold = await board.command('gold_created', {
      sidebar_id: 'SB-1',
      source_refs: ['SCRATCH-1:FINDING-1'],
      key_insight: 'Retries exhaust the pool',
      reuse_pattern: 'Count retries against the pool size',
      trigger_conditions: ['Similar symptoms: login timeout + pool exhausted'],
    });
    expect(gold.ref).toBe('GOLD-1');
    await board.command('gold_validated', { gold_id: 'GOLD-1', status: 'confirmed' });
    await board.command('scratchpad_checkpoint', { sidebar_id: 'SB-1', summary: 'the cause is known' });
    await board.command('sidebar_consolidate', { sidebar_id: 'SB-1' });
    await board.command('sidebar_check_merge', { sidebar_id: 'SB-1' });
    const other = await board.command('sidebar_spawn', { parent_id: null, task_description: 'Where it all goes' });
    expect(other.warnings).toHaveLength(1);
    const merged = await board.command('sidebar_merge', { sidebar_id: 'SB-1', parent_id: 'SB-2' });
    expect(merged.events.map(({ type }) => type)).toContain('memory_update');
    await board.command('sidebar_archive', { sidebar_id: 'SB-1' });
    const fork = await board.command('sidebar_fork', { original_sidebar_id: 'SB-1', fork_reason: 'it is back' });
    expect(fork.ref).toBe('SB-3');
    expect(await board.get('sidebar_archived', { sidebar_id: 'SB-1' })).toMatchObject({
      archive_reason: 'merged',
      final_status: 'MERGED',
      forked_into: ['SB-3'],
      gold_citations: ['GOLD-1'],
    });
    const memory = await board.get('sidebar_memory', { sidebar_id: 'SB-3', part: 'inherited' });
    expect(memory.items.map(({ content }) => content)[0]).toBe('The pool is exhausted at noon.');
    const local = await board.get('sidebar_memory', { sidebar_id: 'SB-2' });
    expect(local.items.map(({ content }) => content)).toEqual([expect.stringContaining('Sidebar SB-1 completed')]);
    for (const name of ['sidebars', 'golds', 'episodes', 'agents', 'citations', 'lifecycle'] as const) await board.get(name, {});
    expect(await board.get('reference', { ref: 'SCRATCH-1:FINDING-1' })).toMatchObject({ kind: 'SCRATCH', created_in: 'SB-1' });
    expect(await board.get('message', { ref: 'MSG-1' })).toMatchObject({ content: 'The pool is exhausted at noon.' });
    expect(await board.get('episodes', { sidebar_id: 'SB-1' })).toMatchObject({
      items: [
        { provisional: false, about: 'SB-1', pointers: { scratchpad: 'SCRATCH-1', golds: ['GOLD-1'] } },
        { provisional: false },
        { provisional: false },
      ],
    });
  });
});
