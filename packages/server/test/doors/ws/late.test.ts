import { renameSync } from 'node:fs';
import { DEFAULT_EMERGENCY_SETTINGS } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { startServer, type RunningServer } from '../../../src/index.ts';
import { connect, makeHome, type Frame } from './sockets.ts';

const EVERYTHING = { sidebars: ['*'], sessions: [], envelopes: false };

const serve = async ({ home }: ReturnType<typeof makeHome>): Promise<RunningServer> => {
  const server = await startServer({
    home,
    settings: { excludedProjects: [], roots: [], emergency: { ...DEFAULT_EMERGENCY_SETTINGS, checkEvery: 200 } },
    // A busy machine makes even its own test late.
    hubLimits: { helloWithin: 600_000 },
    roots: [],
    port: 0,
    version: '0',
    programs: null,
    onFault: () => {}, // followers say that they cannot read
  });
  afterFile(() => server.close());
  return server;
};

const talk = (server: RunningServer, hello: Frame) => connect(Number(new URL(server.url).port), { queued: true, ...hello });

const isEmergency =
  (state: string) =>
  (frame: Frame): boolean =>
    frame['type'] === 'emergency' && frame['state'] === state;

describe('a server that starts while its store is away', () => {
  test('[REC-78] lets clients in, tells them, and tells what became of what they said', async () => {
    const place = makeHome();
    const first = await serve(place);
    expect(first.away).toBeNull();
    const before = talk(first, { token: first.token, subscribe: EVERYTHING });
    await before.frame('connection_established');
    before.send({
      type: 'sidebar_spawn',
      message_id: '00000000-0000-4000-8000-000000000001',
      parent_id: null,
      task_description: 'why is login slow?',
    });
    await before.frame('ack');
    await first.close();
    const path = place.home.database.replace(/^sqlite:/u, '');
    renameSync(path, `${path}.gone`);

    const server = await serve(place);
    expect(server.away).toMatchObject({ why: expect.stringContaining('the database is missing') as string });
    const writer = talk(server, { token: server.token, subscribe: EVERYTHING });
    expect(await writer.frame('connection_established')).toMatchObject({ seq: expect.any(Number) as number });
    expect(await writer.frame(isEmergency('emergency'))).toMatchObject({ services_down: ['working_memory'] });
    const said = '00000000-0000-4000-8000-000000000002';
    writer.send({ type: 'chat_message', message_id: said, sidebar_id: 'SB-1', content: 'one' });
    expect(await writer.frame((frame) => frame['type'] === 'queued' && frame['by'] === undefined)).toMatchObject({ message_id: said });

    renameSync(`${path}.gone`, path);
    expect(await writer.frame('settled')).toMatchObject({ message_id: said, outcome: 'replayed', seq: expect.any(Number) as number });
    await writer.frame(isEmergency('normal'));
    // What is said from now on is on the log at once, and searched.
    const next = '00000000-0000-4000-8000-000000000003';
    writer.send({ type: 'chat_message', message_id: next, sidebar_id: 'SB-1', content: 'two' });
    await writer.frame((frame) => frame['type'] === 'ack' && frame['message_id'] === next);
    await server.imported;
    await server.drain();
    await writer.close();
  });

  test('[REC-78] can be stopped while it waits, and leaves no board behind', async () => {
    const place = makeHome();
    const first = await serve(place);
    const socket = talk(first, { token: first.token, subscribe: EVERYTHING });
    await socket.frame('connection_established');
    socket.send({
      type: 'sidebar_spawn',
      message_id: '00000000-0000-4000-8000-000000000001',
      parent_id: null,
      task_description: 'why is login slow?',
    });
    await socket.frame('ack');
    await first.close();
    const path = place.home.database.replace(/^sqlite:/u, '');
    renameSync(path, `${path}.gone`);
    const waiting = await serve(place);
    await waiting.close();
    expect(await waiting.imported).toBeNull();
    renameSync(`${path}.gone`, path);
    const after = await serve(place);
    expect(after).toMatchObject({ away: null, alert: null });
    await after.close();
  });
});
