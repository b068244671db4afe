import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDocument } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtCommand, conversation, folderWith, jsonl, SESSION, spawned, yarnboard } from './terminal.ts';

const isLinux = process.platform === 'linux';
const ESCAPES = '\u001b[31mred\u001b]0;title\u0007';

// What becomes of the commands when the world around them is not as it should be.
let command = '';
beforeAll(() => {
  command = builtCommand();
});

describe('writing', () => {
  test.runIf(isLinux)('[CLI-9] a full disk is reported, and leaves no half file', () => {
    const { status, stderr } = spawned(command, ['show', '108016d4', '--demo', '--output', '/dev/full']);
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining('cannot write /dev/full: ENOSPC') });
    const out = spawnSync('sh', ['-c', `"${process.execPath}" "${command}" inspect --demo > /dev/full`], { encoding: 'utf8' });
    expect({ status: out.status, stderr: out.stderr }).toEqual({ status: 3, stderr: expect.stringContaining('cannot write to standard output') });
  });

  test('[CLI-8] a transcript is never overwritten by its own export', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    const file = join(folder, `${SESSION}.jsonl`);
    expect(await yarnboard(['show', file, '--output', file])).toMatchObject({ code: 2, out: '' });
    expect(readFileSync(file, 'utf8')).toBe(conversation());
  });

  test('[CLI-8] an export replaces its file whole and leaves nothing beside it', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation(), 'page.md': 'old' });
    expect((await yarnboard(['show', join(folder, `${SESSION}.jsonl`), '--format', 'md', '--output', join(folder, 'page.md')])).code).toBe(0);
    expect(readFileSync(join(folder, 'page.md'), 'utf8')).toContain('### Human');
    expect(readdirSync(folder).sort()).toEqual([`${SESSION}.jsonl`, 'page.md']);
  });
});

describe('reading', () => {
  test.runIf(isLinux)('[CLI-9] pipes where files should be are named and not waited for', () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation(), [`${SESSION}/subagents/agent-x.jsonl`]: '' });
    for (const name of [`${SESSION}/subagents/agent-x.meta.json`, 'agent-q.jsonl']) execFileSync('mkfifo', [join(folder, name)]);
    const { status, stdout } = spawned(command, ['inspect', folder, '--json']);
    expect(status).toBe(0);
    expect(inspectDocument.parse(JSON.parse(stdout)).skipped.map((one) => one.reason)).toEqual(['not a regular file', 'not a regular file']);
    expect(spawned(command, ['show', join(folder, `${SESSION}.jsonl`)]).stdout).toContain('Hi there');
  });

  test('[CLI-9] a saved output that is a link, or gone, is not followed: the record tells what it has', async () => {
    const saved = '<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/big.txt\n\nPreview (first 2KB):\n1\n2';
    const lines = [
      {
        type: 'assistant',
        uuid: 'a',
        parentUuid: null,
        sessionId: SESSION,
        message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      },
      {
        type: 'user',
        uuid: 'r',
        parentUuid: 'a',
        sessionId: SESSION,
        message: { content: [{ type: 'tool_result', tool_use_id: 't', content: saved }] },
      },
    ];
    const folder = folderWith({ [`${SESSION}.jsonl`]: jsonl(...lines), 'secret.txt': 'the secret' });
    mkdirSync(join(folder, SESSION, 'tool-results'), { recursive: true });
    symlinkSync(join(folder, 'secret.txt'), join(folder, SESSION, 'tool-results', 'big.txt'));
    const { out } = await yarnboard(['show', join(folder, `${SESSION}.jsonl`)]);
    expect(out).toContain('Preview (first 2KB)');
    expect(out).not.toContain('the secret');
  });

  test.runIf(isLinux && process.getuid?.() === 0)('[CLI-1] what may not be read is refused in a sentence (needs to become somebody else)', () => {
    const folder = folderWith({ [`open/${SESSION}.jsonl`]: conversation(), [`shut/${SESSION}.jsonl`]: conversation() });
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    execFileSync('chmod', ['700', join(folder, 'shut')]);
    execFileSync('chmod', ['000', join(folder, 'open', `${SESSION}.jsonl`)]);
    const asNobody = (...args: readonly string[]): unknown => {
      const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', uid: 65_534, gid: 65_534 });
      return { status, isSentence: /^yarnboard: [^\n]+\n$/u.test(stderr), isQuiet: stdout === '' };
    };
    const refused = { status: 3, isSentence: true, isQuiet: true };
    expect(asNobody('inspect', join(folder, 'shut'))).toEqual(refused);
    expect(asNobody('show', join(folder, 'shut'))).toEqual(refused);
    expect(asNobody('show', join(folder, 'open', `${SESSION}.jsonl`))).toEqual(refused);
    expect(asNobody('inspect', join(folder, 'open', `${SESSION}.jsonl`))).toMatchObject({ status: 3, isSentence: true });
  });

  test('[FILE-1] a stream log is told from a transcript on standard input and under any name', async () => {
    const log = jsonl(
      { type: 'system', subtype: 'init', session_id: SESSION, uuid: 'x' },
      { type: 'assistant', session_id: SESSION, uuid: 'y', message: { id: 'm', content: [] } },
    );
    const { stdout } = spawned(command, ['inspect', '-', '--json'], log);
    const { totals, skipped } = inspectDocument.parse(JSON.parse(stdout));
    expect([totals.sessions, totals.lines, skipped]).toEqual([0, 0, [{ file: '-', reason: 'a stream log, not a transcript' }]]);
    const folder = folderWith({ [`${SESSION}.jsonl`]: log });
    expect((await yarnboard(['inspect', folder])).out).toContain('a stream log, not a transcript');
    expect((await yarnboard(['show', folder])).err).toContain('a stream log, not a transcript');
  });

  test('[PARSE-1] rubbish is counted to the last line, and listed as far as it makes sense', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: `${conversation()}${'x\n'.repeat(20_000)}` });
    const { totals, quarantine } = inspectDocument.parse(JSON.parse((await yarnboard(['inspect', folder, '--json'])).out));
    expect([totals.quarantined, totals.lines, quarantine.length]).toEqual([20_000, 20_002, 10_000]);
  });

  test('[CLI-9] a transcript that changes while it is shown says so in every format', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    const file = join(folder, `${SESSION}.jsonl`);
    for (const format of ['text', 'md', 'html']) {
      writeFileSync(file, conversation());
      // The clock is asked between reading the session and telling it.
      const now = (): number => {
        if (existsSync(file)) rmSync(file);
        return 0;
      };
      expect((await yarnboard(['show', file, '--format', format], { now })).out.match(/has changed or is gone/gu)).toHaveLength(2);
    }
  });
});

describe('finding', () => {
  test('[CLI-7] whatever inspect lists can be shown by its id', async () => {
    const named = jsonl({ type: 'user', uuid: 'u', parentUuid: null, sessionId: 'my-session', message: { content: 'named by its records' } });
    const alone = jsonl({
      type: 'user',
      uuid: 's',
      parentUuid: null,
      sessionId: 'lone',
      agentId: 'x',
      isSidechain: true,
      message: { content: 'only an agent' },
    });
    const folder = folderWith({
      'backup.jsonl': named,
      'lone/subagents/agent-x.jsonl': alone,
      [`a/${SESSION}.jsonl`]: conversation(SESSION, 'first half'),
      [`b/${SESSION}.jsonl`]: jsonl({
        type: 'user',
        uuid: 'later',
        parentUuid: `${SESSION}-a1`,
        sessionId: SESSION,
        message: { content: 'second half' },
      }),
    });
    const shown = async (id: string): Promise<string> => (await yarnboard(['show', id, '--in', folder])).out;
    expect(await shown('my-s')).toContain('named by its records');
    expect(await shown('lone')).toContain('only an agent');
    expect(await shown(SESSION.toUpperCase())).toMatch(/first half[\s\S]*second half/u);
  });
});

describe('hostile names and texts', () => {
  test('[CLI-11] escape codes in names do not reach the terminal through errors, nor make lines of their own in reports', async () => {
    const folder = folderWith({ [`a${ESCAPES}.jsonl`]: conversation('one'), 'ab.jsonl': conversation('two'), 'x\n24 sessions forged.txt': '' });
    for (const args of [
      ['show', 'o', '--in', `${folder}${ESCAPES}`],
      ['show', `q${ESCAPES}`, '--in', folder],
      ['inspect', `${folder}${ESCAPES}`],
      ['inspect', folder],
    ]) {
      const { out, err } = await yarnboard(args);
      // oxlint-disable-next-line no-control-regex -- that none is left is the point
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/u);
      expect(out).not.toMatch(/^24 sessions forged/mu);
    }
  });

  test('[CLI-11] no format prints control characters of a transcript', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation(SESSION, `${ESCAPES}\u009b31m`) });
    for (const format of ['text', 'md', 'html', 'json']) {
      const { out } = await yarnboard(['show', folder, '--format', format]);
      // oxlint-disable-next-line no-control-regex -- that none is left is the point
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
    }
  });
});
