import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REGISTRY } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../src/version.ts';
import { boardStage } from './board-stage.ts';
import { pipedLines, SESSION } from './terminal.ts';

test('[LOG-17] the log says that it was the terminal, and which version', async () => {
  const { run, serve } = boardStage();
  const { url } = await serve();
  await run('sidebar spawn think --root');
  await run(['sidebar', 'say', 'SB-1', 'perhaps', '--flagged-uncertain']);
  const { items } = REGISTRY.log.output.parse(await (await fetch(`${url}/api/v1/log`)).json());
  expect(items.at(-1)).toMatchObject({ originating_client: 'terminal', client_version: VERSION, flagged_uncertain: true });
});

describe.each(['a server', 'no server'])('the board from a terminal, with %s', (which) => {
  const stage = async () => {
    const board = boardStage();
    await (which === 'a server' ? board.serve() : board.run('import'));
    return board;
  };

  test('[CLI-12] [CLI-20] a sidebar from its spawning to its merge', async () => {
    const { run, ask } = await stage();
    expect(await run('sidebar')).toEqual({ code: 0, out: 'there are no sidebars; `yarnboard sidebar spawn TASK --root` makes one\n', err: '' });
    expect(await run(['sidebar', 'spawn', 'mend', 'it', '--from', 'MSG-1', '--success-criteria', 'it works', '--tags', 'a,b'])).toEqual({
      code: 0,
      out: `SB-1 spawned from ${SESSION}: mend it\nSCRATCH-1 created; AGENT-operator validates its findings\n`,
      err: '',
    });
    expect(await run('sidebar say SB-1 hello MSG-1')).toMatchObject({ code: 0, out: 'MSG-3 AGENT-operator: hello MSG-1\n' });
    expect(await run('sidebar find SB-1 the cache is cold --source-refs MSG-1')).toMatchObject({
      code: 0,
      out: 'SCRATCH-1:FINDING-1 submitted: the cache is cold\n',
    });
    expect(await run('sidebar validate SB-1 FINDING-1 confirmed')).toMatchObject({
      code: 0,
      out: expect.stringContaining('SCRATCH-1:FINDING-1 confirmed\n') as string,
    });
    expect(REGISTRY.scratchpad.output.parse(await ask('sidebar scratchpad SB-1'))).toMatchObject({
      confirmed_findings: [{ content: 'the cache is cold' }],
    });
    expect(REGISTRY.sidebar_memory.output.parse(await ask('sidebar memory SB-1 --part inherited')).items).toMatchObject([{ ref: 'MSG-1' }]);
    await run('sidebar consolidate SB-1');
    await run('sidebar check SB-1');
    expect(await run('sidebar merge SB-1')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`SB-1 merged into ${SESSION}: SCRATCH-1:FINDING-1\n`) as string,
    });
    expect(REGISTRY.sidebar.output.parse(await ask('sidebar show SB-1'))).toMatchObject({ status: 'MERGED', merged_into: SESSION, tags: ['a', 'b'] });
    expect((await run('sidebar')).out).toMatch(/^sidebar .*\nSB-1 {5}MERGED/u);
  });

  test('[LOAD-2] [RT-18] who works where, and who acts by itself, are lists that fit a terminal', async () => {
    const { run } = await stage();
    expect(await run('agent seats')).toMatchObject({ code: 0, out: expect.stringContaining('no agent acts by itself') as string });
    await run('agent add research --specialties databases');
    await run('sidebar spawn think --root --participants research');
    expect((await run('agent load')).out).toMatch(
      /^agent +is +seats +instances +queued +at work in +paused for others *\n(?:.*\n)*AGENT-research +offline +0\/5/u,
    );
    expect(await run('sidebar recruit SB-1 --capability databases')).toMatchObject({
      err: expect.stringContaining('no-match: no one outside the sidebar is good at "databases"; there are: databases') as string,
    });
  });

  test('[CLI-37] an archived sidebar is found by a misspelled word and by its outcome, and nothing found is exit code 1', async () => {
    const { run } = await stage();
    await run('sidebar spawn authentication fails --root --tags login');
    expect(await run('sidebar search authentcation')).toMatchObject({ code: 1, out: expect.stringContaining('no archived sidebar fits') as string });
    await run('sidebar archive SB-1');
    const found = await run('sidebar search authentcation --statuses active --tags login,other');
    expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/SB-1 +ACTIVE .*authentication fails/u) as string });
    expect(await run('sidebar search authentcation --statuses merged --json')).toMatchObject({ code: 1 });
  });

  test('[CLI-20] a root is said to be one, and warnings go to standard error', async () => {
    const { run } = await stage();
    const { code, out, err } = await run('sidebar spawn think --root');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('SB-1 spawned as a root: think\n') as string });
    expect(err).toMatch(/^warning: without success criteria, .*\n$/u);
    // Standard output is one document, whatever there is to say.
    expect(JSON.parse((await run('sidebar spawn more --json --root')).out)).toMatchObject({ ref: 'SB-2', duplicate: false });
  });

  test('[CLI-34] a new sidebar names what it branches off from, or is said to be a root', async () => {
    const { run } = await stage();
    const wanted = /^yarnboard: say where it branches off with --from, or --root; yarnboard sidebar spawn TASK-DESCRIPTION… --from REF \| --root /u;
    expect(await run('sidebar spawn think')).toMatchObject({ code: 2, err: expect.stringMatching(wanted) as string });
    expect(await run('sidebar spawn think --from MSG-1 --root')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--root is for one') as string,
    });
    expect((await run('sidebar spawn --help')).out).toContain('\n  --root\n');
    expect(await run('sidebar')).toMatchObject({ out: expect.stringContaining('there are no sidebars') as string });
  });

  test('[CLI-20] what the board refuses is exit code 3 with the problem, and leaves no trace', async () => {
    const { run } = await stage();
    await run('sidebar spawn think --root');
    expect(await run('sidebar resume SB-1')).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(/^yarnboard: wrong-status: SB-1 is ACTIVE/u) as string,
    });
    expect(await run('sidebar show SB-7')).toMatchObject({ code: 3, out: '', err: expect.stringMatching(/^yarnboard: not-found: /u) as string });
    expect(await run('sidebar pause SB-1 x --json --if-seq 1')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('changed-since: ') as string,
    });
  });

  test('[CLI-20] a command that is sent again under its id is done once', async () => {
    const { run, ask } = await stage();
    await run('sidebar spawn think --root');
    const line = 'sidebar say SB-1 once --message-id aaaaaaaa-0000-4000-8000-000000000001';
    expect((await run(line)).out).toBe('MSG-3 AGENT-operator: once\n');
    expect((await run(line)).out).toBe('done before: MSG-3\n');
    expect(await ask('sidebar show SB-1')).toMatchObject({ messages: 1 });
  });

  test('[CLI-19] long texts come through standard input', async () => {
    const { runAs, run, ask } = await stage();
    await run('sidebar spawn think --root');
    expect(await runAs('sidebar find SB-1 -', { typing: pipedLines('first', '', 'second') })).toMatchObject({ code: 0 });
    expect(await ask('sidebar scratchpad SB-1')).toMatchObject({ pending_findings: [{ content: 'first\n\nsecond' }] });
  });

  test('[CLI-21] a file is attached by its bytes, and cited by its hash and its lines', async () => {
    const { run, ask, folder } = await stage();
    await run('sidebar spawn think --root');
    const [shot, code] = [join(folder, 'shot.PNG'), join(folder, 'code.ts')];
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2]);
    writeFileSync(shot, bytes);
    writeFileSync(code, 'one\ntwo\nthree\n');
    expect(await run(['sidebar', 'attach', 'SB-1', shot])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`MEDIA-1 attached to SB-1: ${shot} (11 bytes)\n`) as string,
    });
    expect(await ask('cite media MEDIA-1 --content')).toMatchObject({ media_type: 'image', content: bytes.toString('base64') });
    await run(['sidebar', 'attach', 'SB-1', code, '--media-type', 'document']);
    expect(await ask('cite media MEDIA-2')).toMatchObject({ media_type: 'document', content: null });
    // One that is too large for a command goes before it.
    const large = join(folder, 'screen.png');
    const pixels = Buffer.concat([bytes, Buffer.alloc(1_500_000, 7)]);
    writeFileSync(large, pixels);
    expect(await run(['sidebar', 'attach', 'SB-1', large])).toMatchObject({ code: 0, out: expect.stringContaining('(1500011 bytes)\n') as string });
    expect(await ask('cite media MEDIA-3 --content')).toMatchObject({
      mime: 'image/png',
      hash: createHash('sha256').update(pixels).digest('hex'),
      content: null,
      download: '/downloads/media/MEDIA-3',
    });
    const hash = createHash('sha256').update('one\ntwo\nthree\n').digest('hex');
    expect(await run(['cite', 'add', '--path', code, '--lines', '2-3', '--sidebar-id', 'SB-1'])).toMatchObject({
      code: 0,
      out: `CITE-1 cites FILE-${hash.slice(0, 12)}:2-3\n`,
    });
    expect(await ask('cite show CITE-1')).toMatchObject({ content: 'two\nthree', source: { path: code, lines: { from: 2, to: 3 } } });
    expect(await run('cite add MSG-1')).toMatchObject({ code: 0, out: 'CITE-2 cites MSG-1\n' });
    expect(await run(['cite', 'add', '--url', 'https://example.org/x', '--title', 'A page'])).toMatchObject({
      code: 0,
      out: 'CITE-3 cites https://example.org/x\n',
    });
    expect((await run('cite')).out).toMatch(/^citation .*\nCITE-3 .*\nCITE-2 .*\nCITE-1 /u);
  });

  test('[CLI-22] an agent gets its token once, with the line that connects it, and acts by it under its own name', async () => {
    const { run, runAs, ask } = await stage();
    const { code, out } = await run('agent add scout --specialties parsing,caches');
    expect(code).toBe(0);
    const [, token = ''] = /^token: (\S+)$/mu.exec(out) ?? [];
    expect(out).toContain(`AGENT-scout registered; good at parsing, caches\n`);
    expect(out).toContain(`\n  claude mcp add yarnboard -e YARNBOARD_TOKEN=${token} -- npx yarnboard mcp\n`);
    expect((await run('agent add ada --kind human')).out).toMatch(/\n {2}YARNBOARD_TOKEN=\S+ npx yarnboard chat\n$/u);
    const env = { YARNBOARD_TOKEN: token };
    await run('sidebar spawn think --participants AGENT-scout --root');
    expect(await runAs('sidebar say SB-1 hello', { env })).toEqual({ code: 0, out: 'MSG-3 AGENT-scout: hello\n', err: '' });
    expect(await runAs('agent inbox', { env })).toMatchObject({ code: 0, out: expect.stringMatching(/^AGENT-scout: /u) as string });
    expect(await runAs('agent add other', { env })).toMatchObject({ code: 3, err: expect.stringContaining('operator-only: ') as string });
    expect(await runAs('sidebar say SB-1 hello', { env: { YARNBOARD_TOKEN: 'wrong' } })).toMatchObject({
      code: 3,
      err: expect.stringContaining('bad-token: ') as string,
    });
    expect(JSON.stringify(await ask('agent list'))).not.toContain(token);
    expect((await run('agent token scout')).out).toMatch(/^AGENT-scout has a new token; .*\ntoken: /u);
    expect(await runAs('agent inbox', { env })).toMatchObject({ code: 3, err: expect.stringContaining('bad-token: ') as string });
  });
});

test('[CLI-18] a board that is not there is made by who writes, and missed by who reads', async () => {
  const { run } = boardStage();
  expect(await run('sidebar')).toMatchObject({ code: 3, err: expect.stringContaining('there is no board in') as string });
  expect(await run('sidebar spawn think --root')).toMatchObject({ code: 0 });
  expect(await run('sidebar')).toMatchObject({ code: 0 });
});

test('[CLI-20] a text that is too long for a query is refused as such', async () => {
  const { serve, runAs } = boardStage();
  await serve();
  expect(await runAs('gold match -', { typing: pipedLines('漢'.repeat(5000)) })).toMatchObject({
    code: 3,
    err: expect.stringContaining('too-large: the request for `yarnboard gold match` is too long') as string,
  });
});

test('[CLI-60] [CLI-61] without a server a runtime is given and looked at, and that nothing acts yet is said', async () => {
  const { run, folder } = boardStage();
  await run('import');
  const runtimes = {
    echo: { kind: 'stdio', command: [process.execPath, fileURLToPath(new URL('../../../examples/stdio-agent.mjs', import.meta.url))] },
  };
  writeFileSync(
    join(folder, 'home', 'settings.json'),
    JSON.stringify({ runtimes: { ...runtimes, gone: { kind: 'stdio', command: ['/nowhere/agent'] } } }),
  );
  await run('agent add echo');
  const given = await run('agent runtime echo --runtime echo');
  expect(given).toMatchObject({ code: 0, err: 'No server is running: agents act once you run `yarnboard start`.\n' });
  // RT-72
  expect(await run('agent add weaver --runtime echo')).toMatchObject({ code: 0, err: given.err, out: expect.stringContaining('token: ') as string });
  const tried = await run('agent try echo');
  expect(tried).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^AGENT-echo on echo: works\n✓ settings: .*\n✓ start: started: echo 1\n✓ turn: /u) as string,
  });
  const { out } = await run('doctor');
  expect(out).toContain('✓ runtime echo: stdio, 2 agents');
  expect(out).toContain('! runtime gone: there is no program "/nowhere/agent" that can be run');
});
