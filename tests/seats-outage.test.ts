import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { expectWhole, until } from './home.ts';
import { makeStage } from './live-stage.ts';
import { PATIENCE } from './patience.ts';
import { agentCommand, isWell, processesWith, saidByWeaver, startWeaver, waitingFor, weaversSeat } from './seat-stage.ts';

test.skipIf(process.platform !== 'linux')(
  '[RT-68] the log refuses while a seat is at work: its turn ends, its words are on the log once, and the same program goes on',
  async () => {
    const stage = await makeStage();
    const gate = join(stage.home.folder, 'go-on');
    const runtimes = { lines: { kind: 'stdio', command: agentCommand('repeating', gate) } };
    // A disk that is slow is none that is away.
    await startWeaver(stage, { runtimes, emergency: { write_timeout_seconds: 60 } });
    const findings = async (): Promise<number> => (await stage.ask('scratchpad', { sidebar_id: 'SB-1' })).pending_findings.length;
    await until(async () => ((await findings()) === 1 ? true : null));
    expect((await weaversSeat(stage)).state).toBe('working');
    const before = processesWith(gate);
    expect(before).toHaveLength(1);

    const other = new Database(stage.home.database, { timeout: PATIENCE });
    other.exec('BEGIN EXCLUSIVE');
    writeFileSync(gate, '');
    // Its last words, and that its turn is over.
    await until(async () => ((await waitingFor(stage)) >= 2 ? true : null));
    expect(processesWith(gate)).toEqual(before);
    other.exec('ROLLBACK');
    other.close();
    await until(async () => ((await isWell(stage)) ? true : null));

    await until(async () => ((await saidByWeaver(stage)).length === 1 && (await weaversSeat(stage)).state === 'ready' ? true : null));
    expect((await weaversSeat(stage)).turns.used).toBe(1);
    await stage.ask('chat_message', { sidebar_id: 'SB-1', content: '@weaver and the shuttle?' });
    await until(async () => ((await saidByWeaver(stage)).length === 2 && (await weaversSeat(stage)).state === 'ready' ? true : null));
    expect((await weaversSeat(stage)).turns.used).toBe(2);
    expect(await findings()).toBe(2);
    expect(processesWith(gate)).toEqual(before);
    expect(await stage.end('SIGTERM')).toBe(0);
    expect(processesWith(gate)).toEqual([]);
    const store = await stage.home.open();
    expect(await expectWhole(store)).toBeGreaterThan(0);
    await store.close();
  },
);
