import { afterAll, expect, test } from 'vitest';
import type { Step } from './played-sdk.ts';
import { openRuns, type RunsBench } from './runs-bench.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

const PNG = Buffer.from('\x89PNG\r\n\x1a\nno more than a head', 'latin1').toString('base64');
const image = { media_type: 'image/png', data: PNG } as const;
const CONTENT = [
  { type: 'text', text: 'look' },
  { type: 'image', source: { type: 'base64', ...image } },
];

const of = (type: string, more: object): Step => ({ say: { type, parent_tool_use_id: null, ...more } });
const said: Step = of('assistant', { uuid: 'a', message: { role: 'assistant', content: [{ type: 'text', text: 'seen' }] } });
const done: Step = of('result', { subtype: 'success' });

const open = async (steps: readonly Step[]): Promise<RunsBench> => {
  const bench = await openRuns(steps);
  closers.push(bench.close);
  return bench;
};

const problem = async (response: Response): Promise<readonly unknown[]> => {
  const { code, detail } = (await response.json()) as { readonly code?: string; readonly detail?: string };
  return [response.status, code, detail];
};

test('[RUN-41] images go with the first prompt and with any other, to Claude and onto the log as Claude Code writes them', async () => {
  const bench = await open([{ hear: true }, said, done, { hear: true }, done]);
  const { run_id: id } = await bench.startRun({ prompt: 'look', images: [image] });
  await bench.reach(id, 'idle');
  expect((await bench.post(`/runs/${id}/messages`, { text: 'look', images: [image] })).status).toBe(200);
  await bench.reach(id, 'idle');
  const contents = bench.played.heard.map(({ message }) => (message as { readonly content: unknown }).content);
  expect(contents).toEqual([CONTENT, CONTENT]);
  const logged = (await bench.entries()).flatMap(({ payload }) => {
    const message = payload?.['message'] as { readonly role?: string; readonly content?: unknown } | undefined;
    return payload?.['type'] === 'user' ? [message?.content] : [];
  });
  expect(logged).toEqual([CONTENT, CONTENT]);
});

test('[RUN-41] an image with the wrong type goes with its own, in canonical base64', async () => {
  const bench = await open([{ hear: true }, done]);
  const jpeg = Buffer.from('\xff\xd8\xff\xfb\xff no more than a head', 'latin1');
  const data = `${jpeg.toString('base64url').slice(0, 8)}\n${jpeg.toString('base64url').slice(8)}`;
  const { run_id: id } = await bench.startRun({ prompt: 'look', images: [{ ...image, data }] });
  await bench.reach(id, 'idle');
  expect(bench.played.heard).toMatchObject([
    { message: { content: [CONTENT[0], { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: jpeg.toString('base64') } }] } },
  ]);
});

test('[RUN-41] a queued prompt keeps its images, and says how many it has', async () => {
  const bench = await open([{ hear: true }, said, { wait: 'interrupt' }, of('result', { subtype: 'success' }), { hear: true }, done]);
  const { run_id: id } = await bench.startRun();
  await bench.reach(id, 'running');
  await bench.post(`/runs/${id}/messages`, { text: 'look', images: [image], queue: true });
  const { queued } = await bench.command('run', { id });
  expect(queued).toMatchObject([{ text: 'look', images: 1 }]);
  await bench.command('change_message', { id, uuid: queued[0]?.uuid ?? '', text: 'look again' });
  await bench.command('interrupt_run', { id });
  await expect.poll(() => bench.played.heard.length).toBe(2);
  expect(bench.played.heard[1]).toMatchObject({ message: { content: [{ type: 'text', text: 'look again' }, CONTENT[1]] } });
});

test('[RUN-41] what is no such image, or too much of them, is refused before anything is said', async () => {
  const bench = await open([{ hear: true }, done]);
  const { run_id: id } = await bench.startRun();
  const post = async (images: unknown): Promise<readonly unknown[]> => problem(await bench.post(`/runs/${id}/messages`, { text: 'look', images }));
  expect(await post([{ ...image, data: Buffer.from('<svg onload="x"/>').toString('base64') }])).toEqual([
    400,
    'bad-request',
    expect.stringContaining("image 1 can't be read as") as string,
  ]);
  expect((await post([{ ...image, data: 'no base64!' }]))[1]).toBe('bad-request');
  expect((await post([{ ...image, media_type: 'image/svg+xml' }]))[1]).toBe('bad-request');
  const large = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(400_000)]).toString('base64');
  expect((await post([image, { ...image, data: large }])).slice(0, 2)).not.toEqual([413, 'too-large']);
  expect(
    (await post([{ ...image, data: Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(675_000)]).toString('base64') }])).slice(0, 2),
  ).toEqual([413, 'too-large']);
  const lone = await bench.post('/runs', { cwd: bench.cwd, images: [image] });
  expect((await problem(lone)).slice(0, 2)).toEqual([400, 'bad-request']);
});
