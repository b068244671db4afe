import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { REGISTRY, type Operation, type OutputOf } from '@yarnboard/protocol';
import { homeOf, operatorToken, startServer, type RunningServer } from '@yarnboard/server';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectionOf, type Connection } from '../../server/test/mcp/connections.ts';
import { impostor } from './impostor.ts';
import { builtCommand, conversation, folderWith, SESSION, yarnboard } from './terminal.ts';

const SECRET = ['sk', 'ant', 'api03', 'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'].join('-');

let program = '';
beforeAll(() => {
  program = builtCommand();
});

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Stage = {
  readonly env: Readonly<Record<string, string>>;
  readonly home: ReturnType<typeof homeOf>;
  readonly put: () => Promise<void>;
  readonly connect: (options?: ConnectOptions) => Promise<Connection & { readonly err: () => string }>;
  readonly serve: () => Promise<RunningServer>;
};
type ConnectOptions = { readonly token?: string; readonly era?: '2025' | '2026' };

/** A home with a session beside it, and `yarnboard mcp` as a client starts it. */
const stage = (words = 'Hello'): Stage => {
  const folder = folderWith({ [`claude/projects/-home-dev-proj/${SESSION}.jsonl`]: conversation(SESSION, words) });
  const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const home = homeOf({ env, home: folder });
  return {
    env,
    home,
    put: async () => {
      expect(await yarnboard(['import'], { env })).toMatchObject({ code: 0, err: '' });
    },
    connect: async ({ token, era = '2025' } = {}) => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp'],
        env: { ...env, ...(token === undefined ? {} : { YARNBOARD_TOKEN: token }) },
        stderr: 'pipe',
      });
      let err = '';
      transport.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const client = new Client({ name: 'test', version: '0' }, era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
      await client.connect(transport);
      closers.push(() => client.close());
      return { ...connectionOf(client), err: () => err };
    },
    serve: async () => {
      const server = await startServer({
        home,
        settings: { excludedProjects: [], roots: [] },
        roots: [join(folder, 'claude')],
        version: '0',
        programs: null,
        port: 0,
      });
      closers.push(server.close);
      await server.imported;
      await server.drain();
      return server;
    },
  };
};

describe('what an agent gets', () => {
  test.each(['2025', '2026'] as const)('[MCP-1] [MCP-7] a client of %s is offered the registry, and answered', async (era) => {
    const { put, connect } = stage();
    await put();
    const { client, answer, err } = await connect({ era });
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(Object.keys(REGISTRY).sort());
    expect(client.getServerVersion()).toMatchObject({ name: 'yarnboard', version: '0.1.0' });
    expect(REGISTRY.messages.output.parse(await answer('messages', { id: SESSION.slice(0, 8), limit: 1 }))).toMatchObject({
      messages: [{ ref: 'MSG-1' }],
    });
    expect(REGISTRY.search.output.parse(await answer('search', { q: 'hello' })).items).toHaveLength(1);
    expect(err()).toBe('');
  });

  test('[MCP-9] the server and the opened board answer alike, and so do refusals', async () => {
    const { connect, serve } = stage();
    const server = await serve();
    const { client } = await connect();
    const asked = Object.values<Operation>(REGISTRY)
      .filter(({ method, name }) => method === 'GET' && !['status', 'verify'].includes(name))
      .map(({ name, input }) => ({
        name,
        given: Object.fromEntries(Object.entries({ id: SESSION, ref: 'MSG-1', q: 'there' }).filter(([key]) => key in input.shape)),
      }));
    asked.push(
      { name: 'session', given: { id: 'nowhere' } },
      { name: 'session', given: { id: '..' } },
      { name: 'session', given: { id: 'a/../b?c#d%2e' } },
      { name: 'session', given: {} },
      { name: 'messages', given: { id: SESSION, limit: '501' } },
      { name: 'messages', given: { id: SESSION, reveal: 'true' } },
    );
    const askAll = async () => Promise.all(asked.map(({ name, given }) => client.callTool({ name, arguments: given })));
    const served = await askAll();
    await server.close();
    expect(await askAll()).toEqual(served);
    expect(served.filter(({ isError }) => isError === true).length).toBeGreaterThan(5);
    expect(served.filter(({ isError }) => isError !== true).length).toBeGreaterThan(10);
  });

  test('[MCP-3] [MCP-9] secrets are masked, whoever answers', async () => {
    const { connect, serve, put } = stage(`the key is ${SECRET}`);
    await put();
    const { client } = await connect();
    const look = async (): Promise<void> => {
      for (const [name, given] of [
        ['messages', { id: SESSION }],
        ['message', { ref: 'MSG-1' }],
        ['search', { q: 'key' }],
        ['log', {}],
        ['envelopes', { id: SESSION }],
      ] as const) {
        const said = JSON.stringify(await client.callTool({ name, arguments: given }));
        expect(said, `for ${name}`).toContain('[masked anthropic-key');
        expect(said, `for ${name}`).not.toContain(SECRET);
      }
    };
    await look();
    await serve();
    await look();
  });

  test('[MCP-9] where there is no board it says how to make one, and uses it when it is there', async () => {
    const { put, connect, home } = stage();
    const { refusal, answer } = await connect();
    expect(await refusal('sessions')).toEqual({
      code: 'store-unavailable',
      detail: `there is no board in ${home.folder} yet; \`yarnboard import\` or \`yarnboard start\` makes one`,
    });
    await put();
    expect(await answer('sessions')).toMatchObject({ items: [{ session_id: SESSION }] });
  });

  test('[MCP-9] many questions at once, without a lock: others go on writing', async () => {
    const { put, connect } = stage();
    await put();
    const { answer } = await connect();
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 40 }, () => answer('messages', { id: SESSION }))), put()]);
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('[MCP-9] what was forgotten elsewhere is not told again', async () => {
    const { put, connect, env } = stage('an unwanted confession');
    await put();
    const { answer, client } = await connect();
    expect(JSON.stringify(await answer('messages', { id: SESSION }))).toContain('unwanted');
    expect(await yarnboard(['forget', 'MSG-1', '--yes'], { env })).toMatchObject({ code: 0 });
    for (const [name, given] of [
      ['messages', { id: SESSION }],
      ['message', { ref: 'MSG-1' }],
      ['sessions', {}],
      ['search', { q: 'unwanted' }],
      ['log', {}],
    ] as const)
      expect(JSON.stringify(await client.callTool({ name, arguments: given })), `for ${name}`).not.toContain('unwanted');
  });
});

describe('the token', () => {
  test('[MCP-10] [MCP-5] without one every command is refused with what to do, though the operator’s lies beside it', async () => {
    const { connect, serve, home } = stage();
    const server = await serve();
    const { refusal } = await connect();
    const commands = Object.values<Operation>(REGISTRY).filter(({ who }) => who !== 'anyone');
    expect(commands.length).toBeGreaterThan(30);
    for (const { name } of commands) {
      const { code, detail } = await refusal(name);
      expect(code).toBe('token-needed');
      expect(detail).toContain(`${name} needs a token.`);
      expect(detail).toContain('YARNBOARD_TOKEN in the environment of `yarnboard mcp`');
      expect(detail).not.toContain(server.token);
    }
    expect(await refusal('message', { ref: 'MSG-1', reveal: true })).toMatchObject({ code: 'operator-only' });
    expect(operatorToken(home)).toBe(server.token);
  });

  test('[MCP-10] with that of an agent one acts as the agent, and no more', async () => {
    const { connect, serve, env } = stage();
    await serve();
    const added = JSON.parse((await yarnboard(['agent', 'add', 'scout', '--json'], { env })).out) as OutputOf<'agent_register'>;
    const { answer, refusal } = await connect({ token: added.token });
    const given = { parent_id: SESSION, task_description: 'look', message_id: 'aaaaaaaa-0000-4000-8000-000000000001' };
    expect(await answer('sidebar_spawn', given)).toMatchObject({ ref: 'SB-1', message_id: given.message_id, duplicate: false });
    expect(await answer('sidebar_spawn', given)).toMatchObject({ ref: 'SB-1', message_id: given.message_id, duplicate: true });
    expect(await answer('sidebar', { sidebar_id: 'SB-1' })).toMatchObject({ created_by: 'AGENT-scout' });
    expect(await answer('inbox')).toMatchObject({ agent_id: 'AGENT-scout' });
    expect(await refusal('forget', { ref: 'MSG-1' })).toMatchObject({ code: 'operator-only' });
  });

  test('[MCP-10] [MCP-5] with it one commands and sees', async () => {
    const { connect, serve } = stage(`the key is ${SECRET}`);
    const server = await serve();
    const { answer, refusal } = await connect({ token: server.token });
    expect(JSON.stringify(await answer('message', { ref: 'MSG-1', reveal: true }))).toContain(SECRET);
    expect(await answer('forget', { ref: 'MSG-1' })).toMatchObject({ position: expect.any(Number) as number });
    expect(await answer('message', { ref: 'MSG-1' })).toMatchObject({ is_forgotten: true });
    expect(await refusal('forget', { ref: 'MSG-1' })).toMatchObject({ code: 'already-forgotten' });
    expect(await refusal('import', { paths: 'x' })).toMatchObject({ code: 'bad-request', detail: expect.stringMatching(/^paths: /u) as string });
  });

  test('[MCP-9] [MCP-10] without a server it reads as the operator, and what would change something is refused', async () => {
    const { put, connect, home } = stage(`the key is ${SECRET}`);
    await put();
    const { answer, refusal } = await connect({ token: operatorToken(home) });
    expect(JSON.stringify(await answer('message', { ref: 'MSG-1', reveal: true }))).toContain(SECRET);
    expect(await refusal('forget', { ref: 'MSG-1' })).toEqual({
      code: 'store-unavailable',
      detail: 'forget needs a running server, and there is none; `yarnboard start` starts it',
    });
    expect(await answer('message', { ref: 'MSG-1' })).toMatchObject({ is_forgotten: false });
  });

  test('[MCP-5] a wrong one is refused, also for reading, with a server and without', async () => {
    const { put, connect, serve } = stage();
    await put();
    const { refusal } = await connect({ token: 'wrong' });
    const told = { code: 'bad-token', detail: expect.stringContaining('the token in YARNBOARD_TOKEN is nobody’s in this home') as string };
    expect(await refusal('sessions')).toEqual(told);
    await serve();
    expect(await refusal('sessions')).toEqual(told);
    expect(await refusal('forget', { ref: 'MSG-1' })).toEqual(told);
  });
});

describe('servers that come and go', () => {
  test('[MCP-11] every call finds the server that runs then, or none', async () => {
    const { connect, serve, put } = stage();
    await put();
    const { answer } = await connect();
    const look = async (): Promise<OutputOf<'status'>> => REGISTRY.status.output.parse(await answer('status'));
    expect(await look()).toMatchObject({ state: 'stopped', why: expect.stringContaining('no server runs') as string });
    for (let times = 0; times < 3; times += 1) {
      const server = await serve();
      expect(await look()).toMatchObject({ pid: process.pid, state: 'watching' });
      const [during] = await Promise.all([Promise.all(Array.from({ length: 20 }, () => answer('sessions'))), server.close()]);
      expect(during.length).toBe(20);
      expect(await look()).toMatchObject({ state: 'stopped' });
    }
  });

  test('[MCP-11] a server that dies during a query is not waited for: the board is asked', async () => {
    const { connect, put, home } = stage();
    await put();
    const { answer } = await connect();
    const dying = await impostor(home, (heard, leave) => {
      if (heard === 1) leave();
    });
    expect(await answer('sessions')).toMatchObject({ items: [{ session_id: SESSION }] });
    expect(dying.heard()).toEqual(['GET']);
  });

  test('[MCP-11] a command that somebody heard is not sent again, and says so', async () => {
    const { connect, put, home } = stage();
    await put();
    const { refusal } = await connect({ token: operatorToken(home) });
    const dying = await impostor(home, () => {});
    expect(await refusal('forget', { ref: 'MSG-1' })).toEqual({
      code: 'store-unavailable',
      detail: expect.stringMatching(/^the server went away \(\w+\), and forget may be done or not; look before you ask again$/u) as string,
    });
    expect(dying.heard()).toEqual(['POST']);
    expect(await refusal('sessions')).toMatchObject({ detail: expect.stringContaining('the server does not answer') as string });
    expect(dying.heard().length).toBeGreaterThan(3);
  });

  test('[MCP-11] a command that is kept by its message_id is sent again, under the same one', async () => {
    const { connect, put, home } = stage();
    await put();
    const { refusal } = await connect({ token: operatorToken(home) });
    const dying = await impostor(home, () => {});
    expect(await refusal('sidebar_spawn', { parent_id: null, task_description: 'x' })).toMatchObject({ code: 'store-unavailable' });
    const ids = dying.bodies().map((body) => (JSON.parse(body) as { readonly message_id: string }).message_id);
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('[MCP-11] a command that nobody heard is sent again, once somebody does', async () => {
    const { connect, put, home } = stage();
    await put();
    const { refusal } = await connect({ token: operatorToken(home) });
    const late = await impostor(home, () => {}, 400);
    expect((await refusal('forget', { ref: 'MSG-1' })).detail).toContain('may be done or not');
    expect(late.heard()).toEqual(['POST']);
  });
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
    const { env, put, home } = stage();
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
      const { env, put } = stage();
      await put();
      expect(await converse(env, said, wanted, end)).toMatchObject({ code: 0, signal: null });
    },
  );

  test('[MCP-8] bad usage and bad settings are told on standard error', async () => {
    const { env, home, put } = stage();
    await put();
    expect(await yarnboard(['mcp', 'x'], { env })).toMatchObject({ code: 2, out: '', err: expect.stringContaining('mcp takes no "x"') as string });
    expect(await yarnboard(['mcp', '--token', 'x'], { env })).toMatchObject({ code: 2, out: '' });
    writeFileSync(home.settingsFile, '{');
    expect(await yarnboard(['mcp'], { env })).toMatchObject({ code: 3, out: '', err: expect.stringContaining('settings.json') as string });
    expect((await yarnboard(['help', 'mcp'])).out).toContain('claude mcp add yarnboard -- npx yarnboard mcp');
  });
});
