import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { prompt, reply, result, use } from '../../operations/records.ts';
import { entryTexts, line, serveBoard, SESSIONS, type TestServer } from './sockets.ts';

const KEY = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-abcdeQAA`;
const [session] = SESSIONS;

let server: TestServer;
beforeAll(async () => {
  server = await serveBoard({ ringFrames: 1000 });
});

test('[WIRE-10] what is told is masked, live and from the log, unless the operator asks to see it', async () => {
  const masked = server.connect();
  await masked.frame('connection_established');
  const live = {
    masked,
    operator: server.connect({ token: server.token }),
    revealed: server.connect({ token: server.token, reveal: true }),
  };
  for (const socket of Object.values(live)) await socket.frame('connection_established');
  await masked.frame('agent_presence'); // the first entry: the operator is there
  await server.append(
    line(session, prompt('p1', null, 1, `use ${KEY}`)),
    line(session, reply('r1', 'p1', 2, [use('toolu_1', 'Bash', { command: 'env', [KEY]: 1, password: 'q9V2xK7mZt4Lr8Pw3Bd6' })])),
    line(session, result('x1', 'r1', 3, 'toolu_1', `ANTHROPIC_API_KEY=${KEY}`)),
  );
  for (const socket of Object.values(live)) await socket.heard(4);
  for (const socket of [live.masked, live.operator]) {
    const text = entryTexts(socket).join('\n');
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('q9V2xK7mZt4Lr8Pw3Bd6');
    expect(text).toContain('[masked anthropic-key …eQAA]');
    expect(socket.entries()).toHaveLength(3);
  }
  expect(entryTexts(live.revealed).join('\n').split(KEY).length - 1).toBe(3);
  expect(entryTexts(live.masked)).toEqual(entryTexts(live.operator));
  const late = { masked: server.connect({ since_seq: 0 }), revealed: server.connect({ since_seq: 0, token: server.token, reveal: true }) };
  for (const name of ['masked', 'revealed'] as const) {
    await late[name].heard(4);
    expect(entryTexts(late[name])).toEqual(entryTexts(live[name]));
  }
});

test('[WIRE-10] answers and refusals over a socket are masked as over HTTP', async () => {
  const reader = server.connect();
  const operator = server.connect({ token: server.token, reveal: true });
  await Promise.all([reader.frame('connection_established'), operator.frame('connection_established')]);
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  reader.send({ type: 'message', message_id: a, ref: 'MSG-1' });
  expect(JSON.stringify(await reader.frame((frame) => frame['message_id'] === a))).not.toContain(KEY);
  operator.send({ type: 'message', message_id: b, ref: 'MSG-1', reveal: true });
  expect(JSON.stringify(await operator.frame((frame) => frame['message_id'] === b))).toContain(KEY);
  reader.send({ type: 'session', message_id: c, id: KEY });
  const refused = JSON.stringify(await reader.frame((frame) => frame['message_id'] === c));
  expect(refused).toContain('not-found');
  expect(refused).not.toContain(KEY);
  reader.send({ type: KEY });
  expect(JSON.stringify(await reader.frame('error'))).not.toContain(KEY);
});

test('[WIRE-18] what was forgotten is sent no more, from the ring as little as from the log', async () => {
  const before = server.connect({ since_seq: 0 });
  await before.heard(4);
  expect(entryTexts(before)[0]).toContain('"messages"');
  const operator = server.connect({ token: server.token });
  await operator.frame('connection_established');
  operator.send({ type: 'forget', message_id: randomUUID(), ref: 'MSG-1' });
  await operator.frame('ack');
  const after = server.connect({ since_seq: 0, token: server.token, reveal: true });
  await after.heard(5);
  const [first, , third] = entryTexts(after);
  expect(first).not.toContain('messages');
  expect(first).not.toContain('sk-ant');
  expect(third).toContain(KEY);
  expect(after.entries()[3]).toMatchObject({ entry_type: 'payload.forgotten' });
  expect(server.faults).toEqual([]);
});
