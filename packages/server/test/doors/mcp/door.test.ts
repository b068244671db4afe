import { request } from 'node:http';
import { REGISTRY, type Operation } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homeOf } from '../../../src/home/home.ts';
import { startServer, type RunningServer } from '../../../src/serving.ts';
import { makeBoard, makeFolder, type TestBoard } from '../../operations/boards.ts';
import { prompt } from '../../operations/records.ts';
import { connect, connectTo } from './connections.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';

let board: TestBoard;
let server: RunningServer;
beforeAll(async () => {
  board = await makeBoard({ files: { [`p/${SESSION}.jsonl`]: [prompt('u1', null, 0, 'hello'), prompt('u2', 'u1', 1, 'forget this')] } });
  const folder = makeFolder();
  const home = homeOf({ env: { YARNBOARD_HOME: `${folder}/home`, YARNBOARD_STATE: `${folder}/state` }, home: folder });
  server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, port: 0 });
});
afterAll(() => server.close());

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'status', arguments: {} } };

type Sent = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
type Got = { readonly status: number; readonly type: string; readonly text: string };

/** A request as it goes over the wire: `fetch` would write its own Host. */
const send = ({ method = 'POST', headers = {}, body = JSON.stringify(CALL) }: Sent): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { host, port } = new URL(server.url);
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: '/mcp',
        setHost: false,
        // A connection of its own: one whose body was not read is not used again.
        agent: false,
        headers: { host, accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }));
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' ? body : undefined);
  });

const problemIn = ({ status, type, text }: Got): unknown => {
  expect(type).toBe('application/problem+json');
  return { status, code: (JSON.parse(text) as { readonly code: string }).code };
};

describe('where requests come from', () => {
  test('[MCP-6] other hosts and sites are refused, whatever they bring', async () => {
    const { host, port } = new URL(server.url);
    const authorization = `Bearer ${server.token}`;
    for (const foreign of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`])
      expect(problemIn(await send({ headers: { host: foreign, authorization } }))).toEqual({ status: 403, code: 'foreign-host' });
    for (const origin of ['http://evil.example', 'null', `https://${host}`, `http://evil.example:${port}`])
      expect(problemIn(await send({ headers: { origin, authorization } }))).toEqual({ status: 403, code: 'foreign-origin' });
    expect(problemIn(await send({ headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } }))).toMatchObject({
      code: 'foreign-origin',
    });
    expect((await send({ headers: { origin: `http://${host}` } })).status).toBe(200);
  });

  test('[MCP-6] a client of another site does not even get to shake hands', async () => {
    await expect(connect(server.url, { headers: { origin: 'http://evil.example' }, token: server.token })).rejects.toThrow(/foreign-origin/u);
    await expect(connect(server.url, { headers: { origin: 'http://evil.example' }, era: '2026' })).rejects.toThrow(/HTTP 403/u);
  });

  test('[MCP-6] only POST is taken; everything else is a problem as on every route', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])
      expect(problemIn(await send({ method })), `for ${method}`).toEqual({ status: 405, code: 'wrong-method' });
  });

  test('[MCP-6] nothing is kept: every request stands for itself, and no session is given', async () => {
    const { status, text } = await send({});
    expect(status).toBe(200);
    expect(text).toContain('\\"state\\":');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => send({ body: JSON.stringify({ ...CALL, id }) })));
    answers.forEach((answer, id) => expect(answer.text).toContain(`"id":${id}`));
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify(CALL),
    });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    await response.text();
  });

  test.each([
    ['tools/call', {}, 'params.name is missing; see what MCP says of tools/call'],
    ['tools/call', { name: 5 }, 'params.name must be text; see what MCP says of tools/call'],
    ['tools/call', { name: 'search', arguments: 'x' }, 'params.arguments must be an object of names and values; see what MCP says of tools/call'],
    ['tools/call', { name: 'search', arguments: [1] }, 'params.arguments must be an object of names and values; see what MCP says of tools/call'],
    ['tools/list', { cursor: 5 }, 'params.cursor must be text; see what MCP says of tools/list'],
    ['initialize', { capabilities: {} }, 'params.protocolVersion is missing; params.clientInfo is missing; see what MCP says of initialize'],
  ])('[MCP-4] %s with %j is refused in our words', async (method, params, told) => {
    const { text } = await send({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    const [, json = '{}'] = /^data: (.+)$/mu.exec(text) ?? [];
    expect(JSON.parse(json)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message: told } });
  });

  test('[MCP-6] what is no MCP is refused, and too much of it is not read', async () => {
    expect((await send({ body: 'no json' })).status).toBe(400);
    expect((await send({ body: '' })).status).toBe(400);
    expect((await send({ body: '{}' })).status).toBe(400);
    expect((await send({ headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    const long = JSON.stringify({ ...CALL, params: { name: 'search', arguments: { q: 'x'.repeat(1024 * 1024) } } });
    expect((await send({ body: long })).status).toBe(413);
    expect((await send({})).status).toBe(200);
  });
});

describe('who asks', () => {
  test('[MCP-5] without a token every command is refused with what to do, before its input is looked at', async () => {
    const { refusal } = await connect(server.url);
    const commands = Object.values<Operation>(REGISTRY).filter(({ who, isNoTool }) => who === 'operator' && isNoTool !== true);
    expect(commands.length).toBeGreaterThan(4);
    for (const { name } of commands) {
      for (const given of [{}, { nonsense: true }]) {
        const { code, detail } = await refusal(name, given);
        expect(code, `for ${name}`).toBe('token-needed');
        expect(detail).toMatch(/operator\.token .*YARNBOARD_TOKEN or as the header "Authorization: Bearer …"/u);
        expect(detail).not.toContain(server.token);
      }
    }
  });

  test.each(['2025', '2026'] as const)('[MCP-5] [MCP-7] with the token a client of %s commands', async (era) => {
    const { answer } = await connectTo(board, { token: board.token, era });
    expect(await answer('rebuild')).toMatchObject({ entries: expect.any(Number) as number });
  });

  test('[MCP-5] what a tool did is done', async () => {
    const { answer, refusal } = await connectTo(board, { token: board.token });
    expect(await answer('forget', { ref: 'MSG-2' })).toMatchObject({ position: expect.any(Number) as number });
    expect(await board.get('message', { ref: 'MSG-2' })).toMatchObject({ is_forgotten: true });
    expect(await refusal('forget', { ref: 'MSG-2' })).toMatchObject({ code: 'already-forgotten' });
  });

  test('[MCP-5] a wrong token is refused before anything is said, and never taken for none', async () => {
    for (const era of ['2025', '2026'] as const)
      await expect(connect(server.url, { token: `${server.token}x`, era })).rejects.toThrow(/bad-token|HTTP 401/u);
    expect(problemIn(await send({ headers: { authorization: 'Bearer wrong' } }))).toEqual({ status: 401, code: 'bad-token' });
    expect(problemIn(await send({ headers: { authorization: '' } }))).toEqual({ status: 401, code: 'bad-token' });
  });

  test('[MCP-4] a fault of ours is written down here and says nothing of itself outside', async () => {
    const broken = await makeBoard({});
    const { refusal } = await connectTo(broken);
    await broken.board.store.close();
    const { code, detail } = await refusal('sessions');
    expect([code, detail]).toEqual(['internal', 'something went wrong; the server has logged the details']);
    expect(broken.faults.length).toBe(1);
  });
});
