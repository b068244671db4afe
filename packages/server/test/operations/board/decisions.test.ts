import { readRuntimes } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { makeBoard, type TestBoard } from '../boards.ts';

const open = async (runtimes: object = {}) => {
  const read = readRuntimes(runtimes);
  if (!read.ok) throw new Error(read.error);
  const made = await makeBoard({ isImported: false, settings: { excludedProjects: [], roots: [], runtimes: read.value } });
  await made.board.seats.start();
  const as = async (token: string, path: string, input: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await made.ask(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
    if (response.status !== 200) throw new Error(await response.text());
  };
  const spawn = async (task: string, more: object = {}): Promise<string> =>
    (await made.command('sidebar_spawn', { parent_id: null, task_description: task, ...more })).ref ?? '';
  const decisions = async () =>
    (await made.command('inbox')).to_decide.map(({ what, sidebar_id, agent_id, reason, can_pause }) => ({
      what,
      sidebar_id,
      agent_id,
      reason,
      can_pause,
    }));
  const readAll = async (): Promise<void> => {
    const { seq } = await made.command('inbox');
    await made.command('inbox_ack', { seq });
  };
  return { ...made, as, spawn, decisions, readAll };
};

const until = async ({ board }: Pick<TestBoard, 'board'>, look: () => Promise<boolean>): Promise<void> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    if (await look()) return;
    await committed;
  }
};

test('[AGT-13] a CRITICAL task without a seat names what could be paused, read or not, until there is a seat', async () => {
  const made = await open();
  const { token } = await made.command('agent_register', { agent_id: 'looms' });
  await made.command('agent_limits', { agent_id: 'looms', max_concurrent_per_instance: 2 });
  await made.as(token, '/presence', { status: 'available' });
  const high = await made.spawn('Count the threads', { priority: 'HIGH', participants: ['looms'] });
  const normal = await made.spawn('Count the reeds', { participants: ['looms'] });
  const urgent = await made.spawn('The loom burns', { priority: 'CRITICAL' });
  await made.command('agent_recruited', { sidebar_id: urgent, agent_id: 'looms' });
  const waiting = {
    what: 'queued',
    sidebar_id: urgent,
    agent_id: 'AGENT-looms',
    reason: `CRITICAL task ${urgent} waits for a seat of AGENT-looms`,
    can_pause: [
      { sidebar_id: normal, priority: 'NORMAL' },
      { sidebar_id: high, priority: 'HIGH' },
    ],
  };
  expect(await made.decisions()).toEqual([waiting]);
  await made.readAll();
  expect((await made.command('inbox')).notices).toEqual([]);
  expect(await made.decisions()).toEqual([waiting]);
  await made.command('sidebar_pause', { sidebar_id: normal, reason: 'makes room' });
  expect(await made.decisions()).toEqual([]);
  expect((await made.command('sidebar', { sidebar_id: urgent })).participants).toContain('AGENT-looms');
  await made.close();
});

test('[AGT-13] an escalation waits for whoever it went to until they do something there; a request until it is answered', async () => {
  const made = await open();
  const { token } = await made.command('agent_register', { agent_id: 'weaver' });
  const sidebar = await made.spawn('Blue or red?', { participants: ['weaver'], coordinator_agent: 'weaver' });
  await made.as(token, `/sidebars/${sidebar}/escalate`, { reason: 'we cannot agree' });
  await made.readAll();
  expect(await made.decisions()).toEqual([
    { what: 'escalation', sidebar_id: sidebar, agent_id: 'AGENT-weaver', reason: 'we cannot agree', can_pause: [] },
  ]);
  await made.command('chat_message', { sidebar_id: sidebar, content: 'Blue.' });
  expect(await made.decisions()).toEqual([]);
  await made.command('agent_left', { sidebar_id: sidebar });
  await made.as(token, `/sidebars/${sidebar}/participants`, { agent_id: 'operator', note: 'red after all?' });
  await made.readAll();
  expect(await made.decisions()).toEqual([
    { what: 'request', sidebar_id: sidebar, agent_id: 'AGENT-weaver', reason: 'red after all?', can_pause: [] },
  ]);
  await made.command('recruitment_answer', { request_id: sidebar, answer: 'decline', reason_code: 'other' });
  expect(await made.decisions()).toEqual([]);
  await made.close();
});

test('[AGT-13] a seat that keeps failing is to be decided about until it is restarted', async () => {
  const made = await open({ broken: { kind: 'stdio', command: [process.execPath, '-e', 'process.exit(3)'] } });
  await made.command('agent_register', { agent_id: 'broken' });
  await made.command('agent_runtime', { agent_id: 'broken', runtime: 'broken' });
  const sidebar = await made.spawn('Look', { participants: ['broken'] });
  await until(made, async () => (await made.decisions()).length > 0);
  await made.readAll();
  expect(await made.decisions()).toMatchObject([{ what: 'failed', sidebar_id: sidebar, agent_id: 'AGENT-broken' }]);
  await made.command('agent_runtime', { agent_id: 'broken', runtime: null });
  expect(await made.decisions()).toEqual([]);
  await made.close();
});
