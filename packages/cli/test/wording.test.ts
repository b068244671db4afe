import { words } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { findVerb, VERBS } from '../src/registry/verbs.ts';
import { boardStage } from './board-stage.ts';
import { pipedLines, SESSION, yarnboard } from './terminal.ts';

describe('the words of a terminal', () => {
  test('[CLI-25] an operation is called by its verb, wherever a refusal names one', () => {
    for (const { name, group, word } of VERBS.filter(({ operation, group, word }) => operation.terminal?.words.join(' ') === `${group} ${word}`))
      expect(words({ reason: 'operation-for-operator', facts: { operation: name, actor: 'AGENT-ada' } }, 'terminal', name)).toContain(
        `\`yarnboard ${group} ${word}\``,
      );
  });

  test('[CLI-25] an input is called as the verb takes it: by its flag, or as in the usage', () => {
    for (const verb of VERBS) {
      for (const { name, flag } of verb.parameters) {
        const alias = [...verb.aliases].find(([, meant]) => meant === name)?.[0];
        const shown = verb.given.some((one) => one.name === name) ? flag.toUpperCase() : `--${alias ?? flag}`;
        const complaints = [{ input: name, fault: 'missing', wanted: [] }] as const;
        expect(words({ reason: 'bad-input', facts: { complaints } }, 'terminal', verb.name)).toBe(`${shown} is missing`);
      }
    }
  });

  test('[WORDS-7] commands that are no verbs of the registry exist as well', async () => {
    for (const line of ['inspect --all', 'status', 'verify', 'open']) {
      const { out } = await yarnboard(['help', ...line.split(' ').slice(0, 1)]);
      for (const part of line.split(' ')) expect(out).toContain(part);
    }
  });
});

describe.each(['a server', 'no server'])('what the board says, with %s', (which) => {
  const stage = async () => {
    const board = boardStage();
    await (which === 'a server' ? board.serve() : board.run('import'));
    return board;
  };

  test('[CLI-25] refusals and warnings name verbs and flags', async () => {
    const { run } = await stage();
    expect((await run('sidebar spawn think --root')).err).toMatch(/^warning: without success criteria, /u);
    expect((await run('sidebar move SB-1 FAILED')).err).toMatch(/^yarnboard: bad-request: --reason must not be empty/u);
    expect((await run('sidebar show SB-9')).err).toContain('`yarnboard sidebar list` lists them');
    await run('sidebar consolidate SB-1');
    expect((await run(`sidebar merge SB-1 --parent-id ${SESSION}`)).err).toContain('(`yarnboard sidebar check`)');
    await run('agent add scout');
    expect((await run('agent add scout')).err).toContain('you can give it a new token (`yarnboard agent token`)');
  });

  test('[CLI-26] a conflict is called as it is settled, and what is kept by what it is', async () => {
    const { run } = await stage();
    await run(['sidebar', 'spawn', 'look', '--from', SESSION]);
    await run('sidebar find SB-1 The connection pool holds 5 connections. --source-refs MSG-1');
    const { out } = await run('sidebar find SB-1 The connection pool holds 50 connections.');
    expect(out).toMatch(/\nSB-1:CONFLICT-1: SCRATCH-1:FINDING-2 and SCRATCH-1:FINDING-1: (?!SCRATCH)/u);
    expect((await run('agent inbox')).out).toContain('\n  settle SB-1 CONFLICT-1: ');
    expect((await run('sidebar settle SB-1 CONFLICT-1 staging and production')).out).toContain('SB-1:CONFLICT-1 settled: staging and production\n');
    await run('sidebar validate SB-1 FINDING-1 confirmed');
    await run('sidebar validate SB-1 FINDING-2 rejected --validation-notes no');
    await run('sidebar checkpoint SB-1 half way');
    await run('sidebar consolidate SB-1');
    await run('sidebar check SB-1');
    expect((await run('sidebar merge SB-1')).out).toContain('episodic memory is final: SCRATCH-1:FINDING-1\n');
  });

  test('[CLI-26] where nothing was said yet, what it inherited is pointed to, if it is anything', async () => {
    const { run } = await stage();
    await run('sidebar spawn look --from MSG-2');
    await run('sidebar spawn think --root');
    expect((await run('sidebar memory SB-1')).out).toBe(
      'nothing was said yet\nwhat it inherited: `yarnboard sidebar memory SB-1 --part inherited`\n',
    );
    expect((await run('sidebar memory SB-2')).out).toBe('nothing was said yet\n');
    expect(JSON.parse((await run('sidebar memory SB-1 --json')).out)).toEqual({ items: [], next_cursor: null });
  });
});

test('[CLI-25] [CLI-26] a conversation speaks like the verbs', async () => {
  const { serve, run, runAs } = boardStage();
  await serve();
  await run('sidebar spawn think --root');
  const typing = pipedLines(
    '/find The connection pool holds 5 connections.',
    '/find The connection pool holds 50 connections.',
    '/move FAILED',
    '/promote',
    '/memory SB-9',
  );
  const { code, out, err } = await runAs('chat SB-1', { typing });
  expect(code).toBe(3);
  expect(out).toContain('· SB-1:CONFLICT-1: ');
  expect(err).toContain('--reason must not be empty');
  expect(err).toContain('there is no /promote (that is `yarnboard sidebar move SB-n ACTIVE`)');
  expect(err).toContain('`yarnboard sidebar list` lists them');
});

describe('what is nearly right', () => {
  test.each([
    ['sidebar discard SB-1', '`yarnboard sidebar archive SB-n`'],
    ['sidebar promote SB-1', '`yarnboard sidebar move SB-n ACTIVE`'],
    ['agent ack 5', '`yarnboard agent read N`'],
    ['sidebar approve SB-1', '`yarnboard sidebar merge SB-n`'],
    ['sidebar review SB-1', '`yarnboard sidebar move SB-n REVIEWING` or `yarnboard sidebar score SB-n EXCH-n=HIGH`'],
    ['sidebar reject SB-1', '`yarnboard sidebar validate SB-n FINDING-n rejected`)'],
    ['gold confirm GOLD-1', '`yarnboard gold validate GOLD-n confirmed`)'],
    ['confirm', '`yarnboard sidebar validate SB-n FINDING-n confirmed` or `yarnboard gold validate GOLD-n confirmed`)'],
  ])('[CLI-27] %s is told what it is called here', async (line, verb) => {
    const { code, err } = await yarnboard(line.split(' '));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`(that is ${verb}`) as string });
  });

  test('[CLI-27] the words that are offered are verbs', async () => {
    for (const word of ['discard', 'promote', 'ack', 'approve', 'review', 'reject', 'confirm']) {
      const { err } = await yarnboard([word]);
      const lines = [...err.matchAll(/`yarnboard (\w+) (\w+) /gu)];
      expect(lines.length).toBeGreaterThan(0);
      for (const [, group = '', verb] of lines) expect(findVerb(group, verb)).toMatchObject({ group, word: verb });
    }
  });

  test.each(['export SB-3 --output x', 'export sb-3 --output x'])('[CLI-27] %s is sent to where sidebars are shown', async (line) => {
    expect(await yarnboard(line.split(' '))).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /SB-3 is a sidebar: `yarnboard sidebar show SB-3` shows it, `yarnboard sidebar memory SB-3` what was said\n$/u,
      ) as string,
    });
  });

  test('[CLI-27] a bare number is no beginning of a session; eight digits may be', async () => {
    const { run } = boardStage();
    await run('import');
    expect(await run('sidebar spawn look --from 1')).toMatchObject({ code: 2, err: expect.stringContaining('(did you mean MSG-1?)') as string });
    expect(await run('sidebar merge SB-1 --parent-id 2')).toMatchObject({ code: 2, err: expect.stringContaining('(did you mean SB-2?)') as string });
    expect(await run(`sidebar spawn look --from ${SESSION.slice(0, 8)}`)).toMatchObject({ code: 0 });
  });

  test('[CLI-18] help lists every command', async () => {
    const { out } = await yarnboard(['help']);
    const [, commands = ''] = /-a "([^"]+)"/u.exec((await yarnboard(['completion', 'fish'])).out) ?? [];
    expect(commands.split(' ')).toContain('hook');
    expect(commands.split(' ').filter((command) => !new RegExp(`\\b${command}\\b`, 'u').test(out))).toEqual([]);
    expect(out).toContain('  yarnboard hook --print-settings ');
  });
});
