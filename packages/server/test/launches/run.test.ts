import { ENTRY_TYPES } from '@yarnboard/domain';
import { contextIdOf } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { recordedSteps } from './played-sdk.ts';
import { S, start, summary, of, text, call, result, done, hear } from './run-bench.ts';
import { ALL_RECORDED } from './streams.ts';

describe('a turn', () => {
  test('[RUN-7] is told in order and closed as completed when all of it is on the log; the run then waits for more', async () => {
    const { run, told, clock, played } = start([
      hear,
      text('a', 'I look'),
      call('b', 't'),
      result('c', 't'),
      text('d', 'two files'),
      done,
      hear,
      text('e', 'more'),
      done,
    ]);
    expect(run.view().state).toBe('idle');
    const uuid = await run.send('look');
    expect(run.view().state).toBe('running');
    await clock.pass(0);
    expect(summary(told)).toEqual(['text look', 'text I look', 'tool_use t', 'tool_result t', 'text two files', 'closed completed by run']);
    expect(run.view()).toMatchObject({ state: 'idle', counts: { messages: 5, records: 5, turns: 1, permissions: 0 } });
    expect(played.heard).toMatchObject([{ type: 'user', uuid, message: { role: 'user', content: 'look' }, parent_tool_use_id: null }]);
    expect(told[0]?.payload['uuid']).toBe(uuid);
    await run.send('and then?');
    await clock.pass(0);
    expect(summary(told).slice(6)).toEqual(['text and then?', 'text more', 'closed completed by run']);
    run.end();
    await run.over;
    expect(summary(told).slice(9)).toEqual(['closed completed for good by run', 'ended completed']);
    expect(run.view()).toMatchObject({ state: 'ended', status: 'completed', why: null });
    expect(await run.send('still there?')).toBeNull();
    expect(clock.waiting()).toBe(0);
  });

  test('[RUN-2] entries of the stream have a uuid made of the record’s, the context of its agent, and no number', async () => {
    const { run, told, uuids, clock } = start([hear, call('a', 'x', 'Task'), text('b', 'hi', { parent_tool_use_id: 'x', agent_id: 'ag' }), done]);
    await run.send('go');
    await clock.pass(0);
    const streamed = told.filter(({ type }) => type === ENTRY_TYPES.streamed);
    expect(streamed.map(({ contextId }) => contextId)).toEqual([
      S,
      S,
      contextIdOf({ sessionId: S, agentId: 'ag' }),
      contextIdOf({ sessionId: S, agentId: 'ag' }),
      S, // the result of the call that was never answered
    ]);
    expect(streamed.map(({ sender }) => sender)).toEqual(['human', 'AGENT-claude', 'AGENT-claude', 'AGENT-ag', 'system']);
    expect(new Set(uuids).size).toBe(uuids.length);
    const again = start([hear, call('a', 'x', 'Task'), done]);
    await again.run.send('go');
    await again.clock.pass(0);
    expect(again.uuids[1]).toBe(uuids[1]);
    expect(uuids[1]).not.toBe('a');
  });

  test('[RUN-6] a call of the main conversation is held back until it is known what becomes of it; one of a sub-agent is not', async () => {
    const { run, told, clock } = start([hear, text('a', 'first'), call('b', 'main'), { wait: 'interrupt' }]);
    await run.send('go');
    await clock.pass(200);
    expect(summary(told)).toEqual(['text go', 'text first']);
    await clock.pass(50);
    expect(summary(told).at(-1)).toBe('tool_use main');
    const side = start([hear, call('c', 'in agent', 'Bash', { parent_tool_use_id: 'x' }), { wait: 'interrupt' }]);
    await side.run.send('go');
    await side.clock.pass(0);
    expect(summary(side.told).at(-1)).toBe('tool_use in agent');
    const asked = start([hear, call('d', 'asks'), { ask: { tool: 'Bash', input: {}, toolUseID: 'asks' } }]);
    await asked.run.send('go');
    await asked.clock.pass(0);
    expect(summary(asked.told).slice(1)).toEqual(['tool_use asks', 'permission.asked']);
  });

  test('[RUN-18] what is said in a fork waits for the history that it is copied with, which is written when the session has begun', async () => {
    let onCopied: () => void = () => {};
    let isAsked = false;
    const { run, told, clock } = start(
      [hear, of('system', { subtype: 'init', uuid: 'i' }), text('a', 'hi'), done],
      { resume: 'source', fork: true },
      () => {
        isAsked = true;
        return new Promise((resolve) => {
          onCopied = resolve;
        });
      },
    );
    await run.send('go');
    await clock.pass(0);
    expect(isAsked).toBe(true);
    expect(told).toEqual([]);
    onCopied();
    await clock.pass(0);
    expect(summary(told)).toEqual(['text go', 'text hi', 'closed completed by run']);
    run.end();
    await run.over;
  });

  test('[RUN-18] a fork that never speaks, or whose history cannot be read, ends all the same', async () => {
    const { run, told, faults } = start([{ fail: 'no such session' }], { resume: 'source', fork: true }, () =>
      Promise.reject(new Error('unreadable')),
    );
    await run.over;
    expect(summary(told)).toEqual(['closed failed for good by run', 'ended failed']);
    expect(faults).toHaveLength(1);
  });

  test('[RUN-14] what is said while a turn goes on is marked, since it ends nothing', async () => {
    const { run, told, clock } = start([hear, text('a', 'working'), { wait: 'interrupt' }]);
    await run.send('go');
    await clock.pass(0);
    await run.send('and that');
    expect(told.map(({ payload }) => payload['isQueued'])).toEqual([undefined, undefined, true]);
  });

  test('[RUN-22] is stopped while the run goes on, and [RUN-23] what was queued is heard after it, in order, but for what was taken back', async () => {
    const stopped = of('result', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' });
    const { run, told, clock, played } = start([
      hear,
      text('a', 'working'),
      { wait: 'interrupt' },
      stopped,
      hear,
      text('b', 'next'),
      done,
      hear,
      text('c', 'last'),
      done,
    ]);
    await run.send('go', true);
    await clock.pass(0);
    await run.send('one', true);
    const second = await run.send('two', true);
    await run.send('three', true);
    expect(run.view().queued.map((one) => one.text)).toEqual(['one', 'two', 'three']);
    expect(summary(told)).toEqual(['text go', 'text working']);
    expect(run.unsend(second ?? '')).toBe(true);
    expect(run.unsend(second ?? '')).toBe(false);
    await run.interrupt();
    await clock.pass(0);
    expect(summary(told)).toEqual([
      'text go',
      'text working',
      'closed cancelled by run',
      'text one',
      'text next',
      'closed completed by run',
      'text three',
      'text last',
      'closed completed by run',
    ]);
    expect(played.heard).toMatchObject(['go', 'one', 'three'].map((content) => ({ message: { content } })));
    expect(run.view()).toMatchObject({ state: 'idle', queued: [] });
    run.end();
    await run.over;
  });

  test('[RUN-23] what a run never heard is reported when it has ended', async () => {
    const { run, told, clock, played } = start([hear, text('a', 'working'), { wait: 'interrupt' }, done]);
    await run.send('go');
    await clock.pass(0);
    await run.send('later', true);
    run.end();
    await run.interrupt();
    await run.over;
    expect(run.view()).toMatchObject({ state: 'ended', queued: [{ text: 'later' }] });
    expect(summary(told)).not.toContain('text later');
    expect(played.heard).toHaveLength(1);
  });

  test('[RUN-7] is failed when the SDK says so, and the run may go on', async () => {
    const { run, told, clock } = start([
      hear,
      of('result', { subtype: 'success', is_error: true, result: 'API Error: 400' }),
      hear,
      text('a', 'better'),
      done,
    ]);
    await run.send('go');
    await clock.pass(0);
    expect(summary(told)).toEqual(['text go', 'closed failed by run']);
    expect(run.view().state).toBe('idle');
    await run.send('again');
    await clock.pass(0);
    expect(summary(told).at(-1)).toBe('closed completed by run');
  });

  test('[RUN-7] that breaks off is failed, with what was open closed before it', async () => {
    const { run, told, clock } = start([hear, call('a', 'x', 'Task'), call('b', 'y', 'Bash', { parent_tool_use_id: 'x' }), { fail: 'spawn ENOENT' }]);
    await run.send('go');
    await clock.pass(0);
    await run.over;
    expect(summary(told)).toEqual([
      'text go',
      'tool_use x',
      '(root) text go',
      'tool_use y',
      '(interrupted) tool_result y',
      '(interrupted) tool_result x',
      'closed failed for good by run',
      'ended failed',
    ]);
    expect(run.view()).toMatchObject({ state: 'ended', status: 'failed', why: 'spawn ENOENT' });
  });

  test('[RUN-7] what is thrown behind the result of a turn that went wrong is told once, and a process that dies while it waits is told', async () => {
    const failed = start([
      hear,
      of('result', { subtype: 'error_during_execution', is_error: true, errors: ['No conversation found'] }),
      { fail: 'returned an error result' },
    ]);
    await failed.run.send('go');
    await failed.run.over;
    expect(failed.run.view()).toMatchObject({ status: 'failed', why: 'No conversation found' });
    expect(summary(failed.told)).toEqual(['text go', 'closed failed by run', 'closed failed for good by run', 'ended failed']);
    const died = start([hear, text('a', 'hi'), done, { fail: 'killed' }]);
    await died.run.send('go');
    await died.run.over;
    expect(died.run.view()).toMatchObject({ status: 'failed', why: 'killed' });
    const silent = start([{ fail: 'no binary' }]);
    await silent.run.over;
    expect(silent.run.view()).toMatchObject({ status: 'failed', why: 'no binary' });
  });

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-7] nothing of %s is left open, and everything is told',
    async (_, { queries }) => {
      for (const messages of queries) {
        const { run, told, clock, faults } = start((sessionId) => recordedSteps(messages, sessionId));
        await run.send('go');
        await clock.pass(1000);
        run.end();
        await clock.pass(1000);
        await run.over;
        expect(faults).toEqual([]);
        const ends = summary(told);
        expect(ends.slice(-2)[0]).toMatch(/^closed .* for good by run$/u);
        expect(ends.at(-1)).toMatch(/^ended/u);
        const streamed = new Set(told.map(({ payload }) => payload['uuid']));
        const said = messages.filter(({ type }) => type === 'user' || type === 'assistant');
        expect(said.filter(({ uuid }) => !streamed.has(uuid))).toEqual([]);
        expect(told.filter(({ type }) => type === ENTRY_TYPES.runMoved)).toEqual([]);
      }
    },
  );

  test('[RUN-3] a run that finds itself in another session says so, and goes on there', async () => {
    const { run, told, clock } = start([hear, text('a', 'here', { session_id: 'other' }), text('b', 'still', { session_id: 'other' })]);
    await run.send('go');
    await clock.pass(0);
    expect(told.map(({ type, sessionId }) => [type, sessionId]).slice(0, 3)).toEqual([
      [ENTRY_TYPES.streamed, S],
      [ENTRY_TYPES.runMoved, 'other'],
      [ENTRY_TYPES.streamed, 'other'],
    ]);
    expect(told[1]?.payload).toEqual({ runId: 'run', from: S, to: 'other' });
    expect(run.view().sessionId).toBe('other');
  });
});

describe('what a run is started with', () => {
  test('[RUN-14] a new session has an id of ours; a resumed one keeps its own; a fork has one of ours again', () => {
    expect(start([]).played.options()).toMatchObject({ cwd: '/work', sessionId: S, env: { PATH: '/bin' }, forwardSubagentText: true });
    const resumed = start([], { resume: S, resumeAt: 'u' }).played.options();
    expect(resumed).toMatchObject({ resume: S, resumeSessionAt: 'u' });
    expect(resumed.sessionId).toBeUndefined();
    expect(start([], { resume: 'source', fork: true }).played.options()).toMatchObject({ resume: 'source', forkSession: true, sessionId: S });
    expect(start([], { model: 'm', permissionMode: 'plan', maxTurns: 3 }).played.options()).toMatchObject({
      model: 'm',
      permissionMode: 'plan',
      maxTurns: 3,
    });
    expect(start([]).played.options().allowDangerouslySkipPermissions).toBeUndefined();
    expect(start([], { permissionMode: 'bypassPermissions' }).played.options().allowDangerouslySkipPermissions).toBe(true);
  });
});
