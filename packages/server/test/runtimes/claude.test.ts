import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPermissions } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { createSeatTools } from '../../src/doors/mcp/seat-tools.ts';
import type { Sdk } from '../../src/launches/sdk.ts';
import { createClaude } from '../../src/runtimes/claude/claude.ts';
import { cliSdk } from '../../src/runtimes/claude/cli.ts';
import type { Runtime } from '../../src/runtimes/port.ts';
import { makeBoard } from '../operations/boards.ts';
import { playedClaude, rested, seatWhere, SESSION, spawn, stage, uuid, type Stage } from './claude-stage.ts';
import { describeRuntime } from './contract.ts';
import { scriptSdk } from './scripted-sdk.ts';

const make = async (way: (folder: string) => Sdk): Promise<Runtime> => {
  const made = await makeBoard({ isImported: false, runGrace: 0 });
  const cwd = join(made.folder, 'work');
  mkdirSync(cwd);
  const sdk = way(made.folder);
  return createClaude({
    name: 'claude',
    runs: made.board.runs,
    loadSdk: async () => ({ ok: true, sdk, folder: '', version: null }),
    env: { PATH: process.env['PATH'] ?? '', CLAUDE_CONFIG_DIR: made.folder },
    permissionMode: null,
    hasUserSettings: false,
    denied: [],
    toolsFor: (call) => createSeatTools('1', call),
    markOf: ({ agent }) => `claude-${process.pid}/${agent}`,
    now: () => Date.now(),
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    projects: join(made.folder, 'projects'),
    cwd,
    isAllowed: () => true,
    newId: () => randomUUID(),
    catchUp: () => Promise.resolve(),
  });
};

const TOOL = { toolText: 'Submit a finding, please', toolName: 'scratchpad_entry_submitted' } as const;
describeRuntime('claude-sdk', { make: () => make((folder) => scriptSdk(folder).sdk), ...TOOL });

describeRuntime('claude-cli', { make: () => make((folder) => cliSdk(playedClaude(folder))), ...TOOL });

describe('what a seat on Claude begins with', () => {
  test('[RT-29] a fork of the session at the message its sidebar hangs on, and nothing behind that; the session itself stays as it is', async () => {
    const made = await stage();
    const before = readFileSync(made.file, 'utf8');
    const sidebar = await spawn(made, 'MSG-2');
    const seat = await seatWhere(made, sidebar, rested(1));
    expect(seat.context_kind).toBe('fork');
    expect(made.sdk.started[0]).toMatchObject({
      resume: SESSION,
      forkSession: true,
      resumeSessionAt: uuid(2),
      sessionId: seat.session_id,
      cwd: made.cwd,
    });
    expect(made.sdk.read[0]).toContain('BRAVO is cold');
    expect(made.sdk.read[0]).toContain('Look into the cache');
    expect(made.sdk.read[0]).not.toContain('LATER');
    // What it knows by the fork is not told again.
    expect(made.sdk.read[0]?.split('BRAVO is cold')).toHaveLength(2);
    expect(readFileSync(made.file, 'utf8')).toBe(before);
    expect(made.faults).toEqual([]);
    await made.close();
  });

  test('[RT-29] a session that is gone, was compacted behind the message or goes on in another branch is rebuilt from the log', async () => {
    const changes: readonly ((made: Stage) => void)[] = [
      ({ file }) => rmSync(file),
      ({ file, cwd }) => {
        const boundary = {
          type: 'system',
          subtype: 'compact_boundary',
          parentUuid: null,
          logicalParentUuid: uuid(4),
          uuid: uuid(5),
          sessionId: SESSION,
          cwd,
        };
        const summary = {
          type: 'user',
          isCompactSummary: true,
          parentUuid: uuid(5),
          uuid: uuid(6),
          sessionId: SESSION,
          cwd,
          message: { role: 'user', content: 'LATER summary' },
        };
        appendFileSync(file, `${JSON.stringify(boundary)}\n${JSON.stringify(summary)}\n`);
      },
      ({ file, cwd }) =>
        appendFileSync(
          file,
          `${JSON.stringify({ type: 'user', parentUuid: uuid(1), uuid: uuid(7), sessionId: SESSION, cwd, message: { role: 'user', content: 'LATER branch' } })}\n`,
        ),
      ({ file }) => writeFileSync(file, readFileSync(file, 'utf8').replace('BRAVO', 'LATER')),
    ];
    for (const change of changes) {
      const made = await stage();
      change(made);
      const sidebar = await spawn(made, 'MSG-2');
      const seat = await seatWhere(made, sidebar, rested(1));
      expect(seat.context_kind).toBe('rebuilt');
      expect(seat.session_id).not.toBe(SESSION);
      expect(made.sdk.read[0]).toContain('BRAVO is cold');
      expect(made.sdk.read[0]).not.toContain('LATER');
      await made.close();
    }
  });

  test('[RT-29] a session that works where its runtime may not is rebuilt where it may; a sidebar without a session gets a briefing', async () => {
    const made = await stage(() => []);
    const forked = await seatWhere(made, await spawn(made, 'MSG-2'), rested(1));
    expect(forked.context_kind).toBe('rebuilt');
    expect(made.sdk.started[0]?.cwd).toBe(join(made.home.folder, 'seats'));
    expect(made.sdk.read[0]).toContain('BRAVO is cold');
    const root = await seatWhere(made, await spawn(made, null), rested(1));
    expect(root.context_kind).toBe('briefing');
    expect(made.sdk.read[1]).toContain('Look into the cache');
    expect(made.sdk.read[1]).not.toContain('BRAVO');
    await made.close();
  });

  test('[RT-29] a restart goes on in the same session, where it was briefed before', async () => {
    const made = await stage();
    const sidebar = await spawn(made, 'MSG-2');
    const { session_id: session } = await seatWhere(made, sidebar, rested(1));
    await made.board.seats.settled();
    await made.close();
    const again = await made.reopen();
    await again.command('chat_message', { sidebar_id: sidebar, content: '@sec and now the DISK?' });
    const seat = await seatWhere(again, sidebar, rested(2));
    expect(seat).toMatchObject({ session_id: session, context_kind: 'fork' });
    expect(again.sdk.started[1]).toMatchObject({ resume: session });
    expect(again.sdk.started[1]?.forkSession).toBeUndefined();
    const [, read = ''] = again.sdk.read;
    expect(read).toContain('the DISK?');
    expect(read.split('## Task')).toHaveLength(2);
    await again.close();
  });
});

describe('a seat on Claude', () => {
  test('[RT-27] [RT-31] is a run that names agent and sidebar; its session has their name and can be left out of lists', async () => {
    const made = await stage();
    const sidebar = await spawn(made, 'MSG-2');
    const { session_id: session, tokens, usd } = await seatWhere(made, sidebar, rested(1));
    const { items } = await made.get('runs');
    expect(items).toMatchObject([{ session_id: session, seat: { agent: 'AGENT-sec', sidebar, instance: 'AGENT-sec#1' } }]);
    expect(tokens.used).toBe(220);
    expect(usd.used).toBeCloseTo(0.01);
    await made.board.writer.catchUp();
    expect((await made.get('session', { id: session ?? '' })).title).toBe(`AGENT-sec in ${sidebar}`);
    const listed = async (seats: boolean) => (await made.get('sessions', { seats })).items.map(({ session_id: id }) => id);
    expect(await listed(true)).toContain(session);
    expect(await listed(false)).toEqual([SESSION]);
    await made.close();
  });

  test('[RT-30] gets the tools of the registry and nothing of the settings of the user; its token is nowhere', async () => {
    const made = await stage();
    const sidebar = await spawn(made, null);
    await seatWhere(made, sidebar, rested(1));
    const { settingSources, strictMcpConfig, settings, env, systemPrompt, mcpServers } = made.sdk.started[0] ?? {};
    expect({ settingSources, strictMcpConfig, systemPrompt }).toEqual({
      settingSources: ['project'],
      strictMcpConfig: true,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
    });
    expect(settings).toMatchObject({ disableAllHooks: true, autoMemoryEnabled: false });
    expect(JSON.stringify(settings)).toContain(join(made.home.folder, '*'));
    expect(Object.keys(mcpServers ?? {})).toEqual(['yarnboard']);
    expect(Object.keys(env ?? {}).sort()).toEqual(['CLAUDE_CONFIG_DIR', 'ENABLE_TOOL_SEARCH', 'YARNBOARD_SEAT']);
    await made.command('chat_message', { sidebar_id: sidebar, content: '@sec please submit a finding' });
    await seatWhere(made, sidebar, rested(2));
    const { pending_findings: findings } = await made.get('scratchpad', { sidebar_id: sidebar });
    expect(findings).toMatchObject([{ submitted_by: 'AGENT-sec' }]);
    await made.close();
  });

  test('[RT-32] runs through the command line as through the SDK: forked, recorded, with its tools and questions', async () => {
    const made = await stage((cwd) => [cwd], 'claude-cli');
    const sidebar = await spawn(made, 'MSG-2');
    const seat = await seatWhere(made, sidebar, rested(1));
    expect(seat).toMatchObject({ context_kind: 'fork', tokens: { used: 220 } });
    const { pending_findings: findings } = await made.get('scratchpad', { sidebar_id: sidebar });
    expect(findings).toMatchObject([{ submitted_by: 'AGENT-sec' }]);
    await made.board.writer.catchUp();
    const { messages } = await made.get('messages', { id: seat.session_id ?? '' });
    const said = messages.map(({ content }) => content).join('\n');
    expect(said).toContain('BRAVO is cold');
    expect(said).not.toContain('LATER');
    await made.command('chat_message', { sidebar_id: sidebar, content: '@sec [[ask]]' });
    await seatWhere(made, sidebar, () => made.board.engine.board().permissions.size() > 0);
    const [asked] = (await made.command('permissions', {})).items;
    await made.command('permission_answer', { request_id: asked?.request_id ?? '', decision: 'allow' });
    await seatWhere(made, sidebar, rested(2));
    expect(made.faults).toEqual([]);
    await made.close();
  });

  test('[RT-28] asks the operator as every seat does, and waits for the answer', async () => {
    const made = await stage();
    const sidebar = await spawn(made, null);
    await seatWhere(made, sidebar, rested(1));
    await made.command('chat_message', { sidebar_id: sidebar, content: '@sec [[ask]]' });
    await seatWhere(made, sidebar, () => made.board.engine.board().permissions.size() > 0);
    const { items } = await made.command('permissions', {});
    expect(items).toMatchObject([{ agent_id: 'AGENT-sec', sidebar_id: sidebar, tool: 'Write', decision: null }]);
    expect((await made.get('runs')).items[0]?.pending).toEqual([]);
    await made.command('permission_answer', { request_id: items[0]?.request_id ?? '', decision: 'deny', message: 'rather not' });
    await seatWhere(made, sidebar, rested(2));
    expect(made.sdk.read.length).toBe(2);
    // [RT-69] What it is to do instead is what the tool is used with.
    await made.command('chat_message', { sidebar_id: sidebar, content: '@sec [[ask]] once more' });
    await seatWhere(made, sidebar, () => openPermissions(made.board.engine.board()).length > 0);
    const open = (await made.command('permissions', {})).items.find(({ decision }) => decision === null);
    await made.command('permission_answer', { request_id: open?.request_id ?? '', decision: 'allow', updated_input: { file_path: '/tmp/y' } });
    await seatWhere(made, sidebar, rested(3));
    await made.command('chat_message', { sidebar_id: sidebar, content: '@sec go on' });
    await seatWhere(made, sidebar, rested(4));
    expect(made.sdk.read.at(-1)).toContain('/tmp/y');
    await made.close();
  });
});
