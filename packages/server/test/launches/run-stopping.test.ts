import { ENTRY_TYPES } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { settle } from './clock.ts';
import { recordedSteps, type Step } from './played-sdk.ts';
import { HUMAN, start, summary, text, call, result, done, aborted, hear } from './run-bench.ts';
import { readRecorded } from './streams.ts';

describe('permission', () => {
  const asking: readonly Step[] = [
    hear,
    call('a', 't', 'Write'),
    { ask: { tool: 'Write', input: { path: 'x' }, toolUseID: 't', agentID: 'ag', requestId: 'q' } },
    result('b', 't'),
    done,
  ];

  test('[RUN-10] is asked for on the log, waited for, and given with who gave it before anything is done', async () => {
    const { run, told, clock, played, setFull } = start(asking);
    await run.send('go');
    await clock.pass(0);
    expect(run.view()).toMatchObject({
      state: 'waiting',
      pending: [{ requestId: 'q', tool: 'Write', input: { path: 'x' }, toolUseId: 't', agentId: 'ag', askedAt: clock.now() }],
    });
    expect(told.at(-1)).toMatchObject({ type: ENTRY_TYPES.permissionAsked, payload: { runId: 'run', requestId: 'q', tool: 'Write', agentId: 'ag' } });
    expect(await run.answer('other', { decision: 'allow', updatedInput: null }, HUMAN)).toBe('unknown');
    setFull(true);
    const answering = run.answer('q', { decision: 'allow', updatedInput: { path: 'y' } }, HUMAN);
    await settle();
    expect(played.answers).toEqual([]);
    expect(await run.answer('q', { decision: 'deny', message: null, interrupt: false }, HUMAN)).toBe('answered');
    setFull(false);
    await clock.pass(1000);
    expect(await answering).toBe('done');
    expect(played.answers).toEqual([{ behavior: 'allow', updatedInput: { path: 'y' } }]);
    expect(told.find(({ type }) => type === ENTRY_TYPES.permissionAnswered)).toMatchObject({
      sender: 'ada',
      payload: { decision: 'allow', updatedInput: { path: 'y' } },
    });
    expect(summary(told).slice(2)).toEqual(['permission.asked', 'answered allow', 'tool_result t', 'closed completed by run']);
    expect(run.view()).toMatchObject({
      state: 'idle',
      pending: [],
      answers: [{ requestId: 'q', tool: 'Write', decision: 'allow', isChanged: true, by: 'ada' }],
      counts: { permissions: 1 },
    });
  });

  test.each([
    [{ decision: 'allow', updatedInput: null } as const, { behavior: 'allow', updatedInput: { path: 'x' } }],
    [{ decision: 'deny', message: 'not there', interrupt: false } as const, { behavior: 'deny', message: 'not there' }],
    [{ decision: 'deny', message: null, interrupt: true } as const, { behavior: 'deny', message: 'the operator said no', interrupt: true }],
  ])('[RUN-10] the SDK is told %j', async (answer, expected) => {
    const { run, clock, played } = start(asking);
    await run.send('go');
    await clock.pass(0);
    const answering = run.answer('q', answer, HUMAN);
    expect(played.answers).toEqual([]);
    expect(await answering).toBe('done');
    await settle();
    expect(played.answers).toEqual([expected]);
  });

  test('[RUN-10] what nobody answered is withdrawn with the run, and so is what the SDK takes back', async () => {
    const { run, told, clock, played } = start(asking);
    await run.send('go');
    await clock.pass(0);
    const stopping = run.stop({ why: 'enough', by: 'run' });
    await clock.pass(20_000);
    await stopping;
    expect(summary(told)).toContain('answered withdrawn');
    expect(await run.answer('q', { decision: 'allow', updatedInput: null }, HUMAN)).toBe('withdrawn');
    expect(run.view().answers).toMatchObject([{ requestId: 'q', decision: 'withdrawn', by: null }]);
    expect(played.answers).toMatchObject([{ behavior: 'deny', interrupt: true }]);
    const taken = start([hear, { askAndCancel: { tool: 'Write', input: {}, requestId: 'q' } }, done]);
    await taken.run.send('go');
    await taken.clock.pass(0);
    expect(summary(taken.told)).toEqual(['text go', 'permission.asked', 'answered withdrawn', 'closed completed by run']);
  });
});

describe('stopping', () => {
  const reason = { why: 'it was aborted', by: 'run' } as const;

  test('[RUN-8] one that listens: what it still says, its cancelled turn, its end', async () => {
    const { run, told, clock, played } = start([hear, call('a', 't'), { wait: 'interrupt' }, result('b', 't'), aborted]);
    await run.send('go');
    await clock.pass(0);
    const stopping = Promise.all([run.stop(reason), run.stop({ why: 'again', by: 'switch' })]);
    await clock.pass(100);
    await stopping;
    expect(summary(told)).toEqual([
      'text go',
      'tool_use t',
      'tool_result t',
      'closed cancelled by run',
      'closed cancelled for good by run',
      'ended cancelled',
    ]);
    expect(run.view()).toMatchObject({ state: 'ended', status: 'cancelled', why: 'it was aborted' });
    expect(played.interrupts()).toBe(1);
    expect(clock.waiting()).toBe(0);
  });

  test.each([
    ['only ends when it is aborted', 'abort'],
    ['never ends', 'for ever'],
  ] as const)('[RUN-8] one that %s is closed all the same, its innermost calls first', async (_, wait) => {
    const { run, told, clock, played } = start([hear, call('a', 'x', 'Task'), call('b', 'y', 'Bash', { parent_tool_use_id: 'x' }), { wait }]);
    await run.send('go');
    await clock.pass(0);
    const stopping = run.stop(reason);
    await clock.pass(30_000);
    await stopping;
    await run.over;
    expect(played.options().abortController.signal.aborted).toBe(true);
    expect(summary(told).slice(-4)).toEqual([
      '(interrupted) tool_result y',
      '(interrupted) tool_result x',
      'closed cancelled for good by run',
      'ended cancelled',
    ]);
    expect(clock.waiting()).toBe(0);
  });

  test('[RUN-8] one that waits for a message, or has just begun, ends too', async () => {
    const idle = start([hear, text('a', 'hi'), done]);
    await idle.run.send('go');
    await idle.clock.pass(0);
    const ending = idle.run.stop(reason);
    await idle.clock.pass(100);
    await ending;
    expect(summary(idle.told).slice(-3)).toEqual(['closed completed by run', 'closed cancelled for good by run', 'ended cancelled']);
    const fresh = start([{ wait: 'abort' }], { prompt: 'go' });
    const stopping = fresh.run.stop(reason);
    await fresh.clock.pass(30_000);
    await stopping;
    expect(summary(fresh.told)).toEqual(['closed cancelled for good by run', 'ended cancelled']);
  });

  test('[RUN-8] a turn that begins when another was interrupted is interrupted, too', async () => {
    const { run, told, clock, played } = start([
      hear,
      call('a', 't'),
      { wait: 'interrupt' },
      aborted,
      text('b', 'an agent has ended'),
      { wait: 'next interrupt' },
      aborted,
    ]);
    await run.send('go');
    await clock.pass(0);
    const stopping = run.stop(reason);
    await clock.pass(200);
    await stopping;
    expect(played.interrupts()).toBe(2);
    expect(summary(told).filter((one) => one.startsWith('closed'))).toEqual([
      'closed cancelled by run',
      'closed cancelled by run',
      'closed cancelled for good by run',
    ]);
    expect(played.options().abortController.signal.aborted).toBe(false);
  });

  test('[RUN-8] one whose log takes nothing ends in time, and what could not be written is reported', async () => {
    const { run, told, clock, faults, setFull } = start([hear, call('a', 't'), { wait: 'interrupt' }, aborted]);
    await run.send('go');
    await clock.pass(0);
    setFull(true);
    const stopping = run.stop(reason);
    await clock.pass(60_000);
    await stopping;
    expect(run.view().state).toBe('ended');
    expect(summary(told)).toEqual(['text go']);
    expect(String(faults.at(-1))).toMatch(/4 entries of run run could not be written/u);
  });

  test('[RUN-8] asked to end, it finishes its turn first, and takes no more', async () => {
    const { run, told, clock } = start([
      hear,
      text('a', 'working'),
      { ask: { tool: 'Write', input: {}, toolUseID: 't', requestId: 'q' } },
      done,
      { wait: 'for ever' },
    ]);
    await run.send('go');
    await clock.pass(0);
    run.end();
    expect(run.view().state).toBe('waiting');
    expect(await run.send('more')).toBeNull();
    await run.answer('q', { decision: 'allow', updatedInput: null }, HUMAN);
    await clock.pass(0);
    expect(summary(told).at(-1)).toBe('closed completed by run');
    const switched = run.stop({ why: 'switched', by: 'switch' });
    await clock.pass(30_000);
    await switched;
    expect(summary(told).at(-2)).toBe('closed cancelled for good by switch');
  });

  test('[RUN-5] an interrupted turn of a recorded stream has its results before its end', async () => {
    const { queries } = readRecorded('sdk-0.2.50', 'interrupttask');
    const { run, told, clock } = start((sessionId) => recordedSteps(queries[0] ?? [], sessionId));
    await run.send('go');
    await clock.pass(1000);
    const words = summary(told);
    expect(words.indexOf('closed cancelled by run')).toBeGreaterThan(words.findLastIndex((one) => one.startsWith('tool_result')));
    expect(words.filter((one) => one.startsWith('closed'))).toEqual(['closed cancelled by run', 'closed completed by run']);
  });
});
