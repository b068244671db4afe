import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../../../tests/home.ts';
import { A, B, makeStage, openTurn, waitForFile, type Served, type Stage, type Terminal } from './launch-stage.ts';
import type { Act, Play } from './stand-in.ts';

const GOES_ON = 'yarnboard: this session goes on elsewhere; Enter takes it back, Ctrl-C leaves it there\n';

/** A terminal that is in session A and stays there until it is told to end. */
const begin = async (stage: Stage, args: readonly string[] = [], more: Partial<Play> = {}): Promise<Terminal & { readonly pid: number }> => {
  const up = stage.at('up');
  const stay: readonly Act[] = [
    { do: 'start', session: A, source: 'startup' },
    { do: 'write', session: A, text: openTurn(A, 'one') },
    { do: 'mark', file: up },
    { do: 'wait', file: '/never' },
  ];
  const resumed: readonly Act[] = [
    { do: 'start', session: A, source: 'resume' },
    { do: 'exit', code: 5 },
  ];
  const terminal = stage.start({ acts: stay, resumed, on: { SIGINT: 0 }, ...more }, args);
  const pid = Number(await waitForFile(up));
  return { ...terminal, pid };
};

const isKnown = (served: Served, sessionId: string): Promise<true> =>
  until(() => (served.server.launches.of(sessionId)?.state === 'running' ? true : null));

const deeds = async (served: Served): Promise<readonly string[]> =>
  (await served.log())
    .filter(({ type }) => type === 'turn.closed' || type === 'launch.moved' || type === 'launch.ended')
    .map(
      ({ type, session, payload }) =>
        `${session.slice(0, 1)} ${type} ${String(payload['status'] ?? payload['source'])}${type === 'turn.closed' ? ` by ${String(payload['by'])}` : ''}`,
    );

describe('a session that is switched', () => {
  test('[LAUNCH-13] away ends its claude politely and cancels the turn; switched back, it goes on in the same terminal', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const terminal = await begin(stage, ['--model', 'opus', 'fix it']);
    await isKnown(served, A);
    const away = await served.server.launches.release(A);
    expect(away).toMatchObject({ ok: true, value: { state: 'released', sessionId: A } });
    // Resolved means that it is on the log.
    expect(await deeds(served)).toEqual(['a launch.moved startup', 'a turn.closed cancelled by switch']);
    await expect.poll(terminal.err).toBe(GOES_ON);
    expect(await served.ask('/launches')).toMatchObject({ items: [{ state: 'released', session_id: A, exit: null }] });
    expect(await served.server.launches.release(A)).toMatchObject({ ok: false, error: { kind: 'no-launch' } });
    const back = await served.server.launches.takeBack(A);
    expect(back).toMatchObject({ ok: true, value: { state: 'running', sessionId: A } });
    expect((await terminal.ended).code).toBe(5);
    const [first, second] = stage.claude.seen();
    expect(second?.args.slice(2)).toEqual(['--resume', A, '--model', 'opus']);
    expect(second?.cwd).toBe(first?.cwd);
    expect(second?.hooks).toEqual([{ code: 0, out: '', err: '' }]);
    await served.told('launch.ended');
    expect(await deeds(served)).toEqual([
      'a launch.moved startup',
      'a turn.closed cancelled by switch',
      'a turn.closed failed by launch',
      'a launch.ended failed',
    ]);
    // A hook that a busy machine kept waiting says so in the file of faults.
    expect(readdirSync(stage.launches).filter((name) => !name.endsWith('.jsonl') && name !== 'faults.log')).toEqual([]);
  });

  test('[LAUNCH-13] away comes back by Enter, and what is typed then is claude’s again', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const [back, typed] = [stage.at('back'), stage.at('typed')];
    const terminal = await begin(stage, [], {
      resumed: [
        { do: 'mark', file: back },
        { do: 'read', file: typed },
        { do: 'exit', code: 5 },
      ],
    });
    await isKnown(served, A);
    await served.server.launches.release(A);
    await until(() => (terminal.err() === GOES_ON ? true : null));
    terminal.child.stdin?.write('\n');
    await waitForFile(back);
    terminal.child.stdin?.write('hello\n');
    expect(await waitForFile(typed)).toBe('hello\n');
    expect((await terminal.ended).code).toBe(5);
    expect(stage.spools()[0]?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['released', 'wants-back', 'taken-back', 'ended']));
  });

  test.skipIf(process.platform !== 'linux')('[LAUNCH-13] away and back on a terminal: not a key is lost or kept', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const [up, back, typed] = [stage.at('up'), stage.at('back'), stage.at('typed')];
    const acts: readonly Act[] = [
      { do: 'start', session: A, source: 'startup' },
      { do: 'mark', file: up },
      { do: 'wait', file: '/never' },
    ];
    const resumed: readonly Act[] = [
      { do: 'mark', file: back },
      { do: 'read', file: typed },
      { do: 'exit', code: 5 },
    ];
    const terminal = stage.startIn(['script', '-qec', `'${process.execPath}' '${stage.command}' claude`, '/dev/null'], {
      acts,
      resumed,
      on: { SIGINT: 0 },
    });
    await waitForFile(up);
    await isKnown(served, A);
    await served.server.launches.release(A);
    await until(() => (terminal.out().includes('goes on elsewhere') ? true : null));
    terminal.child.stdin?.write('\n');
    await waitForFile(back);
    terminal.child.stdin?.write('every key\n');
    expect(await waitForFile(typed)).toBe('every key\n');
    expect((await terminal.ended).code).toBe(5);
  });

  test('[LAUNCH-13] away comes back by Enter also when the server that had it is gone, and may have another id by then', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const terminal = await begin(stage);
    await isKnown(served, A);
    await served.server.launches.release(A);
    await served.close();
    await until(() => (terminal.err() === GOES_ON ? true : null));
    terminal.child.stdin?.write('\r\n');
    expect((await terminal.ended).code).toBe(5);
    const again = makeStage();
    const other = await again.serve();
    const second = await begin(again);
    await isKnown(other, A);
    await other.server.launches.release(A);
    expect(await other.server.launches.takeBack(A, B)).toMatchObject({ ok: true });
    await second.ended;
    expect(again.claude.seen().at(-1)?.args.slice(2)).toEqual(['--resume', B]);
  });

  test('[LAUNCH-13] away stays there when whoever sits at the terminal leaves, and cannot come back', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const terminal = await begin(stage);
    await isKnown(served, A);
    await served.server.launches.release(A);
    await until(() => (terminal.err() === GOES_ON ? true : null));
    terminal.child.kill('SIGINT');
    expect((await terminal.ended).code).toBe(0);
    await served.told('launch.ended');
    expect(await served.server.launches.takeBack(A)).toMatchObject({ ok: false, error: { kind: 'no-launch' } });
    // The turn is whoever's has the session now.
    expect((await deeds(served)).filter((line) => line.includes('closed'))).toEqual(['a turn.closed cancelled by switch']);
  });

  test('[LAUNCH-13] away from a single answer ends it: nobody waits there', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const terminal = await begin(stage, ['-p', 'x']);
    await isKnown(served, A);
    expect(await served.server.launches.release(A)).toMatchObject({ ok: true });
    expect(await terminal.ended).toMatchObject({ code: 130, err: '' });
  });

  test('[LAUNCH-13] away from a claude that will not end is killed', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const terminal = await begin(stage, [], { on: { SIGINT: 'ignore', SIGTERM: 'ignore' } });
    await isKnown(served, A);
    expect(await served.server.launches.release(A)).toMatchObject({ ok: true });
    expect(() => process.kill(terminal.pid, 0)).toThrow('ESRCH');
    terminal.child.stdin?.end();
    expect((await terminal.ended).code).toBe(0);
  });

  test('[LAUNCH-13] that no terminal has is refused with the reason, and so is one whose terminal dies', async () => {
    const stage = makeStage();
    const served = await stage.serve();
    const none = { ok: false, error: { kind: 'no-launch', why: 'no terminal has this session through `yarnboard claude`' } };
    expect(await served.server.launches.release(A)).toEqual(none);
    const terminal = await begin(stage);
    await isKnown(served, A);
    process.kill(terminal.child.pid ?? 0, 'SIGSTOP');
    const asked = served.server.launches.release(A);
    process.kill(terminal.child.pid ?? 0, 'SIGKILL');
    process.kill(terminal.pid, 'SIGKILL');
    expect(await asked).toEqual({ ok: false, error: { kind: 'ended', why: 'the terminal that had this session is closed' } });
    expect(served.server.launches.of(A)).toBeNull();
  });
});
