import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { afterAll, describe, expect, test } from 'vitest';
import { homeOf } from '../../src/home/home.ts';
import { appendSpool, launchFolderOf, processOf, readControl } from '../../src/launches/spool.ts';
import { openBoard, type OpenBoard } from '../../src/main.ts';
import { makeFolder } from '../operations/boards.ts';
import { prompt, until } from '../ingest/bench.ts';
import { playSdk, type Step } from './played-sdk.ts';
import { entriesOf, openRuns, settled, type RunsBench } from './runs-bench.ts';
import { textOf } from './streams.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

const of = (type: string, more: object): Step => ({ say: { type, parent_tool_use_id: null, ...more } });
const text = (uuid: string, said: string, more: object = {}): Step =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'text', text: said }] }, ...more });
const call = (uuid: string, id: string, name = 'Bash', more: object = {}): Step =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { prompt: 'look' } }] }, ...more });
const result = (uuid: string, id: string): Step =>
  of('user', { uuid, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] } });
const done: Step = of('result', { subtype: 'success' });
const aborted: Step = of('result', { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' });
const hear: Step = { hear: true };
const TURN: readonly Step[] = [hear, text('a1', 'hello'), done];

const refused = async (response: Response): Promise<readonly unknown[]> => {
  const body = (await response.json()) as { readonly code?: string; readonly detail?: string };
  return [response.status, body.code, body.detail];
};

describe('over HTTP', () => {
  test('[RUN-14] a run is started, told things, listed and ended', async () => {
    const bench = await openRuns([...TURN, hear, text('a2', 'again'), done]);
    const { run_id: id, session_id: sessionId } = await bench.startRun({ prompt: 'hi', model: 'opus', permission_mode: 'plan', max_turns: 5 });
    const idle = await bench.reach(id, 'idle');
    expect(idle).toMatchObject({
      cwd: bench.cwd,
      prompt: 'hi',
      model: 'opus',
      permission_mode: 'plan',
      status: null,
      ended_at: null,
      counts: { turns: 1 },
    });
    expect(bench.played.options()).toMatchObject({ cwd: bench.cwd, model: 'opus', permissionMode: 'plan', maxTurns: 5 });
    const sent = (await (await bench.post(`/runs/${id}/messages`, { text: 'more' })).json()) as { readonly uuid: string };
    await until('it answered', async () => (await bench.get('run', { id })).counts.turns === 2);
    expect(bench.played.heard.map((message) => message['uuid'])).toContain(sent.uuid);
    expect(
      (await bench.entries())
        .filter(({ payload }) => payload?.['uuid'] === sent.uuid)
        .map(({ type, sender, sessionId: where }) => [type, sender, where]),
    ).toEqual([[ENTRY_TYPES.streamed, 'human', sessionId]]);
    await bench.command('end_run', { id });
    expect(await bench.reach(id, 'ended')).toMatchObject({ status: 'completed' });
    expect((await bench.get('runs')).items.map(({ run_id: one }) => one)).toEqual([id]);
    const [status, code, detail] = await refused(await bench.post(`/runs/${id}/messages`, { text: 'still there?' }));
    expect([status, code]).toEqual([409, 'run-ended']);
    expect(detail).toContain('resume its session in a new run (POST /api/v1/runs)');
    expect(bench.faults).toEqual([]);
  });

  test('[RUN-14] an envelope of the user is taken; whatever else it is, is refused with the reason', async () => {
    const bench = await openRuns([...TURN, ...TURN]);
    const { run_id: id } = await bench.startRun({});
    const envelope = { id: 'a'.repeat(24), time: 1, role: 'user', ev: { t: 'text', text: 'from afar' } };
    const send = (body: object): Promise<Response> => bench.post(`/runs/${id}/messages`, body);
    expect((await send({ envelope })).status).toBe(200);
    expect(bench.played.heard).toMatchObject([{ message: { content: 'from afar' } }]);
    for (const [body, code, reason] of [
      [{ envelope: { ...envelope, role: 'agent' } }, 'bad-envelope', /role must be user, not agent/u],
      [{ envelope: { ...envelope, ev: { t: 'turn-start' } } }, 'bad-envelope', /user may not send turn-start/u],
      [
        { envelope: { ...envelope, ev: { t: 'file', ref: 'r', name: 'n', size: 1, mime_type: 'm' } } },
        'bad-envelope',
        /ev\.t must be text, not file/u,
      ],
      [{ envelope: { ...envelope, id: 'short' } }, 'bad-envelope', /^id: /u],
      [{ envelope: { ...envelope, ev: { t: 'text', text: '' } } }, 'bad-envelope', /empty/u],
      [{}, 'bad-request', /give either text or envelope/u],
      [{ text: 'a', envelope }, 'bad-request', /give either text or envelope/u],
      [{ text: '' }, 'bad-request', /text/u],
    ] as const) {
      const [status, found, detail] = await refused(await send(body));
      expect([status, found]).toEqual([400, code]);
      expect(detail).toMatch(reason);
    }
    expect(bench.played.heard.length).toBe(1);
  });

  test('[RUN-10] a permission request is answered from anywhere, once', async () => {
    const ask: Step = { ask: { tool: 'Write', input: { file_path: '/x', some_key: 1 }, toolUseID: 't', requestId: 'q' } };
    const bench = await openRuns([hear, call('a', 't', 'Write'), ask, result('b', 't'), done]);
    const { run_id: id } = await bench.startRun();
    const waiting = await bench.reach(id, 'waiting');
    expect(waiting.pending).toMatchObject([
      { request_id: 'q', tool: 'Write', tool_use_id: 't', agent_id: null, input: { file_path: '/x', some_key: 1 } },
    ]);
    const answer = (body: object): Promise<Response> => bench.post(`/runs/${id}/permissions`, body);
    expect((await refused(await answer({ request_id: 'other', decision: 'allow' }))).slice(0, 2)).toEqual([404, 'no-such-request']);
    expect((await refused(await answer({ request_id: 'q', decision: 'maybe' }))).slice(0, 2)).toEqual([400, 'bad-request']);
    expect((await refused(await answer({ request_id: 'q', decision: 'allow', message: 'x' })))[2]).toMatch(
      /message and interrupt can be given only when decision is deny/u,
    );
    expect((await refused(await answer({ request_id: 'q', decision: 'deny', updated_input: {} })))[2]).toMatch(
      /updated_input can be given only when decision is allow/u,
    );
    expect((await answer({ request_id: 'q', decision: 'allow', updated_input: { file_path: '/y' } })).status).toBe(200);
    expect((await refused(await answer({ request_id: 'q', decision: 'deny' }))).slice(0, 2)).toEqual([409, 'already-answered']);
    await bench.reach(id, 'idle');
    expect(bench.played.answers).toEqual([{ behavior: 'allow', updatedInput: { file_path: '/y' } }]);
    expect((await bench.command('permissions', {})).items).toMatchObject([
      { request_id: 'q', run_id: id, tool: 'Write', input: {}, decision: 'allow', answered_by: 'AGENT-operator', is_changed: true },
    ]);
    const told = (await bench.entries()).filter(({ type }) => type.startsWith('permission.'));
    expect(told.map(({ type, sender, senderType }) => [type, sender, senderType])).toEqual([
      [ENTRY_TYPES.permissionAsked, 'system', 'system'],
      [ENTRY_TYPES.permissionAnswered, 'human', 'human'],
    ]);
  });

  test('[RUN-8] aborting answers when the end is on the log', async () => {
    const bench = await openRuns([hear, call('a', 't'), { wait: 'interrupt' }, aborted]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    await until('the call is told', async () => (await bench.entries()).some(({ payload }) => payload?.['uuid'] === 'a'));
    expect(await bench.command('abort_run', { id })).toMatchObject({ state: 'ended', status: 'cancelled', why: 'it was aborted' });
    const types = (await bench.entries()).map(({ type, payload }) => (payload?.['synthetic'] === undefined ? type : textOf(payload['synthetic'])));
    expect(types).toEqual([
      ENTRY_TYPES.runStarted,
      ENTRY_TYPES.streamed,
      ENTRY_TYPES.streamed,
      'interrupted',
      ENTRY_TYPES.turnClosed,
      ENTRY_TYPES.turnClosed,
      ENTRY_TYPES.runEnded,
    ]);
    expect((await refused(await bench.post(`/runs/${id}/abort`, {}))).slice(0, 2)).toEqual([409, 'run-ended']);
  });

  test('[RUN-15] what cannot be run is refused, and the refusal says why', async () => {
    const folder = makeFolder();
    const bench = await openRuns(TURN, { settings: { excludedProjects: [folder], roots: [] } });
    const file = join(bench.folder, 'file');
    writeFileSync(file, '');
    for (const [input, code, reason] of [
      [{ cwd: 'here' }, 'bad-directory', /no absolute path/u],
      [{ cwd: join(bench.folder, 'nowhere') }, 'bad-directory', /there is no directory/u],
      [{ cwd: `${bench.folder}\0` }, 'bad-directory', /there is no directory/u],
      [{ cwd: file }, 'bad-directory', /is no directory/u],
      [{ cwd: join(folder) }, 'bad-directory', /settings\.json excludes/u],
      [{}, 'bad-request', /cwd/u],
      [{ cwd: bench.cwd, fork: true }, 'bad-request', /resume/u],
      [{ cwd: bench.cwd, resume: 'no such session' }, 'not-found', /no such session/u],
      [{ cwd: bench.cwd, permission_mode: 'anything' }, 'bad-request', /permission_mode/u],
      [{ cwd: bench.cwd, max_turns: 0 }, 'bad-request', /max_turns/u],
    ] as const) {
      const [, found, detail] = await refused(await bench.post('/runs', input));
      expect(found, `for ${JSON.stringify(input)}`).toBe(code);
      expect(detail).toMatch(reason);
    }
    expect((await refused(await bench.ask('/api/v1/runs', { method: 'POST', body: '{}' })))[1]).toBe('token-needed');
    for (const path of ['/runs/none', '/runs/none/messages', '/runs/none/abort', '/runs/none/end'])
      expect(
        (
          await refused(
            path === '/runs/none' ? await bench.ask(`/api/v1${path}`) : await bench.post(path, path.endsWith('messages') ? { text: 'x' } : {}),
          )
        ).slice(0, 2),
      ).toEqual([404, 'not-found']);
    expect(bench.played.queries()).toBe(0);
    expect((await bench.entries()).length).toBe(0);
  });

  test('[RUN-9] without the SDK it is said what to type', async () => {
    const bench = await openRuns(TURN, { loadSdk: async () => ({ ok: false, why: 'run "npm install …"' }) });
    const response = await bench.post('/runs', { cwd: bench.cwd, prompt: 'hi' });
    expect(await refused(response)).toEqual([424, 'sdk-missing', 'run "npm install …"']);
    expect((await bench.entries()).length).toBe(0);
  });

  test('[RUN-15] a session has one run at a time; a fork is another session', async () => {
    const sessionId = 'aaaaaaaa-0000-4000-8000-000000000000';
    const bench = await openRuns([...TURN, ...TURN], { files: { [`p/${sessionId}.jsonl`]: [prompt('u', 0, { cwd: '/' })] } });
    const { run_id: first } = await bench.startRun({ resume: 'aaaaaaaa' });
    expect(bench.played.options()).toMatchObject({ resume: sessionId, cwd: bench.cwd });
    const [status, code, detail] = await refused(await bench.post('/runs', { cwd: bench.cwd, resume: sessionId }));
    expect([status, code]).toEqual([409, 'session-busy']);
    expect(detail).toContain(first);
    const fork = await bench.startRun({ resume: sessionId, fork: true, resume_at: 'u' });
    expect(fork.session_id).not.toBe(sessionId);
    expect(bench.played.options()).toMatchObject({ resume: sessionId, forkSession: true, resumeSessionAt: 'u', sessionId: fork.session_id });
    const both = await Promise.all([1, 2].map(() => bench.post('/runs', { cwd: bench.cwd, resume: 'cccccccc-0000-4000-8000-000000000000' })));
    expect(both.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await bench.command('abort_run', { id: first });
    // Without a directory it works where the session did.
    expect(await (await bench.post('/runs', { resume: sessionId })).json()).toMatchObject({ cwd: '/', session_id: sessionId, state: 'idle' });
  });
});

describe('after a restart', () => {
  const reopen = async (database: string, steps: readonly Step[] = []): Promise<OpenBoard> => {
    const folder = makeFolder();
    const home = homeOf({
      env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') },
      home: folder,
      database: `sqlite:${database}`,
    });
    const board = await openBoard({
      home,
      settings: { excludedProjects: [], roots: [] },
      roots: [],
      version: '0',
      programs: null,
      loadSdk: async () => ({ ok: true, sdk: playSdk(() => steps).sdk, folder: '', version: null }),
      runGrace: 0,
    });
    closers.push(board.close);
    return board;
  };
  /** The log as it is at this moment: what a server leaves that is killed now. */
  const killed = async (bench: RunsBench): Promise<string> => {
    const path = join(makeFolder(), 'board.db');
    await bench.board.writer.backup(path);
    return path;
  };

  test('[RUN-13] a run that was cut off in the middle is closed, innermost call first, and everything it said gets a number', async () => {
    const ask: Step = { ask: { tool: 'Write', input: {}, toolUseID: 'in agent', requestId: 'q' } };
    const bench = await openRuns([hear, call('a', 'x', 'Task'), call('b', 'in agent', 'Write', { parent_tool_use_id: 'x', agent_id: 'ag' }), ask]);
    const { run_id: id, session_id: sessionId } = await bench.startRun();
    await bench.reach(id, 'waiting');
    await until('the question is on the log', async () => (await bench.entries()).some(({ type }) => type === ENTRY_TYPES.permissionAsked));
    const board = await reopen(await killed(bench));
    const before = (await entriesOf(board.store)).length;
    await board.runs.load();
    expect(board.runs.find(id)).toMatchObject({ state: 'ended', status: null, why: 'the server ended while it ran' });
    await board.runs.recover(Promise.resolve());
    await settled({ entries: () => entriesOf(board.store) }, id);
    const fresh = (await entriesOf(board.store)).slice(before);
    expect(
      fresh.map(({ type, payload }) => [type, payload?.['synthetic'] ?? payload?.['decision'] ?? payload?.['status'] ?? null]).slice(0, 5),
    ).toEqual([
      [ENTRY_TYPES.permissionAnswered, 'withdrawn'],
      [ENTRY_TYPES.streamed, 'interrupted'],
      [ENTRY_TYPES.streamed, 'interrupted'],
      [ENTRY_TYPES.turnClosed, 'cancelled'],
      [ENTRY_TYPES.runEnded, 'failed'],
    ]);
    expect(fresh[3]?.payload).toEqual({ status: 'cancelled', isEnd: true, by: 'start' });
    expect(fresh[1]?.payload).toMatchObject({ parent_tool_use_id: 'x', agentId: 'ag', isSidechain: true });
    // prompt, call, root, call, and the two results
    expect(fresh.slice(5).map(({ type, refs }) => [type, refs.length > 0])).toEqual([
      ...Array.from({ length: 6 }, () => [ENTRY_TYPES.line, true]),
      [ENTRY_TYPES.runSettled, false],
    ]);
    expect(board.runs.find(id)).toMatchObject({ state: 'ended', status: 'failed', sessionId });
    const count = (await entriesOf(board.store)).length;
    await board.runs.recover(Promise.resolve());
    expect((await entriesOf(board.store)).length).toBe(count);
  });

  test('[RUN-13] what its transcript has answered meanwhile is not cut off, and a session waits until it is closed', async () => {
    const bench = await openRuns([hear, call('a', 't1'), call('b', 't2'), { wait: 'interrupt' }, aborted]);
    const { run_id: id, session_id: sessionId } = await bench.startRun();
    await until('both calls are told', async () => (await bench.entries()).some(({ payload }) => payload?.['uuid'] === 'b'));
    writeFileSync(
      join(bench.folder, 'projects', `${sessionId}.jsonl`),
      `${JSON.stringify({ type: 'user', uuid: 'r', parentUuid: 'a', sessionId, timestamp: new Date().toISOString(), message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] } })}\n`,
    );
    await bench.board.writer.catchUp();
    const board = await reopen(await killed(bench), [hear]);
    let onImported: () => void = () => {};
    void board.runs.recover(
      new Promise<void>((resolve) => {
        onImported = resolve;
      }),
    );
    const request = { cwd: '/', prompt: null, resume: sessionId, fork: false, resumeAt: null, model: null, permissionMode: null, maxTurns: null };
    const starting = board.runs.start(request, { name: 'human', type: 'human' });
    onImported();
    expect((await starting).ok).toBe(true);
    const entries = await entriesOf(board.store);
    expect(
      entries.filter(({ payload }) => payload?.['synthetic'] === 'interrupted').map(({ payload }) => payload?.['sourceToolAssistantUUID']),
    ).toEqual(['b']);
    const starts = entries.filter(({ type }) => type === ENTRY_TYPES.runStarted || type === ENTRY_TYPES.runEnded).map(({ type }) => type);
    expect(starts).toEqual([ENTRY_TYPES.runStarted, ENTRY_TYPES.runEnded, ENTRY_TYPES.runStarted]);
    expect(board.runs.find(id)?.status).toBe('failed');
  });

  test('[RUN-12] the runs of before are listed, and one that had ended but not settled is settled', async () => {
    const bench = await openRuns(TURN, { runGrace: 3_600_000 });
    const { run_id: id } = await bench.startRun({ prompt: 'hi' });
    await bench.reach(id, 'idle');
    await bench.command('end_run', { id });
    const ended = await bench.reach(id, 'ended');
    await until('its end is on the log', async () => (await bench.entries()).some(({ type }) => type === ENTRY_TYPES.runEnded));
    const board = await reopen(await killed(bench));
    await board.runs.load();
    expect(board.runs.list()).toMatchObject([
      { runId: id, state: 'ended', status: 'completed', prompt: 'hi', counts: { turns: ended.counts.turns, records: ended.counts.records } },
    ]);
    await board.runs.recover(Promise.resolve());
    await settled({ entries: () => entriesOf(board.store) }, id);
    expect((await entriesOf(board.store)).filter(({ type }) => type === ENTRY_TYPES.line).length).toBe(2);
  });

  test('[RUN-8] a server that stops leaves nothing open', async () => {
    const bench = await openRuns([hear, call('a', 't'), { wait: 'interrupt' }]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'running');
    await until('the call is told', async () => (await bench.entries()).some(({ payload }) => payload?.['uuid'] === 'a'));
    const { database } = bench.home;
    await bench.close();
    const board = await reopen(database.slice('sqlite:'.length));
    const entries = await entriesOf(board.store);
    expect(entries.slice(-3).map(({ type, payload }) => [type, payload?.['synthetic'] ?? payload?.['status']])).toEqual([
      [ENTRY_TYPES.streamed, 'interrupted'],
      [ENTRY_TYPES.turnClosed, 'cancelled'],
      [ENTRY_TYPES.runEnded, 'cancelled'],
    ]);
    await board.runs.load();
    expect(board.runs.find(id)).toMatchObject({ status: 'cancelled', why: 'the server was stopped' });
  });
});

describe('switching', () => {
  const LAUNCH = 'eeeeeeee-0000-4000-8000-000000000000';
  const sessionId = 'aaaaaaaa-0000-4000-8000-000000000000';

  /** A terminal that has the session, as its launcher writes it down, and does what it is asked. */
  const openTerminal = async (bench: RunsBench): Promise<{ readonly asked: readonly string[] }> => {
    const folder = launchFolderOf(bench.home);
    const me = processOf(process.pid);
    const at = Date.now();
    appendSpool(folder, LAUNCH, { kind: 'started', at, ...me, host: hostname(), cwd: bench.cwd, isFork: false });
    appendSpool(folder, LAUNCH, { kind: 'spawned', at, ...me });
    appendSpool(folder, LAUNCH, { kind: 'session', at, sessionId, transcriptPath: '', source: 'startup', cwd: bench.cwd });
    await bench.board.launches.start(Promise.resolve());
    await until('the launch is known', () => bench.board.launches.of(sessionId)?.state === 'running');
    const asked: string[] = [];
    let last = '';
    const timer = setInterval(() => {
      const command = readControl(folder, LAUNCH);
      if (command === null || command.nonce === last) return;
      last = command.nonce;
      asked.push(command.kind === 'refuse' ? command.kind : `${command.kind} ${command.sessionId}`);
      if (command.kind === 'release') appendSpool(folder, LAUNCH, { kind: 'released', at: Date.now(), nonce: command.nonce });
      if (command.kind === 'take-back')
        appendSpool(folder, LAUNCH, { kind: 'taken-back', at: Date.now(), nonce: command.nonce, sessionId: command.sessionId });
    }, 20);
    closers.unshift(async () => clearInterval(timer));
    return { asked };
  };
  const files = (cwd: string) => ({ [`p/${sessionId}.jsonl`]: [prompt('u', 0, { cwd })] });
  const closedBy = async (bench: RunsBench): Promise<readonly unknown[]> =>
    (await bench.entries())
      .filter(({ type }) => type === ENTRY_TYPES.turnClosed)
      .map(({ payload }) => [payload?.['status'], payload?.['by'], payload?.['isEnd']]);

  test('[RUN-16] from a terminal to a run and back: each lets go first, and the open turn is cancelled', async () => {
    const bench = await openRuns([hear, call('a', 't'), { wait: 'interrupt' }, aborted], { files: files('/') });
    const { asked } = await openTerminal(bench);
    const remote = await bench.command('switch_session', { id: sessionId, to: 'remote', prompt: 'go on' });
    expect(remote).toMatchObject({
      to: 'remote',
      session_id: sessionId,
      is_taken: true,
      command: null,
      run: { session_id: sessionId, cwd: bench.cwd },
    });
    expect(asked).toEqual([`release ${sessionId}`]);
    expect(bench.played.options().resume).toBe(sessionId);
    expect(await closedBy(bench)).toEqual([['cancelled', 'switch', true]]);
    const runId = remote.run?.run_id ?? '';
    await until('the call is told', async () => (await bench.entries()).some(({ payload }) => payload?.['uuid'] === 'a'));
    // Whoever switches again finds it there.
    expect((await bench.command('switch_session', { id: sessionId, to: 'remote' })).run?.run_id).toBe(runId);
    const local = await bench.command('switch_session', { id: sessionId, to: 'local' });
    expect(local).toMatchObject({ to: 'local', run: null, is_taken: true, command: null });
    expect(asked).toEqual([`release ${sessionId}`, `take-back ${sessionId}`]);
    expect(await bench.get('run', { id: runId })).toMatchObject({ state: 'ended', status: 'cancelled' });
    const after = await bench.entries();
    const words = after.map(({ type, payload }) => (payload?.['synthetic'] === undefined ? type : textOf(payload['synthetic'])));
    expect(words.indexOf('interrupted')).toBeLessThan(words.lastIndexOf(ENTRY_TYPES.turnClosed));
    expect((await closedBy(bench)).slice(1)).toEqual([
      ['cancelled', 'switch', false],
      ['cancelled', 'switch', true],
    ]);
  });

  test('[RUN-16] a session at work in a terminal cannot be run besides', async () => {
    const bench = await openRuns(TURN, { files: files('/') });
    await openTerminal(bench);
    const [status, code, detail] = await refused(await bench.post('/runs', { cwd: bench.cwd, resume: sessionId }));
    expect([status, code]).toEqual([409, 'session-busy']);
    expect(detail).toContain('take it over (POST /api/v1/sessions/{id}/switch)');
  });

  test('[RUN-16] [LAUNCH-18] where no terminal waits, the answer says what to type; and what nobody has can be taken', async () => {
    const bench = await openRuns(TURN, { files: files('/') });
    const idle = await bench.command('switch_session', { id: sessionId, to: 'remote' });
    expect(idle.run).toMatchObject({ state: 'idle', cwd: '/' });
    expect(await closedBy(bench)).toEqual([['cancelled', 'switch', true]]);
    const local = await bench.command('switch_session', { id: sessionId, to: 'local' });
    expect(local).toEqual({ to: 'local', run: null, session_id: sessionId, is_taken: false, command: `cd / && claude --resume ${sessionId}` });
    expect((await refused(await bench.post(`/sessions/${sessionId}/switch`, { to: 'local', prompt: 'x' })))[1]).toBe('bad-request');
    expect((await refused(await bench.post('/sessions/nobody/switch', { to: 'remote' })))[1]).toBe('not-found');
  });

  test('[RUN-16] without the SDK the terminal keeps its session', async () => {
    const bench = await openRuns(TURN, { files: files('/'), loadSdk: async () => ({ ok: false, why: 'none' }) });
    const { asked } = await openTerminal(bench);
    expect((await refused(await bench.post(`/sessions/${sessionId}/switch`, { to: 'remote' })))[1]).toBe('sdk-missing');
    expect(asked).toEqual([]);
    expect(bench.board.launches.of(sessionId)?.state).toBe('running');
  });
});
