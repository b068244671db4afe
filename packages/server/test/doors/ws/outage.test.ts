import { renameSync } from 'node:fs';
import { DEFAULT_EMERGENCY_SETTINGS } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../../../src/index.ts';
import { connect, makeHome, type Frame, type TestSocket } from './sockets.ts';

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const EVERYTHING = { sidebars: ['*'], sessions: [], envelopes: false };

let server: RunningServer;
const { home } = makeHome();
const faults: unknown[] = [];

beforeAll(async () => {
  server = await startServer({
    home,
    settings: { excludedProjects: [], roots: [], emergency: { ...DEFAULT_EMERGENCY_SETTINGS, checkEvery: 500 } },
    // A busy machine makes even its own test late.
    hubLimits: { helloWithin: 600_000 },
    roots: [],
    port: 0,
    version: '0',
    programs: null,
    onFault: (cause) => faults.push(cause),
  });
  await server.imported;
});
afterAll(() => server.close());

const comes = async (hello: Frame): Promise<TestSocket> => {
  const socket = connect(Number(new URL(server.url).port), { queued: true, ...hello });
  await socket.frame('connection_established');
  return socket;
};

let ids = 0;
const send = (socket: TestSocket, type: string, given: Frame): string => {
  const id = `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`;
  socket.send({ type, message_id: id, ...given });
  return id;
};

const isEmergency =
  (state: string) =>
  (frame: Frame): boolean =>
    frame['type'] === 'emergency' && frame['state'] === state;
const isQueued = (frame: Frame): boolean => frame['type'] === 'queued' && frame['by'] !== undefined;

/** The log cannot be written to until what is returned is called. Its file is taken away: a lock would keep this process waiting, too. */
const takeAway = (): (() => void) => {
  const path = home.database.replace(/^sqlite:/u, '');
  renameSync(path, `${path}.gone`);
  return () => renameSync(`${path}.gone`, path);
};

describe('while the log is away', () => {
  test('[REC-68] [REC-69] every window of whoever said it and everybody else hears what waits, also whoever comes later, and what became of it', async () => {
    const writer = await comes({ token: server.token, subscribe: { ...EVERYTHING, records: true } });
    const id = send(writer, 'sidebar_spawn', { parent_id: null, task_description: 'why is login slow?' });
    await writer.frame((frame) => frame['message_id'] === id && frame['type'] === 'ack');
    const window = await comes({ token: server.token, subscribe: { ...EVERYTHING, records: true } });
    const reader = await comes({ subscribe: { sidebars: ['SB-1'], sessions: [], envelopes: false } });
    const elsewhere = await comes({ subscribe: { sessions: ['another'], envelopes: false } });
    const release = takeAway();
    const said = send(writer, 'chat_message', { sidebar_id: 'SB-1', content: `the key is ${SECRET}` });
    // REC-51: a write that fails or a look, whichever comes first.
    await reader.frame(isEmergency('emergency'));
    const answer = await writer.frame((frame) => frame['type'] === 'queued' && frame['by'] === undefined);
    expect(answer).toMatchObject({ message_id: said, queue_position: 1 });
    const told = await window.frame(isQueued);
    expect(told).toMatchObject({
      message_id: said,
      uuid: answer['uuid'],
      by: { context_id: 'SB-1', events: [{ type: 'chat_message', record: expect.any(Object) as object }] },
    });
    const heard = await reader.frame(isQueued);
    expect(JSON.stringify([told, heard])).not.toContain(SECRET);
    expect(heard).not.toMatchObject({ by: { events: [{ record: expect.any(Object) as object }] } });
    // How much waits is told as well.
    await reader.frame(
      (frame) => isEmergency('emergency')(frame) && frame['pending_writes'] === 1 && (frame['places'] as readonly string[]).length > 0,
    );
    const late = await comes({ subscribe: EVERYTHING });
    expect(await late.frame(isEmergency('emergency'))).toMatchObject({ pending_writes: 1 });
    expect(await late.frame(isQueued)).toMatchObject({ uuid: answer['uuid'] });
    elsewhere.send({ type: 'subscribe', sidebars: ['SB-1'], sessions: [], envelopes: false });
    // Whoever did not listen there begins to.
    expect(await elsewhere.frame(isQueued)).toMatchObject({ uuid: answer['uuid'] });
    release();
    for (const socket of [writer, window, reader, late]) {
      expect(await socket.frame('settled')).toMatchObject({
        message_id: said,
        uuid: answer['uuid'],
        context_id: 'SB-1',
        sender_agent_id: 'AGENT-operator',
        outcome: 'replayed',
        seq: expect.any(Number) as number,
      });
      await socket.frame(isEmergency('normal'));
    }
    const after = await comes({ subscribe: EVERYTHING });
    after.send({ type: 'ping' });
    await after.frame('pong');
    expect(after.frames.filter((frame) => ['queued', 'emergency'].includes(String(frame['type'])))).toEqual([]);
    for (const socket of [writer, window, reader, elsewhere, late, after]) await socket.close();
  });
});
