import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { DIALECTS, reconstruct, titleOf } from '@yarnboard/transcript';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/ingest/discover.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { fileRecords } from '../../src/sessions/file-records.ts';
import { readPending } from '../../src/sessions/session-loader.ts';
import { makeBoard, makeFolder, walk, walkMessages, type TestBoard } from '../operations/boards.ts';
import { fixturesOf } from './told.ts';

const NESTED = '01a1e1ac-1a20-7551-b454-9bec9946ba05';
const ORIGIN = '01a1e1ab-004a-73c2-88a6-bcdab3514a97';
const FORK = '01a1e1ab-157f-78e2-ae6e-bcbbb475571c';
const COPY = '01a1e1ac-8d4b-7470-b8e0-689f88e79526';

/** A home of Codex with a few of the scenarios, and a session of Claude Code beside it. */
const makeHome = (): string => {
  const root = makeFolder();
  for (const scenario of ['0.166.0/cm_nested', '0.166.0/fork', '0.98.0/appfork', '0.166.0/compress']) {
    cpSync(join(fixturesOf('codex'), scenario), join(root, '.codex'), { recursive: true, filter: (path) => !path.endsWith('expected.json') });
  }
  mkdirSync(join(root, 'projects'));
  const record = { type: 'user', uuid: 'c1', parentUuid: null, sessionId: 'plain', timestamp: '2026-01-01T00:00:00.000Z' };
  const lines = JSON.stringify({ ...record, message: { role: 'user', content: 'hello from Claude Code' } });
  writeFileSync(join(root, 'projects', 'plain.jsonl'), `${lines}\n`);
  return root;
};

const told = async (board: TestBoard, id: string) => ({
  messages: (await walkMessages(board, id, { limit: 500 })).map((message) => ({ ...message, ref: null, exchange: null, position: null })),
  operations: (await walk(board, 'operations', { id, limit: 500 })).map((operation) => ({ ...operation, ref: null })),
  leaf: (await board.get('conversation', { id })).leaf_uuid,
});

describe('Codex on a board', () => {
  test('[DIALECT-7] sessions name their tool, and lists can be limited to one', async () => {
    const board = await makeBoard({ roots: [makeHome()] });
    const tools = (await walk(board, 'sessions')).map(({ session_id: id, tool }) => [id, tool]);
    expect(tools.filter(([, tool]) => tool === 'claude-code')).toEqual([['plain', 'claude-code']]);
    expect(tools).toHaveLength(7);
    expect(await walk(board, 'sessions', { tool: 'codex' })).toHaveLength(6);
    expect((await walk(board, 'sessions', { tool: 'claude-code' })).map(({ session_id: id }) => id)).toEqual(['plain']);
    expect(await walk(board, 'sessions', { tool: 'nothing' })).toEqual([]);
    expect(board.faults).toEqual([]);
  });

  test('[CODEX-3] is listed, shown, searched and told in envelopes like any other', async () => {
    const board = await makeBoard({ roots: [makeHome()] });
    const session = await board.get('session', { id: NESTED });
    expect(session).toMatchObject({
      title: '[[S:nested]] Please run the nested scenario.',
      project: '/home/dev/proj',
      sidechains: 2,
      models: ['gpt-6.1-sol'],
    });
    expect(session).toMatchObject({ responses: 8, cost_usd: 0, unpriced: 8, versions: ['0.166.0'] });
    const chains = await walk(board, 'sidechains', { id: NESTED });
    expect(chains.map(({ tool_use_ids: calls, state, depth }) => [calls, state, depth])).toEqual([
      [['call_0001stub'], 'complete', 1],
      [['call_0003stub'], 'complete', 2],
    ]);
    const hits = await walk(board, 'search', { q: 'delegating' });
    expect(new Set(hits.map((hit) => hit.session_id))).toEqual(new Set([NESTED]));
    const envelopes = JSON.stringify(await walk(board, 'envelopes', { id: NESTED, limit: 500 }));
    expect(envelopes).toContain('Outer agent is back.');
    const [first] = await walkMessages(board, NESTED, { limit: 500 });
    expect(first?.ref).toMatch(/^MSG-\d+$/u);
  });

  test('[CODEX-10] forks name their origin, and copied responses are paid for once', async () => {
    const board = await makeBoard({ roots: [makeHome()] });
    const [fork, copy] = [await board.get('session', { id: FORK }), await board.get('session', { id: COPY })];
    expect(fork.continues).toEqual({ session_id: ORIGIN, by: 'fork', shared: 0 });
    expect(fork).toMatchObject({ responses: 1, usage: { output_tokens: 46 } });
    expect(copy.continues).toMatchObject({ session_id: '01a1e1ac-7610-7190-a203-844361f34fd0', by: 'fork' });
    expect(copy).toMatchObject({ responses: 1, usage: { output_tokens: 47 }, title: 'Named by hand' });
  });

  test('[BACK-4] what was taken back is marked where it is found, looked up and traced, and nothing else is', async () => {
    const root = makeFolder();
    cpSync(join(fixturesOf('codex'), '0.98.0/rollback', 'sessions'), join(root, '.codex', 'sessions'), { recursive: true });
    const board = await makeBoard({ roots: [root] });
    const [{ session_id: id } = { session_id: '' }] = await walk(board, 'sessions', {});
    const messages = await walkMessages(board, id, { limit: 500 });
    const taken = messages.filter((message) => message.is_taken_back === true).map(({ ref }) => ref ?? '');
    const others = messages.filter((message) => message.is_taken_back !== true).map(({ ref }) => ref ?? '');
    expect(taken.length).toBeGreaterThan(1);
    expect(others.length).toBeGreaterThan(taken.length);
    const hits = await walk(board, 'search', { q: 'turn', limit: 100, mode: 'words' });
    expect(hits.length).toBeGreaterThan(2);
    expect(hits.map(({ ref, marks }) => [ref, marks])).toEqual(hits.map(({ ref }) => [ref, taken.includes(ref ?? '') ? ['taken-back'] : []]));
    expect(hits.some(({ marks }) => marks.length > 0)).toBe(true);
    for (const ref of [...taken, ...others.slice(0, 2)]) {
      const isTaken = taken.includes(ref);
      expect((await board.get('message', { ref })).is_taken_back).toBe(isTaken ? true : undefined);
      expect((await board.get('reference', { ref })).message?.is_taken_back).toBe(isTaken ? true : undefined);
      const { nodes } = await board.get('trace', { ref, depth: 1 });
      expect(nodes.find((node) => node.ref === ref)?.marks).toEqual(isTaken ? ['taken-back'] : []);
    }
    expect(board.faults).toEqual([]);
  });

  test('[CODEX-10] a thread that goes on in another file is read in the order in which its files were begun, whenever they were touched', async () => {
    const root = makeFolder();
    const folder = join(root, '.codex', 'sessions');
    cpSync(join(fixturesOf('codex'), '0.166.0/revert', 'sessions'), folder, { recursive: true });
    const toldWith = async (first: RegExp) => {
      const { files } = discover([root], DIALECTS);
      for (const { path } of files) utimesSync(path, 1_800_000_000, first.test(path) ? 1_800_000_000 : 1_800_000_100);
      const [group] = planGroups(discover([root], DIALECTS), DIALECTS).groups;
      if (group === undefined) throw new Error('nothing was found');
      const outline = { firstAt: Number.NaN, lastAt: Number.NaN, stateAt: Number.NaN, title: null, project: null, version: null, isCopy: false };
      const { session } = await readPending({ group, outline }, DIALECTS);
      const { path, takenBack } = reconstruct(session);
      return [titleOf(session), path.nodes.map(({ uuid }) => uuid), takenBack.messages];
    };
    const inOrder = await toldWith(/T00-07-38/u);
    expect(inOrder[2]).toBe(3);
    expect(inOrder[0]).toContain('First turn');
    expect(await toldWith(/T00-07-39/u)).toEqual(inOrder);
  });

  test('[DIALECT-6] a session that is read in order is the same before it is imported and after', async () => {
    const root = makeHome();
    const board = await makeBoard({ roots: [root], isImported: false });
    const importing = board.board.writer.importPaths([root]);
    while ((await board.get('status')).pending_sessions === 0) await breathe();
    await board.board.writer.stopImport();
    await importing;
    const before = await told(board, NESTED);
    expect(before.messages.length).toBeGreaterThan(5);
    await board.board.writer.importPaths([root]);
    expect(await told(board, NESTED)).toEqual(before);
  });

  test('[DIALECT-6] every record can be read again from its place, in any order', async () => {
    for (const group of planGroups(discover([makeHome()], DIALECTS), DIALECTS).groups) {
      const outline = { firstAt: Number.NaN, lastAt: Number.NaN, stateAt: Number.NaN, title: null, project: null, version: null, isCopy: false };
      const { session } = await readPending({ group, outline }, DIALECTS);
      const records = fileRecords(group, { dialects: DIALECTS });
      const nodes = [...session.graph.nodes.values()].toReversed();
      const again = nodes.map((node) => records.recordOf(node)?.['uuid']);
      records.close();
      expect(again).toEqual(nodes.map(({ uuid }) => uuid));
    }
  });
});
