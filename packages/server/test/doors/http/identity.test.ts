import { chmodSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { REGISTRY, type Operation, type Problem } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identify } from '../../../src/doors/identity.ts';
import { operatorToken } from '../../../src/home/token.ts';
import { homeOf } from '../../../src/home/home.ts';
import { startServer, type RunningServer } from '../../../src/serving.ts';
import { ADDRESS, makeBoard, makeFolder, pathOf, type TestBoard } from '../../operations/boards.ts';
import { prompt } from '../../operations/records.ts';

let board: TestBoard;
let server: RunningServer;
beforeAll(async () => {
  board = await makeBoard({ files: { 'p/11111111-0000-4000-8000-000000000001.jsonl': [prompt('u1', null, 0, 'hello')] } });
  const folder = makeFolder();
  const home = homeOf({ env: { YARNBOARD_HOME: `${folder}/home`, YARNBOARD_STATE: `${folder}/state` }, home: folder });
  server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, port: 0 });
});
afterAll(() => server.close());

const everything = [
  '/',
  '/healthz',
  '/metrics',
  '/api/openapi.json',
  '/nothing',
  ...Object.values<Operation>(REGISTRY).map(({ name }) => pathOf(name as keyof typeof REGISTRY, { id: '1111', ref: 'MSG-1', q: 'x' })),
];

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly method?: string; readonly host?: string; readonly path?: string };

/** A request as it goes over the wire: `fetch` would write its own Host. */
const send = ({
  headers,
  method = 'GET',
  host = '127.0.0.1',
  path = '/api/v1/status',
}: Sent): Promise<{ readonly status: number; readonly code: string | null }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const asked = request({ host, port, method, path, headers, setHost: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, code: text.startsWith('{') ? ((JSON.parse(text) as Partial<Problem>).code ?? null) : null }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

describe('where requests come from', () => {
  test('[SEC-10] only its own Host is answered for, whatever is asked for', async () => {
    const foreign = [
      'evil.example',
      'evil.example:0',
      '127.0.0.1',
      '127.0.0.1:1',
      'localhost',
      '127.0.0.1:0.evil.example',
      '127.0.0.1:0@evil.example',
      '127.0.0.2:0',
      '0.0.0.0:0',
      '[::]:0',
      'localhost.:0',
      'a.localhost:0',
      '',
      ':0',
      '2130706433:0',
      '127.1:0',
      ' ',
    ];
    for (const path of everything) {
      for (const host of foreign)
        expect(await board.problem(path, { headers: { host } }), `${host} ${path}`).toMatchObject({ status: 403, code: 'foreign-host' });
    }
    for (const host of ['127.0.0.1:0', 'localhost:0', 'LOCALHOST:0', '[::1]:0'])
      expect((await board.ask('/healthz', { headers: { host } })).status, `for ${host}`).toBe(200);
  });

  test('[SEC-10] a request without Host is refused', async () => {
    expect((await board.board.app.request('/api/v1/status')).status).toBe(403);
    // HTTP/1.1 asks for one, and so the server itself refuses; 403 is ours.
    expect([400, 403]).toContain((await send({ headers: {} })).status);
  });

  test('[SEC-10] only its own Origin may ask, and nobody else reads or commands', async () => {
    const foreign = [
      'http://evil.example',
      'null',
      'https://127.0.0.1:0',
      'http://127.0.0.1',
      'http://127.0.0.1:1',
      'http://127.0.0.1:0/',
      'http://127.0.0.1:0.evil.example',
      'file://',
      'http://localhost:00',
      'chrome-extension://x',
      '',
    ];
    for (const path of everything) {
      for (const origin of foreign) {
        const headers = { origin, authorization: `Bearer ${board.token}` };
        expect(await board.problem(path, { headers }), `${origin} ${path}`).toMatchObject({ status: 403, code: 'foreign-origin' });
      }
    }
    for (const origin of ['http://127.0.0.1:0', 'http://localhost:0', 'HTTP://LOCALHOST:0', 'http://[::1]:0'])
      expect((await board.ask('/healthz', { headers: { origin } })).status).toBe(200);
  });

  test('[SEC-10] what another site embeds is refused; a link may lead to the page, and not to data', async () => {
    const ask = async (site: string, mode: string, path = '/api/v1/sessions'): Promise<number> =>
      (await board.ask(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode } })).status;
    expect([await ask('cross-site', 'no-cors'), await ask('cross-site', 'cors'), await ask('same-site', 'no-cors')]).toEqual([403, 403, 403]);
    for (const path of ['/api/v1/sessions', '/api/openapi.json', '/downloads/sessions/1111?format=md', '/metrics', '/mcp', '/ws'])
      expect([path, await ask('cross-site', 'navigate', path)]).toEqual([path, 403]);
    expect([await ask('cross-site', 'navigate', '/'), await ask('same-origin', 'cors'), await ask('none', 'navigate')]).toEqual([200, 200, 200]);
  });

  test('[SEC-10] no forwarded address is believed', async () => {
    const forged = {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': ADDRESS,
      'x-real-ip': '127.0.0.1',
      forwarded: `for=127.0.0.1;host=${ADDRESS}`,
      'x-original-host': ADDRESS,
    };
    expect(await board.problem('/api/v1/sessions', { headers: { ...forged, host: 'evil.example' } })).toMatchObject({ code: 'foreign-host' });
    expect(await board.problem('/api/v1/stop', { method: 'POST', body: '{}', headers: { ...forged, 'x-forwarded-user': 'human' } })).toMatchObject({
      code: 'token-needed',
    });
    expect((await board.ask('/api/v1/sessions', { headers: { ...forged, 'x-forwarded-host': 'evil.example' } })).status).toBe(200);
  });

  test('[SEC-10] over the wire too: a name that was rebound to 127.0.0.1 gets nothing', async () => {
    const { port } = new URL(server.url);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`]) {
      expect(await send({ headers: { host } }), `for ${host}`).toEqual({ status: 403, code: 'foreign-host' });
    }
    // No host at all: the adapter refuses it before us.
    expect((await send({ headers: { host: `127.0.0.1:${port}:${port}` } })).status).toBe(400);
    expect(await send({ headers: { host: `127.0.0.1:${port}`, origin: `http://evil.example:${port}` } })).toEqual({
      status: 403,
      code: 'foreign-origin',
    });
    expect((await send({ headers: { host: `LocalHost:${port}`, origin: `http://localhost:${port}` } })).status).toBe(200);
  });

  test('[SEC-10] the server listens on 127.0.0.1 and nowhere else', async () => {
    const { port } = new URL(server.url);
    const others = Object.values(networkInterfaces()).flatMap((faces) =>
      (faces ?? []).filter(({ address }) => address !== '127.0.0.1').map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address)),
    );
    // Another address of the loopback network is another address, and every machine has it.
    for (const host of ['127.0.0.2', ...others])
      await expect(send({ headers: { host: `127.0.0.1:${port}` }, host }), `for ${host}`).rejects.toThrow(
        /ECONNREFUSED|EADDRNOTAVAIL|EINVAL|ENETUNREACH|EHOSTUNREACH/u,
      );
  });

  test('[SEC-10] on port 80 browsers leave the port out', () => {
    const headers = { origin: undefined, authorization: undefined, fetchSite: undefined, fetchMode: undefined };
    expect(identify({ token: 't', port: () => 80, memberWith: () => null }, { ...headers, host: '127.0.0.1' })).toEqual({
      isOperator: false,
      actor: null,
    });
    expect(() => identify({ token: 't', port: () => 81, memberWith: () => null }, { ...headers, host: '127.0.0.1' })).toThrow(/answers only for/u);
  });
});

describe('who asks', () => {
  const wrongTokens = (token: string): readonly string[] => [
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token},`,
    'Bearer',
    'Bearer ',
    'Bearer undefined',
    `Basic ${token}`,
    token,
    `Token ${token}`,
    `Bearer "${token}"`,
    `Bearer ${token.toLowerCase()}`,
    'x',
  ];

  test('[SEC-13] without a token every command is refused, before its body is looked at', async () => {
    const commands = Object.values<Operation>(REGISTRY).filter(({ who }) => who === 'operator');
    expect(commands.length).toBeGreaterThan(4);
    for (const { path, method } of commands) {
      for (const body of ['{}', 'no json', '']) {
        const problem = await board.problem(`/api/v1${path}`, { method, ...(body === '' || method === 'GET' ? {} : { body }) });
        expect(problem).toMatchObject({ status: 401, code: 'token-needed' });
        expect(problem.detail).toContain('operator.token');
        expect(problem.detail).not.toContain(board.token);
      }
    }
  });

  test('[SEC-13] a wrong token is refused, also for reading, and never taken for none', async () => {
    for (const authorization of wrongTokens(board.token)) {
      for (const path of everything) {
        const problem = await board.problem(path, { headers: { authorization } });
        expect(problem, `for ${authorization}`).toMatchObject({ status: 401, code: 'bad-token' });
        expect(JSON.stringify(problem)).not.toContain(board.token);
      }
      expect(await board.problem('/api/v1/stop', { method: 'POST', body: '{}', headers: { authorization } })).toMatchObject({
        status: 401,
        code: 'bad-token',
      });
    }
  });

  test('[SEC-13] with the token one may command and reveal, without it read only', async () => {
    for (const authorization of [`Bearer ${board.token}`, `bearer ${board.token}`, `BEARER   ${board.token}`]) {
      const response = await board.ask('/api/v1/rebuild', { method: 'POST', body: '{}', headers: { authorization } });
      expect([response.status, await response.json()]).toEqual([200, { entries: 1 }]);
    }
    expect((await board.ask('/api/v1/messages/MSG-1?reveal=true', { headers: { authorization: `Bearer ${board.token}` } })).status).toBe(200);
    for (const path of ['messages/MSG-1', 'refs/MSG-1', 'sessions/1111/messages', 'sessions/1111/operations', 'log', 'search?q=x']) {
      const problem = await board.problem(`/api/v1/${path}${path.includes('?') ? '&' : '?'}reveal=true`);
      expect(problem, `for ${path}`).toMatchObject({ status: 403, code: 'operator-only' });
    }
  });

  test('[SEC-13] a board without a token has no operator: an empty token is nobody’s', async () => {
    const reader = { token: '', port: () => 0, memberWith: () => null };
    const headers = { host: ADDRESS, origin: undefined, fetchSite: undefined, fetchMode: undefined };
    expect(identify(reader, { ...headers, authorization: undefined })).toEqual({ isOperator: false, actor: null });
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer  ', '', ' '])
      expect(() => identify(reader, { ...headers, authorization })).toThrow(/token/u);
  });

  test('[SEC-13] stop is heard from the operator only', async () => {
    const heard: string[] = [];
    const stoppable = await makeBoard({ onStop: () => heard.push('stop') });
    await stoppable.problem('/api/v1/stop', { method: 'POST', body: '{}' });
    expect(heard).toEqual([]);
    expect(await stoppable.command('stop')).toEqual({ stopping: true, countdown_seconds: 0, connected: 0 });
    expect(heard).toEqual(['stop']);
  });
});

describe('the token', () => {
  test('[SEC-12] it is made once, in a file that only its owner may read', () => {
    expect(statSync(board.home.tokenFile).mode & 0o777).toBe(0o600);
    expect(statSync(board.home.folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(board.home.tokenFile, 'utf8')).toBe(`${board.token}\n`);
    expect(board.token).toMatch(/^[\w-]{43}$/u);
    expect(operatorToken(board.home)).toBe(board.token);
  });

  test('[SEC-12] every home has another', () => {
    const tokens = Array.from({ length: 20 }, () => {
      const folder = makeFolder();
      return operatorToken(homeOf({ env: { YARNBOARD_HOME: `${folder}/home` }, home: folder }));
    });
    expect(new Set(tokens).size).toBe(20);
  });

  test('[SEC-12] a file that others may read is closed to them', () => {
    chmodSync(board.home.tokenFile, 0o644);
    expect(operatorToken(board.home)).toBe(board.token);
    expect(statSync(board.home.tokenFile).mode & 0o777).toBe(0o600);
  });
});
