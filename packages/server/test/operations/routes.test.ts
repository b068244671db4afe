import { REGISTRY, type Operation } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { FURNITURE, furnish, UNFURNISHED } from './board/furniture.ts';
import { DEMO, FIXTURES, makeBoard, pathOf, walk, walkMessages, type TestBoard } from './boards.ts';

let demo: TestBoard;
let fixtures: TestBoard;
beforeAll(async () => {
  demo = await makeBoard({ roots: [DEMO] });
  await furnish(demo);
  fixtures = await makeBoard({ roots: [FIXTURES] });
});

const reads = Object.values<Operation>(REGISTRY).filter(({ method, name }) => method === 'GET' && !UNFURNISHED.has(name));
const first = { id: 'ad5ab9af-1246-4177-86b2-521eebb0f7c6', ref: 'MSG-1', q: 'file', path: 'README.md', typed: 'MSG-1', ...FURNITURE };
const inputFor = ({ input }: Operation) => Object.fromEntries(Object.entries(first).filter(([key]) => key in input.shape));

describe('what is served', () => {
  test.each(reads.map((operation) => [operation.name, operation] as const))('[API-1] %s is served below /api/v1', async (name, operation) => {
    const headers = operation.who === 'anyone' ? {} : { authorization: `Bearer ${demo.token}` };
    const response = await demo.ask(pathOf(name as keyof typeof REGISTRY, inputFor(operation)), { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(operation.output.safeParse(await response.json()).error?.message).toBeUndefined();
  });

  test('[API-1] nothing else is: what is unknown gets 404, a wrong method 405 with those that are allowed', async () => {
    for (const path of [
      '/api/v1',
      '/api/v1/',
      '/api/v2/sessions',
      '/api/v1/nothing',
      '/api/v1/sessions/a/b',
      '/favicon.ico',
      '/api/v1/sessions/',
      '/..%2f',
    ]) {
      expect(await demo.problem(path), `for ${path}`).toMatchObject({ status: 404, code: 'not-found' });
    }
    const operations = Object.values<Operation>(REGISTRY);
    for (const { path } of operations) {
      const allowed: readonly string[] = operations.filter((other) => other.path === path).map(({ method }) => method);
      const wrong = ['GET', 'POST', 'PUT'].find((method) => !allowed.includes(method)) ?? '';
      const response = await demo.ask(`/api/v1${path.replaceAll(/\{\w+\}/gu, 'x')}`, { method: wrong });
      expect(response.status, `for ${path}`).toBe(405);
      expect(response.headers.get('allow')).toBe(allowed.join(', '));
    }
    for (const path of ['/', '/healthz', '/metrics', '/api/openapi.json']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
        expect(await demo.problem(path, { method })).toMatchObject({ code: 'wrong-method' });
    }
  });

  test('[API-4] the document that is served is the one the registry makes', async () => {
    const document = (await (await demo.ask('/api/openapi.json')).json()) as { paths: object };
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(Object.values<Operation>(REGISTRY).map(({ path }) => `/api/v1${path}`))].sort());
  });

  test('[API-9] the front page says what is running, without a script and without running anybody’s', async () => {
    const response = await demo.ask('/');
    expect(response.headers.get('content-type')).toMatch(/^text\/html/u);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toContain('Yarnboard 0 is running');
    expect(html).not.toMatch(/<script/iu);
  });

  test('[API-9] /healthz tells that the log can be written', async () => {
    const response = await demo.ask('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', entries: (await demo.get('stats')).totals.entries });
  });

  test('[API-1] nothing that is served may be kept, guessed at, or shown inside another page', async () => {
    for (const path of ['/', '/healthz', '/metrics', '/api/v1/sessions', '/api/v1/nothing']) {
      const { headers } = await demo.ask(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });
});

describe('every session of every version', () => {
  test('[API-4] all of it fits its schema: sessions, messages, trees, operations, sidechains, branches, integrity', async () => {
    for (const board of [demo, fixtures]) {
      const sessions = await walk(board, 'sessions', { limit: 500 });
      expect(sessions.length).toBeGreaterThan(20);
      for (const { session_id: id } of sessions) {
        await board.get('session', { id });
        await walk(board, 'tree', { id, limit: 500 });
        await walk(board, 'operations', { id, limit: 500 });
        await walk(board, 'branches', { id });
        await board.get('integrity', { session: id });
        for (const { agent_id: thread } of await walk(board, 'sidechains', { id })) await walkMessages(board, id, { thread, limit: 500 });
      }
      expect(board.faults).toEqual([]);
    }
  });

  test('[API-4] every entry of the log fits its schema, and the chain can be followed from one to the next', async () => {
    for (const board of [demo, fixtures]) {
      const entries = await walk(board, 'log', { limit: 500 });
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, i) => i + 1));
      expect(entries.slice(1).map((entry) => entry.previous_entry_checksum)).toEqual(entries.slice(0, -1).map((entry) => entry.checksum));
      expect((await board.get('verify')).head).toBe(entries.at(-1)?.checksum);
      const [second] = (await board.get('log', { after: 1, limit: 1 })).items;
      expect(second).toEqual(entries[1]);
    }
  });
});
