import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../operations/boards.ts';
import { equip, EXAMPLE, open, runtimesOf, saidBy, seatWhere, SETTINGS, spawn } from './seat-stage.ts';

test('[RT-75] with fewer processes than seats, one that has something to hear gets one; who is idle makes room, and hears later what came meanwhile', async () => {
  const made = await open({ settings: { ...SETTINGS, agents: { usdPerDay: 50, turnsAtOnce: 4, processes: 2 } } });
  await equip(made, 'echo', { responds_to: 'all' });
  const sidebars = [await spawn(made, 'one', ['echo']), await spawn(made, 'two', ['echo']), await spawn(made, 'three', ['echo'])];
  // Each has its turn on joining, though only two have a process at once.
  for (const sidebar of sidebars) await saidBy(made, sidebar, 'AGENT-echo');
  for (const round of [2, 3])
    for (const sidebar of sidebars) {
      await made.command('chat_message', { sidebar_id: sidebar, content: `word ${round} for ${sidebar}` });
      const said = await saidBy(made, sidebar, 'AGENT-echo', round);
      expect(said.at(-1)?.content).toContain(`word ${round} for ${sidebar}`);
      const { items } = await made.get('seats', {});
      expect(items.map((seat) => seat.state).filter((state) => state !== 'ready' && state !== 'working')).toEqual([]);
      expect((await made.get('runtimes', {})).items.find(({ name }) => name === 'echo')?.seats).toBeLessThanOrEqual(2);
    }
  for (const sidebar of sidebars)
    expect(await seatWhere(made, sidebar, 'echo', ({ state }) => state === 'ready')).toMatchObject({ turns: { used: 3 }, reason: null });
  expect(made.faults).toEqual([]);
  await made.close();
});

test('[RT-7] a program that is updated while it works goes on as it is, and is the new one from its next start', async () => {
  const folder = makeFolder();
  const program = join(folder, 'agent.mjs');
  const written = readFileSync(EXAMPLE, 'utf8');
  const install = (version: string): void => {
    // As package managers do: the file is another one under the same name.
    writeFileSync(`${program}.new`, written.replace("version: '1'", `version: '${version}'`));
    renameSync(`${program}.new`, program);
  };
  install('1');
  const runtimes = runtimesOf({ echo: { kind: 'stdio', command: [process.execPath, program] } });
  const made = await open({ settings: { ...SETTINGS, runtimes } });
  await equip(made, 'echo');
  const sidebar = await spawn(made, 'one', ['echo']);
  const programNow = async (): Promise<string | null> => (await made.get('runtimes', {})).items[0]?.program ?? null;
  await saidBy(made, sidebar, 'AGENT-echo');
  expect(await programNow()).toBe('echo 1');
  install('2');
  await made.command('chat_message', { sidebar_id: sidebar, content: '@echo again' });
  await saidBy(made, sidebar, 'AGENT-echo', 2);
  expect(await programNow()).toBe('echo 1');
  await made.command('seat_restart', { agent_id: 'echo', sidebar_id: sidebar });
  await made.command('chat_message', { sidebar_id: sidebar, content: '@echo and once more' });
  expect((await saidBy(made, sidebar, 'AGENT-echo', 3)).at(-1)?.content).toContain('once more');
  expect(await programNow()).toBe('echo 2');
  // Half of a program does not start, and is told; nothing else comes of it.
  writeFileSync(program, written.slice(0, written.lastIndexOf('{')));
  await made.command('seat_restart', { agent_id: 'echo', sidebar_id: sidebar });
  const failing = await seatWhere(made, sidebar, 'echo', ({ reason }) => reason !== null && reason.includes('ended with code'));
  expect(failing.reason).toContain('SyntaxError');
  install('3');
  await made.command('seat_restart', { agent_id: 'echo', sidebar_id: sidebar });
  await seatWhere(made, sidebar, 'echo', ({ state, reason }) => state === 'ready' && reason === null);
  expect(await programNow()).toBe('echo 3');
  expect(made.faults).toEqual([]);
  await made.close();
});
