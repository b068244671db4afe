import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsToResume, readArguments } from '../src/launch/arguments.ts';
import { quoted } from '../src/launch/own-command.ts';
import { until } from '../../../tests/home.ts';
import { A, makeStage, waitForFile } from './launch-stage.ts';
import { yarnboard } from './terminal.ts';

const START = { do: 'start', session: A, source: 'startup' } as const;

describe('the program', () => {
  test('[LAUNCH-1] gets all arguments as they are, also those that look like ours, and nothing of ours is printed', async () => {
    const stage = makeStage();
    for (const args of [
      [],
      ['--help'],
      ['-h'],
      ['--version'],
      ['mcp', 'list', '--help'],
      ['-p', 'say "hello"; rm -rf $HOME', '--output-format', 'json'],
      ['--db', 'x', '--json', '', 'ü\n\t*'],
      ['--', '--settings', '--help'],
    ]) {
      const { code, out, err } = await stage.run({ acts: [{ do: 'print', text: 'theirs' }] }, args);
      expect({ code, out, err }).toEqual({ code: 0, out: 'theirs', err: '' });
      const seen = stage.claude.seen().at(-1);
      const at = seen?.args.indexOf('--settings') ?? -1;
      const isHooked = at === 0; // ours comes first, if at all
      expect(isHooked ? seen?.args.slice(2) : seen?.args).toEqual(args);
      expect(seen?.cwd).toBe(stage.work);
    }
    // A question or a chore is no session: nothing is added, nothing written down.
    expect(stage.claude.seen().map(({ args }) => args[0] === '--settings')).toEqual([true, false, false, false, false, true, true, true]);
    expect(stage.spools().length).toBe(4);
  });

  test('[LAUNCH-1] its exit code passes through; death by a signal is 128 and its number', async () => {
    const stage = makeStage();
    for (const code of [0, 1, 2, 3, 42, 255]) expect((await stage.run({ acts: [START, { do: 'exit', code }] })).code).toBe(code);
    expect((await stage.run({ acts: [{ do: 'die', signal: 'SIGKILL' }] })).code).toBe(137);
    expect((await stage.run({ acts: [{ do: 'die', signal: 'SIGTERM' }] }, ['--version'])).code).toBe(143);
    const ends = stage.spools().flatMap((lines) => lines.filter((line) => line.kind === 'ended').map(({ code, signal }) => code ?? signal));
    expect(new Set(ends)).toEqual(new Set([0, 1, 2, 3, 42, 255, 'SIGKILL']));
  });

  test('[LAUNCH-2] that is missing is reported with how to install it, exit code 3', async () => {
    const empty = makeStage().at('empty');
    mkdirSync(empty);
    const { code, out, err } = await yarnboard(['claude', '-p', 'x'], { env: { PATH: empty }, home: empty });
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toMatch(/^yarnboard: found no `claude` in PATH; install it with `npm install -g @anthropic-ai\/claude-code`.*\n$/u);
    const named = await yarnboard(['claude'], { env: { PATH: empty, YARNBOARD_CLAUDE: join(empty, 'none') }, home: empty });
    expect(named.code).toBe(3);
    expect(named.err).toMatch(/^yarnboard: YARNBOARD_CLAUDE is ".*none", which is no program.*\n$/u);
  });

  test('[LAUNCH-2] is the one that is named, else the first in PATH that is not Yarnboard itself, else where installers put it', async () => {
    const stage = makeStage();
    const first = stage.at('first');
    const second = stage.at('second');
    for (const folder of [first, second]) mkdirSync(folder);
    symlinkSync(stage.command, join(first, 'claude'));
    writeFileSync(join(second, 'claude'), `#!/bin/sh\nexec node "${stage.command}" claude "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${first}:${second}:${stage.claude.bin}:${process.env['PATH'] ?? ''}` };
    expect((await stage.run({ acts: [{ do: 'exit', code: 7 }] }, [], env)).code).toBe(7);
    const other = stage.at('other');
    writeFileSync(other, '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    expect((await stage.run({ acts: [] }, [], { ...env, YARNBOARD_CLAUDE: other })).code).toBe(9);
    const local = stage.at('.local/bin');
    mkdirSync(local, { recursive: true });
    writeFileSync(join(local, 'claude'), '#!/bin/sh\nexit 11\n', { mode: 0o755 });
    expect((await stage.run({ acts: [] }, [], { PATH: '/usr/bin:/bin', HOME: stage.folder })).code).toBe(11);
  });

  test('[LAUNCH-2] that cannot be run is reported in one sentence', async () => {
    const stage = makeStage();
    const broken = stage.at('broken');
    writeFileSync(broken, '#!/no/such/interpreter\n', { mode: 0o755 });
    const { code, err } = await stage.run({ acts: [] }, [], { YARNBOARD_CLAUDE: broken });
    expect(code).toBe(3);
    expect(err).toMatch(/^yarnboard: cannot run .*broken: .*\n$/u);
    expect(stage.spools()[0]?.at(-1)).toMatchObject({ kind: 'ended', code: 3 });
  });

  test('[LAUNCH-16] SIGTERM and SIGHUP are passed on, without a terminal also SIGINT and SIGQUIT; an interruption that the terminal sent to both ends nothing of ours', async () => {
    const stage = makeStage();
    for (const [signal, on, code] of [
      ['SIGTERM', {}, 143],
      ['SIGHUP', {}, 129],
      ['SIGINT', {}, 130],
      ['SIGQUIT', { SIGQUIT: 6 }, 6],
      ['SIGTERM', { SIGTERM: 5 }, 5],
    ] as const) {
      const mark = stage.at(`up-${signal}-${code}`);
      const terminal = stage.start({ acts: [START, { do: 'mark', file: mark }, { do: 'wait', file: '/never' }], on });
      await waitForFile(mark);
      terminal.child.kill(signal);
      expect((await terminal.ended).code).toBe(code);
      expect(
        stage
          .spools()
          .flat()
          .filter((line) => line.kind === 'ended'),
      ).toContainEqual(expect.objectContaining({ stoppedBy: signal }));
    }
    const [up, go] = [stage.at('up'), stage.at('go')];
    const terminal = stage.start({
      acts: [
        { do: 'mark', file: up },
        { do: 'wait', file: go },
        { do: 'exit', code: 0 },
      ],
      on: { SIGINT: 'ignore' },
    });
    const pid = Number(await waitForFile(up));
    terminal.child.kill('SIGINT');
    process.kill(pid, 'SIGINT');
    writeFileSync(go, '');
    expect((await terminal.ended).code).toBe(0);
  });

  // Elsewhere script(1) is called in another way.
  test.skipIf(process.platform !== 'linux')(
    '[LAUNCH-16] a claude that stops itself (Ctrl-Z) stops the launcher with it, and both go on together',
    async () => {
      const stage = makeStage();
      const [up, go] = [stage.at('up'), stage.at('go')];
      // The real thing needs a terminal: script(1) makes one.
      const acts = [
        { do: 'mark', file: up },
        { do: 'wait', file: go },
        { do: 'exit', code: 4 },
      ] as const;
      const inside = `exec '${process.execPath}' '${stage.command}' claude`;
      const terminal = stage.startIn(['script', '-qec', inside, '/dev/null'], { acts });
      const pid = Number(await waitForFile(up));
      const launcher = parentOf(pid);
      process.kill(pid, 'SIGSTOP');
      await until(() => (stateOf(launcher) === 'T' ? true : null));
      // script(1) stops with whatever runs in it, as a shell would go on.
      await until(() => (stateOf(terminal.child.pid ?? 0) === 'T' ? true : null));
      terminal.child.kill('SIGCONT');
      await until(() => (stateOf(launcher) !== 'T' && stateOf(pid) !== 'T' ? true : null));
      writeFileSync(go, '');
      expect((await terminal.ended).code).toBe(4);
    },
  );
});

describe('the hook', () => {
  test('[LAUNCH-3] is called from anywhere, with an id for whoever asks, and is gone afterwards', async () => {
    const stage = makeStage();
    await stage.run({ acts: [START, { do: 'leave', reason: 'other' }, { do: 'exit', code: 0 }] });
    const [seen] = stage.claude.seen();
    expect(seen?.hooks).toEqual([
      { code: 0, out: '', err: '' },
      { code: 0, out: '', err: '' },
    ]);
    const [lines = []] = stage.spools();
    expect(lines.map(({ kind }) => kind)).toEqual(['started', 'spawned', 'session', 'session-end', 'ended']);
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'session', sessionId: A, source: 'startup', cwd: stage.work }));
    const [name = ''] = readdirSync(stage.launches);
    expect(readdirSync(stage.launches)).toEqual([name]);
    expect(seen?.env['YARNBOARD_LAUNCH']).toBe(name.replace('.jsonl', ''));
    // What the tests themselves are told by is not ours.
    const ours = Object.keys(seen?.env ?? {}).filter((key) => key.startsWith('YARNBOARD') && process.env[key] === undefined);
    expect(ours.sort()).toEqual(['YARNBOARD_HOME', 'YARNBOARD_LAUNCH', 'YARNBOARD_STATE']);
  });

  test('[LAUNCH-3] joins the settings that the user gives, as a file or as text, in a copy that only the user may read', async () => {
    const stage = makeStage();
    const mine = { model: 'opus', hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }], Stop: [] } };
    const file = join(stage.work, 'mine.json');
    const rules = ['Edit(/docs/**)', 'Read(//etc/x)', 'Bash(/bin/ls)', 'Edit(src/**)'];
    const permissions = { defaultMode: 'plan', allow: rules };
    // In the copy a path from the settings' own folder on is spelled out.
    const spelled = { defaultMode: 'plan', allow: [`Edit(/${stage.work}/docs/**)`, ...rules.slice(1)] };
    writeFileSync(file, JSON.stringify({ ...mine, permissions }));
    for (const [args, meant] of [
      [['--settings', 'mine.json', 'go'], spelled],
      [[`--settings=${file}`], spelled],
      [['-p', '--settings', JSON.stringify({ ...mine, permissions }), 'x'], permissions],
    ] as const) {
      await stage.run({ acts: [START, { do: 'exit', code: 0 }] }, args);
      const seen = stage.claude.seen().at(-1);
      expect(seen?.args.length).toBe(args.length);
      expect(seen?.settings).toEqual([
        {
          model: 'opus',
          permissions: meant,
          hooks: {
            SessionStart: [mine.hooks.SessionStart[0], { hooks: [expect.objectContaining({ type: 'command' })] }],
            SessionEnd: [{ hooks: [expect.objectContaining({ type: 'command' })] }],
            UserPromptSubmit: [{ hooks: [expect.objectContaining({ type: 'command' })] }],
            Stop: [],
          },
        },
      ]);
      expect(seen?.modes).toEqual([0o600]);
      expect(seen?.hooks.length).toBe(2);
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(mine);
    expect(readdirSync(stage.launches).every((name) => name.endsWith('.jsonl'))).toBe(true);
    // Given twice, the first counts in some versions and the last in others.
    await stage.run({ acts: [START, { do: 'exit', code: 0 }] }, ['--settings', '{"a":1}', '--settings', '{"b":2}']);
    expect(stage.claude.seen().at(-1)?.settings).toEqual([
      expect.objectContaining({ a: 1, hooks: expect.anything() as unknown }),
      expect.objectContaining({ b: 2, hooks: expect.anything() as unknown }),
    ]);
  });

  test('[LAUNCH-3] is left out where the settings cannot be read: claude gets them as they are, and one line tells', async () => {
    const stage = makeStage();
    const odd = stage.at('odd.json');
    writeFileSync(odd, '{"hooks": []}');
    const { code, out, err } = await stage.run({ acts: [START, { do: 'exit', code: 6 }] }, ['--settings', odd]);
    expect({ code, out }).toEqual({ code: 6, out: '' });
    expect(err).toBe(`yarnboard: cannot add a hook to the settings "${odd}", so this session is not followed when it changes\n`);
    expect(stage.claude.seen()[0]?.args).toEqual(['--settings', odd]);
  });

  test('[LAUNCH-3] any word survives the shell', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'binary' }).filter((word) => !word.includes('\0')),
          { maxLength: 4 },
        ),
        (words) => {
          const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${words.map(quoted).join(' ')}`], { encoding: 'utf8' });
          expect(stdout).toBe(words.length === 0 ? '\0' : words.map((word) => `${word}\0`).join(''));
        },
      ),
      { numRuns: 30 },
    );
  });

  test('[LAUNCH-4] writes one line, prints nothing and never fails; what goes wrong is written down and told', async () => {
    const stage = makeStage();
    const hook = (args: readonly string[], input: string) =>
      spawnSync(process.execPath, [stage.command, 'hook', ...args], { input, encoding: 'utf8', env: stage.env, cwd: '/' });
    const quiet = { status: 0, stdout: '', stderr: '' };
    const said = { session_id: A, transcript_path: '/x/projects/y/z.jsonl', cwd: '/w', hook_event_name: 'SessionStart', source: 'startup', more: 1 };
    expect(hook([A], JSON.stringify(said))).toMatchObject(quiet);
    expect(stage.spools()).toEqual([[expect.objectContaining({ kind: 'session', sessionId: A })]]);
    // No database, nothing of the board.
    expect(readdirSync(stage.at('home'))).toEqual(['launches']);
    for (const [args, input] of [
      [['../../evil'], JSON.stringify(said)],
      [[], JSON.stringify(said)],
      [[A], ''],
      [[A], '{"session_id":'],
      [[A], 'null'],
      [[A], JSON.stringify({ ...said, session_id: 7 })],
      [[A], JSON.stringify({ ...said, hook_event_name: 'Stop' })],
    ] as const)
      expect(hook(args, input)).toMatchObject(quiet);
    expect(stage.spools().flat().length).toBe(1);
    expect(readFileSync(join(stage.launches, 'faults.log'), 'utf8').trim().split('\n').length).toBe(7);
    const { ask } = await stage.serve();
    // The spools are looked at after the start.
    await expect
      .poll(() => ask('/status'))
      .toMatchObject({
        troubles: [{ path: join(stage.launches, 'faults.log'), why: expect.stringMatching(/^7 hooks failed; the last: .*"Stop"/u) as unknown }],
      });
  });

  test('[LAUNCH-4] a home that cannot be written to disturbs neither the hook nor claude; one line tells', async () => {
    const stage = makeStage();
    writeFileSync(stage.at('home'), 'a file where the home should be');
    expect(spawnSync(process.execPath, [stage.command, 'hook', A], { input: '{}', encoding: 'utf8', env: stage.env })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const { code, out, err } = await stage.run(
      {
        acts: [
          { do: 'print', text: 'works' },
          { do: 'exit', code: 0 },
        ],
      },
      ['hello'],
    );
    expect({ code, out }).toEqual({ code: 0, out: 'works' });
    expect(
      err
        .trim()
        .split('\n')
        .every((line) => line.startsWith('yarnboard: cannot write down what happens in this session: ')),
    ).toBe(true);
    expect(stage.claude.seen()[0]?.args).toEqual(['hello']);
  });

  test('[LAUNCH-15] arguments, which may hold anything, are not written down', async () => {
    const stage = makeStage();
    await stage.run({ acts: [START, { do: 'exit', code: 0 }] }, ['-p', 'a secret prompt']);
    expect(stage.spools()[0]?.[0]).toMatchObject({ kind: 'started' });
    for (const name of readdirSync(stage.launches)) expect(readFileSync(join(stage.launches, name), 'utf8')).not.toContain('secret');
  });

  test('[LAUNCH-5] the spool is nobody else’s to read', async () => {
    const stage = makeStage();
    await stage.run({ acts: [START, { do: 'exit', code: 0 }] });
    const [name = ''] = readdirSync(stage.launches);
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    expect([modeOf(stage.launches), modeOf(join(stage.launches, name))]).toEqual([0o700, 0o600]);
  });
});

describe('what is asked for', () => {
  test('[LAUNCH-13] how a session is worked in stays when it is resumed; which one it was, and what to begin with, does not', () => {
    const args = [
      '-c',
      '--model',
      'opus',
      '--add-dir',
      '/a',
      '/b',
      '--verbose',
      '--session-id',
      A,
      '--allowedTools=Edit',
      '-p',
      '--unknown',
      'value',
      'prompt',
      '--',
      '--model',
      'x',
    ];
    expect(argumentsToResume(args, 'S')).toEqual(['--resume', 'S', '--model', 'opus', '--add-dir', '/a', '/b', '--verbose', '--allowedTools=Edit']);
    expect(argumentsToResume(['--resume', 'old', '--fork-session', '--dangerously-skip-permissions', 'go'], 'S')).toEqual([
      '--resume',
      'S',
      '--dangerously-skip-permissions',
    ]);
    expect(argumentsToResume([], 'S')).toEqual(['--resume', 'S']);
  });

  test('[LAUNCH-13] resuming again asks for the same', () => {
    const word = fc.constantFrom(
      '--model',
      '--add-dir',
      '--verbose',
      '-p',
      '--resume',
      '-c',
      '--',
      'a',
      'b c',
      '--settings=x',
      '--tools',
      '--nonsense',
    );
    fc.assert(
      fc.property(fc.array(word), (args) => {
        const once = argumentsToResume(args, 'S');
        expect(argumentsToResume(once, 'S')).toEqual(once);
        expect(once.slice(0, 2)).toEqual(['--resume', 'S']);
      }),
    );
  });

  test('[LAUNCH-1] chores, single answers and copies are known by their arguments', () => {
    expect(readArguments(['mcp', 'list'])).toMatchObject({ isChore: true });
    expect(readArguments(['update the docs'])).toEqual({ isChore: false, isPrint: false, isFork: false });
    expect(readArguments(['--', '--version'])).toMatchObject({ isChore: false });
    expect(readArguments(['-cp', 'x'])).toMatchObject({ isPrint: true });
    expect(readArguments(['--print'])).toMatchObject({ isPrint: true });
    expect(readArguments(['-r', A, '--fork-session'])).toMatchObject({ isFork: true });
  });
});

const statOf = (pid: number): readonly string[] => {
  const path = `/proc/${pid}/stat`;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};
const stateOf = (pid: number): string => statOf(pid)[0] ?? '';
const parentOf = (pid: number): number => Number(statOf(pid)[1]);
