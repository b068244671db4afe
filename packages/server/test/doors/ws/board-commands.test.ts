import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeHome, serveBoard, type Frame, type TestServer, type TestSocket } from './sockets.ts';

const join = async (server: TestServer, token: string): Promise<TestSocket> => {
  const socket = server.connect({ token });
  await socket.frame('connection_established');
  return socket;
};

const say = async (socket: TestSocket, type: string, input: Frame, id: string = randomUUID()): Promise<Frame> => {
  const before = socket.frames.length;
  socket.send({ type, message_id: id, ...input });
  return socket.frame((frame) => socket.frames.indexOf(frame) >= before && (frame['message_id'] === id || frame['original_message_id'] === id));
};

const SPAWN = { parent_id: null, task_description: 'why is login slow?' };

test('[WIRE-12] a command of the board is acknowledged with the seq of its last entry and the references it made, and done once, also after a restart', async () => {
  const { home } = makeHome();
  let server = await serveBoard({}, home);
  let operator = await join(server, server.token);
  const id = randomUUID();
  const done = await say(operator, 'sidebar_spawn', SPAWN, id);
  expect(done).toMatchObject({ type: 'ack', message_id: id, refs: ['SB-1'], result: { message_id: id, ref: 'SB-1', duplicate: false } });
  const told = await operator.frame('scratchpad_created');
  expect(done['seq']).toBe(told['seq']);
  const duplicate = { type: 'duplicate_ack', original_message_id: id, ref: 'SB-1', message: 'Already processed, no action taken' };
  expect(await say(operator, 'sidebar_spawn', SPAWN, id)).toEqual(duplicate);
  await server.close();
  server = await serveBoard({}, home);
  operator = await join(server, server.token);
  expect(await say(operator, 'sidebar_spawn', SPAWN, id)).toEqual(duplicate);
  expect(await say(operator, 'sidebar_spawn', SPAWN)).toMatchObject({ type: 'ack', refs: ['SB-2'] });
  await server.close();
});

test('[WIRE-24] ids of commands are apart for each identity, and who it is says the token', async () => {
  const server = await serveBoard();
  const operator = await join(server, server.token);
  const tokens: string[] = [];
  for (const agent of ['scout', 'other']) {
    const { result } = await say(operator, 'agent_register', { agent_id: agent });
    tokens.push(String((result as Frame)['token'])); // as the registry says
  }
  const id = randomUUID();
  for (const [i, token] of tokens.entries()) {
    const socket = await join(server, token);
    expect(await say(socket, 'sidebar_spawn', SPAWN, id)).toMatchObject({ type: 'ack', refs: [`SB-${i + 1}`] });
    expect(await say(socket, 'sidebar_spawn', SPAWN, id)).toMatchObject({ type: 'duplicate_ack', ref: `SB-${i + 1}` });
    const forged = { ...SPAWN, sender_agent_id: 'AGENT-operator' };
    expect(await say(socket, 'sidebar_spawn', forged)).toMatchObject({ type: 'rejected', code: 'forged-sender' });
    expect(await say(socket, 'agent_register', { agent_id: 'third' })).toMatchObject({ type: 'rejected', code: 'operator-only' });
  }
  const reader = server.connect();
  await reader.frame('connection_established');
  expect(await say(reader, 'sidebar_spawn', SPAWN, id)).toMatchObject({ type: 'rejected', code: 'token-needed' });
  await server.close();
});

test('[API-62] a frame that is nested too deep is refused like any other bad input', async () => {
  const server = await serveBoard();
  const operator = await join(server, server.token);
  const { result } = await say(operator, 'sidebar_spawn', SPAWN);
  const deep: unknown = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`);
  const update = { sidebar_id: (result as Frame)['ref'], data_refs: { deep } }; // as the registry says
  expect(await say(operator, 'sidebar_update', update)).toMatchObject({
    type: 'rejected',
    code: 'bad-request',
    message: expect.stringContaining('data_refs must not be nested deeper than 100') as string,
  });
  // Looking at this one in any other way ends with the stack.
  const id = randomUUID();
  operator.send(`{"type":"sidebar_update","message_id":"${id}","sidebar_id":"SB-1","data_refs":{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`);
  expect(await operator.frame((frame) => frame['message_id'] === id)).toMatchObject({ type: 'rejected', code: 'bad-request' });
  await server.close();
});
