import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDocument, type InspectDocument } from '@yarnboard/protocol';
import { DIALECTS } from '@yarnboard/transcript';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtCommand, conversation, folderWith, jsonl, SESSION, spawned, yarnboard } from './terminal.ts';

const inspected = async (...args: readonly string[]): Promise<InspectDocument> => {
  const { out, code, err } = await yarnboard(['inspect', ...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return inspectDocument.parse(JSON.parse(out));
};

describe('inspect', () => {
  test('[CLI-4] one small session is reported to the last field', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    const file = join(folder, `${SESSION}.jsonl`);
    const usage = { responses: 1, input_tokens: 1000, output_tokens: 100, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, cache_read_tokens: 0 };
    const { sessions, totals, by_day, by_model, by_project, kinds } = await inspected(file);
    expect(sessions).toEqual([
      {
        session_id: SESSION,
        files: [file],
        companions: [],
        tool: 'claude-code',
        other_session_ids: [],
        project: '/home/dev/proj',
        title: 'Hello',
        versions: ['2.1.50'],
        started_at: '2026-01-15T10:00:00.000Z',
        ended_at: '2026-01-15T10:00:01.000Z',
        messages: 2,
        roots: 1,
        orphans: 0,
        cycles: 0,
        duplicates: 0,
        late_parents: 0,
        tools: { uses: 0, results: 0, paired: 0, uses_without_result: 0, results_without_use: 0 },
        branches: [],
        active_path: { leaf_uuid: `${SESSION}-a1`, messages: 2 },
        off_path: { conversation: 2, replayed: 0, other_root: 0, dead_end: 0 },
        compactions: [],
        sidechains: [],
        continues: null,
        usage,
        cost_usd: 0.0045,
      },
    ]);
    expect(totals).toMatchObject({
      files: 1,
      lines: 2,
      records: 2,
      blank: 0,
      extra: 0,
      quarantined: 0,
      sessions: 1,
      messages: 2,
      cost_usd: 0.0045,
      unpriced: [],
    });
    expect(kinds).toEqual({ user: 1, assistant: 1 });
    expect(by_day).toEqual([{ day: '2026-01-15', ...usage, cost_usd: 0.0045 }]);
    expect(by_model).toEqual([{ model: 'claude-sonnet-4-5', ...usage, cost_usd: 0.0045 }]);
    expect(by_project).toEqual([{ project: '/home/dev/proj', ...usage, cost_usd: 0.0045 }]);
  });

  test('[CLI-3] files, folders and a Claude Code home are all paths, and several may be given', async () => {
    const other = '99999999-2222-4333-8444-555555555555';
    const home = folderWith({
      [`projects/-home-dev-proj/${SESSION}.jsonl`]: conversation(),
      'history.jsonl': '{"display":"x"}\n',
      'settings.json': '{}',
    });
    const single = join(folderWith({ [`${other}.jsonl`]: conversation(other) }), `${other}.jsonl`);
    const both = await inspected(home, single);
    expect(both.sessions.map((session) => session.session_id)).toEqual([SESSION, other]);
    expect(both.skipped.map((skipped) => skipped.file).sort()).toEqual([join(home, 'history.jsonl'), join(home, 'settings.json')]);
  });

  test('[SESS-2] two sessions in one file and one session in two files are reported', async () => {
    const other = '99999999-2222-4333-8444-555555555555';
    const folder = folderWith({
      [`a/${SESSION}.jsonl`]: conversation() + conversation(other),
      [`b/${SESSION}.jsonl`]: jsonl({
        type: 'user',
        uuid: 'later',
        parentUuid: `${SESSION}-a1`,
        sessionId: SESSION,
        message: { content: 'second half' },
      }),
    });
    const { sessions } = await inspected(folder);
    expect(sessions.map((session) => [session.session_id, session.messages, session.files.length, session.other_session_ids])).toEqual([
      [SESSION, 5, 2, [other]],
    ]);
    expect((await yarnboard(['inspect', folder])).out).toContain('session 11111111: in 2 files, records of 1 more sessions in its files');
  });

  test('[CLI-3] a file that is named twice is read once', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    const file = join(folder, `${SESSION}.jsonl`);
    symlinkSync(file, join(folder, 'agent-link.jsonl'));
    const { totals, sessions } = await inspected(folder, file, join(folder, '.', `${SESSION}.jsonl`));
    expect(totals).toMatchObject({ files: 1, lines: 2, sessions: 1 });
    expect(sessions[0]?.duplicates).toBe(0);
  });

  test('[CLI-3] without a path the configured home is read, else the usual ones', async () => {
    const home = folderWith({ [`.claude/projects/p/${SESSION}.jsonl`]: conversation() });
    const usual = await yarnboard(['inspect', '--json'], { home });
    expect(inspectDocument.parse(JSON.parse(usual.out)).totals.sessions).toBe(1);
    const configured = await yarnboard(['inspect', '--json'], { home: '/nowhere', env: { CLAUDE_CONFIG_DIR: join(home, '.claude') } });
    expect(inspectDocument.parse(JSON.parse(configured.out)).totals.sessions).toBe(1);
  });

  test('[CLI-1] what cannot be done is reported in a sentence, with the code', async () => {
    expect(await yarnboard(['inspect'])).toEqual({
      code: 3,
      out: '',
      err: 'yarnboard: found no sessions on this machine; name a file or folder, or try `yarnboard inspect --demo`\n',
    });
    expect(await yarnboard(['inspect', '/no/such/path'])).toEqual({
      code: 3,
      out: '',
      err: 'yarnboard: there is no file or folder "/no/such/path"\n',
    });
    expect((await yarnboard(['inspect', '--nonsense'])).code).toBe(2);
    expect((await yarnboard(['inspect', '--nonsense'])).err).toContain('`yarnboard help inspect` lists the options');
    expect((await yarnboard(['inspect', '--demo', '/tmp'])).code).toBe(2);
    expect((await yarnboard(['inspect', '-', '/tmp'])).code).toBe(2);
    expect((await yarnboard(['inspect', '--demo', '--threads', '0'])).code).toBe(2);
    expect((await yarnboard(['help', 'frobnicate'])).code).toBe(2);
    expect((await yarnboard(['inspect'], { env: { CLAUDE_CONFIG_DIR: '/nope' } })).err).toContain('in /nope (CLAUDE_CONFIG_DIR)');
    expect(await yarnboard(['frobnicate'])).toEqual({
      code: 2,
      out: '',
      err: 'yarnboard: unknown command "frobnicate"; `yarnboard help` lists them\n',
    });
  });

  test('[CLI-1] quarantined lines are listed and do not change the exit code', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: `${conversation()}not json\n\n[1]\n{"half":` });
    const { quarantine, totals } = await inspected(folder);
    const file = join(folder, `${SESSION}.jsonl`);
    const size = conversation().length;
    expect(quarantine).toEqual([
      { file, line: 3, offset: size, reason: 'invalid JSON' },
      { file, line: 5, offset: size + 10, reason: 'not an object' },
      { file, line: 6, offset: size + 14, reason: 'truncated' },
    ]);
    expect(totals).toMatchObject({ lines: 6, records: 2, blank: 1, quarantined: 3 });
  });

  test('[CLI-5] the demo set shows what the program can do', async () => {
    const { sessions, totals } = await inspected('--demo');
    expect(sessions.length).toBeGreaterThanOrEqual(20);
    expect(new Set(sessions.flatMap((session) => session.versions)).size).toBeGreaterThanOrEqual(5);
    expect(totals.branch_points).toBeGreaterThanOrEqual(1);
    expect(totals.compactions).toBeGreaterThanOrEqual(1);
    const sidechains = sessions.flatMap((session) => session.sidechains);
    expect(Math.max(...sidechains.map((sidechain) => sidechain.depth))).toBeGreaterThanOrEqual(2);
    expect(sidechains.some((sidechain) => sidechain.state === 'incomplete')).toBe(true);
    expect(sessions.some((session) => session.continues?.by === 'fork')).toBe(true);
    expect(sessions.some((session) => session.companions.length > 0)).toBe(true);
    expect(totals.quarantined).toBe(0);
    expect(new Set(sessions.map(({ tool }) => tool))).toEqual(new Set(DIALECTS.map(({ name }) => name)));
  });

  test('[DIALECT-7] where there are several tools, sessions name theirs and spending is reported by tool', async () => {
    const { out } = await yarnboard(['inspect', '--demo', '--all']);
    expect(out).toMatch(/^session +started \(UTC\) +tool +title/mu);
    expect(out).toMatch(/^01a1e1a9 .* codex +Have a /mu);
    expect(out).toMatch(/^tool +sessions +responses/mu);
    const { sessions, by_tool: byTool } = await inspected('--demo');
    expect(byTool.map(({ tool }) => tool).sort()).toEqual(DIALECTS.map(({ name }) => name).sort());
    for (const { tool, responses, cost_usd: cost } of byTool) {
      const own = sessions.filter((session) => session.tool === tool);
      expect(responses).toBe(own.reduce((sum, { usage }) => sum + usage.responses, 0));
      expect(cost).toBeCloseTo(
        own.reduce((sum, session) => sum + session.cost_usd, 0),
        6,
      );
    }
    const { out: one } = await yarnboard(['inspect', '--demo', '--tool', 'codex']);
    expect(one).not.toMatch(/^session .* tool /mu);
    // Sub-agents' files, and what a tool keeps beside its sessions, are nothing to worry about.
    expect(one).not.toMatch(/in 2 files|skipped .*(?:yaml|project_root)/u);
  });

  test('[CLI-10] a price file replaces the table, and a bad one is refused with the place', async () => {
    const folder = folderWith({
      [`t/${SESSION}.jsonl`]: conversation(),
      'good.json': JSON.stringify({
        date: '2030-01-01',
        models: { 'claude-sonnet-4-5': { input: 1, output: 10, cache_write_5m: 0, cache_write_1h: 0, cache_read: 0 } },
      }),
      'bad.json': JSON.stringify({ models: { x: { input: 1, output: -1 } } }),
      'broken.json': '{',
    });
    const priced = await inspected(join(folder, 't'), '--prices', join(folder, 'good.json'));
    expect(priced.totals).toMatchObject({ cost_usd: 0.002, prices_date: '2030-01-01' });
    const bad = await yarnboard(['inspect', join(folder, 't'), '--prices', join(folder, 'bad.json')]);
    expect(bad).toEqual({
      code: 3,
      out: '',
      err: `yarnboard: the prices in ${join(folder, 'bad.json')} cannot be used: models.x.output must be dollars per million tokens, 0 or more\n`,
    });
    expect((await yarnboard(['inspect', join(folder, 't'), '--prices', join(folder, 'broken.json')])).code).toBe(3);
    expect((await yarnboard(['inspect', join(folder, 't'), '--prices', '/no/prices'])).code).toBe(3);
  });

  test('[CLI-7] ids that begin alike are listed as far as they differ, each enough for `show`; what has no price says so', async () => {
    const other = `${SESSION.slice(0, 10)}9${SESSION.slice(11)}`;
    const folder = folderWith({
      [`${SESSION}.jsonl`]: conversation(),
      [`${other}.jsonl`]: conversation(other, 'Good evening').replace('claude-sonnet-4-5', 'mystery-1'),
    });
    const { out } = await yarnboard(['inspect', folder]);
    const rows = out.split('\n').filter((line) => line.startsWith(SESSION.slice(0, 8)));
    const ids = rows.map((row) => row.split(' ')[0] ?? '');
    expect(ids.map((id) => id.length)).toEqual([11, 11]);
    for (const id of ids) expect((await yarnboard(['show', id, '--in', folder])).code).toBe(0);
    expect(rows.find((row) => row.includes('Good evening'))).toMatch(/no price$/u);
    expect(rows.find((row) => row.includes('Hello'))).toMatch(/\$0\.0045$/u);
    expect(out).toMatch(/^mystery-1 .*no price$/mu);
  });

  test('[COST-5] a model without price is named, never guessed', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation().replace('claude-sonnet-4-5', 'mystery-1') });
    const { totals, by_model } = await inspected(folder);
    expect({ cost: totals.cost_usd, unpriced: totals.unpriced }).toEqual({ cost: 0, unpriced: ['mystery-1'] });
    expect(by_model[0]?.cost_usd).toBeNull();
  });

  test('[CLI-2] progress goes to a terminal only, and never into the document', async () => {
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    expect((await yarnboard(['inspect', folder], { isErrTerminal: true })).err).toContain('reading 100 %');
    expect((await yarnboard(['inspect', folder, '--json'], { isErrTerminal: true })).err).toBe('');
    expect((await yarnboard(['inspect', folder])).err).toBe('');
  });

  test('[CLI-11] control characters in titles, paths and models never reach the terminal', async () => {
    const folder = folderWith({
      [`${SESSION}.jsonl`]: conversation(SESSION, '\u001b[31mred\u0007\u001b]0;x').replaceAll('claude-sonnet-4-5', 'm\\u001b[2J'),
    });
    const { out } = await yarnboard(['inspect', folder]);
    // oxlint-disable-next-line no-control-regex -- that none is left is the point
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/u);
    expect(out).toContain('red');
  });

  test('[CLI-9] a file that cannot be read is named and the others are read', async () => {
    const other = '99999999-2222-4333-8444-555555555555';
    const folder = folderWith({ [`${SESSION}.jsonl`]: conversation() });
    // A folder named like a transcript cannot be read as one, whoever runs the test.
    mkdirSync(join(folder, `${other}.jsonl`));
    writeFileSync(join(folder, 'agent-x.jsonl'), '');
    chmodSync(join(folder, 'agent-x.jsonl'), 0);
    const { totals } = await inspected(folder);
    expect(totals.sessions).toBe(1);
  });
});

describe('the built command', () => {
  let command = '';
  beforeAll(() => {
    command = builtCommand();
  });

  test('[CLI-3] standard input is a transcript, its session named by its records', () => {
    const { status, stdout } = spawned(command, ['inspect', '-', '--json'], conversation());
    expect(status).toBe(0);
    const { sessions, totals } = inspectDocument.parse(JSON.parse(stdout));
    expect(sessions.map((session) => session.session_id)).toEqual([SESSION]);
    expect(totals.records).toBe(2);
  });

  test('[CLI-6] one thread and many give the same report', () => {
    const filler = 'x'.repeat(20_000);
    const idOf = (i: number): string => `${String(i).padStart(8, '0')}-2222-4333-8444-555555555555`;
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => {
        const sessionId = idOf(i);
        // Neighbours share their first records: copies are settled over threads, too.
        const uuid = (k: number): string => `${k < 10 ? idOf(i - (i % 2)) : sessionId}-${k}`;
        const records = Array.from({ length: 25 }, (__, k) => ({
          type: 'user',
          uuid: uuid(k),
          parentUuid: k === 0 ? null : uuid(k - 1),
          sessionId,
          message: { role: 'user', content: filler },
        }));
        return [`p/${sessionId}.jsonl`, conversation(sessionId) + jsonl(...records)];
      }),
    );
    const folder = folderWith(files);
    const report = (threads: string): unknown => {
      const { status, stdout, stderr } = spawned(command, ['inspect', folder, '--json', '--threads', threads]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return inspectDocument.parse(JSON.parse(stdout));
    };
    const one = report('1');
    expect(inspectDocument.parse(one).sessions.filter((session) => session.continues?.shared === 10)).toHaveLength(10);
    expect(report('2')).toEqual(one);
    expect(report('4')).toEqual(one);
  });

  test('[CLI-9] a reader that goes away ends the command quietly', () => {
    const { stderr } = spawned('-e', [
      `const { spawn } = require('node:child_process');
       const child = spawn(process.execPath, [${JSON.stringify(command)}, 'show', '108016', '--demo', '--format', 'json'], { stdio: ['ignore', 'pipe', 'inherit'] });
       child.stdout.once('data', () => child.stdout.destroy());`,
    ]);
    expect(stderr).toBe('');
  });

  test('[DOC-5] the version is the same in every package and in --version', () => {
    const versions = ['cli', 'protocol', 'transcript'].map(
      (name) => JSON.parse(readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8')).version,
    );
    expect(new Set([...versions, spawned(command, ['--version']).stdout.trim()]).size).toBe(1);
  });
});
