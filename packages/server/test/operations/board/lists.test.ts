import fc from 'fast-check';
import { emptyBoard, type Board } from '@yarnboard/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latestPageOf } from '../../../src/operations/request/cursor.ts';
import { liveSidebarsOf } from '../../../src/operations/board/names.ts';
import { connectTo } from '../../doors/mcp/connections.ts';
import { makeBoard, type TestBoard } from '../boards.ts';
import { ID, SEED } from '../hierarchies.ts';

type Row = { readonly id: string; readonly position: number };
type Step = { readonly touched: readonly number[]; readonly added: number };

/** Reads all pages; between two of them some rows get a newer position, as a sidebar does in which something happens, and new ones come. */
const walkWhile = (
  rows: readonly Row[],
  limit: number,
  steps: readonly Step[],
): { readonly read: readonly string[]; readonly changed: ReadonlySet<string> } => {
  const now = new Map(rows.map((row) => [row.id, row]));
  const changed = new Set<string>();
  const read: string[] = [];
  let position = rows.length;
  const change = (id: string): void => {
    position += 1;
    changed.add(id);
    now.set(id, { id, position });
  };
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const { items, nextCursor } = latestPageOf([...now.values()], (row) => row, { limit, cursor });
    read.push(...items.map(({ id }) => id));
    if (nextCursor === null) return { read, changed };
    cursor = nextCursor;
    const { touched, added } = steps[page % steps.length] ?? { touched: [], added: 0 };
    for (const index of touched) change(rows[index % rows.length]?.id ?? '');
    for (let n = 0; n < added; n += 1) change(`new ${page}-${n}`);
  }
};

describe('lists with the latest first', () => {
  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({});
  });
  afterAll(() => board.close());

  test('[API-16] following cursors gives everything that is left alone once and in order, whatever else changes meanwhile', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.record({ touched: fc.array(fc.nat(100), { maxLength: 5 }), added: fc.nat(3) }), { minLength: 1, maxLength: 10 }),
        fc.boolean(),
        (count, limit, steps, isTied) => {
          // Two rows may have the same position.
          const rows = Array.from({ length: count }, (_, i) => ({ id: `row ${i}`, position: isTied ? Math.floor(i / 3) : i }));
          const { read, changed } = walkWhile(rows, limit, steps);
          const all = latestPageOf(rows, (row) => row, { limit: 100 }).items.map(({ id }) => id);
          expect(read.filter((id) => !changed.has(id))).toEqual(all.filter((id) => !changed.has(id)));
        },
      ),
    );
  });

  test('[API-16] a sidebar that comes to the front between two pages moves no other', async () => {
    for (let n = 1; n <= 6; n += 1) await board.command('sidebar_spawn', { parent_id: null, task_description: `task ${n}` });
    const first = await board.get('sidebars', { limit: 2 });
    await board.command('chat_message', { sidebar_id: 'SB-2', content: 'to the front' });
    const second = await board.get('sidebars', { limit: 2, cursor: first.next_cursor });
    const third = await board.get('sidebars', { limit: 2, cursor: second.next_cursor });
    expect([first, second, third].map(({ items }) => items.map(({ sidebar_id: id }) => id))).toEqual([['SB-6', 'SB-5'], ['SB-4', 'SB-3'], ['SB-1']]);
    expect(third.next_cursor).toBeNull();
  });

  test('[API-41] sidebars are listed by priority, words and fork, children by their parent, and what is archived only when asked for', async () => {
    const small = await makeBoard({});
    const spawn = (parent_id: string | null, task_description: string, more: object = {}) =>
      small.command('sidebar_spawn', { parent_id, task_description, ...more });
    await spawn(null, 'Find the leak', { priority: 'HIGH', tags: ['memory'] });
    await spawn('SB-1', 'Look at the pool');
    await spawn('SB-1', 'Look at the cache', { priority: 'HIGH' });
    await small.command('sidebar_archive', { sidebar_id: 'SB-2' });
    await small.command('sidebar_fork', { original_sidebar_id: 'SB-2', fork_reason: 'again' });
    const listed = async (input: Readonly<Record<string, string>>) =>
      (await small.get('sidebars', input)).items.map((one) => one.sidebar_id).toSorted();
    const wanted: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
      [{}, ['SB-1', 'SB-3', 'SB-4']],
      [{ archived: 'true' }, ['SB-1', 'SB-2', 'SB-3', 'SB-4']],
      [{ status: 'ARCHIVED' }, ['SB-2']],
      [{ priority: 'HIGH' }, ['SB-1', 'SB-3']],
      [{ text: 'look POOL' }, ['SB-4']],
      [{ text: 'memory' }, ['SB-1']],
      [{ text: 'sb-3' }, ['SB-3']],
      [{ fork: 'true' }, ['SB-4']],
      [{ fork: 'false', archived: 'true' }, ['SB-1', 'SB-2', 'SB-3']],
      [{ fork_of: 'SB-2' }, ['SB-4']],
      [{ fork_of: 'SB-1' }, []],
      [{ parent_id: 'SB-1', archived: 'true' }, ['SB-2', 'SB-3']],
      [{ parent_id: 'SB-1', merged: 'true' }, ['SB-3', 'SB-4']],
    ];
    for (const [input, refs] of wanted) expect([input, await listed(input)]).toEqual([input, refs]);
    expect(await small.problem('/api/v1/sidebars?fork_of=SB-9')).toMatchObject({ status: 404 });
    await small.close();
  });

  test('[API-20] who takes part in what is found in one walk over the board, however many are asked about', () => {
    const empty = emptyBoard();
    let walks = 0;
    const sidebars: Board['sidebars'] = {
      ...empty.sidebars,
      entries: () => {
        walks += 1;
        return empty.sidebars.entries();
      },
    };
    const live = liveSidebarsOf({ ...empty, sidebars });
    for (let n = 0; n < 50; n += 1) expect(live(`AGENT-${n}`)).toEqual([]);
    expect(walks).toBe(1);
  });
});

describe('answers that would grow without end', () => {
  let board: TestBoard;
  let agent: string;
  beforeAll(async () => {
    board = await makeBoard({});
    ({ token: agent } = await board.command('agent_register', { agent_id: 'research' }));
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'much', success_criteria: 'c', curator_agent: 'research' });
    const long = Array.from({ length: 30 }, (_, i) => `finding${i} ${'lorem '.repeat(3200)}`);
    const short = Array.from({ length: 90 }, (_, i) => `word${i}`);
    for (const content of [...long.slice(0, 15), ...short, ...long.slice(15)])
      await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'the newest' });
    for (let n = 1; n <= 130; n += 1)
      await board.command('mention_route', { sidebar_id: 'SB-1', target_agents: ['research'], message: `look at ${n}` });
  });
  afterAll(() => board.close());

  const inbox = async () => {
    const response = await board.ask('/api/v1/inbox', { headers: { authorization: `Bearer ${agent}` } });
    return (await response.json()) as Awaited<ReturnType<typeof board.get<'inbox'>>>; // compared field by field below
  };

  test('[API-17] a scratchpad tells the newest of each list, as many as fit through every door, and how many there are', async () => {
    const pad = await board.get('scratchpad', { sidebar_id: 'SB-1' });
    expect(pad.counts).toEqual({ confirmed: 0, pending: 121, rejected: 0, revised: 0, conflicts: 0, checkpoints: 0, backups: 0 });
    expect(pad.pending_findings.length).toBeLessThan(121);
    expect(pad.pending_findings.at(-1)).toMatchObject({ entry_id: 'SCRATCH-1:FINDING-121', content: 'the newest' });
    expect(pad.pending_findings.map(({ entry_id: ref }) => ref)).toEqual(
      Array.from({ length: pad.pending_findings.length }, (_, i) => `SCRATCH-1:FINDING-${122 - pad.pending_findings.length + i}`),
    );
    const few = await board.get('scratchpad', { sidebar_id: 'SB-1', limit: 2 });
    expect(few.pending_findings).toEqual(pad.pending_findings.slice(-2));
    expect(await board.get('scratchpad', { sidebar_id: 'SB-1', status: 'confirmed' })).toEqual({ ...pad, pending_findings: [] });
  });

  test('[API-17] an agent can read it whatever was written there, notes as well', async () => {
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'noted', success_criteria: 'c' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content: 'It leaks.' });
    await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-2', entry_id: 'FINDING-1', status: 'confirmed' });
    for (let n = 1; n <= 20; n += 1)
      await board.command('scratchpad_annotate', { sidebar_id: 'SB-2', entry_id: 'FINDING-1', note: `${n} ${'ipsum '.repeat(3200)}` });
    const { whole } = await connectTo(board);
    for (const sidebar_id of ['SB-1', 'SB-2'])
      expect(await whole('scratchpad', { sidebar_id })).toEqual(await board.get('scratchpad', { sidebar_id }));
    const [finding] = (await board.get('scratchpad', { sidebar_id: 'SB-2' })).confirmed_findings;
    expect(finding?.annotations.map(({ note }) => note.slice(0, 2))).toEqual(['16', '17', '18', '19', '20']);
  });

  test('[API-17] what is left out is read by its reference', async () => {
    const { thing } = await board.get('reference', { ref: 'SCRATCH-1:FINDING-1' });
    expect(thing).toMatchObject({ entry_id: 'SCRATCH-1:FINDING-1' });
  });

  test('[API-18] an inbox tells a hundred of each list, the oldest first and in short, and how many more there are', async () => {
    const first = await inbox();
    expect([first.notices.length, first.to_validate.length, first.more]).toEqual([
      100,
      100,
      {
        notices: 31,
        to_validate: 21,
        gold_to_validate: 0,
        to_answer: 0,
        to_check: 0,
        to_approve: 0,
        to_review: 0,
        to_verify: 0,
        to_settle: 0,
        to_judge: 0,
        conflicts: 0,
        to_decide: 0,
      },
    ]);
    expect(Math.max(...first.to_validate.map(({ content }) => content.length))).toBe(301);
    expect(first.seq).toBe(first.notices.at(-1)?.seq);
  });

  test('[API-18] no half of a secret is told where a text is cut', async () => {
    const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const small = await makeBoard({});
    await small.command('sidebar_spawn', { parent_id: null, task_description: 'keys', success_criteria: 'c' });
    await small.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: `${'x '.repeat(140)}${key} and on ${'y '.repeat(50)}` });
    const shown = JSON.stringify(await small.command('inbox'));
    expect([shown.includes('SCRATCH-1:FINDING-1'), shown.includes(key.slice(0, 12))]).toEqual([true, false]);
    await small.close();
  });

  test('[API-18] acknowledging what an inbox showed brings the rest', async () => {
    const first = await inbox();
    await board.ask('/api/v1/inbox', {
      method: 'POST',
      body: JSON.stringify({ seq: first.seq }),
      headers: { authorization: `Bearer ${agent}` },
    });
    const rest = await inbox();
    expect([rest.notices.length, rest.notices.at(-1)?.text, rest.more.notices]).toEqual([31, 'look at 130', 0]);
  });
});

describe('references', () => {
  test('[REF-11] checkpoints, conflicts and episodes are listed, told and found by references', async () => {
    const board = await makeBoard({});
    const sb = { sidebar_id: 'SB-1' };
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'a task' });
    await board.command('scratchpad_entry_submitted', { ...sb, content: 'The retry limit is 3.' });
    const clash = await board.command('scratchpad_entry_submitted', { ...sb, content: 'The retry limit is 5.' });
    expect(clash.events).toContainEqual(expect.objectContaining({ type: 'scratchpad_conflict', conflict_id: 'SB-1:CONFLICT-1' }));
    expect((await board.command('inbox')).conflicts).toMatchObject([{ conflict_id: 'SB-1:CONFLICT-1' }]);
    await board.command('scratchpad_entry_validated', { ...sb, entry_id: 'FINDING-2', status: 'rejected', validation_notes: 'measured' });
    await board.command('scratchpad_entry_validated', { ...sb, entry_id: 'FINDING-1', status: 'confirmed' });
    const marked = await board.command('scratchpad_checkpoint', { ...sb, summary: 'so far' });
    expect(marked.events).toMatchObject([
      { type: 'scratchpad_checkpoint', checkpoint_id: 'SB-1:CHECKPOINT-1' },
      { type: 'memory_archived', exchange_id: 'SB-1:EPISODE-1', source_checkpoint: 'SB-1:CHECKPOINT-1' },
    ]);
    await board.command('gold_created', { source_refs: ['SB-1'], key_insight: 'i', reuse_pattern: 'p', trigger_conditions: ['login timeout'] });
    const pad = await board.get('scratchpad', sb);
    expect(pad.conflicts).toMatchObject([
      {
        conflict_id: 'SB-1:CONFLICT-1',
        is_open: false,
        outcome: 'rejected',
        outcome_entry_id: 'SCRATCH-1:FINDING-2',
        resolved_by: 'AGENT-operator',
        notes: 'measured',
      },
    ]);
    const { items } = await board.get('episodes', {});
    expect(items.map((one) => one.entry_id)).toEqual(['GOLD-1:EPISODE-1', 'SB-1:EPISODE-1']);
    const things = [...pad.conflicts, ...pad.checkpoints, ...items.toReversed()];
    const refs = ['SB-1:CONFLICT-1', 'SB-1:CHECKPOINT-1', 'SB-1:EPISODE-1', 'GOLD-1:EPISODE-1'];
    for (const [at, ref] of refs.entries()) {
      const kind = ref.replace(/^.*:|-1$/gu, '');
      const told = await board.get('reference', { ref: ref.toLowerCase() });
      expect(told).toMatchObject({ id: ref, kind, created_in: ref.startsWith('GOLD') ? 'board' : 'SB-1', thing: things[at] });
      expect(told.uuid).toBe(things[at]?.uuid);
    }
    expect(await board.problem('/api/v1/refs/SB-1:CONFLICT-2')).toMatchObject({ status: 404, code: 'not-found' });
    expect(await board.problem('/api/v1/refs/SB-1:FINDING-2')).toMatchObject({ status: 400, code: 'bad-reference' });
    await board.close();
  });

  test('[REF-12] a sidebar was made where it branched off, an agent where it was registered', async () => {
    const board = await makeBoard({ files: SEED });
    await board.command('agent_register', { agent_id: 'research' });
    const spawn = (parent_id: string | null) => board.command('sidebar_spawn', { parent_id, task_description: 'a task' });
    const { ref: message } = await board.get('message', { ref: 'a2' });
    for (const parent of [null, message, 'SB-2', ID('1')]) await spawn(parent);
    await board.command('chat_message', { sidebar_id: 'SB-1', content: 'What now?' });
    const said = (await board.get('sidebar_memory', { sidebar_id: 'SB-1' })).items.at(-1)?.ref ?? '';
    await spawn(said);
    await board.command('sidebar_archive', { sidebar_id: 'SB-4' });
    await board.command('sidebar_fork', { original_sidebar_id: 'SB-4', fork_reason: 'again' });
    const madeIn = async (ref: string) => {
      const told = await board.get('reference', { ref });
      return [told.created_in, told.branched_from];
    };
    expect(await Promise.all(['SB-1', 'SB-2', 'SB-3', 'SB-4', 'SB-5', 'SB-6'].map(madeIn))).toEqual([
      ['board', null],
      [ID('1'), message],
      ['SB-2', null],
      [ID('1'), (await board.get('message', { ref: 'a6' })).ref],
      ['SB-1', said],
      ['SB-4', null],
    ]);
    expect(await board.get('reference', { ref: 'AGENT-research' })).toMatchObject({ created_in: 'board', created_by: 'AGENT-operator' });
    for (const ref of ['AGENT-operator', 'AGENT-claude']) {
      expect(await board.get('reference', { ref })).toMatchObject({ uuid: ref, created_in: 'board', branched_from: null });
    }
    await board.close();
  });

  test('[REF-14] context_id and parent_msg_id have the form on the log that they have in events and memory', async () => {
    const board = await makeBoard({ files: SEED });
    await board.command('sidebar_spawn', { parent_id: ID('1'), task_description: 'a task' });
    const first = await board.command('chat_message', { sidebar_id: 'SB-1', content: 'What now?' });
    const [message = ''] = first.refs;
    const reply = await board.command('chat_message', { sidebar_id: 'SB-1', content: 'This.', in_reply_to: message });
    expect(reply.events).toMatchObject([{ context_id: 'SB-1', in_reply_to: message }]);
    const rows = (await board.get('log', { limit: 500 })).items;
    expect(rows.find(({ refs }) => refs.includes(reply.refs[0] ?? ''))).toMatchObject({ context_id: 'SB-1', parent_msg_id: message });
    expect(new Set(rows.map((row) => row.context_id).filter((id) => id.startsWith('sidebar:')))).toEqual(new Set());
    const record = async (uuid: string) => (await board.get('message', { ref: uuid })).ref;
    // The parent stands on the page before, or in the same one.
    for (const page of [rows, (await board.get('log', { after: (rows.find(({ uuid }) => uuid === 'a3')?.position ?? 1) - 1, limit: 1 })).items]) {
      const row = page.find(({ uuid }) => uuid === 'a3');
      expect(row).toMatchObject({ context_id: ID('1'), parent_msg_id: await record('a2'), chained_parent_msg_id: 'a2' });
    }
    await board.close();
  });

  test('[API-19] the operator and findings by their FRAG-n are found, as everything else is', async () => {
    const board = await makeBoard({});
    await board.command('agent_register', { agent_id: 'research' });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'a task' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'It leaks.' });
    const finding = await board.get('reference', { ref: 'FRAG-1' });
    expect(finding.thing).toMatchObject({ entry_id: 'SCRATCH-1:FINDING-1', content: 'It leaks.' });
    expect((await board.get('reference', { ref: 'SCRATCH-1:FINDING-1' })).thing).toEqual(finding.thing);
    const operator = await board.get('reference', { ref: 'AGENT-operator' });
    expect(operator).toMatchObject({ position: 2, thing: { agent_id: 'AGENT-operator', kind: 'human', current_load: 1 } });
    expect((await board.get('agent', { agent_id: 'operator' })).agent_id).toBe('AGENT-operator');
    await board.close();
  });
});
