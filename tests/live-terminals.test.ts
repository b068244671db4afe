import { writeFileSync } from 'node:fs';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { makeStage as makeTerminals, waitForFile } from '../packages/cli/test/launch-stage.ts';
import { until } from './home.ts';
import { linesOf } from './live-file.ts';
import { endRun, endsIn, envelopesOf, expectAllWell, isCall, isText, isType, settle, storyOf } from './live-rules.ts';
import { makeStage } from './live-stage.ts';

describe('a terminal', () => {
  const A = 'aaaaaaaa-0000-4000-8000-00000000000a';

  test('[LAUNCH-5] [LAUNCH-8] that is killed while no server runs: the next start cancels its turn, once', async () => {
    const terminals = makeTerminals();
    const stage = await makeStage(terminals.folder);
    const up = terminals.at('up');
    const terminal = terminals.start({
      acts: [
        { do: 'start', session: A, source: 'startup' },
        { do: 'write', session: A, text: linesOf(A, 'one', { at: Date.now(), isOver: false }) },
        { do: 'mark', file: up },
        { do: 'wait', file: '/never' },
      ],
    });
    const pid = Number(await waitForFile(up));
    terminal.child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await terminal.ended;
    await stage.start();
    const listener = stage.listen();
    await listener.hear('the end of the launch', isType(ENTRY_TYPES.launchEnded));
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await stage.end(signal);
      await stage.start();
    }
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    expect(storyOf(listener.frames, A)).toEqual([
      'user: one?',
      'turn-start',
      'agent: one!',
      'tool-call-start Bash',
      'tool-call-end interrupted',
      'turn-end cancelled',
    ]);
    expect(
      listener.frames
        .filter(({ entryType }) => entryType.startsWith('launch.') || entryType === ENTRY_TYPES.turnClosed)
        .map(({ entryType }) => entryType),
    ).toEqual([ENTRY_TYPES.launchStarted, ENTRY_TYPES.launchMoved, ENTRY_TYPES.turnClosed, ENTRY_TYPES.launchEnded]);
  });

  test('[LAUNCH-7] [LAUNCH-8] whose launcher alone is killed: its claude goes on, and its turn is completed', async () => {
    const terminals = makeTerminals();
    const stage = await makeStage(terminals.folder);
    const [up, go] = [terminals.at('up'), terminals.at('go')];
    const terminal = terminals.start({
      acts: [
        { do: 'start', session: A, source: 'startup' },
        { do: 'write', session: A, text: linesOf(A, 'one', { at: Date.now(), isOver: false }) },
        { do: 'mark', file: up },
        { do: 'wait', file: go },
        { do: 'write', session: A, text: linesOf(A, 'two', { at: Date.now() + 1000, isOver: true }) },
        { do: 'exit', code: 0 },
      ],
    });
    await waitForFile(up);
    terminal.child.kill('SIGKILL');
    await stage.start();
    const listener = stage.listen();
    await listener.hear('the session', isType(ENTRY_TYPES.launchMoved, A));
    expect((await stage.ask('launches')).items).toMatchObject([{ state: 'running', session_id: A }]);
    writeFileSync(go, '');
    await listener.hear('its last word', isText('two!'));
    await listener.hear('the end of the launch', isType(ENTRY_TYPES.launchEnded));
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    expect(endsIn(listener.frames, A)).toEqual(['cancelled', 'completed']);
  });

  test('[RUN-16] gives its session to a run and takes it back: each time the open turn is cancelled, and everything is reported once', async () => {
    const terminals = makeTerminals();
    const stage = await makeStage(terminals.folder);
    await stage.start();
    const listener = stage.listen();
    const [up, back] = [terminals.at('up'), terminals.at('back')];
    const terminal = terminals.start({
      acts: [
        { do: 'start', session: A, source: 'startup' },
        { do: 'write', session: A, text: linesOf(A, 'one', { at: Date.now(), isOver: false }) },
        { do: 'mark', file: up },
        { do: 'wait', file: '/never' },
      ],
      resumed: [
        { do: 'start', session: A, source: 'resume' },
        { do: 'write', session: A, text: linesOf(A, 'two', { at: Date.now() + 3000, isOver: false }) },
        { do: 'mark', file: back },
        { do: 'wait', file: '/never' },
      ],
      on: { SIGINT: 0 },
    });
    await waitForFile(up);
    await listener.hear('the call in the terminal', isCall('Bash'));
    await until(async () => ((await stage.ask('launches')).items[0]?.session_id === A ? true : null));
    const away = await stage.ask('switch_session', { id: A, to: 'remote', prompt: 'text hang' });
    expect(away).toMatchObject({ to: 'remote', session_id: A, run: { state: expect.any(String) as unknown } });
    await listener.hear('the run', isText('Doing'));
    await until(() => (envelopesOf(listener.frames, A).filter(({ ev }) => ev.t === 'tool-call-start').length === 2 ? true : null));
    expect(await stage.ask('switch_session', { id: A, to: 'local' })).toMatchObject({ to: 'local', session_id: A, is_taken: true, command: null });
    await waitForFile(back);
    await listener.hear('the terminal again', isText('two!'));
    const again = await stage.ask('switch_session', { id: A, to: 'remote', prompt: 'text' });
    await listener.hear('its last word', (frame) => isText('Done')(frame));
    await endRun(stage, listener, again.run?.run_id ?? '', A);
    terminal.child.kill('SIGTERM');
    await terminal.ended;
    await listener.hear('the end of the launch', isType(ENTRY_TYPES.launchEnded));
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    expect(endsIn(listener.frames, A)).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed']);
    expect(stage.err()).toBe('');
  });
});
