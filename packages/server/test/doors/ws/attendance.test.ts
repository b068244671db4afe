import { expect, test } from 'vitest';
import { createStopping } from '../../../src/doors/stopping.ts';
import { spawn } from '../../engine/bench.ts';
import { addAgent, OPERATOR_TOKEN, serveEngine } from './engine-stage.ts';

test('[WIRE-4] [WIRE-24] a client is told who its token says it is', async () => {
  const stage = await serveEngine();
  await addAgent(stage, 'scout');
  await addAgent(stage, 'grace', 'human');
  const hellos = [{}, { token: OPERATOR_TOKEN }, { token: 'scout' }, { token: 'grace' }];
  const told: unknown[] = [];
  for (const hello of hellos) {
    const { client_type: type, agent_id: agent } = (await stage.join(hello)).frames[0] ?? {};
    told.push([type, agent]);
  }
  expect(told).toEqual([
    ['reader', null],
    ['operator', 'AGENT-operator'],
    ['agent', 'AGENT-scout'],
    ['human', 'AGENT-grace'],
  ]);
  await stage.close();
});

test.each([
  ['replaced', { type: 'agent.change', agent: 'scout', tokenHash: 'ab'.repeat(32) }],
  ['taken back', { type: 'agent.retire', agent: 'scout' }],
] as const)('[WIRE-24] a token that was %s closes its connections at once, and nothing is sent on them any more', async (_, command) => {
  const stage = await serveEngine();
  await addAgent(stage, 'scout');
  await addAgent(stage, 'other');
  const [socket, other, watcher] = [await stage.join({ token: 'scout' }), await stage.join({ token: 'other' }), await stage.join()];
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.socket.once('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await stage.bench.run(command);
  expect(await closed).toEqual([4401, expect.stringContaining('replaced or taken back')]);
  await stage.bench.run(spawn());
  await Promise.all([other.frame('sidebar_spawn'), watcher.frame('sidebar_spawn')]);
  expect(socket.frames.map(({ type }) => type)).not.toContain('sidebar_spawn');
  const again = stage.connect({ token: 'scout' });
  expect(await again.frame('error')).toMatchObject({ code: 'bad-token' });
  await stage.close();
});

test('[NOTE-3] whoever is told something hears it live, whatever it subscribed to, and finds it again when it comes back', async () => {
  const stage = await serveEngine();
  await addAgent(stage, 'scout');
  await addAgent(stage, 'other');
  const narrow = { subscribe: { sessions: [], sidebars: [] } };
  const [scout, other] = [await stage.join({ token: 'scout', ...narrow }), await stage.join({ token: 'other', ...narrow })];
  await stage.bench.run(spawn('why is login slow?', { participants: ['scout'] }));
  await stage.bench.run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'lunch' });
  expect(await scout.frame('sidebar_pause')).toMatchObject({ sidebar_id: 'SB-1', reason: 'lunch' });
  await stage.bench.run({ type: 'mention.route', targets: ['other'], message: 'are you there?' });
  await other.frame('mention_route');
  expect(other.frames.map(({ type }) => type)).not.toContain('sidebar_pause');
  const back = await stage.join({ token: 'scout', since_seq: 0, ...narrow });
  expect(await back.frame('sidebar_pause')).toMatchObject({ sidebar_id: 'SB-1' });
  await stage.close();
});

test('[WIRE-25] whoever hears everything is told of a connection that broke off, and not of one that was closed', async () => {
  const stage = await serveEngine({ pingEvery: 1000 });
  await addAgent(stage, 'scout');
  const watcher = await stage.join();
  const narrow = await stage.join({ subscribe: { sessions: [] } });
  const lost = await stage.join({ token: 'scout' });
  const closed = await stage.join({ token: 'scout' });
  const reader = await stage.join();
  await closed.close();
  reader.socket.terminate();
  lost.socket.terminate();
  const told = await watcher.frame('connection_lost');
  expect(told).toEqual({ type: 'connection_lost', client_id: lost.frames[0]?.['client_id'], agent_id: 'AGENT-scout', reason: 'dropped', seq: 1 });
  const wrong = await stage.join({ token: 'scout' });
  wrong.socket.send(Buffer.from('x'), { binary: true });
  expect(await watcher.frame(({ reason }) => reason === 'not-text')).toMatchObject({ type: 'connection_lost', agent_id: 'AGENT-scout' });
  narrow.send({ type: 'ping' });
  await narrow.frame('pong');
  expect([watcher, narrow].map(({ frames }) => frames.filter(({ type }) => type === 'connection_lost').length)).toEqual([2, 0]);
  await stage.close();
});

test('[WIRE-25] one that does not answer pings is reported as unanswered', async () => {
  const stage = await serveEngine({ pingEvery: 1000 });
  await addAgent(stage, 'scout');
  const silent = await stage.join({ token: 'scout' });
  silent.socket.pause();
  const watcher = await stage.join();
  // Time passes for both; one of them says something.
  for (let i = 0; i < 3; i += 1) {
    const before = watcher.frames.length;
    watcher.send({ type: 'ping' });
    await watcher.frame((frame) => watcher.frames.indexOf(frame) >= before && frame['type'] === 'pong');
    stage.pass(900);
  }
  expect(await watcher.frame('connection_lost')).toMatchObject({ agent_id: 'AGENT-scout', reason: 'unanswered' });
  await stage.close();
});

test('[WIRE-26] an identity is there from its first connection until a while after its last', async () => {
  const stage = await serveEngine();
  const { presences } = stage;
  await addAgent(stage, 'scout');
  await stage.join();
  const [one, two] = [await stage.join({ token: 'scout' }), await stage.join({ token: 'scout' })];
  expect(presences).toEqual(['AGENT-scout came']);
  const gone = async (count: number): Promise<void> => {
    await expect.poll(() => stage.hub.counts().clients).toBe(count);
  };
  await one.close();
  await gone(2);
  stage.pass(6000);
  await two.close();
  await gone(1);
  stage.pass(4999);
  const back = await stage.join({ token: 'scout' });
  stage.pass(6000);
  expect(presences).toEqual(['AGENT-scout came']);
  await back.close();
  await gone(1);
  stage.pass(5000);
  expect(presences).toEqual(['AGENT-scout came', 'AGENT-scout went']);
  await stage.join({ token: OPERATOR_TOKEN });
  await stage.close();
  expect(presences.slice(2)).toEqual(['AGENT-operator came']);
});

test('[WIRE-26] whoever was there when the server stopped may come back to the next; whoever does not is gone', async () => {
  const scout = { id: 'AGENT-scout', type: 'agent' } as const;
  const stage = await serveEngine({}, { present: [scout, { ...scout, id: 'AGENT-other' }] });
  await addAgent(stage, 'scout');
  stage.pass(9000);
  await stage.join({ token: 'scout' });
  stage.pass(5999);
  expect(stage.presences).toEqual([]);
  stage.pass(1);
  expect(stage.presences).toEqual(['AGENT-other went']);
  await stage.close();
});

test('[AGT-12] whoever acts without a connection is there for three minutes after what they did last', async () => {
  const stage = await serveEngine();
  const { presences } = stage;
  const scout = { id: 'AGENT-scout', type: 'agent' } as const;
  await addAgent(stage, 'scout');
  stage.hub.seen(scout);
  expect(presences).toEqual(['AGENT-scout came']);
  stage.pass(170_000);
  stage.hub.seen(scout);
  stage.pass(184_999);
  expect(presences).toEqual(['AGENT-scout came']);
  stage.pass(1);
  expect(presences).toEqual(['AGENT-scout came', 'AGENT-scout went']);
  await stage.close();
});

test('[WIRE-27] a stop is announced at once, when little is left, and to whoever comes meanwhile', async () => {
  const stage = await serveEngine();
  await stage.bench.run(spawn('one'));
  const socket = await stage.join({ subscribe: { sessions: [] } });
  const said = (): readonly unknown[] =>
    socket.frames.filter(({ type }) => type === 'system_shutdown').map((frame) => [frame['countdown_seconds'], frame['urgency']]);
  stage.hub.warn('an update is installed', 90);
  expect(await socket.frame('system_shutdown')).toEqual({
    type: 'system_shutdown',
    message: 'an update is installed',
    countdown_seconds: 90,
    urgency: 'low',
    seq: 2,
  });
  // Two marks pass between two looks: they are one warning.
  const steps = [20_000, 9500, 500, 29_000, 1000, 25_000];
  for (const ms of steps) stage.pass(ms);
  const late = await stage.join();
  expect(await late.frame('system_shutdown')).toMatchObject({ countdown_seconds: 5, urgency: 'high' });
  await expect.poll(said).toEqual([
    [90, 'low'],
    [60, 'normal'],
    [30, 'normal'],
    [5, 'high'],
  ]);
  await stage.close();
  expect(socket.frames.slice(-2)).toEqual([
    { type: 'system_shutdown', message: 'an update is installed', countdown_seconds: 0, urgency: 'high', seq: 2 },
    { type: 'going_away', reason: expect.stringMatching(/stopping/u) as unknown, seq: 2 },
  ]);
});

test('[SRV-22] a stop can be called off, which is told; another one takes its place, and without anybody to warn there is no countdown', async () => {
  const stage = await serveEngine();
  let stops = 0;
  const { stop, callOff } = createStopping(
    () => stage.hub,
    () => {
      stops += 1;
    },
  );
  const wish = { countdownSeconds: 3600, message: null, ifConnected: true };
  const socket = await stage.join();
  expect(stop(wish)).toEqual({ stopping: true, countdownSeconds: 3600, connected: 1 });
  expect(await socket.frame('system_shutdown')).toMatchObject({ countdown_seconds: 3600, message: 'the server stops' });
  expect(callOff()).toEqual({ stopping: false, countdownSeconds: 0, connected: 1 });
  callOff(); // there is none any more, and nothing to tell
  stop({ ...wish, countdownSeconds: 0 });
  await expect
    .poll(() => socket.frames.filter(({ type }) => type === 'system_shutdown').map((frame) => [frame['countdown_seconds'], frame['cancelled']]))
    .toEqual([
      [3600, undefined],
      [0, true],
    ]);
  const late = await stage.join();
  expect(late.frames.map(({ type }) => type)).not.toContain('system_shutdown');
  expect(stops).toBe(1);
  await stage.close();
  expect(stop(wish)).toEqual({ stopping: true, countdownSeconds: 0, connected: 0 });
  expect(stops).toBe(2);
});

test('[WIRE-27] a stop that nobody announced is told with nothing left', async () => {
  const stage = await serveEngine();
  const socket = await stage.join();
  await stage.close();
  expect(socket.frames.slice(1)).toEqual([
    { type: 'system_shutdown', message: 'the server stops', countdown_seconds: 0, urgency: 'high', seq: 0 },
    { type: 'going_away', reason: expect.stringMatching(/stopping/u) as unknown, seq: 0 },
  ]);
});
