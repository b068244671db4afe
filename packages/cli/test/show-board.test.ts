import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { showDocument } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { boardStage } from './board-stage.ts';
import { conversation, SESSION, type Ended } from './terminal.ts';

type Stage = ReturnType<typeof boardStage>;

/** Somebody who spawned a sidebar off the session's first message and merged it. */
const mergedStage = async (): Promise<Stage> => {
  const stage = boardStage();
  await stage.run('import');
  await stage.run(['sidebar', 'spawn', 'Why is it broken?', '--from', 'MSG-1']);
  await stage.run(['sidebar', 'say', 'SB-1', 'Look at <b>the</b> hinge.']);
  await stage.run(['sidebar', 'find', 'SB-1', 'The hinge is loose.', '--source-refs', 'MSG-1']);
  await stage.run(['sidebar', 'validate', 'SB-1', 'FINDING-1', 'confirmed']);
  await stage.run(['sidebar', 'finish', 'SB-1', '--summary', 'The hinge it is.']);
  return stage;
};

/** What each line prints, as somebody without a server sees it and as somebody with one does: the same. */
const shownBoth = async ({ run, serve }: Stage, lines: readonly (readonly string[])[]): Promise<readonly string[]> => {
  const all = async (): Promise<readonly Ended[]> => {
    const ended: Ended[] = [];
    for (const line of lines) ended.push(await run(line));
    return ended;
  };
  const alone = await all();
  const server = await serve();
  expect(await all()).toEqual(alone);
  await server.close();
  expect(alone.map(({ code, err }) => ({ code, err }))).toEqual(lines.map(() => ({ code: 0, err: '' })));
  return alone.map(({ out }) => out);
};

test('[CLI-31] [SHOW-12] a session is shown with what sidebars merged into it, where they branched off, with and without a server', async () => {
  const stage = await mergedStage();
  const [text = '', md, html, json = '', envelopes = ''] = await shownBoth(stage, [
    ['show', SESSION],
    ['show', SESSION, '--format', 'md'],
    ['show', SESSION, '--format', 'html'],
    ['show', SESSION, '--format', 'json'],
    ['envelopes', SESSION],
  ]);
  const said = 'Sidebar SB-1 completed: The hinge it is.';
  expect(
    text.match(/Please mend the gateway\n\n⇐ merged from SB-1 · MSG-\d+ · by .* · 1 finding: SCRATCH-1:FINDING-1\n(.*)\n\nClaude /u)?.[1]?.trim(),
  ).toBe(said);
  expect(md).toMatch(/### merged from SB-1 .*\n\nSidebar SB-1 completed/u);
  expect(html).toMatch(/<article class="merged" id="message-[^"]+"><h2>merged from SB-1/u);
  const { messages } = showDocument.parse(JSON.parse(json));
  expect(messages.map(({ merged }) => merged?.map(({ sidebar_id: sidebar, content }) => [sidebar, content]))).toEqual([[['SB-1', said]], undefined]);
  expect(envelopes.split('\n').filter((line) => line.includes('"kind":"merge"'))).toHaveLength(1);
});

test('[CLI-31] a board that cannot be read keeps nobody from reading a session, and is told of', async () => {
  const { run, home } = boardStage();
  mkdirSync(join(home.folder, 'board'), { recursive: true });
  writeFileSync(home.database.slice('sqlite:'.length), 'no database at all');
  const { code, out, err } = await run(`show ${SESSION}`);
  expect([code, out.includes('Please mend the gateway'), err]).toEqual([0, true, expect.stringContaining('merged into the session is not shown: ')]);
});

test('[CLI-32] [SHOW-13] a sidebar and what it merged are shown by their references, with and without a server', async () => {
  const stage = await mergedStage();
  const ref = /MSG-\d+(?= · by)/u.exec((await stage.run(`show ${SESSION}`)).out)?.[0] ?? '';
  const [text = '', html = '', json = '', merge = '', plain = ''] = await shownBoth(stage, [
    ['show', 'sb-1'],
    ['show', 'SB-1', '--format', 'html'],
    ['show', 'SB-1', '--format', 'json'],
    ['show', ref],
    ['show', 'MSG-1'],
  ]);
  expect(text).toMatch(/^SB-1 {2}MERGED {2}NORMAL\n {2}task +Why is it broken\?\n/u);
  expect(text).toContain('\n  Look at <b>the</b> hinge.\n');
  expect(html).toContain('Look at &lt;b&gt;the&lt;/b&gt; hinge.');
  expect(JSON.parse(json)).toMatchObject({ version: 1, sidebar: { sidebar_id: 'SB-1' }, messages: [{ content: 'Look at <b>the</b> hinge.' }] });
  expect(merge).toMatch(
    new RegExp(
      `^${ref}\nin ${SESSION}\nmerged from SB-1, behind .+\nfindings: SCRATCH-1:FINDING-1\n\n.*\n  Sidebar SB-1 completed: The hinge it is.\n$`,
      'u',
    ),
  );
  expect(plain).toContain('  Please mend the gateway\n');
});

test('[CLI-32] what is not on the board, or has no board, is said so', async () => {
  const { run } = boardStage();
  expect(await run('show SB-3')).toMatchObject({ code: 3, out: '', err: expect.stringContaining('there is no board in') as string });
  await run('import');
  expect(await run('show SB-3')).toMatchObject({ code: 3, out: '', err: expect.stringContaining('SB-3') as string });
  expect(await run('show SB-3 --branch x')).toMatchObject({ code: 2 });
});

test('[CLI-33] a session that nobody imported is shown from wherever the settings look, and one whose file is gone from the board', async () => {
  const stage = boardStage();
  const { folder, env, run } = stage;
  const other = '22222222-2222-4333-8444-555555555555';
  const file = join(folder, 'elsewhere', 'projects', 'p', `${other}.jsonl`);
  mkdirSync(join(folder, 'elsewhere', 'projects', 'p'), { recursive: true });
  writeFileSync(file, conversation(other, 'Nobody imported me'));
  mkdirSync(env.YARNBOARD_HOME);
  writeFileSync(join(env.YARNBOARD_HOME, 'settings.json'), JSON.stringify({ roots: [join(folder, 'elsewhere')] }));
  const before = await run(`show ${other}`);
  expect(before).toMatchObject({ code: 0, err: '', out: expect.stringContaining('  Nobody imported me\n') as string });
  const [, known] = await shownBoth(stage, [
    ['show', SESSION],
    ['show', other.slice(0, 6)],
  ]);
  expect(known).toBe(before.out);
  await run('import');
  rmSync(file);
  const [gone] = await shownBoth(stage, [['show', other]]);
  expect(gone).toBe(before.out);
  expect(await run(`show ${other} --all`)).toMatchObject({ code: 3 });
});
