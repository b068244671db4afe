import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { boardStage } from './board-stage.ts';

/** A server that stops when it is told to, and somebody who is connected to it. */
const connected = async () => {
  const { run, serve } = boardStage();
  const server = await serve({ onStop: () => void server.close() });
  const frames: { readonly type?: string; readonly [field: string]: unknown }[] = [];
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`);
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1 })));
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString('utf8')) as { readonly type?: string })); // our own frames
  await expect.poll(() => frames.map(({ type }) => type)).toContain('connection_established');
  return { run, shutdowns: () => frames.filter(({ type }) => type === 'system_shutdown') };
};

test('[CLI-35] whoever is connected is warned before a stop, which can be called off meanwhile', async () => {
  const { run, shutdowns } = await connected();
  for (const line of ['stop --in x', 'stop --in 3601', 'stop --in 5 --now', 'stop --cancel --now']) {
    expect([line, (await run(line)).code]).toEqual([line, 2]);
  }
  const waiting = run(['stop', '--in', '1', '--message', 'an update is installed']);
  await expect.poll(shutdowns).toMatchObject([{ countdown_seconds: 1, message: 'an update is installed' }]);
  expect(await waiting).toEqual({
    code: 0,
    out: "stopping in 1 s: 1 connection was warned; `yarnboard stop --cancel` calls it off, `yarnboard stop --now` doesn't wait\nstopped\n",
    err: '',
  });
  expect((await run('stop')).out).toContain('not running');
});

test('[CLI-35] a stop that was called off does not happen; --now does not wait', async () => {
  const { run, shutdowns } = await connected();
  // Longer than it takes to call it off, however busy the machine is.
  const soon = run('stop --in 600');
  await expect.poll(shutdowns).toHaveLength(1);
  expect(await run('stop --cancel')).toMatchObject({ code: 0, out: 'the server keeps running; everyone who was warned hears it\n' });
  await expect.poll(shutdowns).toMatchObject([{ countdown_seconds: 600 }, { cancelled: true }]);
  expect(await run('status')).toMatchObject({ code: 0 });
  expect(await run('stop --now')).toMatchObject({ code: 0, out: 'stopped\n' });
  expect((await soon).out).toContain('stopping in 600 s');
});
