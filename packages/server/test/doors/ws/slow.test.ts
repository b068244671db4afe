import { CLOSE_CODES } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { prompt } from '../../operations/records.ts';
import { entryTexts, line, lines, seqsOf, serveBoard, SESSIONS, type TestServer } from './sockets.ts';

const BIG = 'x'.repeat(200_000);

/** About 20 MB, more than the buffers of a system take. */
const flood = async (server: TestServer, from: number): Promise<void> => {
  for (let i = 0; i < 100; i += 1) {
    const n = from + i;
    await server.append(line(SESSIONS[n % 3] ?? '', prompt(`big-${n}`, null, n, `${n} ${BIG}`)));
  }
};

test('[WIRE-11] a client that does not read is closed with the seq to resume from; one that reads hears everything meanwhile', async () => {
  const server = await serveBoard({ stallAfter: 2000, closeWithin: 60_000, ringFrames: 50 });
  const slow = server.connect();
  const fast = server.connect();
  await Promise.all([slow.frame('connection_established'), fast.frame('connection_established')]);
  slow.socket.pause();
  await flood(server, 0);
  await fast.heard(100);
  expect(seqsOf(fast)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  const metrics = async (): Promise<string> => (await server.board.app.request('/metrics', { headers: { host: `127.0.0.1:${server.port}` } })).text();
  await expect.poll(metrics).toContain('yarnboard_ws_slow_clients_total 1\n');
  slow.socket.resume();
  const { code, reason } = await slow.closed;
  expect(code).toBe(CLOSE_CODES.slow.code);
  const [, seq = ''] = /resume with since_seq (\d+)$/u.exec(reason) ?? [];
  // What it was told before is whole, and ends where the reason says.
  expect(seqsOf(slow)).toEqual(Array.from({ length: Number(seq) }, (_, i) => i + 1));
  expect(Number(seq)).toBeGreaterThan(0);
  expect(Number(seq)).toBeLessThan(100);
  const again = server.connect({ since_seq: Number(seq) });
  await again.heard(100);
  expect([...entryTexts(slow), ...entryTexts(again)]).toEqual(entryTexts(fast));
  expect(await metrics()).toMatch(/yarnboard_ws_frames_total [1-9]\d+\n/u);
  expect(server.faults).toEqual([]);
  await server.close();
});

test('[WIRE-11] a client that reads slowly is told everything at its own pace, and little is kept for it', async () => {
  const server = await serveBoard({ stallAfter: 5000, mostBuffered: 100_000, ringFrames: 10 });
  const slow = server.connect();
  const fast = server.connect();
  await Promise.all([slow.frame('connection_established'), fast.frame('connection_established')]);
  let most = 0;
  let isFlooded = false;
  const lead = (): number => seqsOf(fast).length - seqsOf(slow).length;
  // However fast the server is, it reads on when it is far behind.
  const readOn = (): void => {
    if (isFlooded || lead() > 12) slow.socket.resume();
    else setTimeout(readOn, 5);
  };
  slow.socket.on('message', () => {
    most = Math.max(most, lead());
    slow.socket.pause();
    setTimeout(readOn, 30);
  });
  await flood(server, 0);
  await fast.heard(100);
  isFlooded = true;
  await slow.heard(100);
  expect(entryTexts(slow)).toEqual(entryTexts(fast));
  expect(most).toBeGreaterThan(10);
  await expect.poll(() => server.board.hub.counts()).toMatchObject({ droppedSlow: 0, lag: 0 });
  await server.close();
});

test('[WIRE-11] where only slow clients are left the log is not read for nothing; a new one is live at once', async () => {
  const server = await serveBoard({ stallAfter: 60_000, mostBuffered: 1000, ringFrames: 10 });
  const slow = server.connect();
  await slow.frame('connection_established');
  slow.socket.pause();
  await flood(server, 0);
  await server.append(...lines(500));
  await expect.poll(() => server.board.hub.counts().lag).toBeGreaterThan(500);
  const fresh = server.connect();
  expect(await fresh.frame('connection_established')).toMatchObject({ seq: 600 });
  await server.append(...lines(3, 500));
  await fresh.heard(603);
  expect(seqsOf(fresh)).toEqual([601, 602, 603]);
  slow.socket.resume();
  await slow.heard(603);
  expect(seqsOf(slow)).toEqual(Array.from({ length: 603 }, (_, i) => i + 1));
  await server.close();
});

test('[WIRE-11] one that leaves a close unanswered is left', async () => {
  const server = await serveBoard({ stallAfter: 100, closeWithin: 200, mostBuffered: 1000 });
  const slow = server.connect();
  await slow.frame('connection_established');
  slow.socket.pause();
  await flood(server, 0);
  await expect.poll(() => server.board.hub.counts().clients).toBe(0);
  await server.close();
});
