import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGISTRY } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import type { Io } from '../src/io.ts';
import { boardStage } from './board-stage.ts';
import { builtCommand, temporaryFolder } from './terminal.ts';

/** What came out of a browser that was sent to a link. */
const enterBy = async (link: string): Promise<{ readonly status: number; readonly token: string | null }> => {
  const { origin, hash } = new URL(link);
  const response = await fetch(`${origin}/api/v1${REGISTRY.enter.path}`, {
    method: 'POST',
    body: JSON.stringify({ key: hash.replace('#key=', '') }),
  });
  const answer = REGISTRY.enter.output.safeParse(await response.json());
  return { status: response.status, token: answer.data?.token ?? null };
};

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}/u;

describe('start', () => {
  /** Starts, enters by the link that was opened or printed, if one was, and stops. */
  const startWith = async (args: readonly string[], changes: Partial<Io>) => {
    const { runAs, home } = boardStage();
    const browsed: string[] = [];
    let said = '';
    let stop = (): void => {};
    const running = runAs(['start', '--port', '0', ...args], {
      browse: (url) => browsed.push(url) > 0,
      out: (text) => {
        said += text;
        return Promise.resolve(true);
      },
      untilStopped: () =>
        new Promise((resolve) => {
          stop = resolve;
        }),
      ...changes,
    });
    await expect.poll(() => said).toContain('page: ');
    const [link] = LINK.exec(browsed[0] ?? said) ?? [];
    const entered = link === undefined ? null : await enterBy(link);
    stop();
    const { code, err } = await running;
    return { code, err, said, browsed, entered, token: readFileSync(home.tokenFile, 'utf8').trim() };
  };

  test.each([true, false])(
    '[CLI-28] opens the page by a link that lets in once, and prints the plain address (terminal: %s)',
    async (isOutTerminal) => {
      const { code, err, said, browsed, entered, token } = await startWith([], { isOutTerminal });
      expect({ code, err, entered, opened: browsed.length }).toEqual({ code: 0, err: '', entered: { status: 200, token }, opened: 1 });
      expect(said).toMatch(
        /^Yarnboard \S+ on http:\/\/127\.0\.0\.1:\d+\nhome: .*\nreading: .*\npage: opens in your browser; `yarnboard open` opens it again\n/u,
      );
      expect(said).not.toContain('#key');
    },
  );

  test.each([
    ['--no-open', ['--no-open'], true],
    ['no screen', [], false],
  ] as const)('[CLI-28] with %s a terminal is shown the link', async (_, args, hasScreen) => {
    const { said, entered, token } = await startWith(args, { isOutTerminal: true, browse: () => hasScreen });
    expect(said).toMatch(/^page: http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43} \(once, within ten minutes\)$/mu);
    expect(entered).toEqual({ status: 200, token });
  });

  test('[CLI-28] what is no terminal is told how to get a link, and never a key', async () => {
    const { said, browsed } = await startWith(['--no-open'], { isOutTerminal: false });
    expect(said).toContain('page: `yarnboard open` opens it, and lets you act there\n');
    expect(said).not.toContain('key=');
    expect(browsed).toEqual([]);
  });

  test('[CLI-30] where a server runs, it says where, and what opens its page', async () => {
    const { serve, run } = boardStage();
    const { url } = await serve();
    expect(await run('start --port 0 --no-open')).toMatchObject({
      code: 3,
      err: expect.stringContaining(`it is at ${url}, and \`yarnboard open\` opens its page`) as string,
    });
  });
});

describe('open', () => {
  test('[CLI-29] opens the page of the running server by a link that lets in once', async () => {
    const { serve, runAs } = boardStage();
    const { url, token } = await serve();
    const browsed: string[] = [];
    const ended = await runAs('open', { browse: (link) => browsed.push(link) > 0 });
    expect(ended).toEqual({ code: 0, out: `opening ${url}\n`, err: '' });
    expect(browsed).toEqual([expect.stringMatching(LINK)]);
    expect([await enterBy(browsed[0] ?? ''), await enterBy(browsed[0] ?? '')]).toEqual([
      { status: 200, token },
      { status: 403, token: null },
    ]);
  });

  test('[CLI-29] --print prints the link and nothing else, and opens nothing', async () => {
    const { serve, runAs } = boardStage();
    const { token } = await serve();
    const browsed: string[] = [];
    const { code, out, err } = await runAs('open --print', { browse: (link) => browsed.push(link) > 0 });
    expect({ code, err, browsed }).toEqual({ code: 0, err: '', browsed: [] });
    expect(out).toMatch(new RegExp(`^${LINK.source}\n$`, 'u'));
    expect(await enterBy(out.trim())).toEqual({ status: 200, token });
  });

  test('[CLI-29] without a screen the link is printed', async () => {
    const { serve, run } = boardStage();
    await serve();
    const { code, out, err } = await run('open');
    expect({ code, err }).toEqual({ code: 0, err: 'there is no screen here; the link lets you in once, within ten minutes\n' });
    expect(out).toMatch(LINK);
  });

  test('[CLI-29] it is the operator who asks, whatever YARNBOARD_TOKEN says', async () => {
    const { serve, runAs } = boardStage();
    await serve();
    expect(await runAs('open --print', { env: { YARNBOARD_TOKEN: 'somebody' } })).toMatchObject({ code: 0 });
  });

  test('[CLI-30] where no server runs, it says how to start one, and makes nothing', async () => {
    const { run, home } = boardStage();
    expect(await run('open')).toEqual({
      code: 3,
      out: '',
      err: `yarnboard: no server runs for ${home.folder}; \`yarnboard start\` starts one and opens the page\n`,
    });
    expect(existsSync(home.folder)).toBe(false);
    expect(await run('open sesame')).toMatchObject({ code: 2 });
    expect(await run('open --browser x')).toMatchObject({ code: 2 });
  });

  test.runIf(process.platform === 'linux')('[CLI-29] the built command hands the link to the system’s opener', async () => {
    const { serve, env } = boardStage();
    const { token } = await serve();
    const folder = temporaryFolder();
    const opener = join(folder, 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\necho "$1" > "${folder}/part" && mv "${folder}/part" "${folder}/opened"\n`);
    chmodSync(opener, 0o755);
    const screen = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':99', WAYLAND_DISPLAY: '' };
    // The server is in this process: it must not be blocked meanwhile.
    const command = spawn(process.execPath, [builtCommand(), 'open'], { env: { ...process.env, ...env, ...screen }, stdio: 'ignore' });
    expect(await once(command, 'exit')).toEqual([0, null]);
    await expect.poll(() => existsSync(join(folder, 'opened'))).toBe(true);
    expect(await enterBy(readFileSync(join(folder, 'opened'), 'utf8').trim())).toEqual({ status: 200, token });
  });
});

test('[CLI-24] [CLI-29] open is in the help and among what shells complete', async () => {
  const { run } = boardStage();
  expect((await run('help')).out).toContain('  yarnboard open ');
  expect((await run('help open')).out).toContain('--print');
  for (const shell of ['bash', 'zsh', 'fish']) expect((await run(`completion ${shell}`)).out).toMatch(/[ "]open /u);
});
