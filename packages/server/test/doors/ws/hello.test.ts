import { Agent, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { CLOSE_CODES, EVENT_NAMES, type Problem } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefused, lines, serveBoard, type TestServer } from './sockets.ts';

let server: TestServer;
beforeAll(async () => {
  server = await serveBoard({ helloWithin: 300 });
  await server.append(...lines(5));
});

/** A request to upgrade, as it goes over the wire. */
const knock = (headers: Readonly<Record<string, string>>, path = '/ws'): Promise<{ readonly status: number; readonly problem: Problem | null }> =>
  new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port: server.port,
      path,
      setHost: false,
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, problem: null });
    });
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const isProblem = response.headers['content-type'] === 'application/problem+json';
        resolve({ status: response.statusCode ?? 0, problem: isProblem ? (JSON.parse(text) as Problem) : null });
      });
    });
    asked.on('error', reject);
    asked.end();
  });

describe('the upgrade', () => {
  test('[WIRE-3] is refused for a foreign Host, a foreign Origin and a wrong token, with a problem document', async () => {
    expect((await knock({})).status).toBe(101);
    expect((await knock({ origin: `http://localhost:${server.port}` })).status).toBe(101);
    expect((await knock({ authorization: `Bearer ${server.token}` })).status).toBe(101);
    for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', 'localhost'])
      expect(await knock({ host })).toMatchObject({ status: 403, problem: { code: 'foreign-host' } });
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${server.port}`])
      expect(await knock({ origin })).toMatchObject({ status: 403, problem: { code: 'foreign-origin' } });
    expect(await knock({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket' })).toMatchObject({ problem: { code: 'foreign-origin' } });
    for (const authorization of ['Bearer wrong', 'Bearer', 'Basic x', `Bearer ${server.token}x`])
      expect(await knock({ authorization })).toMatchObject({ status: 401, problem: { code: 'bad-token' } });
  });

  test('[WIRE-3] is only there at /ws, and what is no handshake is refused with the reason', async () => {
    expect(await knock({}, '/elsewhere')).toMatchObject({ status: 404, problem: { code: 'not-found' } });
    expect(await knock({}, '/ws?x=1')).toMatchObject({ status: 101 });
    expect(await knock({ 'sec-websocket-key': 'short' })).toMatchObject({ status: 400, problem: { code: 'bad-request' } });
    const plain = await server.board.app.request('/ws', { headers: { host: `127.0.0.1:${server.port}` } });
    expect([plain.status, ((await plain.json()) as Problem).code]).toEqual([426, 'upgrade-needed']);
    expect(server.faults).toEqual([]);
  });

  test('[WIRE-21] to another protocol is passed over: the request is answered like any other, with its body, and so is the next on the connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const ask = (method: string, path: string, more: Readonly<Record<string, string>>, body = ''): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { host: `127.0.0.1:${server.port}`, authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...more };
        const asked = request({ agent, host: '127.0.0.1', port: server.port, method, path, headers }, (response) => {
          ports.add(response.socket.localPort);
          let text = `${response.statusCode} `;
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve(text));
        });
        asked.on('error', reject);
        asked.end(body);
      });
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };
    const long = JSON.stringify({ ref: `MSG-${'9'.repeat(300_000)}` });
    for (const [method, path, body] of [
      ['GET', '/api/v1/sessions', ''],
      ['GET', '/ws', ''],
      ['POST', '/api/v1/forget', '{"ref":"MSG-99"}'],
      ['POST', '/api/v1/forget', long],
      ['GET', '/nowhere', ''],
    ] as const) {
      const plain = await ask(method, path, {}, body);
      expect(await ask(method, path, offer, body)).toBe(plain);
      expect(await ask(method, path, {}, body)).toBe(plain);
    }
    expect(await ask('POST', '/api/v1/forget', offer, '{"ref":"MSG-99"}')).toContain('MSG-99');
    expect(await ask('GET', '/healthz', { ...offer, host: 'evil.example' })).toContain('foreign-host');
    expect(ports.size).toBe(1);
    agent.destroy();
    expect(server.faults).toEqual([]);
  });

  test('[WIRE-14] more clients than may be are refused with a problem document', async () => {
    const small = await serveBoard({ mostClients: 2 });
    const sockets = [small.connect(), small.connect()];
    for (const one of sockets) await one.frame('connection_established');
    const third = small.connect();
    const failed = new Promise((resolve) => {
      third.socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    });
    expect(await failed).toBe(503);
    await sockets[0]?.close();
    await expect
      .poll(async () => (await small.board.app.request('/metrics', { headers: { host: `127.0.0.1:${small.port}` } })).text())
      .toContain('yarnboard_ws_clients 1\n');
    await small.connect().frame('connection_established');
    await small.close();
  });
});

describe('hello', () => {
  test('[WIRE-4] tells who the client is and where the log ends', async () => {
    const reader = server.connect();
    expect(await reader.frame('connection_established')).toMatchObject({
      client_type: 'reader',
      agent_id: null,
      seq: 5,
      protocol: 1,
      board: server.board.store.log.boardId,
    });
    // Elsewhere: that an identity is there is an entry, too.
    const known = await serveBoard();
    await known.append(...lines(5));
    const operator = known.connect({ token: known.token });
    expect(await operator.frame('connection_established')).toMatchObject({ client_type: 'operator', agent_id: 'AGENT-operator', seq: 5 });
    const byHeader = known.connect({}, { headers: { authorization: `Bearer ${known.token}` } });
    expect(await byHeader.frame('connection_established')).toMatchObject({ client_type: 'operator' });
    const ids = [reader, operator, byHeader].map(({ frames }) => frames[0]?.['client_id']);
    expect(new Set(ids).size).toBe(3);
    await known.close();
  });

  test('[WIRE-4] must come first and in time', async () => {
    await expectRefused(server.connect(null), CLOSE_CODES['no-hello'].code, /no hello/u);
    for (const first of [
      '{"type":"ping"}',
      '{"type":"subscribe"}',
      'nonsense',
      '[]',
      '{"type":"status","message_id":"11111111-1111-4111-8111-111111111111"}',
      '{}',
    ]) {
      const socket = server.connect(null);
      socket.socket.on('open', () => socket.send(first));
      await expectRefused(socket, CLOSE_CODES['bad-hello'].code, /./u);
      expect(socket.frames).toEqual([{ type: 'error', code: 'bad-hello', message: expect.stringMatching(/hello|JSON|frame/u) as unknown }]);
    }
  });

  test('[WIRE-4] a wrong token is refused, never taken for none; so is reveal without the right one', async () => {
    for (const token of ['wrong', '', `${server.token}x`, 'a b'])
      await expectRefused(server.connect({ token }), CLOSE_CODES['bad-token'].code, /token/u);
    await expectRefused(server.connect({ reveal: true }), CLOSE_CODES['operator-only'].code, /operator/u);
    expect(server.board.hub.counts().refused).toBeGreaterThan(4);
  });

  test('[WIRE-4] another version of the protocol, a position beyond the log, unknown fields and wrong types are refused with the reason', async () => {
    await expectRefused(server.connect({ protocol: 2 }), CLOSE_CODES['other-protocol'].code, /protocol 1/u);
    await expectRefused(server.connect({ since_seq: 6 }), CLOSE_CODES['other-log'].code, /ends at 5/u);
    await expectRefused(server.connect({ sinceSeq: 0 }), CLOSE_CODES['bad-hello'].code, /no field "sinceSeq"/u);
    await expectRefused(server.connect({ since_seq: -1 }), CLOSE_CODES['bad-hello'].code, /since_seq/u);
    await expectRefused(server.connect({ since_seq: '1' }), CLOSE_CODES['bad-hello'].code, /since_seq/u);
    await expectRefused(
      server.connect({ subscribe: { sidebars: ['SB-1'] } }),
      CLOSE_CODES['bad-hello'].code,
      /no sidebar SB-1; nothing is subscribed to/u,
    );
    expect(await server.connect({ since_seq: 5 }).frame('connection_established')).toMatchObject({ seq: 5 });
  });

  test('[WIRE-5] frames that come with the hello are answered after it', async () => {
    const socket = server.connect(null);
    socket.socket.on('open', () => {
      socket.socket.send('{"type":"hello","protocol":1}');
      socket.socket.send('{"type":"ping"}');
      socket.socket.send('{"type":"status","message_id":"11111111-1111-4111-8111-111111111111"}');
    });
    await socket.frame('ack');
    expect(socket.frames.map(({ type }) => type)).toEqual(['connection_established', 'pong', 'ack']);
  });
});

describe('frames', () => {
  test('[WIRE-5] what is unknown is refused with a reason, and the connection stays', async () => {
    const socket = server.connect();
    await socket.frame('connection_established');
    const cases: readonly (readonly [string, RegExp])[] = [
      ['nonsense', /not a JSON object/u],
      ['[1]', /not a JSON object/u],
      ['{}', /no frame without a type/u],
      ['{"type":"sing"}', /no frame "sing"/u],
      ['{"type":"constructor"}', /no frame "constructor"/u],
      ['{"type":"ping","x":1}', /ping: there is no field "x"/u],
      ['{"type":"subscribe","session":["a"]}', /subscribe: there is no field "session"/u],
      ['{"type":"subscribe","sessions":"a"}', /sessions/u],

      ['{"type":"hello","protocol":1}', /said already/u],
      ['{"type":"status"}', /message_id must be a uuid/u],
      ['{"type":"status","message_id":"7"}', /message_id must be a uuid/u],
    ];
    for (const [text, why] of cases) {
      const before = socket.frames.length;
      socket.send(text);
      await socket.frame(() => socket.frames.length > before);
      expect(socket.frames.at(-1)).toEqual({ type: 'error', code: 'bad-request', message: expect.stringMatching(why) as unknown });
    }
    socket.send('{"type":"ping"}');
    expect(await socket.frame('pong')).toEqual({ type: 'pong', seq: 5 });
    const named = '11111111-1111-4111-8111-111111111111';
    socket.send({ type: 'sing', message_id: named });
    expect(await socket.frame('rejected')).toMatchObject({ message_id: named, code: 'bad-request' });
  });

  test('[WIRE-2] [WIRE-5] an envelope that a client sends is refused, and told which field is wrong', async () => {
    const socket = server.connect();
    await socket.frame('connection_established');
    const data = { id: 'a'.repeat(24), time: 1, role: 'agent', ev: { t: 'text', text: 'x' } };
    const sent: readonly (readonly [object, RegExp])[] = [
      [{ ...data, ev: { t: 'shout' } }, /refused: content\.data\.ev\.t: /u],
      [{ ...data, role: 'user', ev: { t: 'turn-start' } }, /refused: content\.data\.role: user may not send turn-start/u],
      [{ ...data, id: 'toolu_1' }, /refused: content\.data\.id: /u],
      [data, /cannot be sent/u],
    ];
    for (const [envelope, why] of sent) {
      const before = socket.frames.length;
      socket.send({ content: { type: 'session', data: envelope } });
      await socket.frame(() => socket.frames.length > before);
      expect(socket.frames.at(-1)).toMatchObject({ type: 'error', message: expect.stringMatching(why) as unknown });
    }
  });

  test('[WIRE-14] a frame that is too large and one that is no text end the connection with a code', async () => {
    const large = server.connect();
    await large.frame('connection_established');
    large.send(`{"type":"ping","x":"${'x'.repeat(1024 * 1024)}"}`);
    expect((await large.closed).code).toBe(CLOSE_CODES['too-large'].code);
    const binary = server.connect();
    await binary.frame('connection_established');
    binary.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
    expect((await binary.closed).code).toBe(CLOSE_CODES['not-text'].code);
    expect(server.faults).toEqual([]);
  });

  test('[WIRE-14] whoever does not answer pings is left', async () => {
    const patient = await serveBoard({ pingEvery: 500 });
    const dead = patient.connect({}, { autoPong: false });
    const alive = patient.connect();
    await Promise.all([dead.frame('connection_established'), alive.frame('connection_established')]);
    expect((await dead.closed).code).toBe(1006);
    alive.send('{"type":"ping"}');
    await alive.frame('pong');
    await patient.close();
  });
});

test('[WIRE-19] the tables of the rules list every frame and every close code', async () => {
  const text = readFileSync(new URL('../../../../../docs/spec/wire.md', import.meta.url), 'utf8');
  for (const [name, { code }] of Object.entries(CLOSE_CODES)) expect(text).toMatch(new RegExp(`^\\| ${code} +\\| \`${name}\` +\\|`, 'mu'));
  const { clientFrames, serverFrames } = await import('../../../../protocol/src/socket.ts');
  for (const name of [...Object.keys(clientFrames), ...Object.keys(serverFrames), ...EVENT_NAMES])
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'mu'));
});
