import { emptyBoard, ENTRY_TYPES, evolve, ok, type Recorded } from '@yarnboard/domain';
import { recordedIn, type BoardEvent } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { AGENT, dumpOf, foldOf, register, say, spawn } from '../../engine/bench.ts';
import { addAgent, OPERATOR_TOKEN, serveEngine, typesOf, type EngineStage } from './engine-stage.ts';
import { line, SESSIONS, type Frame, type TestSocket } from './sockets.ts';
import { prompt } from '../../operations/records.ts';

const [SESSION, OTHER] = SESSIONS;
const KEY = `sk-ant-api03-${'Ab1_'.repeat(24)}`;
const BYTES = Buffer.from('export const size = 5;\n').toString('base64');

const endOf = async ({ bench }: EngineStage): Promise<number> => (await bench.store.log.head()).count;

/** Until it has been told of everything there is, or wants none of it. */
const caughtUp = async (stage: EngineStage, socket: TestSocket): Promise<void> => {
  const end = await endOf(stage);
  for (;;) {
    const before = socket.frames.length;
    socket.send({ type: 'ping' });
    const pong = await socket.frame((frame) => frame['type'] === 'pong' && socket.frames.indexOf(frame) >= before);
    if (Number(pong['seq']) >= end) return;
  }
};

const recordsOf = (socket: TestSocket): readonly Recorded[] =>
  socket.told().flatMap((frame) => {
    const read = recordedIn(frame); // entries have no record
    return read?.ok === true ? [read.value] : [];
  });

/** Everything that happens in one sidebar, and an agent who comes and goes. */
const story = async ({ bench }: EngineStage): Promise<void> => {
  const { run } = bench;
  await run(register(AGENT.id));
  await run(spawn('one', { participants: [AGENT.id] }));
  await run(say('SB-1', 'it is slow, @scout'), { actor: AGENT });
  await run({
    type: 'media.upload',
    sidebar: 'SB-1',
    mediaType: 'code',
    filePath: 'pool.ts',
    content: BYTES,
    found: { size: 23, mime: 'text/plain', sha256: 'ab'.repeat(32) },
  });
  await run({ type: 'finding.submit', sidebar: 'SB-1', content: 'The retry limit is 3.' });
  await run({ type: 'finding.validate', sidebar: 'SB-1', finding: 'FINDING-1', status: 'confirmed' });
  await run({ type: 'agent.change', agent: AGENT.id, tokenHash: 'cd'.repeat(32) });
  await run({ type: 'agent.retire', agent: AGENT.id });
};

test('[WIRE-29] events come with their records, from the ring and from the log, and fold to the board', async () => {
  const stage = await serveEngine({ ringFrames: 4 });
  const live = await stage.join({ subscribe: { records: true } });
  await story(stage);
  await caughtUp(stage, live);
  const later = await stage.join({ since_seq: 0, subscribe: { records: true } });
  await caughtUp(stage, later);
  expect(recordsOf(later)).toEqual(recordsOf(live));
  const board = emptyBoard();
  for (const event of recordsOf(live)) evolve(board, event);
  const whole = await foldOf(stage.bench.store);
  const withoutHashes = (text: string): string => text.replaceAll(/"tokenHash":"[^"]*"/gu, '"tokenHash":""');
  const told = (of: typeof board): string => withoutHashes(JSON.stringify({ ...dumpOf(of), tokens: [] }));
  expect(told(board)).toBe(told(whole));
  expect(recordsOf(live).length).toBe(await endOf(stage));
  await stage.close();
});

test('[WIRE-29] a record is what the log has; an event without it is as it was', async () => {
  const stage = await serveEngine();
  await stage.bench.run(spawn('one'));
  const sockets = await Promise.all([undefined, false, true].map((records) => stage.join({ subscribe: records === undefined ? {} : { records } })));
  const { events } = await stage.bench.run(say('SB-1', 'hello'));
  const [plain, without, full] = await Promise.all(sockets.map((socket) => socket.frame('chat_message')));
  expect(without).toEqual(plain);
  const [event] = events;
  expect(full).toEqual({
    ...plain,
    record: {
      type: 'chat.message',
      version: 1,
      uuid: event?.uuid,
      context_id: stage.bench.sidebar('SB-1').contextId,
      position: 3,
      at: Date.parse('2026-03-14T12:00:00.000Z'),
      refs: ['MSG-1', 'EXCH-1'],
      sender: 'AGENT-operator',
      sender_type: 'human',
      payload: event?.payload,
    },
  });
  expect(recordedIn(full as BoardEvent)).toEqual(ok(event));
  expect(recordedIn(plain as BoardEvent)).toBe(null);
  expect(recordedIn({ ...(full as BoardEvent), record: { type: 'chat.message' } })).toBe(null);
  await stage.close();
});

test('[WIRE-29] [WIRE-10] [SEC-15] records are masked, and have no bytes of media and no hash of a token, whoever asks', async () => {
  const stage = await serveEngine();
  const masked = await stage.join({ subscribe: { records: true } });
  const revealed = await stage.join({ token: OPERATOR_TOKEN, reveal: true, subscribe: { records: true } });
  await story(stage);
  await stage.bench.run(say('SB-1', `the key is ${KEY}`));
  for (const socket of [masked, revealed]) await caughtUp(stage, socket);
  expect([masked, revealed].map(({ texts }) => texts.join('').includes(KEY))).toEqual([false, true]);
  const text = [...masked.texts, ...revealed.texts].join('');
  expect(text).not.toContain(BYTES);
  expect(text).not.toContain('cd'.repeat(32));
  expect(text).not.toMatch(/"tokenHash":"[^"]/u);
  expect(text).toMatch(/"tokenHash":""/u);
  await stage.close();
});

test('[WIRE-30] whoever names all sidebars hears whatever changes the board, and of sessions those that are named', async () => {
  const stage = await serveEngine({ ringFrames: 8 });
  const { run, store } = stage.bench;
  await addAgent(stage, 'scout');
  const hellos: readonly Frame[] = [
    { subscribe: { sessions: [], sidebars: ['*'] } },
    { token: 'scout', subscribe: { sessions: [SESSION], sidebars: ['SB-1', '*'], records: true } },
  ];
  await run(spawn('one'));
  const all = await stage.join({ since_seq: 0, subscribe: { records: true } });
  const live: TestSocket[] = [];
  for (const hello of hellos) live.push(await stage.join({ ...hello, since_seq: 0 }));
  for (let i = 0; i < 100; i += 1) {
    await store.log.append({ items: [line(i % 2 === 0 ? SESSION : OTHER, prompt(`p${i}`, null, i, 'hello'))], files: [] });
    await run(i % 10 === 0 ? spawn(`number ${i}`) : say('SB-1', i % 7 === 0 ? 'and you, @scout?' : `number ${i}`));
  }
  await run({ type: 'mention.route', targets: ['scout'], message: 'come here' });
  await caughtUp(stage, all);
  const [none, one] = [
    all.told().filter(({ type }) => type !== 'entry'),
    all.told().filter(({ type, session_id: session }) => type !== 'entry' || session === SESSION),
  ];
  expect(one.length).toBe(none.length + 50);
  const without = (field: string, frames: readonly Frame[]): readonly Frame[] =>
    frames.map((frame) => Object.fromEntries(Object.entries(frame).filter(([key]) => key !== field)));
  for (const [i, hello] of hellos.entries()) {
    const since = 40;
    const piece = await stage.join({ ...hello, since_seq: since });
    const whole = live[i];
    if (whole === undefined) throw new Error('nobody listens');
    for (const socket of [whole, piece]) await caughtUp(stage, socket);
    const wanted = without('messages', i === 0 ? without('record', none) : one);
    expect(without('messages', whole.told())).toEqual(wanted);
    expect(without('messages', piece.told())).toEqual(wanted.filter(({ seq }) => Number(seq) > since));
  }
  expect(stage.faults).toEqual([]);
  await stage.close();
});

test('[WIRE-30] [WIRE-18] they hear that something is forgotten; an event without its payload is an entry, which cannot be folded', async () => {
  const stage = await serveEngine();
  const { run, store } = stage.bench;
  await run(spawn('one'));
  const { seq } = await run(say('SB-1', 'a word to forget'));
  const live = await stage.join({ subscribe: { sessions: [], sidebars: ['*'], records: true } });
  const said = line(SESSION, prompt('p1', null, 1, 'hello'));
  await store.log.append({ items: [{ ...said, draft: { ...said.draft, type: ENTRY_TYPES.forgotten, occurrence: null } }], files: [] });
  await store.log.dropPayload((await store.log.entryAt(seq))?.payloadHash ?? '');
  stage.hub.wake(seq + 1);
  stage.hub.forget();
  expect(await live.frame('entry')).toMatchObject({ seq: seq + 1, entry_type: 'payload.forgotten' });
  const later = await stage.join({ since_seq: 0, subscribe: { sessions: [], sidebars: ['*'], records: true } });
  await caughtUp(stage, later);
  expect(typesOf(later.told())).toEqual(['sidebar_spawn', 'scratchpad_created', 'entry', 'entry']);
  expect(later.entries().map(({ entry_type: type }) => type)).toEqual(['chat.message', 'payload.forgotten']);
  expect(later.texts.join('')).not.toContain('a word to forget');
  await stage.close();
});
