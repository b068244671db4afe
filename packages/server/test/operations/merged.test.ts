import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, walk, walkMessages, type TestBoard } from './boards.ts';
import { TALK, TALK_FILES } from './conversations.ts';
import { prompt } from './records.ts';

const OTHER = 'other';
const FILES = { ...TALK_FILES, [`p/${OTHER}.jsonl`]: [prompt('x', null, 500, 'elsewhere', { sessionId: OTHER })] };

type Merged = { readonly sidebar_id: string; readonly content: string };

const byRecord = (items: readonly { readonly uuid: string; readonly merged?: readonly Merged[] | undefined }[]): readonly string[] =>
  items.flatMap(({ uuid, merged }) => (merged ?? []).map(({ sidebar_id: sidebar }) => `${sidebar} behind ${uuid}`));

const without = <T extends { readonly merged?: unknown }>(items: readonly T[]): readonly Omit<T, 'merged'>[] =>
  items.map(({ merged: _merged, ...rest }) => rest);

describe('what was merged into a session', () => {
  let board: TestBoard;
  let before: { readonly messages: readonly object[]; readonly tree: readonly object[]; readonly steps: readonly object[]; readonly told: number };
  const messages = (more = {}) => walkMessages(board, TALK, { thread: 'all', ...more });
  const steps = async (more = {}) => (await board.get('conversation', { id: TALK, ...more })).items;

  beforeAll(async () => {
    board = await makeBoard({ files: FILES });
    before = {
      messages: await messages(),
      tree: await walk(board, 'tree', { id: TALK }),
      steps: await steps(),
      told: (await walk(board, 'envelopes', { id: TALK })).length,
    };
    const { ref: message } = await board.get('message', { ref: 'u2' });
    for (const parent of [message, null]) {
      const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: parent, task_description: 'Why red?' });
      await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'Paint is red.', source_refs: [message] });
      await board.command('scratchpad_entry_validated', { sidebar_id: sidebar, entry_id: 'FINDING-1', status: 'confirmed' });
      await board.command('sidebar_consolidate', { sidebar_id: sidebar, summary: 'It is red.' });
      await board.command('sidebar_check_merge', { sidebar_id: sidebar });
      await board.command('sidebar_merge', { sidebar_id: sidebar, ...(parent === null ? { parent_id: TALK } : {}) });
    }
  });

  test('[API-40] is in its messages and its tree at the record that it stands behind, and changes nothing else there', async () => {
    const all = await messages();
    const [first] = all.find(({ uuid }) => uuid === 'u2')?.merged ?? [];
    expect(first).toEqual({
      uuid: expect.any(String),
      ref: expect.stringMatching(/^MSG-\d+$/u),
      exchange: expect.stringMatching(/^EXCH-\d+$/u),
      sidebar_id: 'SB-1',
      content: 'Sidebar SB-1 completed: It is red.',
      findings: ['SCRATCH-1:FINDING-1'],
      citations: ['SB-1', 'SCRATCH-1:FINDING-1'],
      sender: expect.any(String),
      timestamp: expect.any(String),
      is_forgotten: false,
      position: expect.any(Number),
    });
    expect(byRecord(all)).toEqual(['SB-1 behind u2', 'SB-2 behind f2']);
    expect(without(all)).toEqual(before.messages);
    expect(byRecord(await messages({ limit: 1 }))).toEqual(byRecord(all));
    const tree = await walk(board, 'tree', { id: TALK });
    expect(byRecord(tree)).toEqual(byRecord(all));
    expect(without(tree)).toEqual(before.tree);
  });

  test('[API-40] is in the step of its conversation that it stands behind, on whichever page that is', async () => {
    const all = await steps();
    expect(without(all)).toEqual(before.steps);
    const told = byRecord(all);
    expect(told).toEqual(['SB-1 behind u2', expect.stringMatching(/^SB-2 behind /u)]);
    const pages = await Promise.all(all.map(async (_, from) => byRecord(await steps({ from, limit: 1 }))));
    expect(pages.flat()).toEqual(told);
  });

  test('[API-40] is in what is told of a session before it is read as a whole', async () => {
    const fresh = await makeBoard({ files: FILES });
    const { ref: sidebar } = await fresh.command('sidebar_spawn', { parent_id: null, task_description: 'Why red?' });
    await fresh.command('sidebar_consolidate', { sidebar_id: sidebar, summary: 'It is red.' });
    await fresh.command('sidebar_check_merge', { sidebar_id: sidebar });
    await fresh.command('sidebar_merge', { sidebar_id: sidebar, parent_id: TALK });
    const quick = await fresh.get('conversation', { id: TALK, quick: 'true' });
    expect([quick.total, byRecord(quick.items).length]).toEqual([null, 1]);
  });

  test('[API-40] is listed in order with its places, page by page', async () => {
    const all = await walk(board, 'merges', { id: TALK, limit: 1 });
    expect(all.map(({ sidebar_id: sidebar, after_uuid: after }) => [sidebar, after])).toEqual([
      ['SB-1', 'u2'],
      ['SB-2', 'f2'],
    ]);
    expect(await walk(board, 'merges', { id: OTHER })).toEqual([]);
  });

  test('[ENV-56] is reported as an envelope of its own, in order of time', async () => {
    const told = await walk(board, 'envelopes', { id: TALK });
    expect(told).toHaveLength(before.told + 2);
    const services = told.flatMap(({ seq, content }) =>
      content.data.ev.t === 'service' && content.data.ev.kind === 'merge' ? [{ seq, ...content.data.ev }] : [],
    );
    const listed = await walk(board, 'merges', { id: TALK });
    expect(services).toEqual(
      listed.map(({ position, content, ref, citations }) => ({
        seq: position,
        t: 'service',
        kind: 'merge',
        text: content,
        source: ref,
        data: { event: 'memory.merged', references: citations },
      })),
    );
    expect(told.map(({ content }) => content.data.time)).toEqual(told.map(({ content }) => content.data.time).toSorted((a, b) => a - b));
    const [first] = listed;
    const after = await walk(board, 'envelopes', { id: TALK, after_seq: (first?.position ?? 0) - 1 });
    expect(after[0]?.seq).toBe(first?.position);
  });
});
