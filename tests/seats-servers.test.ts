import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { afterFile } from './afterwards.ts';
import { addressOf, ended, testHome, until } from './home.ts';
import { findPostgres, type Postgres } from './postgres.ts';
import { agentCommand, processesWith, writeSettings } from './seat-stage.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

type Seat = { readonly state: string; readonly server_id: string | null; readonly turns: { readonly used: number }; readonly session_id: string };
type Running = {
  readonly child: ChildProcess;
  readonly id: string;
  readonly ask: (path: string, body?: object) => Promise<Record<string, unknown>>;
  /** Null while the board has none here. */
  readonly seat: () => Promise<Seat | null>;
};

const serve = async (database: string, settings: object, home = testHome()): Promise<Running & { readonly home: typeof home }> => {
  writeSettings(home.folder, settings);
  const child = home.start('start', '--no-open', '--port', '0', '--db', database);
  const url = await addressOf(child);
  const token = readFileSync(join(home.folder, 'home/operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask: Running['ask'] = async (path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>; // an object, as all answers are
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { servers } = (await ask('/servers')) as { readonly servers: readonly { readonly server_id: string; readonly is_this: boolean }[] };
  return {
    home,
    child,
    ask,
    id: servers.find(({ is_this: isThis }) => isThis)?.server_id ?? '',
    seat: async () => (await ask('/seats/SB-1/weaver').catch(() => null)) as Seat | null, // of the schema that the server keeps to
  };
};

test.skipIf(process.platform !== 'linux')(
  '[RT-66] of two servers of a board one has a seat, with one process; killed, the other takes the seat over, and stopped, it hands it over',
  async ({ skip }) => {
    if (postgres === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'yarnboard-gate-'));
    afterFile(() => rmSync(folder, { recursive: true, force: true }));
    const gate = join(folder, 'go-on');
    const database = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=seats`;
    const settings = { runtimes: { lines: { kind: 'stdio', command: agentCommand('repeating', gate) } } };
    const servers = [await serve(database, settings), await serve(database, settings)] as const;
    const [first] = servers;
    await first.ask('/agents', { agent_id: 'weaver' });
    await first.ask('/agents/weaver/runtime', { runtime: 'lines' });
    await first.ask('/sidebars', { parent_id: null, task_description: 'Look at the loom', participants: ['weaver'] });
    const findings = async ({ ask }: Running): Promise<number> =>
      ((await ask('/sidebars/SB-1/scratchpad')) as { readonly pending_findings: readonly object[] }).pending_findings.length;
    for (const server of servers) {
      await until(async () => ((await server.seat())?.state === 'working' ? true : null));
      await until(async () => ((await findings(server)) === 1 ? true : null));
    }
    const { server_id: holder, session_id: session } = (await first.seat()) ?? { server_id: null, session_id: null };
    const [mine, other] = holder === servers[0].id ? servers : [servers[1], servers[0]];
    expect(mine.id).toBe(holder);
    expect(await other.seat()).toMatchObject({ server_id: holder, turns: { used: 1 } });
    const [pid, ...more] = processesWith(gate);
    expect(more).toEqual([]);

    mine.child.kill('SIGKILL');
    await ended(mine.child);
    // The same session and the same turn once more; what was acknowledged in it is not done again, and nothing of before is left.
    await until(async () => {
      const seat = await other.seat();
      return seat?.server_id === other.id && seat.state === 'working' && seat.turns.used === 2 ? true : null;
    });
    expect((await other.seat())?.session_id).toBe(session);
    const [next, ...others] = processesWith(gate);
    expect(others).toEqual([]);
    expect(next).not.toBe(pid);

    // Whoever comes back does not take it away.
    const back = await serve(database, settings, mine.home);
    expect(back.id).toBe(mine.id);
    writeFileSync(gate, '');
    await until(async () => ((await back.seat())?.state === 'ready' ? true : null));
    expect(await back.seat()).toMatchObject({ server_id: other.id, turns: { used: 2 } });
    expect(await findings(back)).toBe(1);
    expect(processesWith(gate)).toEqual([next]);

    // Stopping hands it over: what is said then is answered by the other one, and everything was said once.
    other.child.kill('SIGTERM');
    await ended(other.child);
    expect(processesWith(gate)).toEqual([]);
    await back.ask('/sidebars/SB-1/messages', { content: '@weaver and now?' });
    await until(async () => ((await back.seat())?.turns.used === 3 && (await back.seat())?.state === 'ready' ? true : null));
    expect((await back.seat())?.server_id).toBe(back.id);
    const { items } = (await back.ask('/sidebars/SB-1/memory?part=local&limit=200')) as { readonly items: readonly { readonly sender: string }[] };
    expect(items.filter(({ sender }) => sender === 'AGENT-weaver')).toHaveLength(2);
    expect(await findings(back)).toBe(2);
    back.child.kill('SIGTERM');
    await ended(back.child);
    expect(processesWith(gate)).toEqual([]);
  },
);
