import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { REGISTRY } from '@yarnboard/protocol';
import { spoolOf } from '@yarnboard/server/spool';
import { afterEach, describe, expect, test } from 'vitest';
import { PATIENCE } from '../../../tests/patience.ts';
import { newsFor, PATHS } from '../src/launch/news.ts';
import { rememberTold, toldBefore, toldFolderOf } from '../src/launch/told.ts';
import { boardStage } from './board-stage.ts';
import { builtCommand, SESSION, temporaryFolder } from './terminal.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const merge = async (run: (line: string | readonly string[]) => Promise<unknown>): Promise<void> => {
  await run(['sidebar', 'spawn', 'mend it', '--from', SESSION]);
  await run('sidebar find SB-1 the cache is cold --source-refs MSG-1');
  await run('sidebar validate SB-1 FINDING-1 confirmed');
  await run(['sidebar', 'consolidate', 'SB-1', '--summary', 'The cache is cold', '--recommendations', 'warm it']);
  await run('sidebar check SB-1');
  await run('sidebar merge SB-1');
};

const mark = async (run: (line: string | readonly string[]) => Promise<unknown>): Promise<void> => {
  const reuse = ['--reuse-pattern', 'call warmUp() in start()', '--trigger-conditions', 'first request times out after deploy'];
  await run(['gold', 'add', 'Warm the cache before the first request', '--source-refs', 'MSG-1', ...reuse]);
};

const confirm = (run: (line: string) => Promise<unknown>): Promise<unknown> => run('gold validate GOLD-1 confirmed');

describe('what a session is told', () => {
  test('[LAUNCH-17] is asked for where the registry has it', () => {
    const { sidebars, sidebar, gold_match: match } = REGISTRY;
    expect({ sidebars: sidebars.path, sidebar: sidebar.path, gold_match: match.path }).toEqual(PATHS);
    expect(new Set([sidebars, sidebar, match].map(({ who, method }) => `${who} ${method}`))).toEqual(new Set(['anyone GET']));
  });

  test('[LAUNCH-17] findings that were merged into it, once, with their references', async () => {
    const { run, serve, env, folder } = boardStage();
    await serve();
    const spool = spoolOf({ env, home: folder });
    const ask = () => newsFor(spool, { sessionId: SESSION, prompt: null, patience: PATIENCE });
    expect(await ask()).toBeNull();
    await merge(run);
    expect(await newsFor(spool, { sessionId: 'aaaaaaaa-0000-4000-8000-000000000001', prompt: null, patience: PATIENCE })).toBeNull();
    const news = await ask();
    expect(news?.text).toMatch(
      /^Merged into this session by Yarnboard since it was last told\. .*\n- SB-1 \(mend it\): The cache is cold \[SCRATCH-1:FINDING-1\] Recommended: warm it$/u,
    );
    // Not told until it was printed.
    expect((await ask())?.text).toBe(news?.text);
    news?.told();
    expect(await ask()).toBeNull();
    await run('sidebar archive SB-1');
    expect(await ask()).toBeNull();
  });

  test('[LAUNCH-17] a sidebar that is archived before the session asks is told, too', async () => {
    const { run, serve, env, folder } = boardStage();
    await serve();
    await merge(run);
    await run('sidebar archive SB-1');
    expect((await newsFor(spoolOf({ env, home: folder }), { sessionId: SESSION, prompt: 'and now?', patience: PATIENCE }))?.text).toContain(
      '- SB-1 (mend it)',
    );
  });

  test('[LAUNCH-17] what does not fit is told the next time, however many others were thrown away since', async () => {
    const { run, serve, env, folder } = boardStage();
    await serve();
    const mergeLong = async (at: number): Promise<void> => {
      await run(['sidebar', 'spawn', `part ${at}`, '--from', SESSION]);
      await run(['sidebar', 'consolidate', `SB-${at}`, '--summary', 's'.repeat(990), '--recommendations', 'r'.repeat(490)]);
      await run(`sidebar check SB-${at}`);
      await run(`sidebar merge SB-${at}`);
    };
    for (const at of [1, 2, 3, 4, 5, 6]) await mergeLong(at);
    for (let at = 7; at <= 18; at += 1) {
      await run(['sidebar', 'spawn', 'not needed', '--from', SESSION]);
      await run(`sidebar archive SB-${at}`);
    }
    const tell = async (): Promise<readonly string[]> => {
      const news = await newsFor(spoolOf({ env, home: folder }), { sessionId: SESSION, prompt: null, patience: PATIENCE });
      news?.told();
      expect(news?.text.length ?? 0).toBeLessThanOrEqual(8000);
      return [...(news?.text ?? '').matchAll(/^- (SB-\d+) \(part \d\): s+ Recommended: r+$/gmu)].map(([, ref = '']) => ref);
    };
    expect([await tell(), await tell(), await tell()]).toEqual([['SB-1', 'SB-2', 'SB-3', 'SB-4', 'SB-5'], ['SB-6'], []]);
    // What was thrown away is looked at once.
    expect(toldBefore(env.YARNBOARD_HOME, SESSION).size).toBe(18);
  });

  test('[LAUNCH-17] waypoints that deal with the prompt, each once', async () => {
    const { run, serve, env, folder } = boardStage();
    await serve();
    await mark(run);
    const ask = (prompt: string | null) => newsFor(spoolOf({ env, home: folder }), { sessionId: SESSION, prompt, patience: PATIENCE });
    expect(await ask('Rename the button')).toBeNull();
    expect(await ask(null)).toBeNull();
    expect(await ask('')).toBeNull();
    const prompt = 'The first request times out after every deploy, why?';
    // Nobody has confirmed it yet.
    expect(await ask(prompt)).toBeNull();
    await confirm(run);
    const news = await ask(prompt);
    expect(news?.text).toMatch(
      /^GOLD waypoints of Yarnboard .*\n- GOLD-1: Warm the cache before the first request Reuse: call warmUp\(\) in start\(\) \(when: first request times out after deploy\)$/u,
    );
    news?.told();
    expect(await ask(prompt)).toBeNull();
    // However long it is, and whatever it is made of.
    expect(await ask(`${prompt} ${'漢字\ud800 '.repeat(50_000)}`)).toBeNull();
  });

  test('[LAUNCH-17] nothing without a server; one that is slow or broken is an error after a second at most', async () => {
    const folder = temporaryFolder();
    const spool = spoolOf({ env: { YARNBOARD_HOME: folder }, home: folder });
    const ask = () => newsFor(spool, { sessionId: SESSION, prompt: 'x', patience: PATIENCE });
    expect(await ask()).toBeNull();
    const answers: ((text: string) => void)[] = [];
    const server = createServer((_, response) => answers.push((text) => response.end(text))).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    writeFileSync(spool.serverFile, JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}` }));
    await expect(newsFor(spool, { sessionId: SESSION, prompt: 'x' })).rejects.toThrow(/timeout|aborted/iu);
    server.removeAllListeners('request').on('request', (_, response) => response.end('<html>'));
    await expect(ask()).rejects.toThrow(/JSON/u);
    // SEC-21: where nobody reads without a token, the operator's is sent, and only then.
    writeFileSync(spool.tokenFile, 'of-the-operator\n');
    const sent: (string | undefined)[] = [];
    server.removeAllListeners('request').on('request', ({ headers: { authorization } }, response) => {
      sent.push(authorization);
      response.writeHead(authorization === undefined ? 401 : 200).end('{"items":[]}');
    });
    expect(await ask()).toBeNull();
    expect([sent.includes(undefined), new Set(sent)]).toEqual([true, new Set([undefined, 'Bearer of-the-operator'])]);
    // Whoever has another machine's address in that file is not asked.
    writeFileSync(spool.serverFile, JSON.stringify({ pid: process.pid, url: 'http://example.org:80' }));
    expect(await ask()).toBeNull();
  });

  test('[LAUNCH-17] what was told is remembered in a file of the session; neither grows for ever', () => {
    const home = temporaryFolder();
    expect(toldBefore(home, SESSION)).toEqual(new Set());
    rememberTold(home, SESSION, ['a', 'b']);
    expect(toldBefore(home, SESSION)).toEqual(new Set(['a', 'b']));
    expect(statSync(join(toldFolderOf(home), `${SESSION}.json`)).mode & 0o777).toBe(0o600);
    const ids = Array.from({ length: 600 }, (_, at) => `id-${at}`);
    rememberTold(home, SESSION, ids);
    expect([...toldBefore(home, SESSION)]).toEqual(ids.slice(100));
    for (let n = 0; n < 200; n += 1) {
      const file = join(toldFolderOf(home), `s${n}.json`);
      writeFileSync(file, '[]');
      utimesSync(file, n + 1, n + 1);
    }
    rememberTold(home, 'another', ['x']);
    const files = readdirSync(toldFolderOf(home));
    expect(files.length).toBe(200);
    expect(files).toEqual(expect.arrayContaining(['another.json', `${SESSION}.json`, 's2.json']));
    expect(files).not.toContain('s0.json');
    writeFileSync(join(toldFolderOf(home), `${SESSION}.json`), '{"broken');
    expect(toldBefore(home, SESSION)).toEqual(new Set());
  });
});

describe('the hook as Claude Code calls it', () => {
  const said = (event: string, more: object = {}) =>
    JSON.stringify({ session_id: SESSION, transcript_path: '/x/projects/y/z.jsonl', cwd: '/w', hook_event_name: event, ...more });

  test('[LAUNCH-17] prints what Claude reads as additional context, and nothing when there is nothing', async () => {
    const { run, serve, env } = boardStage();
    const server = await serve();
    await merge(run);
    await mark(run);
    await confirm(run);
    const command = builtCommand();
    const call = async (args: readonly string[], input: string, more: Readonly<Record<string, string>> = {}) => {
      // Not spawnSync: the server is in this process, and has to answer.
      const child = spawn(process.execPath, [command, 'hook', ...args], {
        env: { ...process.env, ...env, YARNBOARD_HOOK_WAIT: String(PATIENCE / 1000), ...more },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.stdin.end(input);
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { code, out, err };
    };
    const quiet = { code: 0, out: '', err: '' };
    expect(await call(['--context'], said('SessionStart'), { YARNBOARD_LAUNCH: SESSION })).toEqual(quiet);
    const begun = await call([SESSION], said('SessionStart', { source: 'resume' }));
    expect(begun).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(begun.out)).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: expect.stringContaining('- SB-1 (mend it)') as string },
    });
    const prompt = 'The first request times out after every deploy';
    const asked = await call(['--context'], said('UserPromptSubmit', { prompt }));
    expect(JSON.parse(asked.out)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringMatching(/^GOLD waypoints .*\n- GOLD-1: /u) as string,
      },
    });
    expect(await call(['--context'], said('UserPromptSubmit', { prompt }))).toEqual(quiet);
    expect(await call([SESSION], said('SessionEnd'))).toEqual(quiet);
    await server.close();
    expect(await call(['--context'], said('UserPromptSubmit', { prompt, session_id: 'other' }))).toEqual(quiet);
    expect(existsSync(join(env.YARNBOARD_HOME, 'launches', 'faults.log'))).toBe(false);
  });

  test('[LAUNCH-17] a server that hangs keeps nobody waiting: no output, exit code 0, and a note of it', async () => {
    const folder = temporaryFolder();
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const address = server.address();
    mkdirSync(join(folder, 'launches'));
    writeFileSync(
      join(folder, 'server.json'),
      JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }),
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), 'hook', '--context'], {
      input: said('UserPromptSubmit', { prompt: 'x' }),
      encoding: 'utf8',
      env: { ...process.env, YARNBOARD_HOME: folder },
      timeout: PATIENCE,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'launches', 'faults.log'), 'utf8')).toMatch(/timeout|aborted/iu);
  });

  test('[LAUNCH-17] prints the settings that call it in sessions that nobody launched with Yarnboard', () => {
    const { stdout, status } = spawnSync(process.execPath, [builtCommand(), 'hook', '--print-settings'], { encoding: 'utf8' });
    expect(status).toBe(0);
    const entry = [{ hooks: [{ type: 'command', command: expect.stringMatching(/yarnboard\.mjs hook --context$/u) as string, timeout: 10 }] }];
    expect(JSON.parse(stdout)).toEqual({ hooks: { SessionStart: entry, UserPromptSubmit: entry } });
  });
});
