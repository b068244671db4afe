import { rowsOf, type Board, type Recorded, type Sidebar } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCommand, beginning, randomFrom } from '../../../../domain/test/board/histories.ts';
import { createWorld } from '../../../../domain/test/board/world.ts';
import { partOf, type BoardPart, type PartWanted } from '../../../src/operations/board/rows.ts';
import { makeBoard, type TestBoard } from '../boards.ts';
import { furnish } from './furniture.ts';

type Answer = OutputOf<'board'>;

const keysOf = ({ tables }: Pick<BoardPart | Answer, 'tables'>, name: string): readonly string[] => (tables[name] ?? []).map(([key]) => key);

const refsOf = (answer: Pick<BoardPart | Answer, 'tables'>): readonly string[] =>
  (answer.tables['sidebars'] ?? []).map(([, row]) => (row as { readonly ref: string }).ref); // a sidebar

const as = async ({ ask }: TestBoard, token: string, path = '/api/v1/board'): Promise<Answer> =>
  (await (await ask(path, { headers: { authorization: `Bearer ${token}` } })).json()) as Answer;

/** A board on which much has happened by chance. */
const boardFrom = (seed: number, steps: number): Board => {
  const random = randomFrom(seed);
  const world = createWorld();
  world.hear('session-1');
  for (const { command, actor } of beginning()) world.perform(command, actor);
  for (let n = 0; n < steps; n += 1) {
    const said = (type: string): readonly string[] => [...world.refs.keys()].filter((ref) => ref.startsWith(type));
    const { command, actor } = anyCommand({ board: world.board, random, messages: said('MSG-'), exchanges: said('EXCH-'), sessions: ['session-1'] });
    world.perform(command, actor);
  }
  return world.board;
};

const anyBoard = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 150 })).map(([seed, steps]) => boardFrom(seed, steps));

/** Part after part, to the end. */
const walk = (board: Board, wanted: Omit<PartWanted, 'actorId'>): readonly BoardPart[] => {
  const parts: BoardPart[] = [];
  for (let cursor: string | undefined; ;) {
    const part = partOf(board, { ...wanted, cursor, actorId: null });
    parts.push(part);
    if (part.nextCursor === null) return parts;
    cursor = part.nextCursor;
  }
};

describe('the rows of the board', () => {
  test('[API-30] are those of the engine, all of one moment, and say where on the log they are true', async () => {
    const board = await makeBoard({ files: { 'p/11111111-0000-4000-8000-000000000001.jsonl': [] } });
    await furnish(board);
    const { engine, store } = board.board;
    const answer = await board.command('board');
    const { count } = await store.log.head();
    expect(answer).toMatchObject({ seq: engine.position(), through: count, forgotten: 0, unknown: [], next_cursor: null });
    const whole = engine.board();
    for (const name of ['sidebars', 'golds', 'citations', 'media', 'episodes', 'ids', 'links', 'interventions'] as const) {
      expect([name, Object.fromEntries(answer.tables[name] ?? [])]).toEqual([
        name,
        JSON.parse(JSON.stringify(Object.fromEntries(whole[name].entries()))),
      ]);
      expect(answer.counts[name]).toBe(whole[name].size());
    }
    expect(keysOf(answer, 'agents')).toEqual(rowsOf(whole.agents).map(({ id }) => id));
  });

  test('[API-30] know of everything that is on the log when they are asked for, whoever decided it, and of nothing behind them', async () => {
    const board = await makeBoard({});
    await furnish(board);
    const told: Recorded[] = [];
    const id = board.board.engine.board().ids.get('SB-2') ?? '';
    board.board.engine.onCommitted((events) => told.push(...events));
    const asked: Promise<Answer>[] = [];
    const said: Promise<unknown>[] = [];
    for (let n = 0; n < 30; n += 1) {
      said.push(board.command('chat_message', { sidebar_id: 'SB-2', content: `number ${n}` }));
      asked.push(board.get('board', { sidebars: 'SB-2' }));
      if (n % 5 === 0) await Promise.all(said);
    }
    await Promise.all(said);
    for (const { seq, through, tables } of await Promise.all(asked)) {
      const rows = Object.fromEntries(tables['sidebars'] ?? []) as Readonly<Record<string, Partial<Sidebar>>>; // by their ids
      expect(rows[id]?.messages).toBe(told.filter(({ type, position }) => type === 'chat.message' && position <= seq).length);
      expect(told.filter(({ position }) => position > seq && position <= through)).toEqual([]);
    }
  });

  test('[API-31] come part by part, the latest first, everything once, whatever fits', () => {
    fc.assert(
      fc.property(anyBoard, fc.integer({ min: 1, max: 50_000 }), (board, most) => {
        const parts = walk(board, { most });
        const latest = rowsOf(board.sidebars).toSorted((a, b) => b.lastPosition - a.lastPosition || (a.id < b.id ? -1 : 1));
        // Neighbours may have come before their turn.
        const firsts = [...new Set(parts.flatMap((part) => keysOf(part, 'sidebars')))];
        expect(firsts.toSorted()).toEqual(latest.map(({ id }) => id).toSorted());
        for (const name of ['golds', 'citations', 'media', 'ids'] as const) {
          expect([...new Set(parts.flatMap((part) => keysOf(part, name)))].toSorted()).toEqual(
            [...board[name].entries()].map(([key]) => key).toSorted(),
          );
        }
        expect(keysOf(parts[0] ?? { tables: {} }, 'agents').length).toBe(board.agents.size());
        expect(parts.slice(1).flatMap((part) => keysOf(part, 'agents'))).toEqual([]);
        const large = walk(board, { most: 10_000_000 });
        expect(large.length).toBe(1);
        expect(keysOf(large[0] ?? { tables: {} }, 'sidebars')).toEqual(latest.map(({ id }) => id));
      }),
    );
  });

  test('[API-31] go on behind a place: what is left alone meanwhile is returned once', async () => {
    const { board, run } = world();
    for (let n = 0; n < 6; n += 1) run({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: `number ${n}` });
    const first = partOf(board, { most: 1, actorId: null });
    const second = partOf(board, { most: 1, cursor: first.nextCursor ?? '', actorId: null });
    run({ type: 'chat.say', sidebar: 'SB-2', content: 'it goes on' });
    run({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'another' });
    const rest: BoardPart[] = [];
    for (let { nextCursor } = second; nextCursor !== null; nextCursor = rest.at(-1)?.nextCursor ?? null)
      rest.push(partOf(board, { most: 1, cursor: nextCursor, actorId: null }));
    expect([first, second, ...rest].map(refsOf)).toEqual([['SB-6'], ['SB-5'], ['SB-4'], ['SB-3'], ['SB-1']]);
  });

  test('[API-31] what belongs to no sidebar comes first; what there is no room for comes when all sidebars were told', () => {
    const { board, run } = world();
    for (let n = 0; n < 4; n += 1) {
      run({ type: 'citation.create', source: { kind: 'external', url: `https://example.org/${n}`, title: 'x'.repeat(400) } });
      run({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: `number ${n}` });
    }
    const parts = walk(board, { most: 3000 });
    expect(parts.map((part) => [keysOf(part, 'citations').length, keysOf(part, 'sidebars').length])).toEqual([
      [2, 1],
      [0, 2],
      [2, 1],
    ]);
  });

  test('[API-31] are those of the sidebars that are named, by any name, with their neighbours where these are small', async () => {
    const board = await makeBoard({});
    await furnish(board);
    await board.command('sidebar_child_spawn', { parent_sidebar_id: 'SB-2', sub_task_description: 'a child' });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'alone' });
    const id = board.board.engine.board().ids.get('SB-2') ?? '';
    const named = async (sidebars: string): Promise<readonly string[]> => refsOf(await board.get('board', { sidebars }));
    expect(await named('sb-4')).toEqual(['SB-4']);
    expect(await named(`SB-4, ${id}`)).toEqual(['SB-4', 'SB-2', 'SB-3']);
    expect(await named('FRAG-1')).toEqual(['SB-1']);
    expect(await named('SCRATCH-1:FINDING-1,SB-4')).toEqual(['SB-1', 'SB-4']);
    const { tables, unknown } = await board.get('board', { sidebars: 'SB-4,SB-99,nothing' });
    expect([refsOf({ tables }), unknown]).toEqual([['SB-4'], ['SB-99', 'nothing']]);
    // One that is too large to come along is named all the same.
    const large = await board.command('sidebar_child_spawn', { parent_sidebar_id: 'SB-2', sub_task_description: 'x'.repeat(30_000) });
    const rows = await board.get('board', { sidebars: 'SB-2' });
    expect([refsOf(rows), keysOf(rows, 'ids').includes(large.ref ?? '')]).toEqual([['SB-2', 'SB-3'], true]);
    for (const cursor of ['nonsense', Buffer.from('{"from":"x"}').toString('base64url')])
      expect(await board.problem(`/api/v1/board?sidebars=SB-1&cursor=${cursor}`)).toMatchObject({ code: 'bad-request' });
    for (const text of ['{}', '{"sidebars":null,"loose":null}', '{"sidebars":{"before":"x","id":1},"loose":null}'])
      expect(await board.problem(`/api/v1/board?cursor=${Buffer.from(text).toString('base64url')}`)).toMatchObject({ code: 'bad-request' });
  });

  test('[API-31] named ones come part by part, too', () => {
    fc.assert(
      fc.property(anyBoard, fc.integer({ min: 1, max: 20_000 }), (board, most) => {
        const all = rowsOf(board.sidebars).map(({ ref }) => ref);
        const parts = walk(board, { sidebars: [...all, 'SB-9999'].join(','), most });
        expect([...new Set(parts.flatMap(refsOf))].toSorted()).toEqual(all.toSorted());
        expect(parts.flatMap(({ unknown }) => unknown)).toEqual(['SB-9999']);
      }),
    );
  });

  test('[API-32] [SEC-15] tell whoever asks their own notices, and nobody a token or its hash', async () => {
    const board = await makeBoard({});
    const { token } = await furnish(board);
    await board.command('mention_route', { target_agents: ['research'], message: 'look at this' });
    await board.ask('/api/v1/mentions', {
      method: 'POST',
      body: JSON.stringify({ target_agents: ['operator'], message: 'look at that' }),
      headers: { authorization: `Bearer ${token}` },
    });
    const answers = { reader: await board.get('board'), operator: await board.command('board'), agent: await as(board, token) };
    expect(Object.values(answers).map((answer) => keysOf(answer, 'notices'))).toEqual([[], ['AGENT-operator'], ['AGENT-research']]);
    expect(JSON.stringify(answers.operator.tables['notices'])).toContain('look at that');
    expect(JSON.stringify(answers.agent.tables['notices'])).toContain('look at this');
    const hashes = rowsOf(board.board.engine.board().agents).flatMap(({ tokenHash }) => tokenHash ?? []);
    expect(hashes.length).toBeGreaterThan(0);
    for (const secret of [token, ...hashes]) expect(JSON.stringify(answers)).not.toContain(secret);
    expect(answers.operator.tables['agents']).toMatchObject([['AGENT-research', { tokenHash: '' }]]);
    expect(Object.keys(answers.operator.tables)).not.toContain('tokens');
    expect(Object.keys(answers.operator.counts)).not.toContain('tokens');
  });

  test('[API-32] [SEC-11] are masked, and have nothing that was forgotten', async () => {
    const board = await makeBoard({});
    const key = `sk-ant-api03-${'Ab1_'.repeat(24)}`;
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'one' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: `the key is ${key}` });
    const { ref: finding } = await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'a word to forget' });
    const ref = board.board.engine.board().ids.get(finding ?? '');
    const before = JSON.stringify(await board.command('board'));
    expect([before.includes(key), before.includes('a word to forget')]).toEqual([false, true]);
    const [forgotten, meanwhile] = await Promise.all([board.command('forget', { ref }), board.command('board')]);
    const after = await board.command('board');
    expect(after.forgotten).toBe(forgotten.position);
    // Whoever is told that the log says so is not given it again.
    for (const answer of [meanwhile, after].filter((one) => one.forgotten >= forgotten.position))
      expect(JSON.stringify(answer)).not.toContain('a word to forget');
  });
});

const world = () => {
  const { board, perform } = createWorld();
  return {
    board,
    run: (command: Parameters<typeof perform>[0]) => expect(perform(command, { id: 'AGENT-operator', type: 'human' })).toMatchObject({ ok: true }),
  };
};
