import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { builtCommand } from '../packages/cli/test/terminal.ts';
import { connectionOf } from '../packages/server/test/doors/mcp/connections.ts';
import { until } from './home.ts';
import { linesOf } from './live-file.ts';
import {
  endRun,
  endsIn,
  envelopesOf,
  expectAllWell,
  expectNoGap,
  expectWholeLog,
  faultsIn,
  isCall,
  isText,
  isType,
  lineOf,
  settle,
  storyOf,
} from './live-rules.ts';
import { makeStage, sleep, type Listener, type Stage } from './live-stage.ts';

// Side by side: most of the time they wait.
describe.concurrent('a run', () => {
  test('[RUN-10] [RUN-8] [RUN-14] is answered, told more and aborted over WebSocket, HTTP and MCP alike', async () => {
    const stage = await makeStage();
    await stage.start();
    const listener = stage.listen({ token: stage.token() });
    const reader = stage.listen();
    const agent = new Client({ name: 'test', version: '0' });
    // The transport takes no variable without a value.
    const env = Object.fromEntries(Object.entries(stage.home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    await agent.connect(
      new StdioClientTransport({ command: process.execPath, args: [builtCommand(), 'mcp'], env: { ...env, YARNBOARD_TOKEN: stage.token() } }),
    );
    const mcp = connectionOf(agent);
    const { run_id: id, session_id: session } = await stage.ask('start_run', { cwd: stage.work, prompt: 'text ask:0 ask:0 agentask:0 text' });
    const pending = (before: readonly string[]): Promise<string> =>
      until(async () => (await stage.ask('run', { id })).pending.map((one) => one.request_id).find((one) => !before.includes(one)) ?? null);

    const first = await pending([]);
    expect(await reader.client.call('answer_permission', { id, request_id: first, decision: 'allow' })).toMatchObject({
      kind: 'rejected',
      code: 'token-needed',
    });
    expect(await listener.client.call('answer_permission', { id, request_id: first, decision: 'allow' })).toMatchObject({ kind: 'done' });
    expect(await listener.client.call('answer_permission', { id, request_id: first, decision: 'deny' })).toMatchObject({
      kind: 'rejected',
      code: 'already-answered',
    });
    const second = await pending([first]);
    expect(await stage.ask('answer_permission', { id, request_id: second, decision: 'deny', message: 'not that' })).toMatchObject({ run_id: id });
    expect(await stage.refusal('answer_permission', { id, request_id: second, decision: 'allow' })).toMatchObject({
      status: 409,
      code: 'already-answered',
    });
    const third = await pending([first, second]);
    expect((await stage.ask('run', { id })).pending).toMatchObject([{ agent_id: expect.any(String) as unknown }]);
    await mcp.answer('answer_permission', { id, request_id: third, decision: 'allow' });
    expect(await mcp.refusal('answer_permission', { id, request_id: third, decision: 'allow' })).toMatchObject({ code: 'already-answered' });
    await listener.hear('its last word', isText('Done'));
    await until(async () => ((await stage.ask('run', { id })).state === 'idle' ? true : null));

    await stage.ask('send_message', { id, text: 'tool:@heard text' });
    await until(() =>
      envelopesOf(listener.frames, session).filter(({ ev }) => ev.t === 'tool-call-start' && ev.name === 'Bash').length > 0 ? true : null,
    );
    const said = await listener.client.call('send_message', { id, text: 'and this too' });
    expect(said).toMatchObject({ kind: 'done' });
    writeFileSync(join(stage.work, 'heard'), '');
    await listener.hear('what it makes of it', isText('Heard: and this too'));
    await until(async () => ((await stage.ask('run', { id })).state === 'idle' ? true : null));
    await until(() => (endsIn(listener.frames, session).filter((status) => status !== null).length === 2 ? true : null));
    expect(endsIn(listener.frames, session)).toEqual(['completed', 'completed']);

    await mcp.answer('send_message', { id, text: 'text hang' });
    await until(() =>
      envelopesOf(listener.frames, session).filter(({ ev }) => ev.t === 'tool-call-start' && ev.name === 'Bash').length > 1 ? true : null,
    );
    expect(await stage.ask('abort_run', { id })).toMatchObject({ state: 'ended', status: 'cancelled', why: 'it was aborted' });
    expect(await stage.refusal('abort_run', { id })).toMatchObject({ status: 409, code: 'run-ended' });
    expect(await mcp.refusal('send_message', { id, text: 'still there?' })).toMatchObject({ code: 'run-ended' });
    await agent.close();
    reader.client.close();
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    expect(storyOf(listener.frames, session)).toEqual([
      'user: text ask:0 ask:0 agentask:0 text',
      'turn-start',
      'agent: Saying 1',
      'agent: Doing 2',
      'tool-call-start Write',
      'tool-call-end',
      'agent: Doing 3',
      'tool-call-start Write',
      'tool-call-end with an error',
      'agent: Delegating 4',
      'agent: Saying 8',
      'agent: Done 9',
      'turn-end completed',
      'user: tool:@heard text',
      'turn-start',
      'agent: Doing 10',
      'tool-call-start Bash',
      'user: and this too',
      'tool-call-end',
      'agent: Heard: and this too',
      'agent: Saying 11',
      'agent: Done 12',
      'turn-end completed',
      'user: text hang',
      'turn-start',
      'agent: Saying 13',
      'agent: Doing 14',
      'tool-call-start Bash',
      'tool-call-end with an error',
      'turn-end cancelled',
    ]);
    expect(stage.err()).toBe('');
  });

  test('[RUN-13] [ENV-12] [WIRE-16] outlives its server: what it finished alone is completed, what it goes on with is told', async () => {
    const stage = await makeStage();
    await stage.start();
    const listener = stage.listen();
    const [quick, slow] = [
      await stage.ask('start_run', { cwd: stage.work, prompt: 'text tool:300 text' }),
      await stage.ask('start_run', { cwd: stage.work, prompt: 'text tool:@told text' }),
    ];
    // There may be no file of it yet.
    const { items } = await stage.ask('envelopes', { id: slow.session_id });
    expect(items.map(({ content }) => content.data.ev.t)).toEqual(expect.arrayContaining(['service', 'text']));
    for (const { session_id: session } of [quick, slow])
      await listener.hear('its call', (frame) => frame.sessionId === session && isCall('Bash')(frame));
    await stage.end('SIGKILL');
    const file = join(stage.project, `${quick.session_id}.jsonl`);
    await until(() => (existsSync(file) && readFileSync(file, 'utf8').includes('Done') ? true : null));
    await stage.start();
    await listener.hear('that it was cut off', (frame) => frame.sessionId === slow.session_id && isType(ENTRY_TYPES.runEnded)(frame));
    writeFileSync(join(stage.work, 'told'), '');
    await listener.hear('its last word', (frame) => frame.sessionId === slow.session_id && isText('Done')(frame));
    await settle(stage, listener);
    await expectAllWell(stage, listener);
    const begun = (prompt: string): readonly string[] => [
      `user: ${prompt}`,
      'turn-start',
      'agent: Saying 1',
      'agent: Doing 2',
      'tool-call-start Bash',
    ];
    const ended = ['agent: Saying 3', 'agent: Done 4', 'turn-end completed'];
    expect(storyOf(listener.frames, quick.session_id)).toEqual([...begun('text tool:300 text'), 'tool-call-end', ...ended]);
    expect(storyOf(listener.frames, slow.session_id)).toEqual([
      ...begun('text tool:@told text'),
      'tool-call-end interrupted',
      'turn-end cancelled',
      'tool-call-end',
      'turn-start',
      ...ended,
    ]);
  });

  test('[RUN-18] in a fork: the history comes first, then what is said, also when the server is killed on the way', async () => {
    const stage = await makeStage();
    await stage.start();
    const listener = stage.listen();
    const source = await stage.ask('start_run', { cwd: stage.work, prompt: 'text tool:50 agent:50' });
    await listener.hear('its last word', isText('Done'));
    await endRun(stage, listener, source.run_id, source.session_id);
    const before = envelopesOf(listener.frames, source.session_id).filter(({ ev }) => ev.t === 'text').length;
    const fork = await stage.ask('start_run', { cwd: stage.work, prompt: 'text tool:100', resume: source.session_id, fork: true });
    const named = stage.listen({ sessions: [fork.session_id] });
    expect(fork.session_id).not.toBe(source.session_id);
    await named.hear('its last word', isText('Done 3'));
    const cut = await stage.ask('start_run', { cwd: stage.work, prompt: 'text hang', resume: source.session_id, fork: true });
    await sleep(150);
    await stage.end('SIGKILL');
    await stage.start();
    await settle(stage, listener);
    /** Each comes back at a moment of its own. */
    const hasAll = (one: Listener, session: string): Promise<true> =>
      until(() => (envelopesOf(one.frames, session).length >= envelopesOf(listener.frames, session).length ? true : null));
    await hasAll(named, fork.session_id);
    const types = named.frames.map(({ entryType }) => entryType);
    expect(types.lastIndexOf(ENTRY_TYPES.copied)).toBeLessThan(types.indexOf(ENTRY_TYPES.streamed));
    expect(named.frames.filter(isType(ENTRY_TYPES.copied)).length).toBeGreaterThan(0);
    const told = envelopesOf(named.frames, fork.session_id);
    expect(faultsIn(told)).toEqual([]);
    const texts = told.flatMap((envelope) => (envelope.ev.t === 'text' ? [lineOf(envelope)] : []));
    expect(texts.slice(0, 2)).toEqual(['user: text tool:50 agent:50', 'agent: Saying 1']);
    expect(texts.slice(-4)).toEqual(['user: text tool:100', 'agent: Saying 1', 'agent: Doing 2', 'agent: Done 3']);
    expect(texts.length).toBeLessThanOrEqual(before + 4);
    const late = stage.listen({ sessions: [cut.session_id] });
    await late.hear('the end', isType(ENTRY_TYPES.runEnded));
    await hasAll(late, cut.session_id);
    expect(faultsIn(envelopesOf(late.frames, cut.session_id))).toEqual([]);
    expectNoGap(listener);
    expect(await stage.end('SIGTERM')).toBe(0);
    await expectWholeLog(stage, listener);
  });
});

const canMount = process.getuid?.() === 0 && process.platform === 'linux';
// Mounting a small file system needs root: in CI that is a failure, elsewhere a skip with this name.
const isSkipped = !canMount && process.env['CI'] === undefined;

describe.skipIf(isSkipped)('on a full disk', { concurrent: true }, () => {
  /** A home with little room; `fill` takes what is left, `free` gives it back. */
  const makeSmallStage = async (): Promise<{
    readonly stage: Stage;
    readonly fill: (left?: number) => void;
    readonly free: () => void;
    readonly release: () => void;
  }> => {
    const stage = await makeStage();
    const folder = join(stage.home.folder, 'home');
    mkdirSync(folder, { recursive: true });
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mount: ${stderr}`);
    const ballast = join(folder, 'ballast');
    return {
      stage,
      fill: (left = 0) => {
        writeFileSync(join(folder, 'left'), Buffer.alloc(left * 1024));
        for (const size of [1 << 20, 1 << 16, 1 << 12]) {
          try {
            for (;;) appendFileSync(ballast, Buffer.alloc(size));
          } catch {
            // full, for pieces of this size
          }
        }
        rmSync(join(folder, 'left'));
      },
      free: () => rmSync(ballast, { force: true }),
      release: () => void spawnSync('umount', ['-l', folder]),
    };
  };

  test('[RUN-17] a run waits, and nothing it said is lost when there is room again', async () => {
    const { stage, fill, free, release } = await makeSmallStage();
    try {
      await stage.start();
      const listener = stage.listen();
      const { run_id: id, session_id: session } = await stage.ask('start_run', {
        cwd: stage.work,
        prompt: 'text tool:@full big:2000 tool:100 big:2000 agent:50 text',
      });
      await listener.hear('the call', isCall('Bash'));
      fill();
      writeFileSync(join(stage.work, 'full'), '');
      await until(() => (/disk/u.test(stage.err()) ? true : null));
      await sleep(1500);
      expect(listener.frames.some(isText('Done'))).toBe(false);
      expect(await stage.ask('run', { id })).toMatchObject({ state: 'running' });
      free();
      await listener.hear('its last word', isText('Done'));
      await endRun(stage, listener, id, session);
      await expectAllWell(stage, listener);
      expect(endsIn(listener.frames, session)).toEqual(['completed']);
    } finally {
      await stage.end('SIGKILL');
      release();
    }
  });

  test('[RUN-13] [TURN-1] what has to be closed is closed when there is room again, after a crash and without one', async () => {
    const { stage, fill, free, release } = await makeSmallStage();
    try {
      await stage.start();
      const listener = stage.listen();
      const { session_id: session } = await stage.ask('start_run', { cwd: stage.work, prompt: 'mortal text hang' });
      await listener.hear('the call', isCall('Bash'));
      await stage.end('SIGKILL');
      // Enough to start with, and not enough to write to the log; what a start takes differs by a page or two. And no reserve, which a start would use.
      rmSync(join(dirname(stage.home.database), 'reserve'), { force: true });
      for (let left = 40, isStarted = false; !isStarted; left += 6) {
        free();
        fill(left);
        isStarted = await stage.start().then(
          () => true,
          () => false,
        );
      }
      await until(() => (/disk is full/u.test(stage.err()) ? true : null));
      expect(listener.frames.some(isType(ENTRY_TYPES.runEnded))).toBe(false);
      expect(await stage.refusal('start_run', { cwd: stage.work, resume: session })).toMatchObject({ status: 507, code: 'store-full' });
      free();
      await listener.hear('the end of the run', isType(ENTRY_TYPES.runEnded, session));
      const other = randomUUID();
      writeFileSync(join(stage.project, `${other}.jsonl`), linesOf(other, 'one', { at: Date.now(), isOver: true }));
      await listener.hear('its last word', isText('one!'));
      fill();
      await sleep(1500);
      free();
      await listener.hear('the end of its turn', isType(ENTRY_TYPES.turnClosed, other));
      await settle(stage, listener);
      await expectAllWell(stage, listener);
      expect([session, other].map((id) => endsIn(listener.frames, id))).toEqual([['cancelled'], ['completed']]);
    } finally {
      await stage.end('SIGKILL');
      release();
    }
  });
});
