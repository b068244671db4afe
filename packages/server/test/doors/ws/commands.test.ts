import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGISTRY, type Operation } from '@yarnboard/protocol';
import { beforeAll, expect, test } from 'vitest';
import { createIdempotency } from '../../../src/doors/ws/idempotency.ts';
import { pathOf, type Input } from '../../operations/boards.ts';
import { prompt } from '../../operations/records.ts';
import { lines, makeHome, serveBoard, SESSIONS, type Frame, type TestServer, type TestSocket } from './sockets.ts';

let server: TestServer;
let reader: TestSocket;
let operator: TestSocket;
beforeAll(async () => {
  server = await serveBoard();
  await server.append(...lines(30));
  await server.board.indexer.wake();
  await server.board.indexer.drain();
  reader = server.connect();
  await reader.frame('connection_established');
  operator = server.connect({ token: server.token });
  // The 31st entry: the operator is there.
  await Promise.all([operator.frame('connection_established'), reader.frame('agent_presence')]);
});

const answerTo = (socket: TestSocket, id: string): Promise<Frame> =>
  socket.frame((frame) => frame['message_id'] === id || frame['original_message_id'] === id);

const say = async (socket: TestSocket, type: string, input: Frame = {}, id: string = randomUUID()): Promise<Frame> => {
  socket.send({ type, message_id: id, ...input });
  return answerTo(socket, id);
};

const overHttp = async (name: keyof typeof REGISTRY, input: Input, token?: string): Promise<{ readonly status: number; readonly body: Frame }> => {
  const operation: Operation = REGISTRY[name];
  const response = await server.board.app.request(`http://127.0.0.1:${server.port}${pathOf(name, input)}`, {
    method: operation.method,
    headers: { host: `127.0.0.1:${server.port}`, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(operation.method === 'GET' ? {} : { body: JSON.stringify(input) }),
  });
  return { status: response.status, body: (await response.json()) as Frame };
};

test('[WIRE-12] every query answers over a socket as over HTTP', async () => {
  const inputs: readonly (readonly [keyof typeof REGISTRY, Input])[] = [
    ['projects', {}],
    ['sessions', { limit: 2 }],
    ['session', { id: SESSIONS[0] }],
    ['messages', { id: SESSIONS[0], operations: false, limit: 3 }],
    ['tree', { id: SESSIONS[1] }],
    ['operations', { id: SESSIONS[1] }],
    ['sidechains', { id: SESSIONS[1] }],
    ['branches', { id: SESSIONS[1] }],
    ['envelopes', { id: SESSIONS[1], limit: 5 }],
    ['message', { ref: 'MSG-1' }],
    ['reference', { ref: 'MSG-2' }],
    ['search', { q: 'please' }],
    ['stats', {}],
    ['integrity', {}],
    ['log', { after: 3, limit: 2 }],
    ['verify', {}],
    ['status', {}],
  ];
  for (const [name, input] of inputs) {
    const frame = await say(reader, name, input);
    expect(frame, `for ${name}`).toMatchObject({ type: 'ack', seq: 31, refs: expect.any(Array) as unknown });
    expect(frame['result'], `for ${name}`).toEqual((await overHttp(name, input)).body);
  }
});

test('[WIRE-12] [WORDS-3] what HTTP refuses is refused over a socket with the same code, reason and facts, in words without routes', async () => {
  const cases: readonly (readonly [keyof typeof REGISTRY, Input])[] = [
    ['session', { id: 'nowhere' }],
    ['messages', { id: SESSIONS[0], limit: 501 }],
    ['messages', { id: SESSIONS[0], colour: 'red' }],
    ['message', { ref: '!' }],
    ['search', {}],
    ['stop', {}],
    ['forget', { ref: 'MSG-1' }],
    ['messages', { id: SESSIONS[0], reveal: true }],
    ['sessions', { cursor: 'x' }],
  ];
  for (const [name, input] of cases) {
    const frame = await say(reader, name, input);
    const { status, body } = await overHttp(name, input);
    expect(status).toBeGreaterThanOrEqual(400);
    // A parameter of a path cannot be named again over HTTP: it is not among what could be said instead.
    const plain = (facts: unknown): object => ({ ...(facts as object), known: [] });
    expect({ ...frame, facts: plain(frame['facts']) }, `for ${name}`).toEqual({
      type: 'rejected',
      message_id: frame['message_id'],
      code: body['code'],
      reason: body['reason'],
      facts: plain(body['facts']),
      message: expect.stringMatching(/^(?!.*(?:GET|POST) \/)/u) as unknown,
    });
  }
});

test('[WIRE-12] a command is done once: sent again it is acknowledged as a duplicate, on any connection', async () => {
  const folder = makeHome().folder;
  const path = join(folder, `${SESSIONS[2]}.jsonl`);
  writeFileSync(path, `${JSON.stringify({ ...prompt('w1', null, 1, 'from a file'), sessionId: SESSIONS[2] })}\n`);
  const id = randomUUID();
  const done = await say(operator, 'import', { paths: [path] }, id);
  expect(done).toMatchObject({ type: 'ack', message_id: id, seq: 32, refs: [], result: { added: 1 } });
  const again = server.connect({ token: server.token });
  await again.frame('connection_established');
  for (const socket of [operator, again]) {
    const before = socket.frames.length;
    socket.send({ type: 'import', message_id: id.toUpperCase(), paths: [path] });
    const told = await socket.frame((frame) => socket.frames.indexOf(frame) >= before && frame['type'] === 'duplicate_ack');
    expect(told).toEqual({
      type: 'duplicate_ack',
      original_message_id: id,
      ref: null,
      message: 'Already processed, no action taken',
    });
  }
  // Somebody without the token learns nothing of it.
  expect(await say(reader, 'import', { paths: [path] }, id)).toMatchObject({ type: 'rejected', code: 'token-needed' });
});

test('[WIRE-12] a command that was rejected may be sent again; a query is answered again', async () => {
  const id = randomUUID();
  const path = join(makeHome().folder, 'later.jsonl');
  expect(await say(operator, 'import', { paths: [path] }, id)).toMatchObject({ type: 'rejected', code: 'not-found' });
  writeFileSync(path, '');
  operator.send({ type: 'import', message_id: id, paths: [path] });
  expect(await operator.frame((frame) => frame['type'] === 'ack' && frame['message_id'] === id)).toMatchObject({ result: { added: 0 } });
  const asked = randomUUID();
  await say(reader, 'status', {}, asked);
  const before = reader.frames.length;
  reader.send({ type: 'status', message_id: asked });
  await reader.frame((frame) => reader.frames.indexOf(frame) >= before && frame['type'] === 'ack' && frame['message_id'] === asked);
});

test('[WIRE-12] a command and what it did: its entry is sent to everybody, and its ack says up to where', async () => {
  const before = reader.entries().length;
  const frame = await say(operator, 'forget', { ref: 'MSG-4' });
  expect(frame).toMatchObject({ type: 'ack' });
  const { position } = frame['result'] as { readonly position: number };
  expect(frame['seq']).toBe(position);
  await reader.heard(position);
  expect(reader.entries().slice(before).at(-1)).toMatchObject({ seq: position, entry_type: 'payload.forgotten' });
  expect(server.faults).toEqual([]);
});

test('[WIRE-12] many commands at once are all answered, each once', async () => {
  const socket = server.connect();
  await socket.frame('connection_established');
  const ids = Array.from({ length: 200 }, () => randomUUID());
  for (const id of ids) socket.send({ type: 'status', message_id: id });
  await Promise.all(ids.map((id) => answerTo(socket, id)));
  const answered = socket.frames.filter(({ type }) => type === 'ack').map((frame) => frame['message_id']);
  expect(answered).toHaveLength(200);
  expect(new Set(answered)).toEqual(new Set(ids));
  await socket.close();
});

test('[WIRE-12] what is remembered of commands is bounded; two that come at once are one', async () => {
  const accepted = createIdempotency(3);
  let done = 0;
  const work = async () => {
    done += 1;
    return { seq: done, refs: [`MSG-${done}`], result: null };
  };
  const [first, second] = await Promise.all([accepted.once('a', 'x', work), accepted.once('a', 'x', work)]);
  expect([first, second]).toEqual([
    { done: { seq: 1, refs: ['MSG-1'], result: null }, isRepeated: false },
    { done: { seq: 1, refs: ['MSG-1'], result: null }, isRepeated: true },
  ]);
  for (const key of ['b', 'c', 'd']) await accepted.once(key, 'x', work);
  expect((await accepted.once('d', 'x', work)).isRepeated).toBe(true);
  expect((await accepted.once('a', 'x', work)).isRepeated).toBe(false);
  await expect(accepted.once('a', 'y', work)).rejects.toMatchObject({ code: 'message-id-reused' });
});

test('[WIRE-12] no operation is called like a frame, or has another parameter `type`; its `message_id` is that of the frame', () => {
  for (const [name, { input }] of Object.entries<Operation>(REGISTRY)) {
    expect(['hello', 'subscribe', 'ping', 'cancel']).not.toContain(name);
    expect(Object.keys(input.shape)).not.toContain('type');
  }
});

test('[SEC-19] a link is made and redeemed over a socket as over HTTP', async () => {
  const made = await say(operator, 'page_link');
  const { url } = made['result'] as { readonly url: string }; // as the registry says
  expect(url.startsWith(`http://127.0.0.1:${server.port}/#key=`)).toBe(true);
  const { hash } = new URL(url);
  expect(await say(reader, 'enter', { key: hash.replace('#key=', '') })).toMatchObject({ type: 'ack', result: { token: server.token } });
  expect(await say(reader, 'enter', { key: hash.replace('#key=', '') })).toMatchObject({ type: 'rejected', code: 'bad-key' });
  expect(await say(reader, 'page_link')).toMatchObject({ type: 'rejected', code: 'token-needed' });
});

test('[WIRE-32] of queries that are cancelled while they wait only the last is answered', async () => {
  const ids = Array.from({ length: 4 }, () => randomUUID());
  for (const [n, id] of ids.entries()) {
    reader.send({ type: 'search', message_id: id, q: 'please'.slice(0, 3 + n) });
    if (n < 3) reader.send({ type: 'cancel', message_id: id });
  }
  const answers = await Promise.all(ids.map((id) => answerTo(reader, id)));
  expect(answers.map(({ type, code }) => [type, code])).toEqual([...Array.from({ length: 3 }, () => ['rejected', 'cancelled']), ['ack', undefined]]);
});

test('[WIRE-32] a command is done although it was cancelled, and what is not a query of ours is passed over', async () => {
  const id = randomUUID();
  operator.send({ type: 'sidebar_spawn', message_id: id, parent_id: null, task_description: 'done all the same', success_criteria: 'c' });
  operator.send({ type: 'cancel', message_id: id });
  operator.send({ type: 'cancel', message_id: randomUUID() });
  expect(await answerTo(operator, id)).toMatchObject({ type: 'ack' });
  operator.send({ type: 'cancel' });
  expect(await operator.frame('error')).toMatchObject({ code: 'bad-request' });
});
