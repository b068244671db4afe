import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTINE_TASKS } from '@yarnboard/domain';
import { makeBoard, type TestBoard } from '../boards.ts';

describe('automatic merges at the doors', () => {
  let board: TestBoard;
  const tokens = new Map<string, string>();
  let root = '';
  beforeAll(async () => {
    board = await makeBoard({});
    for (const name of ['ada', 'ben']) tokens.set(name, (await board.command('agent_register', { agent_id: name })).token);
    root = (await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', participants: ['ada', 'ben'] })).ref ?? '';
  });
  afterAll(() => board.close());

  const post = (by: string, path: string, body: object): Promise<Response> =>
    board.ask(`/api/v1/${path}`, { method: 'POST', headers: { authorization: `Bearer ${tokens.get(by) ?? ''}` }, body: JSON.stringify(body) });

  /** A status check whose package the curator, ben, has still to look at. */
  const prepare = async (): Promise<string> => {
    const about = {
      sub_task_description: 'Is it up?',
      task_type: 'status_check',
      participants: ['ada', 'ben'],
      curator_agent: 'ben',
      success_criteria: 'c',
    };
    const sidebar = (await board.command('sidebar_child_spawn', { parent_sidebar_id: root, ...about })).ref ?? '';
    await post('ada', `sidebars/${sidebar}/findings`, { content: 'The mirror is up.', source_refs: [root] });
    await board.command('scratchpad_entry_validated', { sidebar_id: sidebar, entry_id: 'FINDING-1', status: 'confirmed' });
    await board.command('sidebar_consolidate', { sidebar_id: sidebar });
    return sidebar;
  };
  const find = (sidebar: string): Promise<Response> => post('ben', `sidebars/${sidebar}/check`, { fit: true });

  test('[AUTO-1] no agent changes what merges, through any door', async () => {
    expect((await post('ada', 'auto_merge_config', { auto_merge_enabled: true })).status).toBe(403);
    expect((await board.get('auto_merge_history', {})).config).toMatchObject({ auto_merge_enabled: false, allowed_task_types: [] });
  });

  test('[AUTO-4] [AUTO-19] a type that was approved merges by itself, is told as automatic, and has a history', async () => {
    const before = await board.get('auto_merge_history', {});
    expect(before.types.map(({ task_type: type, clean_rate: rate, condition }) => [type, rate, condition !== null])).toEqual(
      ROUTINE_TASKS.map((type) => [type, null, true]),
    );
    const approved = await prepare();
    expect((await board.get('auto_merge_obstacles', { sidebar_id: approved })).obstacles.map(({ obstacle }) => obstacle)).toEqual([
      'off',
      'type-not-allowed',
      'unchecked',
      'first-time',
    ]);
    await find(approved);
    await board.command('sidebar_merge', { sidebar_id: approved });
    await board.command('auto_merge_config', { auto_merge_enabled: true, allowed_task_types: ['status_check'], required_approvals: 1 });
    const sidebar = await prepare();
    const { events } = (await (await find(sidebar)).json()) as { readonly events: readonly Readonly<Record<string, unknown>>[] }; // the answer of a command
    expect(events.find(({ type }) => type === 'sidebar_merge')).toMatchObject({ success: true, automatic: true });
    expect(events.find(({ type }) => type === 'auto_merge')).toMatchObject({ task_type: 'status_check', checked_by: 'AGENT-ben' });
    const after = await board.get('auto_merge_history', { task_type: 'Status_check' });
    expect(after.items).toMatchObject([{ sidebar_id: sidebar, target: root, problems: [], config: { required_approvals: 1 } }]);
    expect(after.types[0]).toMatchObject({ auto_merges: 1, clean_rate: 1, looked_at: 1, would_have_merged: 0 });
    expect((await post('ada', `sidebars/${sidebar}/problems`, { ref: root, notes: 'it was down' })).status).toBe(200);
    expect((await board.get('auto_merge_history', {})).types[0]).toMatchObject({ clean_rate: 0, suspended: { sidebar_id: sidebar } });
  });
});
