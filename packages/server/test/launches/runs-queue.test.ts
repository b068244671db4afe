import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { beginRun, type Progress, type ProgressInput } from '../../src/launches/run-progress.ts';
import { stepRun } from '../../src/launches/run-steps.ts';
import { viewOf } from '../../src/launches/run-view.ts';
import { prompt, reply, until } from '../ingest/bench.ts';
import type { Step } from './played-sdk.ts';
import { openRuns, settled, type RunsBench } from './runs-bench.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

const of = (type: string, more: object): Step => ({ say: { type, parent_tool_use_id: null, ...more } });
const text = (uuid: string, said: string): Step => of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'text', text: said }] } });
const hear: Step = { hear: true };
const done: Step = of('result', {
  subtype: 'success',
  total_cost_usd: 0.25,
  usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 9000 },
});
const aborted: Step = of('result', { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' });

const open = async (...given: Parameters<typeof openRuns>): Promise<RunsBench> => {
  const bench = await openRuns(...given);
  closers.push(bench.close);
  return bench;
};

describe('what waits', () => {
  test('[RUN-23] [RUN-24] has a million characters in all at most, however they got there', async () => {
    const bench = await open([hear, text('a', 'working'), { wait: 'interrupt' }, aborted]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    const [first, second] = [randomUUID(), randomUUID()];
    const send = (uuid: string, said: string) => bench.post(`/runs/${id}/messages`, { text: said, uuid, queue: true });
    const change = (uuid: string, said: string) => bench.post(`/runs/${id}/change`, { uuid, text: said });
    expect((await send(first, 'x'.repeat(600_000))).status).toBe(200);
    expect(await (await send(second, 'y'.repeat(400_001))).json()).toMatchObject({ code: 'limit-reached', reason: 'queue-too-long' });
    expect((await send(second, 'y'.repeat(400_000))).status).toBe(200);
    expect(await (await change(second, 'y'.repeat(400_001))).json()).toMatchObject({ reason: 'queue-too-long' });
    // What is replaced makes room.
    expect((await change(first, 'x'.repeat(100_000))).status).toBe(200);
    expect((await change(second, 'y'.repeat(900_000))).status).toBe(200);
    const { queued } = await bench.get('run', { id });
    expect(queued.map((one) => one.text.length)).toEqual([100_000, 900_000]);
  });

  test('[RUN-24] [RUN-25] is changed in its place, and heard once however often it is sent', async () => {
    const bench = await open([
      hear,
      text('a', 'working'),
      { wait: 'interrupt' },
      aborted,
      hear,
      text('b', 'one'),
      done,
      hear,
      text('c', 'two'),
      done,
    ]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    const [first, second] = [randomUUID(), randomUUID()];
    for (const [uuid, said] of [
      [first, 'one'],
      [second, 'two'],
      [first, 'one'],
    ])
      expect((await bench.post(`/runs/${id}/messages`, { text: said, uuid, queue: true })).status).toBe(200);
    const changed = await bench.command('change_message', { id, uuid: first, text: 'uno' });
    expect(changed.queued.map((one) => [one.uuid, one.text])).toEqual([
      [first, 'uno'],
      [second, 'two'],
    ]);
    await bench.command('interrupt_run', { id });
    await until('both were heard', async () => (await bench.get('run', { id })).counts.turns === 3);
    // The answer to it was lost, and it is sent again.
    expect((await bench.post(`/runs/${id}/messages`, { text: 'two', uuid: second, queue: true })).status).toBe(200);
    expect(bench.played.heard).toMatchObject([
      { message: { content: 'go' } },
      { uuid: first, message: { content: 'uno' } },
      { uuid: second, message: { content: 'two' } },
    ]);
    const late = await bench.post(`/runs/${id}/change`, { uuid: first, text: 'too late' });
    expect([late.status, ((await late.json()) as { readonly code: string }).code]).toEqual([404, 'not-found']);
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
    expect(bench.faults).toEqual([]);
  });

  test('[RUN-25] is heard once, also when it is sent twice at once or again just when its turn comes', async () => {
    const bench = await open([
      hear,
      text('a', 'working'),
      { wait: 'interrupt' },
      aborted,
      hear,
      text('b', 'one'),
      done,
      hear,
      text('c', 'two'),
      done,
    ]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    const [first, second] = [randomUUID(), randomUUID()];
    const give = (uuid: string, said: string, queue: boolean): Promise<Response> => bench.post(`/runs/${id}/messages`, { text: said, uuid, queue });
    const queued = await Promise.all([give(first, 'one', true), give(first, 'one', true), give(first, 'one', true)]);
    expect(queued.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await bench.get('run', { id })).queued.map(({ uuid }) => uuid)).toEqual([first]);
    await Promise.all([bench.command('interrupt_run', { id }), ...Array.from({ length: 20 }, () => give(first, 'one', true))]);
    await until('the first was heard', async () => (await bench.get('run', { id })).counts.turns === 2);
    await Promise.all([give(second, 'two', false), give(second, 'two', false)]);
    await until('the second was heard', async () => (await bench.get('run', { id })).counts.turns === 3);
    expect(bench.played.heard.map(({ uuid }) => uuid).slice(1)).toEqual([first, second]);
    expect((await bench.get('run', { id })).queued).toEqual([]);
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
    expect(bench.faults).toEqual([]);
  });

  test('[RUN-29] no mask takes the place of a secret that was shown masked', async () => {
    const key = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-abcdeQAA`;
    const bench = await open([hear, text('a', 'working'), { wait: 'interrupt' }, aborted, hear, text('b', 'one'), done]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    const uuid = randomUUID();
    await bench.post(`/runs/${id}/messages`, { text: `use ${key} once`, uuid, queue: true });
    const shown = (await bench.get('run', { id })).queued[0]?.text ?? '';
    expect(shown).toMatch(/^use \[masked anthropic-key …eQAA\] once$/u);
    const refused = await bench.post(`/runs/${id}/change`, { uuid, text: shown.replace('once', 'twice') });
    const why = (await refused.json()) as { readonly code: string; readonly detail: string }; // a problem
    expect([refused.status, why.code]).toEqual([400, 'bad-request']);
    expect(why.detail).toContain('[masked anthropic-key …eQAA] where a secret was');
    // Elsewhere a mask is words like any other.
    await bench.command('change_message', { id, uuid, text: `use ${key}, not [masked github-token]` });
    await bench.command('interrupt_run', { id });
    await until('it was heard', async () => (await bench.get('run', { id })).counts.turns === 2);
    expect(bench.played.heard.at(-1)).toMatchObject({ uuid, message: { content: `use ${key}, not [masked github-token]` } });
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
  });

  test('[RUN-29] nor in the input of a request', async () => {
    const key = `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}-abcdeQAA`;
    const ask: Step = { ask: { tool: 'Write', input: { file_path: '/x', content: `login ${key}` }, toolUseID: 't', requestId: 'q' } };
    const bench = await open([hear, text('a', 'working'), ask, done]);
    const { run_id: id } = await bench.startRun();
    const shown = (await bench.reach(id, 'waiting')).pending[0]?.input ?? {};
    const answer = (input: object): Promise<Response> =>
      bench.post(`/runs/${id}/permissions`, { request_id: 'q', decision: 'allow', updated_input: input });
    expect((await answer({ ...shown, file_path: '/y' })).status).toBe(400);
    expect((await answer({ file_path: '/y', content: `login ${key}` })).status).toBe(200);
    await bench.reach(id, 'idle');
    expect(bench.played.answers).toEqual([{ behavior: 'allow', updatedInput: { file_path: '/y', content: `login ${key}` } }]);
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
  });

  test('[RUN-24] [RUN-26] whatever is queued, changed and taken back: the queue is the fold of it, and the revision always rises', () => {
    const STARTED = {
      runId: 'run',
      cwd: '/work',
      prompt: null,
      resume: null,
      fork: false,
      resumeAt: null,
      model: null,
      permissionMode: null,
      maxTurns: null,
    };
    const patience = { interrupt: 50, end: 30, abort: 50, send: 100 };
    const act = fc.record({ kind: fc.constantFrom('queued' as const, 'queued' as const, 'changed' as const, 'unsent' as const), of: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        let progress: Progress = stepRun(patience, beginRun(STARTED, 's', false), { kind: 'prompt', uuid: 'first', text: 'go', at: 0 }).progress;
        const expected: [string, string][] = [];
        for (const [n, { kind, of: which }] of acts.entries()) {
          const uuid = `p${which}`;
          if (kind === 'queued' && expected.some(([one]) => one === uuid)) continue;
          const input: ProgressInput = kind === 'unsent' ? { kind, uuid } : { kind, uuid, text: `t${n}`, at: n };
          const before = progress.revision;
          ({ progress } = stepRun(patience, progress, input));
          expect(progress.revision).toBeGreaterThan(before);
          const at = expected.findIndex(([one]) => one === uuid);
          if (kind === 'queued') expected.push([uuid, `t${n}`]);
          else if (at >= 0) expected.splice(at, 1, ...(kind === 'changed' ? [[uuid, `t${n}`] as [string, string]] : []));
        }
        expect(viewOf(progress, 0).queued.map((one) => [one.uuid, one.text])).toEqual(expected);
      }),
    );
  });
});

describe('who has a session', () => {
  const sessionId = randomUUID();

  test('[RUN-27] nobody; a run, before it has said anything; and the last one that had it', async () => {
    const bench = await open([hear, text('a', 'hello'), done], {
      files: { [`p/${sessionId}.jsonl`]: [prompt('u', 0, { cwd: '/elsewhere' }), reply('v', 1, { parentUuid: 'u' })] },
    });
    expect(await bench.get('holder', { id: sessionId })).toMatchObject({
      holder: 'nobody',
      tool: 'claude-code',
      directory: '/elsewhere',
      run: null,
      forks: [],
    });
    const { run_id: id, session_id: begun } = await bench.startRun({});
    expect(await bench.get('holder', { id: begun })).toMatchObject({ holder: 'run', directory: bench.cwd, run: { run_id: id, state: 'idle' } });
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
    expect(await bench.get('holder', { id: begun })).toMatchObject({ holder: 'nobody', run: { run_id: id, state: 'ended' } });
    expect((await bench.ask('/api/v1/sessions/nothing-of-this-name/holder')).status).toBe(404);
    expect((await bench.get('runs', { ended: 'false' })).items).toEqual([]);
    const fork = await bench.startRun({ resume: sessionId, fork: true, resume_at: 'v' });
    expect(fork).toMatchObject({ forked_from: { session_id: sessionId, at: 'v' } });
    expect((await bench.get('holder', { id: sessionId })).forks).toMatchObject([{ session_id: fork.session_id, at: 'v' }]);
    expect((await bench.get('runs', { ended: 'false' })).items.map((one) => one.run_id)).toEqual([fork.run_id]);
    await bench.command('abort_run', { id: fork.run_id });
  });

  test('[RUN-27] which commands its program takes, also when it has ended; what is no name is left out', async () => {
    const commands = ['compact', 'mcp:docs', 'no name', '', 7, `x${'y'.repeat(200)}`];
    const bench = await open([hear, of('system', { subtype: 'init', slash_commands: commands }), text('a', 'hello'), done]);
    const { run_id: id, session_id: session } = await bench.startRun({ prompt: 'go' });
    await bench.reach(id, 'idle');
    expect((await bench.get('holder', { id: session })).slash_commands).toEqual(['compact', 'mcp:docs']);
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
    expect((await bench.get('holder', { id: session })).slash_commands).toEqual(['compact', 'mcp:docs']);
  });

  test('[RUN-27] somebody whom nobody started here, as long as a turn is open and was lately', async () => {
    const now = Date.now();
    const line = (id: string, ago: number): object => prompt(`u-${id}`, 0, { cwd: '/elsewhere', timestamp: new Date(now - ago).toISOString() });
    const [busy, old] = [randomUUID(), randomUUID()];
    const bench = await open([], { files: { [`p/${busy}.jsonl`]: [line(busy, 1000)], [`p/${old}.jsonl`]: [line(old, 3_600_000 * 24)] } });
    expect((await bench.get('holder', { id: busy })).holder).toBe('foreign');
    expect((await bench.get('holder', { id: old })).holder).toBe('nobody');
  });
});

test('[RUN-28] what a run costs is told while it goes on and when it has ended', async () => {
  const bench = await open([hear, text('a', 'one'), done, hear, text('b', 'two'), done]);
  const { run_id: id, cost_usd: none } = await bench.startRun();
  expect(none).toBeNull();
  expect(await bench.reach(id, 'idle')).toMatchObject({ cost_usd: 0.25, tokens: 115 });
  await bench.post(`/runs/${id}/messages`, { text: 'more' });
  await until('it answered', async () => (await bench.get('run', { id })).counts.turns === 2);
  await bench.command('end_run', { id });
  // The SDK tells the sum of all turns in dollars, and each turn's own tokens.
  expect(await bench.reach(id, 'ended')).toMatchObject({ cost_usd: 0.25, tokens: 230 });
  await settled(bench, id);
  const ended = (await bench.entries()).find(({ type }) => type === 'run.ended');
  expect(ended?.payload?.['counts']).toMatchObject({ spent: { costUsd: 0.25, tokens: 230 } });
});
