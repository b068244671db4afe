import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { boardStage, somebody } from './board-stage.ts';
import { builtCommand, pipedLines } from './terminal.ts';

describe('a conversation', () => {
  test('[CLI-23] needs a server and says how to start one; without a terminal it has to be told in which sidebar', async () => {
    const { run } = boardStage();
    expect(await run('chat SB-1')).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(/chat needs a running server, and there is none for .*; `yarnboard start` starts one/u) as string,
    });
    expect(await run('chat')).toMatchObject({ code: 2, err: expect.stringContaining('`yarnboard chat SB-n`') as string });
    expect(await run('chat SB-1 SB-2')).toMatchObject({ code: 2 });
    expect((await run('chat --help')).out).toContain('/find TEXT');
  });

  test('[CLI-23] says every line that comes through a pipe, does what begins with a slash, and ends', async () => {
    const { run, runAs, serve } = boardStage();
    await serve();
    await run('sidebar spawn mend it --from MSG-1');
    const typing = pipedLines(
      'The cache is cold, I think',
      '',
      '/find "the cache" is cold --source-refs MSG-1',
      '//etc is not a verb',
      '/pause lunch',
    );
    const { code, out, err } = await runAs('chat SB-1', { typing });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/position \d+/u, 'position N')).toBe(
      [
        'SB-1  ACTIVE  mend it',
        'inherits 11111111-2222-4333-8444-555555555555, as it was at position N of the log',
        'MSG-3  AGENT-operator: The cache is cold, I think',
        '· SCRATCH-1:FINDING-1 submitted: the cache is cold',
        'MSG-4  AGENT-operator: /etc is not a verb',
        '· SB-1 paused: lunch',
        '',
      ].join('\n'),
    );
    const again = await runAs('chat SB-1', { typing: pipedLines('/status', '/quit', 'never said') });
    expect(again.out).toMatch(/^SB-1 {2}PAUSED {2}mend it\ninherits .*\nMSG-3 .*\nMSG-4 .*\nSB-1 {2}PAUSED {2}NORMAL\n {2}task .*\n/u);
    expect(again.out).not.toContain('never said');
  });

  test('[CLI-23] as users run it: a pipe is read to its end, a long text from another', async () => {
    const { run, serve, env, ask } = boardStage();
    await serve();
    await run('sidebar spawn mend it --root');
    const command = builtCommand();
    // Not spawnSync: the server is in this process, and has to answer.
    const call = async (args: readonly string[], input: string) => {
      const child = spawn(process.execPath, [command, ...args], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stdin.end(input);
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { code, out };
    };
    expect(await call(['chat', 'SB-1'], 'one\ntwo\nthree')).toEqual({
      code: 0,
      out: expect.stringMatching(/AGENT-operator: one\n.*AGENT-operator: two\n.*AGENT-operator: three\n$/u) as string,
    });
    expect(await call(['sidebar', 'say', 'SB-1', '-'], 'four\nfive\n')).toMatchObject({ code: 0 });
    expect(await ask('sidebar memory SB-1')).toMatchObject({
      items: [{ content: 'one' }, { content: 'two' }, { content: 'three' }, { content: 'four\nfive' }],
    });
  });

  test('[CLI-23] in a terminal it asks what a new one is about, prints above what is being typed, and ends with /quit', async () => {
    const { run, serve, env, ask } = boardStage();
    await serve();
    const inside = `'${process.execPath}' '${builtCommand()}' chat`;
    const [program, ...args] = ['script', '-qec', inside, '/dev/null'] as const;
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const sees = (text: string) => until(() => (out.includes(text) ? true : null));
    await sees('What is a new one about?');
    child.stdin.write('mend it\n');
    await sees('/quit leaves');
    child.stdin.write('half a wo');
    await sees('half a wo');
    await run('sidebar say SB-1 somebody else');
    await sees('AGENT-operator: somebody else\r\n');
    child.stdin.write('rd\n');
    await until(async () => ((await ask('sidebar show SB-1'))['messages'] === 2 ? true : null));
    child.stdin.write('/quit\n');
    expect(await ended).toBe(0);
    expect(await ask('sidebar memory SB-1')).toMatchObject({ items: [{ content: 'somebody else' }, { content: 'half a word' }] });
    expect(out).not.toContain('AGENT-operator: half a word');
  });

  test('[CLI-23] tells what is refused and goes on; a script learns it by the exit code', async () => {
    const { run, runAs, serve } = boardStage();
    await serve();
    await run('sidebar spawn mend it --root');
    const { code, out, err } = await runAs('chat SB-1', { typing: pipedLines('/resume', '/frob', '/puase x', '/find -', '/pause', 'still here') });
    expect(code).toBe(3);
    expect(out).toContain('AGENT-operator: still here\n');
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^yarnboard: wrong-status: SB-1 is ACTIVE/u),
      'yarnboard: there is no /frob; /help lists what there is, and // says a slash',
      'yarnboard: there is no /puase (did you mean pause?); /help lists what there is, and // says a slash',
      'yarnboard: standard input is the conversation; say it on the line',
      expect.stringMatching(/^yarnboard: missing: reason; /u),
      '',
    ]);
    expect(await runAs('chat SB-9', { typing: pipedLines('x') })).toMatchObject({ code: 3, err: expect.stringContaining('not-found: ') as string });
    const stranger = await runAs('chat SB-1', { typing: pipedLines('x'), env: { YARNBOARD_TOKEN: 'wrong' } });
    expect(stranger).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^yarnboard: the server will not talk: this token belongs neither .*\n$/u) as string,
    });
  });

  test('[CLI-23] follows what others do, once, and shows the last of what was said before', async () => {
    const { run, runAs, serve } = boardStage();
    await serve();
    await run('sidebar spawn mend it --root');
    for (let n = 1; n <= 12; n += 1) await run(`sidebar say SB-1 number ${n}`);
    const me = somebody();
    const talk = runAs('chat SB-1', { typing: me.typing });
    await until(() => (me.seen().includes('/quit leaves') ? true : null));
    expect(me.seen()).toMatch(/\n… 2 messages before: \/memory\nMSG-5 {2}AGENT-operator: number 3\n/u);
    me.types('mine');
    await run(['sidebar', 'say', 'SB-1', 'theirs\nin two lines \u001b[31m']);
    await run('sidebar find SB-1 found out');
    await until(() => (me.seen().includes('found out') ? true : null));
    expect(me.seen()).toContain('AGENT-operator: theirs\n    in two lines ␛[31m\n');
    expect(me.seen().match(/found out/gu)?.length).toBe(1);
    // Whoever typed it has seen it.
    expect(me.seen()).not.toContain('mine');
    me.types('/memory');
    await until(() => (me.seen().includes('  mine\n') ? true : null));
    me.types('/quit');
    expect(await talk).toEqual({ code: 0, out: '', err: '' });
  });

  test('[CLI-23] without a sidebar it offers the latest, takes another, or spawns a root', async () => {
    const { run, runAs, serve, ask } = boardStage();
    await serve();
    const start = async (...lines: readonly string[]) => {
      const me = somebody();
      for (const line of lines) me.types(line);
      me.leaves();
      const ended = await runAs('chat', { typing: me.typing });
      return { ...ended, seen: me.seen() };
    };
    expect(await start('', 'mend the gateway')).toMatchObject({
      code: 0,
      seen: expect.stringMatching(
        /^No sidebar is at work\. What is a new one about\?\nSB-1 {2}ACTIVE {2}mend the gateway\ninherits nothing: it is a root\n/u,
      ) as string,
    });
    await run('sidebar spawn second --root');
    expect(await start('')).toMatchObject({
      code: 0,
      seen: expect.stringMatching(/^SB-2 is the latest \(ACTIVE\): second\n.*\nSB-2 {2}ACTIVE/u) as string,
    });
    expect(await start('sb-1')).toMatchObject({ code: 0, seen: expect.stringContaining('\nSB-1  ACTIVE  mend the gateway\n') as string });
    expect(await start('/quit')).toMatchObject({ code: 0 });
    expect(await ask('sidebar list')).toMatchObject({ items: [{ sidebar_id: 'SB-2' }, { sidebar_id: 'SB-1' }] });
  });
});
