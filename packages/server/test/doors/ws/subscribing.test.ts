import { contextIdOfSidebar } from '@yarnboard/domain';
import { CLOSE_CODES } from '@yarnboard/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AGENT, say, spawn } from '../../engine/bench.ts';
import { prompt } from '../../operations/records.ts';
import { addAgent, serveEngine, typesOf, type EngineStage } from './engine-stage.ts';
import { expectRefused, line, nthLine, SESSIONS, type Frame, type TestSocket } from './sockets.ts';

const [SESSION, OTHER] = SESSIONS;
const KEY = `sk-ant-api03-${'Ab1_'.repeat(24)}`;

const endOf = async ({ bench }: EngineStage): Promise<number> => (await bench.store.log.head()).count;

/** Until it has been told of everything there is, or wants none of it. */
const caughtUp = async (stage: EngineStage, socket: TestSocket): Promise<void> => {
  const end = await endOf(stage);
  for (let asked = 0; ; asked += 1) {
    const before = socket.frames.length;
    socket.send({ type: 'ping' });
    const pong = await socket.frame((frame) => frame['type'] === 'pong' && socket.frames.indexOf(frame) >= before);
    if (Number(pong['seq']) >= end) return;
    if (asked > 1000) throw new Error(`it was told up to ${String(pong['seq'])} only, of ${end}`);
  }
};

const spawnFromSession = (sessionId: string) => spawn('from a session', { origin: { kind: 'session', sessionId, leafUuid: null, upTo: null } });

test('[WIRE-23] whoever names sidebars hears of these alone, by reference or id, live and from the log', async () => {
  const stage = await serveEngine();
  const { run } = stage.bench;
  const [one] = (await run(spawn('one'))).events;
  await run(spawn('two'));
  const byRef = await stage.join({ subscribe: { sidebars: ['sb-1'] } });
  const byId = await stage.join({ subscribe: { sidebars: [one?.uuid ?? ''] } });
  const none = await stage.join({ subscribe: { sidebars: [] } });
  const sessions = await stage.join({ subscribe: { sessions: [SESSION] } });
  const both = await stage.join({ subscribe: { sessions: [SESSION], sidebars: ['SB-2'] } });
  await stage.bench.store.log.append({ items: [line(SESSION, prompt('p1', null, 1, 'hello'))], files: [] });
  await run(say('SB-1', 'in one'));
  await run(say('SB-2', 'in two'));
  const sockets = [byRef, byId, none, sessions, both];
  for (const socket of sockets) await caughtUp(stage, socket);
  const heard = (socket: TestSocket): readonly unknown[] =>
    socket.told().map(({ type, context_id: context }) => `${String(type)} ${String(context)}`);
  expect(sockets.map(heard)).toEqual([
    ['chat_message SB-1'],
    ['chat_message SB-1'],
    [],
    [`entry ${SESSION}`],
    [`entry ${SESSION}`, 'chat_message SB-2'],
  ]);
  const again = await stage.join({ since_seq: 0, subscribe: { sidebars: ['SB-1'] } });
  await again.frame('caught_up');
  expect(typesOf(again.told())).toEqual(['sidebar_spawn', 'scratchpad_created', 'chat_message']);
  await stage.close();
});

test('[WIRE-23] a name that stands for no sidebar is refused, and nothing changes', async () => {
  const stage = await serveEngine();
  const { run } = stage.bench;
  const said = (await run(spawn('one'))).events[1]?.uuid ?? '';
  const why = /no sidebar SB-7; nothing is subscribed to/u;
  await expectRefused(stage.connect({ subscribe: { sidebars: ['SB-7'] } }), CLOSE_CODES['bad-hello'].code, why);
  const socket = await stage.join({ subscribe: { sidebars: ['SB-1'] } });
  // Of several at once the last that was right counts; an entry that is no sidebar is none.
  for (const sidebars of [['SB-1', 'SB-7'], [said], ['MSG-1'], ['nonsense']]) socket.send({ type: 'subscribe', sidebars });
  await expect.poll(() => socket.frames.filter(({ type }) => type === 'error').length).toBe(4);
  expect(socket.frames[1]).toEqual({ type: 'error', code: 'not-found', message: expect.stringMatching(why) as unknown });
  await run(say('SB-1', 'still heard'));
  await caughtUp(stage, socket);
  expect(typesOf(socket.told())).toEqual(['chat_message']);
  await run(spawn('two'));
  socket.send({ type: 'subscribe', sidebars: ['SB-2'] });
  socket.send({ type: 'subscribe', sessions: [SESSION] });
  await expect.poll(() => socket.frames.filter(({ type }) => type === 'subscribed').length).toBe(2);
  await run(say('SB-2', 'not heard'));
  await caughtUp(stage, socket);
  expect(typesOf(socket.told())).toEqual(['chat_message']);
  expect(stage.faults).toEqual([]);
  await stage.close();
});

test('[WIRE-23] a narrowed client hears what branches off, what is merged elsewhere, and what names it', async () => {
  const stage = await serveEngine();
  const { run } = stage.bench;
  await addAgent(stage, 'scout');
  await stage.bench.store.log.append({ items: [line(SESSION, prompt('p1', null, 1, 'hello'))], files: [] });
  await run(spawnFromSession(SESSION));
  await run(spawn('elsewhere'));
  const from = await endOf(stage);
  const hellos: readonly Frame[] = [
    { subscribe: { sessions: [SESSION] } },
    { subscribe: { sidebars: ['SB-1'] } },
    { token: 'scout', subscribe: { sessions: [] } },
    { subscribe: { sessions: [] } },
    { subscribe: { sessions: ['board'] } },
  ];
  const live: TestSocket[] = [];
  for (const hello of hellos) live.push(await stage.join(hello));
  await run(spawnFromSession(SESSION)); // SB-3
  await run(spawnFromSession(OTHER)); // SB-4
  await run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'a child' }); // SB-5
  await run({ type: 'sidebar.archive', sidebar: 'SB-5' });
  await run(say('SB-2', 'what do you think, @scout?'));
  await run({ type: 'mention.route', targets: ['scout'], message: 'come here' });
  await run({ type: 'agent.recruit', sidebar: 'SB-2', agent: 'scout' });
  await run({ type: 'agent.presence', agent: AGENT.id, status: 'offline' }, { actor: AGENT });
  await run({ type: 'agent.leave', sidebar: 'SB-2', agent: 'scout' });
  await run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'nothing to be found' });
  await run({ type: 'merge.check', sidebar: 'SB-1', isFit: true });
  await run({ type: 'sidebar.merge', sidebar: 'SB-1' });
  const inOne = (frame: Frame): string => `${String(frame['type'])} ${String(frame['context_id'])}`;
  const expected = [
    ['sidebar_spawn SB-3', `memory_update ${SESSION}`],
    [
      'sidebar_status_update SB-1',
      'sidebar_child_spawn SB-5',
      'sidebar_status_update SB-1',
      'sidebar_consolidate SB-1',
      'sidebar_check_merge SB-1',
      'sidebar_merge SB-1',
      `memory_update ${SESSION}`,
      'memory_archived SB-1',
    ],
    ['mention_route SB-2', 'mention_route board', 'agent_recruited SB-2', 'agent_left SB-2'],
    [],
    ['mention_route board', 'agent_presence board'],
  ];
  const history: TestSocket[] = [];
  for (const hello of hellos) history.push(await stage.join({ ...hello, since_seq: from }));
  for (const socket of [...live, ...history]) await caughtUp(stage, socket);
  expect(live.map((socket) => socket.told().map(inOne))).toEqual(expected);
  expect(history.map((socket) => socket.told().map(inOne))).toEqual(expected);
  expect(stage.faults).toEqual([]);
  await stage.close();
});

test('[WIRE-23] [WIRE-8] whatever is named, cut anywhere: live and from the log, each hears the same part of everything, once and in order', async () => {
  const stage = await serveEngine({ ringFrames: 40 });
  const { run, store } = stage.bench;
  await addAgent(stage, 'scout');
  for (let i = 1; i <= 4; i += 1) await run(i === 2 ? spawnFromSession(SESSION) : spawn(`number ${i}`));
  const names = ['SB-1', 'SB-2', 'SB-3', 'SB-4'];
  const all = await stage.join({ since_seq: 0 });
  const wishes = [['SB-1'], ['SB-2', 'SB-4'], ['SB-3']].map((sidebars) => ({ token: 'scout', subscribe: { sidebars, sessions: [SESSION] } }));
  const live: TestSocket[] = [];
  for (const wish of wishes) live.push(await stage.join({ ...wish, since_seq: 0 }));
  for (let i = 0; i < 300; i += 1) {
    const sidebar = names[i % 4] ?? '';
    if (i % 7 === 0) await store.log.append({ items: [nthLine(i % 2 === 0 ? SESSION : OTHER, Math.floor(i / 7))], files: [] });
    await run(say(sidebar, i % 11 === 0 ? `number ${i}, @scout` : `number ${i}`));
    if (i % 40 === 0) await run({ type: 'sidebar.spawn-child', sidebar, upTo: null, task: `child ${i}` });
  }
  await caughtUp(stage, all);
  const told = all.told();
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, i) => i + 1));
  const isFor = ({ subscribe }: (typeof wishes)[number], frame: Frame): boolean =>
    [...subscribe.sidebars, ...subscribe.sessions].some((name) => name === frame['context_id'] || name === frame['parent_id']) ||
    frame['type'] === 'mention_route';
  for (const [i, wish] of wishes.entries()) {
    const socket = live[i];
    if (socket === undefined) throw new Error('nobody listens');
    await caughtUp(stage, socket);
    const wanted = told.filter((frame) => isFor(wish, frame));
    expect(socket.told()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: told.length }), async (since) => {
        const piece = await stage.join({ ...wish, since_seq: since });
        await caughtUp(stage, piece);
        expect(piece.told()).toEqual(wanted.filter(({ seq }) => Number(seq) > since));
        await piece.close();
      }),
      { numRuns: 8 },
    );
  }
  expect(stage.faults).toEqual([]);
  await stage.close();
});

test('[WIRE-22] an event that the board does not know yet is not told by its id; it waits', async () => {
  let lag = 1;
  const stage = await serveEngine({}, { lag: () => lag });
  const socket = await stage.join();
  await stage.bench.run(spawn('one'));
  await expect.poll(() => stage.faults.map(String)).toEqual([expect.stringMatching(/up to 2 cannot be told: the board knows it up to 1 only/u)]);
  expect(socket.told()).toEqual([]);
  lag = 0;
  stage.pass(6000);
  await socket.heard(2);
  expect(socket.told().map(({ sidebar_id: id }) => id)).toEqual(['SB-1', 'SB-1']);
  await stage.close();
});

test('[WIRE-22] [WIRE-10] events are masked unless somebody may see them', async () => {
  const stage = await serveEngine();
  await stage.bench.run(spawn('one'));
  const masked = await stage.join();
  const revealed = await stage.join({ token: 'operator-token', reveal: true });
  await stage.bench.run(say('SB-1', `the key is ${KEY}`));
  const [shown, full] = [await masked.frame('chat_message'), await revealed.frame('chat_message')];
  expect(JSON.stringify(shown)).not.toContain(KEY);
  expect(full).toEqual({ ...shown, content: `the key is ${KEY}` });
  await stage.close();
});

test('[WIRE-22] [WIRE-18] one whose payload was forgotten is sent as an entry, with its place and its references', async () => {
  const stage = await serveEngine();
  const { log } = stage.bench.store;
  await stage.bench.run(spawn('one'));
  const { seq } = await stage.bench.run(say('SB-1', 'a word to forget'));
  const before = await stage.join({ since_seq: seq - 1 });
  expect(await before.frame('chat_message')).toMatchObject({ content: 'a word to forget' });
  await log.dropPayload((await log.entryAt(seq))?.payloadHash ?? '');
  stage.hub.forget();
  const id = stage.bench.sidebar('SB-1').id;
  const after = await stage.join({ since_seq: seq - 1, subscribe: { sidebars: [id] } });
  expect(await after.frame('entry')).toEqual({
    type: 'entry',
    seq,
    entry_type: 'chat.message',
    session_id: contextIdOfSidebar(id),
    context_id: contextIdOfSidebar(id),
    agent_id: null,
    sender: 'AGENT-operator',
    sender_type: 'human',
    timestamp: '2026-03-14T12:00:00.000Z',
    refs: ['MSG-1', 'EXCH-1'],
    copy_of: null,
  });
  expect(after.texts.join('')).not.toContain('a word to forget');
  await stage.close();
});
