import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from '../boards.ts';

type Told = Readonly<Record<string, unknown>>;

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({});
});

const eventsOf = ({ events }: { readonly events: readonly unknown[] }): readonly Told[] => events as readonly Told[]; // as the wire tells them
const spawn = async (more: Told = {}): Promise<string> =>
  String((await board.command('sidebar_spawn', { parent_id: null, task_description: 'why is login slow?', ...more })).ref);

describe('what becomes of a merge', () => {
  test('[MERGE-12] one that is refused is reported as a merge without success, with the reason and what it would have brought', async () => {
    const parent = await spawn();
    const child = String(
      (await board.command('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'measure', priority: 'HIGH' })).ref,
    );
    const scratch = child.replace('SB-', 'SCRATCH-');
    await board.command('scratchpad_entry_submitted', { sidebar_id: child, content: 'The pool size is 10' });
    await board.command('scratchpad_entry_validated', { sidebar_id: child, entry_id: 'FINDING-1', status: 'confirmed' });
    await board.command('sidebar_consolidate', { sidebar_id: child });
    await board.command('sidebar_check_merge', { sidebar_id: child });
    const refused = await board.command('sidebar_merge', { sidebar_id: child, success: false, reason: 'measure twice' });
    expect(eventsOf(refused)).toMatchObject([
      {
        type: 'sidebar_merge',
        sidebar_id: child,
        parent_id: parent,
        consolidated_findings: [`${scratch}:FINDING-1`],
        success: false,
        reason: 'measure twice',
        old_status: 'CONSOLIDATING',
        new_status: 'ACTIVE',
      },
    ]);
    expect(await board.get('sidebar', { sidebar_id: child })).toMatchObject({ status: 'ACTIVE', merge: null });
    const merged = eventsOf(await board.command('sidebar_finish', { sidebar_id: child }));
    expect(merged.find(({ type }) => type === 'sidebar_merge')).toMatchObject({ success: true, parent_id: parent });
    // MEM-14: as urgent as what was merged.
    expect(merged.find(({ type }) => type === 'memory_update')).toMatchObject({ priority: 'HIGH', context_id: parent });
  });

  test('[MEM-14] talk that begins an exchange stores one, and talk that goes on with it does not', async () => {
    const sidebar = await spawn({ priority: 'CRITICAL' });
    const said = await board.command('chat_message', { sidebar_id: sidebar, content: 'it takes three seconds', citations: [sidebar] });
    const [message = '', exchange = ''] = said.refs;
    expect(eventsOf(said)[0]).toMatchObject({
      type: 'chat_message',
      memory_update: {
        exchange: { exchange_id: exchange },
        context_id: sidebar,
        priority: 'CRITICAL',
      },
    });
    const [answer] = eventsOf(await board.command('chat_message', { sidebar_id: sidebar, content: 'since Monday', in_reply_to: message }));
    expect(answer).not.toHaveProperty('memory_update');
  });
});

describe('what is kept', () => {
  test('[KEEP-6] the note of whoever archives a sidebar is in its archive, in the event and in search', async () => {
    const sidebar = await spawn();
    const [archived] = eventsOf(await board.command('sidebar_archive', { sidebar_id: sidebar, note: 'superseded by the quarterly audit' }));
    expect(archived).toMatchObject({ type: 'sidebar_archive', note: 'superseded by the quarterly audit' });
    expect(await board.get('sidebar_archived', { sidebar_id: sidebar })).toMatchObject({ note: 'superseded by the quarterly audit' });
    await board.board.indexer.drain();
    expect((await board.get('search', { q: 'quarterly audit' })).items.length).toBe(1);
  });

  test('[PAD-20] every view counts findings alike, and revised ones apart', async () => {
    const sidebar_id = await spawn();
    for (const content of ['The pool size is 10', 'The cache is cold', 'The disk is slow'])
      await board.command('scratchpad_entry_submitted', { sidebar_id, content });
    await board.command('scratchpad_entry_validated', { sidebar_id, entry_id: 'FINDING-1', status: 'confirmed' });
    await board.command('scratchpad_entry_validated', { sidebar_id, entry_id: 'FINDING-2', status: 'rejected', validation_notes: 'it is warm' });
    await board.command('scratchpad_entry_submitted', { sidebar_id, content: 'The pool size is 12', supersedes: 'FINDING-1' });
    await board.command('scratchpad_entry_validated', { sidebar_id, entry_id: 'FINDING-4', status: 'confirmed' });
    const counts = { confirmed: 1, pending: 1, rejected: 1, revised: 1 };
    const listed = (await board.get('sidebars')).items.find((one) => one.sidebar_id === sidebar_id);
    const shown = await board.get('sidebar', { sidebar_id });
    const pad = await board.get('scratchpad', { sidebar_id });
    expect(listed?.findings).toEqual(counts);
    expect(shown.findings).toEqual(counts);
    expect(shown.scratchpad).toMatchObject(counts);
    expect(pad.counts).toMatchObject(counts);
  });
});

describe('what a sidebar refers to', () => {
  const shown = (sidebar_id: string) => board.get('sidebar', { sidebar_id });

  test('[REFS-1] data by name, whatever it is, said at its beginning or later, and in its fork', async () => {
    const schema = { tables: [{ name: 'users', rows: 3 }], isLive: true };
    const parent = await spawn({ data_refs: { schema, ticket: 'OPS-7', retries: 3 } });
    expect((await shown(parent)).data_refs).toEqual({ schema, ticket: 'OPS-7', retries: 3 });
    const [changed] = eventsOf(await board.command('sidebar_update', { sidebar_id: parent, data_refs: { ticket: null, region: ['eu', 'us'] } }));
    expect(changed).toMatchObject({ type: 'sidebar_update', data_refs: { ticket: null, region: ['eu', 'us'] } });
    expect((await shown(parent)).data_refs).toEqual({ schema, retries: 3, region: ['eu', 'us'] });
    const cited = await board.command('citation_created', { sidebar_id: parent, url: 'https://example.org/pools' });
    expect((await shown(parent)).data_refs).toMatchObject({ [String(cited.ref)]: cited.ref, retries: 3 });
    const child = await board.command('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'a part', data_refs: { part: 1 } });
    expect(eventsOf(child).find(({ type }) => type === 'sidebar_child_spawn')).toMatchObject({ data_refs: { part: 1 } });
    await board.command('sidebar_archive', { sidebar_id: child.ref });
    const fork = await board.command('sidebar_fork', {
      original_sidebar_id: child.ref,
      fork_reason: 'again',
      data_refs: { more: null, part: 2, note: 'x' },
    });
    expect((await shown(String(fork.ref))).data_refs).toEqual({ part: 2, note: 'x' });
  });

  const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });

  const unfit: readonly (readonly [string, unknown, number])[] = [
    ['too much of it', { log: 'x'.repeat(20_001) }, 413],
    ['too many names', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, i])), 413],
    ['what is nested too deeply', { deep: nested(30) }, 400],
    ['what is no set of names', ['a'], 400],
  ];

  test.each(unfit)('[REFS-2] %s is refused', async (_what, data_refs, status) => {
    const body = JSON.stringify({ parent_id: null, task_description: 'x', data_refs });
    const response = await board.ask('/api/v1/sidebars', { method: 'POST', body, headers: { authorization: `Bearer ${board.token}` } });
    expect(response.status).toBe(status);
  });

  test('[REFS-3] related sidebars are those that were named last, and those that were merged into it', async () => {
    const [one, two] = [await spawn(), await spawn()];
    const parent = await spawn();
    const child = String((await board.command('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'a part' })).ref);
    await board.command('sidebar_finish', { sidebar_id: child });
    const relate = async (...refs: readonly string[]): Promise<readonly string[]> => {
      await board.command('sidebar_update', { sidebar_id: parent, cross_sidebar_refs: refs });
      return (await shown(parent)).cross_sidebar_refs;
    };
    expect(await relate(one, two)).toEqual([child, one, two]);
    expect(await relate(two)).toEqual([child, two]);
    expect(await relate()).toEqual([child]);
  });
});
