import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_PRICES, type Report } from '@yarnboard/transcript';
import { linesOf, prompt, reply, task } from '../../transcript/test/reading.ts';
import { discover } from '@yarnboard/server';
import { readGroup } from '@yarnboard/server';
import { planGroups } from '@yarnboard/server';
import { readTree } from '../src/read/tree.ts';

const A = 'aaaaaaaa-0000-4000-8000-000000000000';
const B = 'bbbbbbbb-0000-4000-8000-000000000000';
const C = 'cccccccc-0000-4000-8000-000000000000';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yarnboard-tree-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Writes files below the root, each as lines or as it is. */
const write = (files: Readonly<Record<string, string | readonly object[]>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : linesOf(content));
  }
};

const read = (...paths: readonly string[]): Promise<Report> =>
  readTree(paths.length === 0 ? [root] : paths.map((path) => join(root, path)), { prices: DEFAULT_PRICES, now: 0, threads: 1 });

const relative = (path: string): string => path.slice(root.length + 1);

const sessionsOf = (report: Report): object =>
  Object.fromEntries(
    report.sessions.map((one) => [
      one.id,
      { files: one.files.map(relative), messages: one.messages, agents: one.sidechains.map((side) => side.agentId) },
    ]),
  );

const skippedOf = (report: Report): object => Object.fromEntries(report.skipped.map(({ file, reason }) => [relative(file), reason]));

const hello = (sessionId: string, uuid = 'u1', more: object = {}): Record<string, unknown> => prompt(uuid, null, 'hello', { sessionId, ...more });
const side = (sessionId: string, uuid: string, more: object = {}): Record<string, unknown> =>
  prompt(uuid, null, 'go', { sessionId, isSidechain: true, ...more });

describe('what is read and what is left alone', () => {
  test('[FILE-1] stray files are named with the reason and the rest is read', async () => {
    write({
      [`p/${A}.jsonl`]: [hello(A)],
      'p/notes.md': 'x',
      'p/sessions-index.json': '{}',
      'p/LICENSE': 'x',
      'p/history.jsonl': '{"display":"x"}',
      [`p/${A}/tool-results/toolu_1.txt`]: 'output',
      [`p/${A}/subagents/workflows/wf_1/journal.jsonl`]: '{"type":"started"}',
    });
    const report = await read();
    expect(sessionsOf(report)).toEqual({ [A]: { files: [`p/${A}.jsonl`], messages: 1, agents: [] } });
    expect(skippedOf(report)).toEqual({
      'p/notes.md': 'not a transcript: .md file',
      'p/sessions-index.json': 'not a transcript: .json file',
      'p/LICENSE': 'not a transcript: no .jsonl file',
      'p/history.jsonl': 'the prompt history, not a transcript',
    });
  });

  test('[FILE-1] stream logs are skipped, whatever they are called', async () => {
    const stream = [
      { type: 'system', subtype: 'init', session_id: A, uuid: 'x' },
      { type: 'assistant', parent_tool_use_id: null, session_id: A, uuid: 'y', message: {} },
    ];
    write({ '1.stream.jsonl': stream, 'log.jsonl': stream, [`${A}.jsonl`]: [hello(A)] });
    const report = await read();
    expect(report.sessions.map((one) => one.id)).toEqual([A]);
    expect(skippedOf(report)).toEqual({ '1.stream.jsonl': 'a stream log, not a transcript', 'log.jsonl': 'a stream log, not a transcript' });
  });

  test('[FILE-1] a whole home is read below projects/, and what stands beside it is named once', async () => {
    write({
      [`projects/-p/${A}.jsonl`]: [hello(A)],
      'history.jsonl': '{}',
      'todos/1.jsonl': '{}',
      [`file-history/${B}/x.jsonl`]: [hello(B)],
      'settings.json': '{}',
    });
    const report = await read();
    expect(report.sessions.map((one) => one.id)).toEqual([A]);
    expect(skippedOf(report)).toEqual({
      'history.jsonl': 'outside projects/',
      todos: 'outside projects/',
      'file-history': 'outside projects/',
      'settings.json': 'outside projects/',
    });
  });

  test('[FILE-1] a path given by name is read whatever it is called, and one that is not there is an error', async () => {
    write({ 'export.txt': [hello(A)] });
    expect(sessionsOf(await read('export.txt'))).toEqual({ [A]: { files: ['export.txt'], messages: 1, agents: [] } });
    await expect(read('nowhere.jsonl')).rejects.toThrow('ENOENT');
  });

  test('[FILE-1] links that lead in circles, twice to the same folder, or nowhere, end', async () => {
    write({ [`p/${A}.jsonl`]: [hello(A)] });
    symlinkSync('..', join(root, 'p', 'up'));
    symlinkSync('p', join(root, 'q'));
    symlinkSync('self', join(root, 'self'));
    symlinkSync('gone.jsonl', join(root, 'dangling.jsonl'));
    const report = await read();
    expect([report.totals.files, report.totals.messages]).toEqual([1, 1]);
    expect(report.skipped.map(({ file, reason }) => [relative(file), reason.slice(0, 'unreadable: ENOENT'.length)])).toEqual([
      ['dangling.jsonl', 'unreadable: ENOENT'],
      ['self', 'unreadable: ELOOP:'],
    ]);
  });

  test('[SEC-22] a link is followed only below what was given by name, or where it is the folder of all transcripts', async () => {
    write({ [`in/p/${A}.jsonl`]: [hello(A)], 'out/notes.txt': [hello(B)], [`out/${B}.jsonl`]: [hello(B)], [`disk/p/${C}.jsonl`]: [hello(C, 'u3')] });
    symlinkSync(join(root, 'out', 'notes.txt'), join(root, 'in', 'p', `${B}.jsonl`));
    symlinkSync(join(root, 'out'), join(root, 'in', 'elsewhere'));
    symlinkSync('/', join(root, 'in', 'everything'));
    symlinkSync(join(root, 'in', 'p'), join(root, 'in', 'z-again'));
    const report = await read('in');
    expect(report.sessions.map(({ id }) => id)).toEqual([A]);
    expect(report.skipped.map(({ file, reason }) => [relative(file), reason.includes('outside the folders that are read')])).toEqual([
      ['in/elsewhere', true],
      ['in/everything', true],
      [`in/p/${B}.jsonl`, true],
    ]);
    mkdirSync(join(root, '.claude'));
    symlinkSync(join(root, 'disk'), join(root, '.claude', 'projects'));
    expect((await read('.claude')).sessions.map(({ id }) => id)).toEqual([C]);
    rmSync(join(root, '.claude', 'projects'));
    symlinkSync('/', join(root, '.claude', 'projects'));
    expect((await read('.claude')).sessions).toEqual([]);
  });

  // Reading it fails for every user, also for root, whom no file mode stops.
  test.runIf(process.platform === 'linux')('[FILE-1] a file that cannot be read is named once and the others of its session are read', async () => {
    write({ [`p/${A}.jsonl`]: [hello(A)], [`q/${B}.jsonl`]: [hello(B, 'u2')] });
    mkdirSync(join(root, 'r'));
    symlinkSync('/proc/self/mem', join(root, 'r', `${A}.jsonl`));
    symlinkSync(`/proc/self/task/${process.pid}/mem`, join(root, 'r', 'alone.jsonl'));
    // Given by name: a link that is only found, and leads out, is not followed.
    const report = await read('p', 'q', `r/${A}.jsonl`, 'r/alone.jsonl');
    expect(report.sessions.map((one) => [one.id, one.messages])).toEqual([
      [A, 1],
      [B, 1],
    ]);
    expect(report.skipped.map(({ file, reason }) => [relative(file), reason.slice(0, 'unreadable: EIO'.length)])).toEqual([
      [`r/${A}.jsonl`, 'unreadable: EIO'],
      ['r/alone.jsonl', 'unreadable: EIO'],
    ]);
    expect(report.totals.files).toBe(2);
  });

  test('[FILE-1] a file that vanishes between finding and reading it is named', () => {
    write({ [`${A}.jsonl`]: [hello(A)] });
    const [group] = planGroups(discover([root])).groups;
    rmSync(join(root, `${A}.jsonl`));
    expect(group === undefined ? [] : readGroup(group).skipped.map((one) => one.reason.slice(0, 18))).toEqual(['unreadable: ENOENT']);
  });

  test('[FILE-1] a meta file that is no JSON is named and its agent is read', async () => {
    write({ [`${A}.jsonl`]: [hello(A)], [`${A}/subagents/agent-x.jsonl`]: [side(A, 's1')], [`${A}/subagents/agent-x.meta.json`]: '{"agentType":' });
    const report = await read();
    expect(sessionsOf(report)).toEqual({ [A]: { files: [`${A}.jsonl`, `${A}/subagents/agent-x.jsonl`], messages: 1, agents: ['x'] } });
    expect(report.skipped.map(({ file, reason }) => [relative(file), reason.startsWith('unreadable: ')])).toEqual([
      [`${A}/subagents/agent-x.meta.json`, true],
    ]);
  });
});

describe('which files make a session', () => {
  test('[SESS-1] empty files and files of titles only are skipped, and their lines are counted', async () => {
    write({ [`${A}.jsonl`]: '', 'empty.jsonl': '\n\n', [`${B}.jsonl`]: [{ type: 'summary', summary: 'x', leafUuid: 'y' }] });
    const report = await read();
    expect(report.sessions).toEqual([]);
    expect(skippedOf(report)).toEqual({ [`${A}.jsonl`]: 'no messages', 'empty.jsonl': 'no messages', [`${B}.jsonl`]: 'no messages' });
    expect(report.totals).toMatchObject({ files: 3, lines: 3, blank: 2, records: 1, sessions: 0 });
  });

  test('[SESS-1] an agent without a main file makes a session of its own, under its folder’s or its records’ id', async () => {
    write({
      [`${A}/subagents/agent-x.jsonl`]: [side(B, 's1')],
      'agent-y.jsonl': [side(B, 's2')],
      'agent-z.jsonl': [{ type: 'user', uuid: 's3', message: { content: 'no id' } }],
    });
    expect(sessionsOf(await read())).toEqual({
      [A]: { files: [`${A}/subagents/agent-x.jsonl`], messages: 0, agents: ['x'] },
      [B]: { files: ['agent-y.jsonl'], messages: 0, agents: ['y'] },
      'agent-z': { files: ['agent-z.jsonl'], messages: 0, agents: ['z'] },
    });
  });

  test('[SESS-2] a file named by a uuid is that session, also when its records name others', async () => {
    write({ [`${A}.jsonl`]: [hello(B, 'u1'), hello(B, 'u2')] });
    expect(sessionsOf(await read())).toEqual({ [A]: { files: [`${A}.jsonl`], messages: 2, agents: [] } });
  });

  test('[SESS-2] a file with two session ids under another name is one session, under the commonest', async () => {
    write({
      'full.jsonl': [hello(A, 'u1'), hello(B, 'u2'), hello(B, 'u3')],
      'bare.jsonl': [{ type: 'user', uuid: 'u9', message: { content: 'no id at all' } }],
    });
    expect(sessionsOf(await read())).toEqual({
      [B]: { files: ['full.jsonl'], messages: 3, agents: [] },
      [join(root, 'bare.jsonl')]: { files: ['bare.jsonl'], messages: 1, agents: [] },
    });
  });

  test('[SESS-2] the commonest id is counted over the whole file, not over its ends', async () => {
    const filler = 'x'.repeat(3000);
    const [head, tail] = [0, 90].map((from) => Array.from({ length: 90 }, (_, i) => hello(A, `a${from + i}`, { filler })));
    const middle = Array.from({ length: 1000 }, (_, i) => hello(B, `b${i}`));
    write({ 'long.jsonl': [hello(B, 'first'), ...(head ?? []), ...middle, ...(tail ?? [])] });
    expect((await read()).sessions.map((one) => [one.id, one.messages])).toEqual([[B, 1181]]);
  });

  test('[SESS-2] one session in two files is one, the older file first', async () => {
    write({ [`one/${A}.jsonl`]: [hello(A, 'u1'), hello(A, 'u2')], [`two/${A}.jsonl`]: [hello(A, 'u1')], 'three/copy.jsonl': [hello(A, 'u3')] });
    utimesSync(join(root, 'one', `${A}.jsonl`), 3000, 3000);
    utimesSync(join(root, 'two', `${A}.jsonl`), 1000, 1000);
    utimesSync(join(root, 'three', 'copy.jsonl'), 2000, 2000);
    const report = await read();
    expect(sessionsOf(report)).toEqual({ [A]: { files: [`two/${A}.jsonl`, 'three/copy.jsonl', `one/${A}.jsonl`], messages: 3, agents: [] } });
    expect(report.sessions.map((one) => one.duplicates)).toEqual([1]);
  });

  test('[SIDE-1] one agent in two folders is one sidechain, where its last record is', async () => {
    const early = side(A, 's1', { timestamp: '2026-01-01T00:00:01Z' });
    write({
      [`${A}.jsonl`]: [hello(A, 'u1')],
      [`${A}/subagents/agent-x.jsonl`]: [early],
      [`${B}.jsonl`]: [hello(B, 'u2')],
      [`${B}/subagents/agent-x.jsonl`]: [early, side(B, 's2', { timestamp: '2026-01-01T00:00:09Z' })],
    });
    const report = await read();
    expect(sessionsOf(report)).toEqual({
      [A]: { files: [`${A}.jsonl`], messages: 1, agents: [] },
      [B]: { files: [`${B}.jsonl`, `${A}/subagents/agent-x.jsonl`, `${B}/subagents/agent-x.jsonl`], messages: 1, agents: ['x'] },
    });
    expect(report.sessions.flatMap((one) => one.sidechains.map((agent) => [relative(agent.file), agent.messages]))).toEqual([
      [`${B}/subagents/agent-x.jsonl`, 2],
    ]);
    expect(report.totals.sidechains).toBe(1);
  });

  test('[SIDE-1] an agent’s file beside its session is found by the session id of its last record', async () => {
    write({
      [`${A}.jsonl`]: [hello(A, 'u1'), reply('a1', 'u1', 'm1', [task('t1', 'go')], { sessionId: A })],
      'agent-x.jsonl': [side(B, 's1'), side(A, 's2')],
    });
    expect(sessionsOf(await read())).toEqual({ [A]: { files: [`${A}.jsonl`, 'agent-x.jsonl'], messages: 2, agents: ['x'] } });
  });

  test('[PARSE-1] lines add up over all files, faults are named by file, and progress reaches the end', async () => {
    write({ [`${A}.jsonl`]: `${JSON.stringify(hello(A))}{"type":"summary"}\n\nbroken\n`, [`${B}.jsonl`]: `[]\n${JSON.stringify(hello(B, 'u2'))}` });
    const steps: (readonly [number, number])[] = [];
    const report = await readTree([root], { prices: DEFAULT_PRICES, now: 0, threads: 1, onProgress: (done, all) => steps.push([done, all]) });
    expect(report.totals).toMatchObject({ lines: 5, extra: 1, records: 3, blank: 1, quarantined: 2 });
    expect(report.quarantine.map(({ file, line, reason }) => [relative(file), line, reason])).toEqual([
      [`${A}.jsonl`, 3, 'invalid JSON'],
      [`${B}.jsonl`, 1, 'not an object'],
    ]);
    expect(steps.at(-1)).toEqual([report.totals.bytes, report.totals.bytes]);
  });
});
