import { assertNever } from '@yarnboard/domain';
import { REGISTRY, type Operation, type OperationName, type Problem } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS, makeBoard, pathOf, type TestBoard } from '../../operations/boards.ts';
import { prompt } from '../../operations/records.ts';

/** Everybody who may stand at the door. */
type Identity = 'operator' | 'agent' | 'retired agent' | 'wrong token' | 'owner of the server' | 'other user' | 'other site';

let board: TestBoard;
let agent = '';
let retired = '';
beforeAll(async () => {
  board = await makeBoard({ files: { 'p/11111111-0000-4000-8000-000000000001.jsonl': [prompt('u1', null, 0, 'hello')] } });
  ({ token: agent } = await board.command('agent_register', { agent_id: 'AGENT-a' }));
  ({ token: retired } = await board.command('agent_register', { agent_id: 'AGENT-b' }));
  await board.command('agent_retire', { agent_id: 'AGENT-b' });
});

/** A connection that nobody of this machine holds: on Linux another user's, elsewhere one of which nothing is known. */
const STRANGE = { remoteAddress: '127.0.0.1', remotePort: 1, localAddress: '127.0.0.1', localPort: 2 };

const headersOf = (identity: Identity): Record<string, string> => {
  const tokens: Partial<Record<Identity, string>> = { operator: board.token, agent, 'retired agent': retired, 'wrong token': 'x'.repeat(43) };
  const token = tokens[identity];
  const site = identity === 'other site' ? { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } : {};
  return { host: ADDRESS, ...site, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
};

const ask = async (
  method: string,
  path: string,
  identity: Identity,
  body?: string,
): Promise<{ readonly status: number; readonly code: string | null }> => {
  const init = { method, headers: headersOf(identity), ...(body === undefined ? {} : { body }) };
  const response = await board.board.app.request(
    `http://${ADDRESS}${path}`,
    init,
    identity === 'other user' ? { incoming: { socket: STRANGE } } : undefined,
  );
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  const code = isProblem ? ((await response.json()) as Problem).code : null; // by its type
  return { status: response.status, code };
};

const IDENTITIES: readonly Identity[] = ['operator', 'agent', 'retired agent', 'wrong token', 'owner of the server', 'other user', 'other site'];
const operations = Object.values<Operation>(REGISTRY);

/** What the registry's words about who may call come to, for each of them; null: let in. */
const refusalOf = (who: Operation['who'], identity: Identity): string | null => {
  switch (identity) {
    case 'operator':
      return null;
    case 'agent':
      return who === 'operator' ? 'operator-only' : null;
    case 'retired agent':
    case 'wrong token':
      return 'bad-token';
    case 'owner of the server':
      return who === 'anyone' ? null : 'token-needed';
    case 'other user':
      return 'token-needed';
    case 'other site':
      return 'foreign-origin';
    default:
      return assertNever(identity);
  }
};

describe('who reaches what', () => {
  test.each(IDENTITIES)('[SEC-35] %s reaches the operations that the registry says, and no other', async (identity) => {
    const found: Record<string, string | null> = {};
    const expected: Record<string, string | null> = {};
    for (const { name, method, who, path } of operations) {
      // An input that no operation has: who is let in is told so, and nothing is done.
      const asked = pathOf(name as OperationName, Object.fromEntries([...path.matchAll(/\{(\w+)\}/gu)].map(([, key = '']) => [key, 'x'])));
      const { code } = await ask(
        method,
        method === 'GET' ? `${asked}?unheard=of` : asked,
        identity,
        method === 'GET' ? undefined : '{"unheard":"of"}',
      );
      found[name] = code;
      expected[name] =
        (name === 'enter' && identity === 'other user' && process.platform !== 'linux' ? null : refusalOf(who, identity)) ?? 'bad-request';
    }
    expect(found).toEqual(expected);
  });

  test('[SEC-35] without a token nothing can be changed, but a link of the operator can be used', () => {
    const open = operations.filter(({ method, who }) => method !== 'GET' && who === 'anyone').map(({ name }) => name);
    expect(open).toEqual(['enter']);
  });

  test('[SEC-35] the same holds for what is no operation', async () => {
    const rows: readonly (readonly [method: string, path: string, open: readonly Identity[]])[] = [
      ['GET', '/healthz', ['operator', 'agent', 'owner of the server', 'other user']],
      ['GET', '/api/openapi.json', ['operator', 'agent', 'owner of the server', 'other user']],
      ['GET', '/metrics', ['operator', 'agent', 'owner of the server']],
      ['GET', '/', ['operator', 'agent', 'owner of the server']],
      ['GET', '/downloads/sessions/11111111-0000-4000-8000-000000000001?format=md', ['operator', 'agent', 'owner of the server']],
      ['GET', '/downloads/media/x', ['operator', 'agent', 'owner of the server']],
      ['POST', '/uploads/media', ['operator', 'agent']],
      // Which tools there are is no secret, as which operations there are is none.
      ['POST', '/mcp', ['operator', 'agent', 'owner of the server', 'other user']],
    ];
    const isOpen = new Set(['not-found', 'bad-request', 'bad-reference', null]);
    for (const [method, path, open] of rows) {
      const letIn: Identity[] = [];
      for (const identity of IDENTITIES) {
        const body = path === '/mcp' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : 'x';
        const { code } = await ask(method, path, identity, method === 'GET' ? undefined : body);
        if (isOpen.has(code)) letIn.push(identity);
      }
      expect([path, letIn]).toEqual([path, open]);
    }
  });

  test('[SEC-35] and for what is asked over MCP', async () => {
    const call = async (identity: Identity): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { q: 'hello' } } });
      const headers = { ...headersOf(identity), 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const where = identity === 'other user' ? { incoming: { socket: STRANGE } } : undefined;
      return (await board.board.app.request(`http://${ADDRESS}/mcp`, { method: 'POST', headers, body }, where)).text();
    };
    for (const identity of ['operator', 'agent', 'owner of the server'] as const) expect(await call(identity)).toContain('MSG-1');
    for (const identity of ['retired agent', 'wrong token', 'other user', 'other site'] as const) expect(await call(identity)).not.toContain('MSG-1');
    expect(await call('other user')).toContain('token');
  });
});
