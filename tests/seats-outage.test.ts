import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { expectWhole, until } from './home.ts';
import { makeStage, type Stage } from './live-stage.ts';
import { PATIENCE } from './patience.ts';
import { root } from './source-files.ts';

const AGENT = join(root, 'packages/server/test/runtimes/repeating-agent.mjs');

const processesWith = (argument: string): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/u.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(argument);
    } catch {
      return false; // gone meanwhile
    }
  });

const seatOf = ({ ask }: Stage) => ask('seat', { sidebar_id: 'SB-1', agent_id: 'weaver' });
const saidIn = async ({ ask }: Stage): Promise<readonly string[]> => {
  const { items } = await ask('sidebar_memory', { sidebar_id: 'SB-1', part: 'local', limit: 200 });
  return items.filter(({ sender }) => sender === 'AGENT-weaver').map(({ content }) => content);
};

test.skipIf(process.platform !== 'linux')(
  '[RT-68] the log refuses while a seat is at work: its turn ends, its words are on the log once, and the same program goes on',
  async () => {
    const stage = await makeStage();
    const gate = join(stage.home.folder, 'go-on');
    mkdirSync(join(stage.home.folder, 'home'), { recursive: true, mode: 0o700 });
    const runtimes = { lines: { kind: 'stdio', command: [process.execPath, AGENT, gate] } };
    // A disk that is slow is none that is away.
    writeFileSync(join(stage.home.folder, 'home/settings.json'), JSON.stringify({ runtimes, emergency: { write_timeout_seconds: 60 } }));
    await stage.start();
    await stage.ask('agent_register', { agent_id: 'weaver' });
    await stage.ask('agent_runtime', { agent_id: 'weaver', runtime: 'lines' });
    await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'Look at the loom', participants: ['weaver'] });
    const findings = async (): Promise<number> => (await stage.ask('scratchpad', { sidebar_id: 'SB-1' })).pending_findings.length;
    await until(async () => ((await findings()) === 1 ? true : null));
    await expect.poll(async () => (await seatOf(stage)).state).toBe('working');
    await expect.poll(() => processesWith(gate)).toHaveLength(1);
    const before = processesWith(gate);

    const other = new Database(stage.home.database, { timeout: PATIENCE });
    other.exec('BEGIN EXCLUSIVE');
    writeFileSync(gate, '');
    // Its last words, and that its turn is over. What is told meanwhile says how old it is, which no schema has.
    const isQueued = async (): Promise<true | null> => {
      const response = await fetch(`${stage.at()}/api/v1/status`, { headers: { authorization: `Bearer ${stage.token()}` } });
      const { emergency } = (await response.json()) as { readonly emergency?: { readonly pending_writes?: number } | null };
      return (emergency?.pending_writes ?? 0) >= 2 ? true : null;
    };
    await until(isQueued);
    expect(processesWith(gate)).toEqual(before);
    other.exec('ROLLBACK');
    other.close();
    await until(async () => ((await fetch(`${stage.at()}/healthz`)).status === 200 ? true : null));

    await until(async () => ((await saidIn(stage)).length === 1 && (await seatOf(stage)).state === 'ready' ? true : null));
    expect((await seatOf(stage)).turns.used).toBe(1);
    await stage.ask('chat_message', { sidebar_id: 'SB-1', content: '@weaver and the shuttle?' });
    await until(async () => ((await saidIn(stage)).length === 2 && (await seatOf(stage)).state === 'ready' ? true : null));
    expect((await seatOf(stage)).turns.used).toBe(2);
    expect(await findings()).toBe(2);
    expect(processesWith(gate)).toEqual(before);
    expect(await stage.end('SIGTERM')).toBe(0);
    await expect.poll(() => processesWith(gate)).toEqual([]);
    const store = await stage.home.open();
    expect(await expectWhole(store)).toBeGreaterThan(0);
    await store.close();
  },
);
