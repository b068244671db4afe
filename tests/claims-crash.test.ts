import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { afterFile } from './afterwards.ts';
import { until, type TestHome } from './home.ts';
import { makeStage, type Stage } from './live-stage.ts';

/** Something that is asked how it is, and answers when it is told to. */
const openPatient = async (): Promise<{
  readonly address: string;
  readonly asked: () => number;
  readonly answer: () => void;
  readonly server: Server;
}> => {
  const waiting: ServerResponse[] = [];
  let asked = 0;
  let isAnswering = false;
  const server = createServer((_, response) => {
    asked += 1;
    if (isAnswering) response.end('ok');
    else waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    address: `http://127.0.0.1:${port}/health`,
    asked: () => asked,
    answer: () => {
      isAnswering = true;
      for (const response of waiting.splice(0)) response.end('ok');
    },
    server,
  };
};

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

const spawned = (told: { readonly ref?: string | null }): string => told.ref ?? '';

test('[VAL-35] SIGKILL in the middle of a check: nothing of it is kept, and afterwards it is checked again and kept once', async () => {
  const stage = await makeStage();
  const patient = await openPatient();
  servers.push(patient.server);
  mkdirSync(join(stage.home.folder, 'home'), { recursive: true });
  const services = [{ name: 'weaverd', health: patient.address }];
  writeFileSync(join(stage.home.folder, 'home/settings.json'), JSON.stringify({ validation: { services } }));
  await stage.start();
  const parent = spawned(await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'Why are logins slow?' }));
  await stage.ask('chat_message', { sidebar_id: parent, content: 'weaverd is running.' });
  const [byHand, byItself] = [
    spawned(await stage.ask('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'look' })),
    async () => spawned(await stage.ask('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'look again' })),
  ];
  const runs = async () => (await stage.ask('validation_history', {})).items;

  // Somebody asked for it.
  const asking = stage.ask('claim_validate', { sidebar_id: byHand, claim_id: 'EXCH-1' }).catch((cause: unknown) => cause);
  await until(() => (patient.asked() >= 1 ? true : null));
  const checking = checkerOf(stage);
  await stage.end('SIGKILL');
  expect(await asking).toBeInstanceOf(Error);
  // VAL-52: nobody is left to go on with it.
  await until(() => (isChecking(checking) ? null : true));
  await stage.start();
  expect(await runs()).toEqual([]);
  expect((await stage.ask('claims', { sidebar_id: byHand })).items).toEqual([]);

  // It runs by itself.
  await stage.ask('validation_config', { enabled: true, allowed: ['service_status'] });
  const child = await byItself();
  await until(() => (patient.asked() >= 2 ? true : null));
  await stage.end('SIGKILL');
  await stage.start();
  await until(() => (patient.asked() >= 3 ? true : null));
  patient.answer();
  await until(async () => ((await runs()).length > 0 ? true : null));
  // Killed once more, right behind it: what is kept is not checked again.
  await stage.end('SIGKILL');
  await stage.start();
  await stage.ask('claim_validate', { sidebar_id: byHand, claim_id: 'EXCH-1' });
  expect((await runs()).map(({ sidebar_id: of, automatic }) => [of, automatic])).toEqual([
    [byHand, false],
    [child, true],
  ]);
  expect((await stage.ask('claims', { sidebar_id: child })).items).toHaveLength(1);
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});

/** The processes that check for a server. */
const checkersOf = (stage: Stage): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && parentOf(name) === stage.pid())
    .map(Number)
    .filter(isChecking);

const checkerOf = (stage: Stage): number => {
  const [only, ...others] = checkersOf(stage);
  expect([typeof only, others]).toEqual(['number', []]);
  return only ?? 0;
};

const isChecking = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('validator');
  } catch {
    return false; // it has ended meanwhile
  }
};

const parentOf = (pid: string): number | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null; // it has ended meanwhile
  }
};

/** Waits until so many entries of a type are on the log. Nothing of ours is open afterwards: a kill meets the server alone. */
const reaches = async (home: TestHome, type: 'claim.validated' | 'automerge.done', wanted: number): Promise<void> => {
  const store = await home.open();
  try {
    await until(async () => ((await store.log.positionsOfType(type)).length >= wanted ? true : null));
  } finally {
    await store.close();
  }
};

test('[VAL-52] SIGKILL of the process that checks: the check comes to what it had found, is kept once, and whoever asked may ask again', async () => {
  const stage = await makeStage();
  const patient = await openPatient();
  servers.push(patient.server);
  mkdirSync(join(stage.home.folder, 'home'), { recursive: true });
  const services = [{ name: 'weaverd', health: patient.address }];
  writeFileSync(join(stage.home.folder, 'home/settings.json'), JSON.stringify({ validation: { services } }));
  const program = join(stage.work, 'weaverd');
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
  const running = spawn(program, ['3600'], { stdio: 'ignore' });
  afterFile(() => void running.kill('SIGKILL'));
  await stage.start();
  const parent = spawned(await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'Why are logins slow?' }));
  await stage.ask('chat_message', { sidebar_id: parent, content: 'weaverd is healthy.' });
  const child = spawned(await stage.ask('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'look' }));
  const check = () => stage.ask('claim_validate', { sidebar_id: child, claim_id: 'EXCH-1' });

  const first = check();
  await until(() => (patient.asked() >= 1 ? true : null));
  process.kill(checkerOf(stage), 'SIGKILL');
  await first;
  patient.answer();
  await check();
  const claims = (await stage.ask('claims', { sidebar_id: child })).items;
  expect(claims.map(({ words, verification }) => [words, verification])).toEqual([['weaverd is healthy.', 'confirmed']]);
  // The newest first.
  expect((await stage.ask('validation_history', {})).items.map(({ conclusion }) => conclusion)).toEqual(['confirmed', 'inconclusive']);
  await until(() => (checkersOf(stage).length === 0 ? true : null));
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});

test('[VAL-35] SIGKILL after so many automatic checks: each claim is checked once, the rest when the server is back, and none is left over', async () => {
  const stage = await makeStage();
  await stage.start();
  const parent = spawned(await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'What runs here?' }));
  const names = Array.from({ length: 8 }, (_, n) => `weaver${n}d`);
  for (const name of names) await stage.ask('chat_message', { sidebar_id: parent, content: `${name} is running.` });
  await stage.ask('validation_config', { enabled: true, allowed: ['service_status'] });
  const child = spawned(await stage.ask('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'look' }));
  for (const kept of [1, 2, 4, 7]) {
    await reaches(stage.home, 'claim.validated', kept);
    await stage.end('SIGKILL');
    await stage.start();
  }
  await reaches(stage.home, 'claim.validated', names.length);
  await until(() => (checkersOf(stage).length === 0 ? true : null));
  const words = (await stage.ask('claims', { sidebar_id: child })).items.map(({ words: one }) => one);
  expect([words.length, new Set(words)]).toEqual([names.length, new Set(names.map((name) => `${name} is running.`))]);
  const runs = (await stage.ask('validation_history', { limit: 100 })).items;
  expect([runs.length, new Set(runs.map(({ claim_id: id }) => id)).size]).toEqual([names.length, names.length]);
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});

const ROUNDS = process.env['YARNBOARD_RUNS'] === undefined ? 8 : 60;

/** A board on which sidebars merge by themselves once ben approves, and what somebody at its door does and sees. */
const mergingStage = async () => {
  const stage = await makeStage();
  await stage.start();
  const ben = (await stage.ask('agent_register', { agent_id: 'ben' })).token;
  await stage.ask('agent_register', { agent_id: 'ada' });
  const participants = ['ada', 'ben'];
  const parent = spawned(await stage.ask('sidebar_spawn', { parent_id: null, task_description: 'Keep the shop running', participants }));
  await stage.ask('chat_message', { sidebar_id: parent, content: 'Have a look at the queue' });
  const prepare = async (): Promise<string> => {
    const about = { sub_task_description: 'Is the queue empty?', task_type: 'status_check', participants, curator_agent: 'ben' };
    const sidebar = spawned(await stage.ask('sidebar_child_spawn', { parent_sidebar_id: parent, ...about }));
    await stage.ask('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'The queue is empty.', source_refs: ['MSG-1'] });
    await stage.ask('scratchpad_entry_validated', { sidebar_id: sidebar, entry_id: 'FINDING-1', status: 'confirmed' });
    await stage.ask('sidebar_consolidate', { sidebar_id: sidebar });
    return sidebar;
  };
  /** The curator's word; null when nobody answered. */
  const approve = async (sidebar: string, messageId: string): Promise<number | null> => {
    const headers = { authorization: `Bearer ${ben}`, 'content-type': 'application/json', connection: 'close' };
    const body = JSON.stringify({ message_id: messageId });
    return fetch(`${stage.at()}/api/v1/sidebars/${sidebar}/check`, { method: 'POST', headers, body }).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      () => null,
    );
  };
  const stateOf = async (sidebar: string): Promise<readonly [status: string, isApproved: boolean, merges: number]> => {
    const [{ status, merge }, history] = [await stage.ask('sidebar', { sidebar_id: sidebar }), await stage.ask('auto_merge_history', { limit: 200 })];
    return [status, (merge?.checks ?? []).length > 0, history.items.filter(({ sidebar_id: of }) => of === sidebar).length];
  };

  const first = await prepare();
  await approve(first, randomUUID());
  await stage.ask('sidebar_merge', { sidebar_id: first });
  await stage.ask('auto_merge_config', { auto_merge_enabled: true, allowed_task_types: ['status_check'], required_approvals: 1 });
  const second = await prepare();
  expect(await approve(second, randomUUID())).toBe(200);
  expect(await stateOf(second)).toEqual(['MERGED', true, 1]);

  return { stage, prepare, approve, stateOf };
};

test('[AUTO-22] SIGKILL in the middle of automatic merges: each is done whole, or not at all and once it is asked for again', async () => {
  const { stage, prepare, approve, stateOf } = await mergingStage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const sidebar = await prepare();
    const messageId = randomUUID();
    const approving = approve(sidebar, messageId);
    // From at once to well after it, however fast this machine is: what is asserted holds whenever the kill comes.
    await new Promise((resolve) => {
      setTimeout(resolve, 2 ** (round % 8));
    });
    await stage.end('SIGKILL');
    const answered = await approving;
    await stage.start();
    const after = await stateOf(sidebar);
    expect([['MERGED', true, 1], ...(answered === 200 ? [] : [['CONSOLIDATING', false, 0]])]).toContainEqual(after);
    expect(await approve(sidebar, messageId)).toBe(200);
    expect(await stateOf(sidebar)).toEqual(['MERGED', true, 1]);
  }
  const { types } = await stage.ask('auto_merge_history', {});
  expect(types.find(({ task_type: type }) => type === 'status_check')).toMatchObject({ auto_merges: ROUNDS + 1, with_problems: 0 });
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});

test('[AUTO-22] SIGKILL after so many of several automatic merges at once: those that were acknowledged are done, and each is done once in the end', async () => {
  const { stage, prepare, approve, stateOf } = await mergingStage();
  let merged = 1;
  for (const kept of [1, 2, 3]) {
    const waiting = [];
    for (let n = 0; n < 4; n += 1) waiting.push({ sidebar: await prepare(), messageId: randomUUID() });
    const approving = waiting.map(({ sidebar, messageId }) => approve(sidebar, messageId));
    await reaches(stage.home, 'automerge.done', merged + kept);
    await stage.end('SIGKILL');
    const answers = await Promise.all(approving);
    await stage.start();
    const after = await Promise.all(waiting.map(({ sidebar }) => stateOf(sidebar)));
    for (const [n, state] of after.entries())
      expect([['MERGED', true, 1], ...(answers[n] === 200 ? [] : [['CONSOLIDATING', false, 0]])]).toContainEqual(state);
    expect(after.filter(([status]) => status === 'MERGED').length).toBeGreaterThanOrEqual(kept);
    for (const { sidebar, messageId } of waiting) {
      expect(await approve(sidebar, messageId)).toBe(200);
      expect(await stateOf(sidebar)).toEqual(['MERGED', true, 1]);
    }
    merged += waiting.length;
  }
  const store = await stage.home.open();
  expect(await store.log.positionsOfType('automerge.done')).toHaveLength(merged);
  await store.close();
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});
