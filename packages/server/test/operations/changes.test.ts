import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { OutputOf } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SESSION = 'c4a4ce50-0000-4000-8000-000000000001';
const OTHER = 'c4a4ce50-0000-4000-8000-000000000002';
const FORK = 'c4a4ce50-0000-4000-8000-000000000003';
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';
const LOOM = '/home/ada/loom/src/loom.ts';
const edit = (path: string, before: string, after: string) =>
  Object.fromEntries([
    ['file_path', path],
    ['old_string', before],
    ['new_string', after],
  ]);
const write = (path: string, content: string) =>
  Object.fromEntries([
    ['file_path', path],
    ['content', content],
  ]);
const patched = (...lines: readonly string[]) => ({
  toolUseResult: { structuredPatch: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 1, lines }] },
});

const main = [
  prompt('u1', null, 0, 'Weave'),
  reply('a1', 'u1', 1, [use('t1', 'Write', write('src/loom.ts', 'one\ntwo\n'))]),
  result('r1', 'a1', 2, 't1', 'ok', { toolUseResult: { type: 'create', structuredPatch: [] } }),
  reply('a2', 'r1', 3, [
    use('t2', 'Edit', edit(LOOM, 'one', 'uno')),
    use('t3', 'Edit', edit('/home/ada/loom/a.ts', 'x', `token = "${SECRET}"`)),
    use('t4', 'Bash', { command: 'sed -i s/a/b/ x' }),
  ]),
  result('r2', 'a2', 4, 't2', 'ok', patched('-one', '+uno')),
  result('r3', 'r2', 5, 't3', 'String to replace not found', { isError: true }),
  result('r4', 'r3', 6, 't4', 'done'),
  reply('a3', 'r4', 7, [use('t5', 'Agent', { prompt: 'look' })]),
  { ...result('r5', 'a3', 9, 't5', 'found'), toolUseResult: { agentId: 'spider' } },
  reply('a4', 'r5', 10, [use('t6', 'Write', write('/home/ada/loom/big.txt', Array.from({ length: 2500 }, (_, n) => `line ${n}`).join('\n')))]),
];
const inAgent = { isSidechain: true, agentId: 'spider', sessionId: SESSION };

describe('what a session changed', () => {
  let board: TestBoard;
  const changes = (input: Input = {}): Promise<OutputOf<'changes'>> => board.get('changes', { id: SESSION, ...input });
  const told = ({ items }: OutputOf<'changes'>) =>
    items.map(({ path, ref, outcome, agent_id: agent, added, removed }) => [path.split('/').at(-1), ref, outcome, agent, added, removed]);

  beforeAll(async () => {
    board = await makeBoard({
      files: {
        [`-p/${SESSION}.jsonl`]: main,
        [`-p/${SESSION}/subagents/agent-spider.jsonl`]: [
          prompt('x0', null, 7, 'look', inAgent),
          reply('x1', 'x0', 8, [use('s1', 'Edit', edit(LOOM, 'two', 'due'))], inAgent),
          result('x2', 'x1', 8, 's1', 'ok', { ...inAgent, ...patched('-two', '+due', '+tre') }),
        ],
        [`-p/${OTHER}.jsonl`]: [
          prompt('v1', null, 60, 'Go on'),
          reply('w1', 'v1', 61, [
            use('o1', 'Edit', edit('src/loom.ts', 'uno', 'eins')),
            use('o2', 'Read', Object.fromEntries([['file_path', LOOM]])),
          ]),
          result('w2', 'w1', 62, 'o1', "The user doesn't want to proceed with this tool use.", { isError: true }),
        ],
        [`-p/${FORK}.jsonl`]: [
          ...main.map((record) => ({ ...record, sessionId: FORK })),
          reply('f1', 'a4', 90, [use('f2', 'Edit', edit(LOOM, 'due', 'zwei'))]),
        ],
      },
    });
  });
  afterAll(() => board.close());

  test('[CHANGE-4] every edit stands in order with who made it, how it ended and what came and went', async () => {
    expect(told(await changes())).toEqual([
      ['loom.ts', 'MSG-2#1', 'done', null, 2, 0],
      ['loom.ts', 'MSG-4#1', 'done', null, 1, 1],
      ['a.ts', 'MSG-4#2', 'failed', null, 1, 1],
      ['loom.ts', expect.stringMatching(/^MSG-\d+#1$/u), 'done', 'spider', 2, 1],
      ['big.txt', expect.stringMatching(/^MSG-\d+#1$/u), 'open', null, 2500, 0],
    ]);
    const [first, second] = (await changes()).items;
    expect(first).toMatchObject({ kind: 'created', basis: 'patch', tool: 'Write', path: LOOM });
    expect(second?.hunks).toEqual([{ old_start: 4, old_lines: 1, new_start: 4, new_lines: 1, lines: ['-one', '+uno'] }]);
    expect(told(await changes({ thread: 'spider' }))).toHaveLength(1);
    expect(told(await changes({ thread: 'main', file: 'loom.ts' }))).toHaveLength(2);
    expect(told(await changes({ file: '/nowhere' }))).toEqual([]);
  });

  test('[CHANGE-4] files have their sums; what failed is counted apart, and what was copied is told where it was made', async () => {
    const files = await board.get('changed_files', { id: SESSION });
    expect(files).toMatchObject({ files: 3, edits: 3, failed: 1, open: 1, added: 5, removed: 2, copied: 0, unknown_calls: 1, next_cursor: null });
    expect(files.items.map(({ path, edits, agents, created }) => [path.split('/').at(-1), edits, agents, created])).toEqual([
      ['big.txt', 0, 0, false],
      ['loom.ts', 3, 1, true],
      ['a.ts', 0, 0, false],
    ]);
    expect(await board.get('changed_files', { id: FORK })).toMatchObject({ files: 1, open: 1, edits: 0 });
    expect((await board.get('changed_files', { id: FORK })).copied).toBeGreaterThan(0);
  });

  test('[CHANGE-5] pages put together are the whole, and a long diff comes in parts', async () => {
    const all: string[] = [];
    let cursor: string | null = null;
    do {
      const page: OutputOf<'changes'> = await changes({ limit: 2, ...(cursor === null ? {} : { cursor }) });
      all.push(...page.items.map(({ uuid }) => uuid));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(all).toEqual((await changes()).items.map(({ uuid }) => uuid));
    const [long] = (await changes({ file: 'big.txt' })).items;
    expect([long?.lines_total, long?.hunks.flatMap(({ lines }) => lines).length]).toEqual([2500, 200]);
    const [part] = (await changes({ edit: long?.uuid ?? '', lines_from: 2400, lines: 1000 })).items;
    expect(part?.hunks).toMatchObject([{ new_start: 2401, new_lines: 100 }]);
    expect(part?.lines_from).toBe(2400);
    expect((await board.problem(`/api/v1/sessions/${SESSION}/changes?edit=MSG-1`)).code).toBe('not-found');
    expect((await board.problem(`/api/v1/sessions/${SESSION}/changes?cursor=nonsense`)).code).toBe('bad-request');
  });

  test('[CHANGE-6] secrets are masked; the operator may reveal them', async () => {
    expect(JSON.stringify(await changes({ file: 'a.ts' }))).not.toContain(SECRET);
    expect(JSON.stringify(await board.command('changes', { id: SESSION, file: 'a.ts' }))).not.toContain(SECRET);
    const revealed = await board.ask(`/api/v1/sessions/${SESSION}/changes?file=a.ts&reveal=true`, {
      headers: { authorization: `Bearer ${board.token}` },
    });
    expect(await revealed.text()).toContain(SECRET);
    expect((await board.problem(`/api/v1/sessions/${SESSION}/changes?reveal=true`)).code).toBe('operator-only');
  });

  test('[CHANGE-7] a file has its edits in all sessions, the latest first', async () => {
    const history = await board.get('file_history', { path: 'src/loom.ts' });
    expect(history.items.map(({ session_id: id, outcome, agent_id: agent }) => [id.slice(-1), outcome, agent])).toEqual([
      ['3', 'open', null],
      ['2', 'rejected', null],
      ['1', 'done', 'spider'],
      ['1', 'done', null],
      ['1', 'done', null],
    ]);
    expect(history.items.at(-1)).toMatchObject({ session_title: 'Weave', path: LOOM, kind: 'created' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: OutputOf<'file_history'> = await board.get('file_history', { path: LOOM, limit: 1, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map(({ uuid }) => uuid));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(history.items.map(({ uuid }) => uuid));
    expect((await board.problem('/api/v1/files/history?path=nowhere.ts')).code).toBe('not-found');
  });

  test('[CHANGE-8] what a shell command changed is not guessed, only counted', async () => {
    expect((await changes()).items.some(({ tool }) => tool === 'Bash')).toBe(false);
    expect((await board.get('changed_files', { id: SESSION })).unknown_calls).toBe(1);
  });
});

test('[GIT-2] branches, commits and pull requests stand with the call that made them, also when the answer comes later', async () => {
  const on = (branch: string) => Object.fromEntries([['gitBranch', branch]]);
  const records = [
    prompt('u1', null, 0, 'Weave'),
    reply('a1', 'u1', 1, [use('t1', 'Bash', { command: 'git checkout -b weave && git commit -m x' })], on('main')),
    result('r1', 'a1', 2, 't1', '[weave 1a2b3c4] x'),
    reply('a2', 'r1', 3, [use('t2', 'Bash', { command: 'gh pr create' })], on('weave')),
  ];
  const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: records } });
  expect(await board.get('session_git', { id: SESSION })).toMatchObject({
    branches: ['main', 'weave'],
    commits: [{ hash: '1a2b3c4', branch: 'weave', subject: 'x', ref: 'MSG-2#1', agent_id: null }],
    pull_requests: [],
  });
  const path = join(board.folder, 'projects', '-p', `${SESSION}.jsonl`);
  appendFileSync(path, `${JSON.stringify({ ...result('r2', 'a2', 4, 't2', 'https://github.com/ada/loom/pull/3'), sessionId: SESSION })}\n`);
  await board.board.writer.importPaths([join(board.folder, 'projects')]);
  const after = await board.get('session_git', { id: SESSION });
  expect([after.commits.length, after.pull_requests.map(({ number, ref }) => [number, ref])]).toEqual([1, [[3, 'MSG-4#1']]]);
  await board.close();
});

test('[GIT-1] a subject that is too long is not cut within a secret', async () => {
  const key = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-abcdeQAA`;
  const records = [
    prompt('u1', null, 0, 'Weave'),
    reply('a1', 'u1', 1, [use('t1', 'Bash', { command: 'git commit -m x' })]),
    result('r1', 'a1', 2, 't1', `[weave 1a2b3c4] ${'x'.repeat(980)} ${key} after`),
  ];
  const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: records } });
  const { commits } = await board.get('session_git', { id: SESSION });
  expect(commits.map(({ subject }) => subject.trim())).toEqual(['x'.repeat(980)]);
  await board.close();
});

test('[CHANGE-4] a session that grows has its new edits, and what became of those that had no answer', async () => {
  const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: main } });
  const outcomes = async () => (await board.get('changes', { id: SESSION })).items.map(({ outcome }) => outcome);
  expect(await outcomes()).toEqual(['done', 'done', 'failed', 'open']);
  const path = join(board.folder, 'projects', '-p', `${SESSION}.jsonl`);
  const more = [result('r6', 'a4', 11, 't6', 'ok'), reply('a5', 'r6', 12, [use('t7', 'Edit', edit(LOOM, 'a', 'b'))])];
  appendFileSync(path, more.map((record) => `${JSON.stringify({ ...record, sessionId: SESSION })}\n`).join(''));
  await board.board.writer.importPaths([join(board.folder, 'projects')]);
  expect(await outcomes()).toEqual(['done', 'done', 'failed', 'done', 'open']);
  expect(await board.get('changed_files', { id: SESSION })).toMatchObject({ edits: 3, open: 1, unknown_calls: 1 });
  await board.close();
});

test('[CHANGE-4] a session that is not on the log yet has the same changes, without references', async () => {
  const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: main }, isImported: false });
  const roots = [join(board.folder, 'projects')];
  const importing = board.board.writer.importPaths(roots);
  while ((await board.get('status')).pending_sessions === 0) await breathe();
  await board.board.writer.stopImport();
  await importing;
  const tell = async () => (await board.get('changes', { id: SESSION })).items.map((item) => ({ ...item, ref: null }));
  const before = await tell();
  expect(before).toHaveLength(4);
  await board.board.writer.importPaths(roots);
  expect(await tell()).toEqual(before);
  await board.close();
});
