import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { lockHome } from '@yarnboard/server';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE } from '../../../tests/patience.ts';
import { mcpStage } from './mcp-stage.ts';
import { builtCommand, yarnboard } from './terminal.ts';

let program = '';
beforeAll(() => {
  program = builtCommand();
});

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe('the program', () => {
  const HANDSHAKE = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'sessions', arguments: {} } },
  ];
  const lines = (messages: readonly (object | string)[]): string =>
    messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

  /** Runs it, says something, waits for so many lines, and ends it. */
  const converse = (env: Readonly<Record<string, string>>, said: string, wanted: number, end: (child: ReturnType<typeof spawn>) => void) =>
    new Promise<{ readonly code: number | null; readonly signal: string | null; readonly out: string; readonly err: string }>((resolve) => {
      const child = spawn(process.execPath, [program, 'mcp'], { env: { ...process.env, ...env }, stdio: 'pipe' });
      let [out, err, isEnding] = ['', '', false];
      const endOnce = (): void => {
        if (!isEnding && out.split('\n').length > wanted) {
          isEnding = true;
          end(child);
        }
      };
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        endOnce();
      });
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.on('close', (code, signal) => resolve({ code, signal, out, err }));
      child.stdin.write(said);
      endOnce();
    });

  test('[MCP-8] writes nothing but MCP to standard output, whatever is asked, and ends with its input', async () => {
    const { env, put, home } = mcpStage();
    await put();
    writeFileSync(home.serverFile, 'no mark of any server');
    const said = lines([...HANDSHAKE, 'this is no JSON', '{"jsonrpc":"1.0"}', '[]', { jsonrpc: '2.0', id: 3, method: 'ping' }]);
    const { code, out } = await converse(env, said, 3, (child) => child.stdin?.end());
    expect(code).toBe(0);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly jsonrpc: string; readonly id: number });
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  test('[MCP-12] answers everything that was asked before its input ended, then ends', async () => {
    const { env, put } = mcpStage();
    await put();
    const calls = [3, 4, 5].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'verify', arguments: {} } }));
    const { status, stdout } = spawnSync(process.execPath, [program, 'mcp'], {
      input: lines([...HANDSHAKE, ...calls]),
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: PATIENCE,
    });
    expect(status).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: number; readonly result: { readonly isError?: boolean } });
    expect(answers.map(({ id, result }) => ({ id, isError: result.isError ?? false })).sort((a, b) => a.id - b.id)).toEqual(
      [1, 2, 3, 4, 5].map((id) => ({ id, isError: false })),
    );
  });

  test('[MCP-12] what was cancelled keeps nobody waiting', async () => {
    const { env, put } = mcpStage();
    await put();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    let least = Number.POSITIVE_INFINITY;
    // However long it takes to start: what it does not get an answer to it waits for ten seconds. A machine may be that slow once, but not every time.
    for (let tries = 0; tries < 3 && least >= 9000; tries += 1) {
      const child = spawn(process.execPath, [program, 'mcp'], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
      const closed = once(child, 'close');
      child.stdin.end(lines([...HANDSHAKE, cancel]));
      await once(child.stdout, 'data');
      const answered = Date.now();
      expect(await closed).toEqual([0, null]);
      least = Math.min(least, Date.now() - answered);
    }
    expect(least).toBeLessThan(9000);
  });

  test('[MCP-12] an answer that does not come is not waited for for ever', async () => {
    const { env, put, home } = mcpStage();
    await put();
    const lock = await lockHome(home);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(
      () => lock.release(),
      () => void silent.close(),
      () => silent.closeAllConnections(),
    );
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    writeFileSync(home.serverFile, JSON.stringify({ pid: process.pid, url, startedAt: '', version: '0', database: home.database }));
    const child = spawn(process.execPath, [program, 'mcp'], { env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'ignore'] });
    const began = Date.now();
    child.stdin.end(lines(HANDSHAKE));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(Date.now() - began).toBeGreaterThan(9000);
  });

  test.each([
    ['its input ends before anything was said', '', 0, (child) => child.stdin?.end()],
    ['its input ends in the middle of a word', '{"jsonrpc":', 0, (child) => child.stdin?.end()],
    ['it is told to stop', lines(HANDSHAKE), 2, (child) => child.kill('SIGTERM')],
    ['it is interrupted', lines(HANDSHAKE), 2, (child) => child.kill('SIGINT')],
    [
      'nobody reads it any more',
      lines(HANDSHAKE),
      2,
      (child) => {
        child.stdout?.destroy();
        child.stdin?.write(lines(Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id: 10 + id, method: 'tools/list' }))));
      },
    ],
  ] as const satisfies readonly (readonly [string, string, number, (child: ReturnType<typeof spawn>) => void])[])(
    '[MCP-8] ends with 0 when %s',
    async (_, said, wanted, end) => {
      const { env, put } = mcpStage();
      await put();
      expect(await converse(env, said, wanted, end)).toMatchObject({ code: 0, signal: null });
    },
  );

  test('[MCP-8] bad usage and bad settings are reported on standard error', async () => {
    const { env, home, put } = mcpStage();
    await put();
    expect(await yarnboard(['mcp', 'x'], { env })).toMatchObject({ code: 2, out: '', err: expect.stringContaining('mcp takes no "x"') as string });
    expect(await yarnboard(['mcp', '--token', 'x'], { env })).toMatchObject({ code: 2, out: '' });
    writeFileSync(home.settingsFile, '{');
    expect(await yarnboard(['mcp'], { env })).toMatchObject({ code: 3, out: '', err: expect.stringContaining('settings.json') as string });
    expect((await yarnboard(['help', 'mcp'])).out).toContain('claude mcp add yarnboard -- npx yarnboard mcp');
  });
});
