import { connect as dial } from 'node:net';
import { CLOSE_CODES } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { prompt } from '../../operations/records.ts';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { entryTexts, line, lines, seqsOf, serveBoard, SESSIONS, type TestServer } from './sockets.ts';

const [SESSION] = SESSIONS;
/** More than a socket takes in at once, and more than would be answered if nobody stopped. */
const ENOUGH = 2_000_000;
const MOST_SAID = 3_000_000;

describe('a client that does not take its answers', () => {
  /** Talks until nothing of it is taken any more: how much the system keeps for the two of them differs. */
  const talk = async (server: TestServer, say: (socket: ReturnType<TestServer['connect']>) => void) => {
    const client = server.connect();
    await client.frame('connection_established');
    client.socket.pause();
    let [said, unheard] = [0, 0];
    const look = (): number => {
      const { droppedSlow } = server.board.hub.counts();
      // Once it is closed the rest is read, so that its answer to the close can come.
      if (droppedSlow > 0) return droppedSlow;
      for (let i = 0; i < 50_000 && client.socket.bufferedAmount < ENOUGH && said < MOST_SAID; i += 1, said += 1) say(client);
      unheard = client.socket.bufferedAmount;
      return 0;
    };
    await expect.poll(look, { interval: 20 }).toBe(1);
    client.socket.terminate();
    await expect.poll(() => server.board.hub.counts().clients).toBe(0);
    return { said, unheard };
  };

  test('[WIRE-11] is not heard any more, whatever it says, and closed', async () => {
    const server = await serveBoard({ stallAfter: 1500 });
    const { said, unheard } = await talk(server, (client) => client.send('{"type":"nope, and so on"}'));
    expect(unheard).toBeGreaterThanOrEqual(ENOUGH);
    expect(said).toBeLessThan(MOST_SAID);
    expect(server.board.hub.counts().refused).toBeLessThan(said);
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test.each([
    { kind: 'its own', say: (client: ReturnType<TestServer['connect']>): void => client.send(`{"type":"ping"}${' '.repeat(45)}`) },
    { kind: 'those of the protocol', say: (client: ReturnType<TestServer['connect']>): void => client.socket.ping('x'.repeat(125)) },
  ])('[WIRE-11] nor are pings, $kind', async ({ say }) => {
    const server = await serveBoard({ stallAfter: 1500 });
    const { said, unheard } = await talk(server, say);
    expect(unheard).toBeGreaterThanOrEqual(ENOUGH);
    expect(said).toBeLessThan(MOST_SAID);
    await server.close();
  });

  test('[WIRE-11] is heard again when it has taken them', async () => {
    const server = await serveBoard({ stallAfter: 20_000, mostBuffered: 10_000 });
    const client = server.connect();
    await client.frame('connection_established');
    client.socket.pause();
    for (let i = 0; i < 100_000; i += 1) client.send('{"type":"nope"}');
    client.send({ type: 'ping' });
    client.socket.ping('are you there?');
    const ponged = new Promise((resolve) => {
      client.socket.on('pong', (data) => resolve(data.toString()));
    });
    await expect.poll(() => server.board.hub.counts().refused).toBeGreaterThan(0);
    client.socket.resume();
    expect(await ponged).toBe('are you there?');
    await client.frame('pong');
    expect(client.frames.filter(({ type }) => type === 'error')).toHaveLength(100_000);
    expect(server.board.hub.counts()).toMatchObject({ refused: 100_000, droppedSlow: 0 });
    await server.close();
  });

  test('[WIRE-11] or takes a trickle of them, is closed as well', async () => {
    const server = await serveBoard({ stallAfter: 500 });
    const raw = dialRaw(server);
    raw.write('{"type":"hello","protocol":1}');
    for (let i = 0; i < 200_000; i += 1) raw.write('{"type":"nope"}');
    raw.read(10_000, 50);
    await expect.poll(() => server.board.hub.counts().droppedSlow).toBe(1);
    await server.close();
  });
});

describe('a large frame', () => {
  test('[WIRE-11] reaches whoever reads slowly but steadily, however long that takes', async () => {
    const server = await serveBoard({ stallAfter: 4000 });
    const size = 30_000_000;
    await server.append(line(SESSION, prompt('p1', null, 0, 'x'.repeat(size))), line(SESSION, prompt('p2', 'p1', 1, 'a small one')));
    const raw = dialRaw(server);
    const startedAt = performance.now();
    raw.write('{"type":"hello","protocol":1,"since_seq":0}');
    raw.read(200_000, 50);
    await expect.poll(() => raw.tail()).toContain('{"type":"caught_up","seq":2}');
    expect(raw.tail()).toContain('a small one');
    expect(raw.got()).toBeGreaterThan(size);
    // Longer than a client may stand still.
    expect(performance.now() - startedAt).toBeGreaterThan(4000);
    expect(server.board.hub.counts().droppedSlow).toBe(0);
    await server.close();
  });

  test('[WIRE-11] whoever is closed in the midst of it is told the seq before it, and goes on from there', async () => {
    const server = await serveBoard({ stallAfter: 2000, closeWithin: 60_000 });
    await server.append(...lines(3));
    const slow = server.connect({ since_seq: 0 });
    await slow.heard(3);
    slow.socket.pause();
    await server.append(line(SESSION, prompt('big', null, 9, 'x'.repeat(30_000_000))), ...lines(2, 3));
    await expect.poll(() => server.board.hub.counts().droppedSlow).toBe(1);
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    expect(code).toBe(CLOSE_CODES.slow.code);
    expect(reason).toMatch(/resume with since_seq 3$/u);
    expect(seqsOf(slow)).toEqual([1, 2, 3]);
    const again = server.connect({ since_seq: 3 });
    await again.heard(6);
    expect(seqsOf(again)).toEqual([4, 5, 6]);
    expect(entryTexts(again)[0]?.length).toBeGreaterThan(30_000_000);
    await server.close();
  });

  test('[WIRE-6] is whole, wherever it is cut, and nothing comes between its pieces', async () => {
    const server = await serveBoard({ mostBuffered: 1000 });
    const text = 'aü€😀'.repeat(300_000);
    const client = server.connect();
    await client.frame('connection_established');
    await server.append(line(SESSION, prompt('p1', null, 0, text)));
    for (let i = 0; i < 50; i += 1) {
      client.send({ type: 'ping' });
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
    await client.heard(1);
    expect(JSON.stringify(client.entries()[0])).toContain(text);
    await expect.poll(() => client.frames.filter(({ type }) => type === 'pong').length).toBe(50);
    await server.close();
  });
});

/** A client that reads as much and as often as it is told to. */
const dialRaw = (server: TestServer) => {
  const socket = dial(server.port, '127.0.0.1');
  socket.on('error', () => {}); // it is closed on purpose
  socket.pause();
  const headers = ['GET /ws HTTP/1.1', `Host: 127.0.0.1:${server.port}`, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
  socket.write(`${[...headers, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='].join('\r\n')}\r\n\r\n`);
  let [got, tail] = [0, ''];
  return {
    write: (text: string): void => {
      // Masked with nothing, as short as frames can be.
      socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
    },
    read: (bytes: number, every: number): void => {
      const timer = setInterval(() => {
        for (let left = bytes; left > 0;) {
          const chunk: unknown = socket.read(Math.min(left, socket.readableLength)) ?? socket.read();
          if (!Buffer.isBuffer(chunk)) break;
          got += chunk.length;
          left -= chunk.length;
          tail = (tail + chunk.toString('latin1')).slice(-2000);
        }
      }, every);
      afterFile(() => {
        clearInterval(timer);
        socket.destroy();
      });
    },
    got: () => got,
    tail: () => tail,
  };
};
