import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { A, B, C, makeStage, openTurn, waitForFile, type Served, type Told } from './launch-stage.ts';
import type { Act } from './stand-in.ts';

const start = (session: string, source = 'startup'): Act => ({ do: 'start', session, source });
const write = (session: string, name: string): Act => ({ do: 'write', session, text: openTurn(session, name) });
const exit = (code = 0): Act => ({ do: 'exit', code });

/** What the log tells, line by line: records by their uuid, deeds by what they say. */
const story = (entries: readonly Told[]): readonly string[] =>
  entries.map(({ type, session, uuid, payload }) => {
    const where = session.slice(0, 1);
    if (type === 'turn.closed')
      return `${where} closed ${String(payload['status'])}${payload['isEnd'] === true ? ', end' : ''} by ${String(payload['by'])}`;
    if (type === 'launch.moved') return `${where} moved (${String(payload['source'])})`;
    if (type === 'launch.ended') return `${where} ended ${String(payload['state'])} ${String(payload['code'])}`;
    return type.startsWith('launch.') ? type : uuid.replace(`${session}-`, `${where} `);
  });

const storyOf = async (served: Served, until_: string): Promise<readonly string[]> =>
  until(async () => {
    const told = story(await served.log());
    return told.some((line) => line.includes(until_)) ? told : null;
  });

describe('while no server runs', () => {
  test('[LAUNCH-5] nothing is lost: the next start takes it in, behind the lines of the session, and closes the turn', async () => {
    const stage = makeStage();
    await stage.run({ acts: [start(A), write(A, 'one'), { do: 'leave', reason: 'other' }, exit()] }, ['fix it']);
    const served = await stage.serve();
    expect(await storyOf(served, 'ended')).toEqual([
      'a one-u',
      'a one-a',
      'launch.started',
      'a moved (startup)',
      'a closed completed, end by launch',
      'a ended ended 0',
    ]);
    const started = (await served.log()).find(({ type }) => type === 'launch.started');
    expect(started?.payload).toEqual({ launchId: expect.any(String) as unknown, pid: expect.any(Number) as unknown, cwd: stage.work });
  });

  test('[LAUNCH-5] one server after the other reads the same spool, and none adds anything twice', async () => {
    const stage = makeStage();
    await stage.run({ acts: [start(A), write(A, 'one'), start(B, 'clear'), exit(1)] });
    const first = await stage.serve();
    const told = await storyOf(first, 'ended');
    await first.close();
    for (let round = 0; round < 2; round += 1) {
      const next = await stage.serve();
      await next.server.imported;
      // Something new behind it shows that everything before was looked at again.
      await stage.run({ acts: [start(C), exit()] });
      await until(async () => ((await next.log()).filter(({ type }) => type === 'launch.ended').length === 2 + round ? true : null));
      expect(story(await next.log()).slice(0, told.length)).toEqual(told);
      expect((await next.log()).length).toBe(told.length + (round + 1) * 4);
      await next.close();
    }
  });

  test('[LAUNCH-10] a turn is not closed by an end of long ago when the session has gone on since', async () => {
    const stage = makeStage();
    await stage.run({ acts: [start(A), write(A, 'one'), exit(1)] });
    const later = openTurn(A, 'two').replaceAll('2026-01-15T10:00', new Date(Date.now() + 60_000).toISOString().slice(0, 16));
    await stage.run({ acts: [{ do: 'write', session: A, text: later }, exit()] });
    const served = await stage.serve();
    const told = await until(async () => {
      const lines = story(await served.log());
      return lines.filter((line) => line.includes('ended')).length === 2 ? lines : null;
    });
    expect(told.filter((line) => line.includes('closed'))).toEqual([]);
    expect(told.filter((line) => line.startsWith('a '))).toEqual([
      'a one-u',
      'a one-a',
      'a two-u',
      'a two-a',
      'a moved (startup)',
      'a ended ended 1',
    ]);
  });
});

describe('a session', () => {
  test('[LAUNCH-6] that is left for another has its turn closed as completed; a compaction or resuming the same changes nothing', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const [one, two] = [stage.at('one'), stage.at('two')];
    const terminal = stage.start({
      acts: [
        start(A),
        write(A, 'one'),
        start(A, 'compact'),
        start(A, 'resume'),
        { do: 'mark', file: one },
        { do: 'wait', file: two },
        { do: 'leave', reason: 'clear' },
        start(B, 'clear'),
        write(B, 'two'),
        start(A, 'resume'),
        write(A, 'three'),
        exit(),
      ],
    });
    await waitForFile(one);
    const before = await storyOf(served, 'moved');
    expect(before.filter((line) => line.includes('closed'))).toEqual([]);
    await expect
      .poll(() => served.ask('/launches'))
      .toMatchObject({ items: [{ state: 'running', session_id: A, sessions: [A], exit: null, ended_at: null }] });
    writeFileSync(two, '');
    await terminal.ended;
    const told = await storyOf(served, 'ended');
    expect(told.filter((line) => !/-[ua]$/u.test(line))).toEqual([
      'launch.started',
      'a moved (startup)',
      'a closed completed by launch',
      'b moved (clear)',
      'b closed completed by launch',
      'a moved (resume)',
      // Whatever still ran in the session that was left is cut off with the process.
      'b closed cancelled, end by launch',
      'a closed completed, end by launch',
      'a ended ended 0',
    ]);
    expect(told.indexOf('b two-a')).toBeLessThan(told.lastIndexOf('b closed completed by launch'));
    expect(await served.ask('/launches')).toMatchObject({
      items: [{ state: 'ended', session_id: A, sessions: [A, B], exit: { code: 0, signal: null, status: 'completed' } }],
      next_cursor: null,
    });
  });

  test('[LAUNCH-6] that is a copy leaves its source as it is, also where the hook names the source and only its end the copy (2.0.76)', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const args = ['--resume', A, '--fork-session'];
    await stage.run({ acts: [write(A, 'one'), start(B, 'fork'), write(B, 'two'), exit()] }, args);
    await stage.run({ acts: [start(A, 'resume'), write(C, 'three'), { do: 'leave', session: C, reason: 'other' }, exit(1)] }, args);
    const told = await storyOf(served, 'c ended');
    expect(told.filter((line) => line.startsWith('a '))).toEqual(['a one-u', 'a one-a']);
    expect(told.filter((line) => /moved|closed|ended/u.test(line))).toEqual([
      'b moved (fork)',
      'b closed completed, end by launch',
      'b ended ended 0',
      'c moved (fork)',
      'c closed failed, end by launch',
      'c ended ended 1',
    ]);
  });

  test('[LAUNCH-6] that is a copy nobody names is found by what it begins with', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    await stage.run({ acts: [write(A, 'one'), exit()] });
    const copied = openTurn(A, 'one').replaceAll(`"sessionId":"${A}"`, `"sessionId":"${B}"`);
    const up = stage.at('up');
    const acts: readonly Act[] = [
      start(A, 'resume'),
      { do: 'write', session: C, text: openTurn(C, 'stray') },
      { do: 'write', session: B, text: copied },
      { do: 'mark', file: up },
      { do: 'wait', file: '/never' },
    ];
    const terminal = stage.start({ acts }, ['--resume', A, '--fork-session']);
    const pid = Number(await waitForFile(up));
    await storyOf(served, 'b moved (fork)');
    await expect.poll(() => served.ask('/launches')).toMatchObject({ items: [{ session_id: B, sessions: [B] }, {}] });
    process.kill(pid, 'SIGKILL');
    expect((await terminal.ended).code).toBe(137);
    // The launch before it has ended, too, with 0.
    const told = await storyOf(served, 'b ended ended null');
    expect(told.filter((line) => line.includes('closed'))).toEqual(['b closed cancelled, end by launch']);
  });

  test('[LAUNCH-9] whose transcript lies outside the watched folders is followed', async () => {
    const stage = makeStage();
    const served = await stage.serve({ sweepEvery: 60_000 }); // so that nobody stumbles on it
    const [up, go] = [stage.at('up'), stage.at('go')];
    const terminal = stage.start(
      {
        acts: [
          start(A),
          { do: 'mark', file: up },
          { do: 'wait', file: go },
          write(A, 'one'),
          { do: 'wait', file: stage.at('end') },
          write(A, 'two'),
          exit(),
        ],
      },
      [],
      { CLAUDE_CONFIG_DIR: stage.at('another') },
    );
    await waitForFile(up);
    await storyOf(served, 'a moved');
    writeFileSync(go, '');
    await storyOf(served, 'a one-a');
    writeFileSync(stage.at('end'), '');
    await terminal.ended;
    expect((await storyOf(served, 'ended')).slice(-3)).toEqual(['a two-a', 'a closed completed, end by launch', 'a ended ended 0']);
    // It is still followed by the next server.
    await served.close();
    const next = await stage.serve();
    await next.server.imported;
    const [project = ''] = readdirSync(stage.at('another/projects'));
    writeFileSync(join(stage.at('another/projects'), project, `${A}.jsonl`), openTurn(A, 'three'), { flag: 'a' });
    await storyOf(next, 'a three-a');
  });

  test('[LAUNCH-9] whose transcript is in a folder of any other kind brings only itself', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const odd = stage.at('odd');
    mkdirSync(odd);
    writeFileSync(join(odd, `${A}.jsonl`), openTurn(A, 'one'));
    writeFileSync(join(odd, `${B}.jsonl`), openTurn(B, 'private'));
    const acts: readonly Act[] = [{ do: 'start', session: A, source: 'startup' }, exit()];
    // The hook tells where: here it is told itself.
    await stage.run({ acts }, [], { STAND_IN_TRANSCRIPT: join(odd, `${A}.jsonl`) });
    const told = await storyOf(served, 'ended');
    expect(told).toContain('a one-a');
    expect(told.filter((line) => line.startsWith('b '))).toEqual([]);
  });

  test('[LAUNCH-14] of an excluded project leaves no trace', async () => {
    const stage = makeStage();
    const served = await stage.serve({ excludedProjects: [stage.work] });
    await stage.run({ acts: [start(A), write(A, 'one'), exit()] });
    await served.close();
    const next = await stage.serve({ excludedProjects: [stage.work] });
    await next.server.imported;
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect(await next.log()).toEqual([]);
    expect(await next.ask('/launches')).toEqual({ items: [], next_cursor: null });
  });
});

describe('the end', () => {
  test.each([
    ['0 is completed', { acts: [exit(0)] }, null, 'completed', 0],
    ['another code is failed', { acts: [exit(1)] }, null, 'failed', 1],
    ['death by a signal is cancelled', { acts: [{ do: 'die', signal: 'SIGKILL' }] }, null, 'cancelled', 137],
    ['the code that stands for a signal is cancelled', { acts: [exit(143)] }, null, 'cancelled', 143],
    ['a signal that was passed on is cancelled, whatever claude makes of it', { acts: [], on: { SIGTERM: 0 } }, 'SIGTERM', 'cancelled', 0],
    ['an interruption is cancelled, though claude -p ends with 0', { acts: [], on: { SIGINT: 0 } }, 'SIGINT', 'cancelled', 0],
  ] as const)('[LAUNCH-7] %s', async (_, play, signal, status, code) => {
    const stage = makeStage();
    const served = await stage.serve();
    const up = stage.at('up');
    const waiting: readonly Act[] = signal === null ? [] : [{ do: 'wait', file: '/never' }];
    const terminal = stage.start({ ...play, acts: [start(A), write(A, 'one'), { do: 'mark', file: up }, ...waiting, ...play.acts] });
    const pid = Number(await waitForFile(up));
    if (signal !== null) terminal.child.kill(signal);
    if (signal === 'SIGINT') process.kill(pid, signal); // the terminal sends it to both
    expect((await terminal.ended).code).toBe(code);
    expect((await storyOf(served, 'ended')).filter((line) => line.includes('closed'))).toEqual([`a closed ${status}, end by launch`]);
  });

  test('[LAUNCH-8] of a launcher that was killed is noticed when its claude is gone, too: cancelled', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const up = stage.at('up');
    const terminal = stage.start({
      acts: [start(A), write(A, 'one'), { do: 'mark', file: up }, { do: 'wait', file: stage.at('go') }, write(A, 'two')],
    });
    await waitForFile(up);
    await storyOf(served, 'a one-a');
    terminal.child.kill('SIGKILL');
    await until(() => (terminal.child.signalCode === 'SIGKILL' ? true : null));
    // Its claude goes on, and so does the session.
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect(await served.ask('/launches')).toMatchObject({ items: [{ state: 'running' }] });
    writeFileSync(stage.at('go'), '');
    expect((await storyOf(served, 'ended')).slice(-3)).toEqual(['a two-a', 'a closed cancelled, end by launch', 'a ended lost null']);
    await expect
      .poll(() => served.ask('/launches'))
      .toMatchObject({ items: [{ state: 'lost', exit: { code: null, signal: null, status: 'cancelled' } }] });
    await expect.poll(() => readdirSync(stage.launches).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  });

  test('[LAUNCH-8] of a launcher that was killed while no server ran is noticed by the next: cancelled', async () => {
    const stage = makeStage();
    const up = stage.at('up');
    const terminal = stage.start({ acts: [start(A), write(A, 'one'), { do: 'mark', file: up }, { do: 'wait', file: '/never' }] });
    const pid = Number(await waitForFile(up));
    terminal.child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    const served = await stage.serve();
    expect((await storyOf(served, 'ended')).slice(-2)).toEqual(['a closed cancelled, end by launch', 'a ended lost null']);
  });

  test('[LAUNCH-7] in one of two terminals leaves the turn to the other', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const [up, go] = [stage.at('up'), stage.at('go')];
    const other = stage.start({ acts: [start(A), write(A, 'one'), { do: 'mark', file: up }, { do: 'wait', file: go }, exit(0)] });
    await waitForFile(up);
    await stage.run({ acts: [start(A, 'resume'), exit(1)] }, ['--resume', A]);
    expect((await storyOf(served, 'ended')).filter((line) => line.includes('closed'))).toEqual([]);
    writeFileSync(go, '');
    await other.ended;
    expect((await storyOf(served, 'ended ended 0')).filter((line) => line.includes('closed'))).toEqual(['a closed completed, end by launch']);
  });
});
