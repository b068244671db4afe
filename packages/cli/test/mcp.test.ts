import { REGISTRY, type Operation, type OutputOf } from '@yarnboard/protocol';
import { operatorToken } from '@yarnboard/server';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../src/version.ts';
import { toolsFor } from '../../server/src/doors/mcp/tools.ts';
import { impostor } from './impostor.ts';
import { mcpStage } from './mcp-stage.ts';
import { SESSION, yarnboard } from './terminal.ts';

const SECRET = ['sk', 'ant', 'api03', 'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'].join('-');

describe('what an agent gets', () => {
  test.each(['2025', '2026'] as const)('[MCP-1] [MCP-7] a client of %s is offered what it may do, and answered', async (era) => {
    const { put, connect } = mcpStage();
    await put();
    const { client, answer, whole, err } = await connect({ era });
    expect((await client.listTools()).tools).toEqual(toolsFor('anyone'));
    expect(client.getServerVersion()).toMatchObject({ name: 'yarnboard', version: '0.1.0' });
    expect(REGISTRY.messages.output.parse(await whole('messages', { id: SESSION.slice(0, 8), limit: 1 }))).toMatchObject({
      messages: [{ ref: 'MSG-1' }],
    });
    expect(REGISTRY.search.output.parse(await answer('search', { q: 'hello' })).items).toHaveLength(1);
    expect(err()).toBe('');
  });

  test('[MCP-9] the server and the opened board answer alike, and so do refusals', async () => {
    const { connect, serve } = mcpStage();
    const server = await serve();
    const { client } = await connect();
    const asked = Object.values<Operation>(REGISTRY)
      // These are about the process that answers, or take its time.
      .filter(({ method, name }) => method === 'GET' && !['servers', 'status', 'verify'].includes(name))
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
    const { connect, serve, put } = mcpStage(`the key is ${SECRET}`);
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
    const { put, connect, home } = mcpStage();
    const { refusal, answer } = await connect();
    expect(await refusal('sessions')).toEqual({
      code: 'store-unavailable',
      detail: `there is no board in ${home.folder} yet; \`yarnboard import\` or \`yarnboard start\` makes one`,
    });
    await put();
    expect(await answer('sessions')).toMatchObject({ items: [{ session_id: SESSION }] });
  });

  test('[MCP-9] many questions at once, without a lock: others go on writing', async () => {
    const { put, connect } = mcpStage();
    await put();
    const { answer } = await connect();
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 40 }, () => answer('messages', { id: SESSION }))), put()]);
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('[MCP-9] what was forgotten elsewhere is not told again', async () => {
    const { put, connect, env } = mcpStage('an unwanted confession');
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
    const { connect, serve, home } = mcpStage();
    const server = await serve();
    const { refusal } = await connect();
    const commands = Object.values<Operation>(REGISTRY).filter(({ who, isNoTool }) => who !== 'anyone' && isNoTool !== true);
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
    const { connect, serve, env } = mcpStage();
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

  test('[LOG-17] the log says that it was the MCP bridge, and which version', async () => {
    const { connect, serve, env } = mcpStage();
    const { url } = await serve();
    const added = JSON.parse((await yarnboard(['agent', 'add', 'scout', '--json'], { env })).out) as OutputOf<'agent_register'>;
    const { answer } = await connect({ token: added.token });
    await answer('sidebar_spawn', { parent_id: SESSION, task_description: 'look' });
    const { items } = (await (await fetch(`${url}/api/v1/log`)).json()) as OutputOf<'log'>;
    expect(items.find(({ type }) => type === 'sidebar.spawned')).toMatchObject({ originating_client: 'mcp', client_version: VERSION });
  });

  test('[MCP-2] whose token it is decides which tools are listed, with a server and without', async () => {
    const { connect, serve, env, home } = mcpStage();
    const server = await serve();
    const added = JSON.parse((await yarnboard(['agent', 'add', 'scout', '--json'], { env })).out) as OutputOf<'agent_register'>;
    const connections = await Promise.all([connect(), connect({ token: added.token }), connect({ token: operatorToken(home) })]);
    const look = () => Promise.all(connections.map(async ({ client }) => (await client.listTools()).tools));
    const wanted = [toolsFor('anyone'), toolsFor('member'), toolsFor('operator')];
    expect(await look()).toEqual(wanted);
    const [, scout] = connections;
    const { operations } = (await scout.answer('more')) as { readonly operations: Readonly<Record<string, string>> };
    expect(Object.keys(operations)).toContain('sidebar_update');
    expect(await scout.answer('spawn', { action: 'sidebar', parent_id: null, task_description: 'look' })).toMatchObject({ ref: 'SB-1' });
    await server.close();
    expect(await look()).toEqual(wanted);
  });

  test('[MCP-10] [MCP-5] with it one commands and sees', async () => {
    const { connect, serve } = mcpStage(`the key is ${SECRET}`);
    const server = await serve();
    const { answer, refusal } = await connect({ token: server.token });
    expect(JSON.stringify(await answer('message', { ref: 'MSG-1', reveal: true }))).toContain(SECRET);
    expect(await answer('forget', { ref: 'MSG-1' })).toMatchObject({ position: expect.any(Number) as number });
    expect(await answer('message', { ref: 'MSG-1' })).toMatchObject({ is_forgotten: true });
    expect(await refusal('forget', { ref: 'MSG-1' })).toMatchObject({ code: 'already-forgotten' });
    expect(await refusal('import', { paths: 'x' })).toMatchObject({
      code: 'bad-request',
      detail: expect.stringMatching(/^paths must be a list \(absolute paths\)$/u) as string,
    });
  });

  test('[MCP-9] [MCP-10] without a server it reads as the operator, and what would change something is refused', async () => {
    const { put, connect, home } = mcpStage(`the key is ${SECRET}`);
    await put();
    const { answer, refusal } = await connect({ token: operatorToken(home) });
    expect(JSON.stringify(await answer('message', { ref: 'MSG-1', reveal: true }))).toContain(SECRET);
    expect(await refusal('forget', { ref: 'MSG-1' })).toEqual({
      code: 'store-unavailable',
      detail: 'forget needs a running server; start one with `yarnboard start`',
    });
    expect(await answer('message', { ref: 'MSG-1' })).toMatchObject({ is_forgotten: false });
  });

  test('[MCP-5] a wrong one is refused, also for reading, with a server and without', async () => {
    const { put, connect, serve } = mcpStage();
    await put();
    const { refusal } = await connect({ token: 'wrong' });
    const told = { code: 'bad-token', detail: expect.stringContaining('the token in YARNBOARD_TOKEN is not valid in this home') as string };
    expect(await refusal('sessions')).toEqual(told);
    await serve();
    expect(await refusal('sessions')).toEqual(told);
    expect(await refusal('forget', { ref: 'MSG-1' })).toEqual(told);
  });
});

describe('servers that come and go', () => {
  test('[MCP-11] every call finds the server that runs then, or none', async () => {
    const { connect, serve, put } = mcpStage();
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
    const { connect, put, home } = mcpStage();
    await put();
    const { answer } = await connect();
    const dying = await impostor(home, (heard, leave) => {
      if (heard === 1) leave();
    });
    expect(await answer('sessions')).toMatchObject({ items: [{ session_id: SESSION }] });
    expect(dying.heard()).toEqual(['GET']);
  });

  test('[MCP-11] a command that somebody heard is not sent again, and says so', async () => {
    const { connect, put, home } = mcpStage();
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
    const { connect, put, home } = mcpStage();
    await put();
    const { refusal } = await connect({ token: operatorToken(home) });
    const dying = await impostor(home, () => {});
    expect(await refusal('sidebar_spawn', { parent_id: null, task_description: 'x' })).toMatchObject({ code: 'store-unavailable' });
    const ids = dying.bodies().map((body) => (JSON.parse(body) as { readonly message_id: string }).message_id);
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('[MCP-11] a command that nobody heard is sent again, once somebody does', async () => {
    const { connect, put, home } = mcpStage();
    await put();
    const { refusal } = await connect({ token: operatorToken(home) });
    const late = await impostor(home, () => {}, 400);
    expect((await refusal('forget', { ref: 'MSG-1' })).detail).toContain('may be done or not');
    expect(late.heard()).toEqual(['POST']);
  });
});
