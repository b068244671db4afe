import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRuntimes } from '@yarnboard/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hearAsked, hearUpdate, UNHEARD } from '../../src/runtimes/bridge/acp-updates.ts';
import type { Runtime } from '../../src/runtimes/port.ts';
import { tryRuntime } from '../../src/runtimes/try-runtime.ts';
import { describeRuntime, eventOf, START, startHeard } from './contract.ts';
import { ownPrograms } from './own-programs.ts';

const AGENT = fileURLToPath(new URL('./acp-agent.mjs', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../../../examples/mcp-agent.mjs', import.meta.url));
const own = await ownPrograms();

const acp = (manner = 'well', more: object = {}, kept?: string): Runtime =>
  own.make({ kind: 'acp', command: [process.execPath, AGENT, manner, ...(kept === undefined ? [] : [kept])], ...more });

const FINDING = { toolText: 'Submit a finding, please', toolName: 'scratchpad_entry_submitted' };
describeRuntime('acp', { make: () => acp(), ...FINDING });
describeRuntime('stdio that speaks MCP', { make: () => own.make({ kind: 'stdio', speaks: 'mcp', command: [process.execPath, CLIENT] }), ...FINDING });

describe('an agent of the Agent Client Protocol', () => {
  test('[RT-33] a seat is a session: it is opened with the tools of the registry and the model, briefed once, and told what came meanwhile', async () => {
    const kept = join(own.folder, 'kept-session');
    const { seat, facts, until } = startHeard(acp('well', { model: 'large' }, kept), { ...START, instructions: 'Be brief.' });
    expect(await until('ready')).toMatchObject({ name: 'acp-agent', version: '1.2.3' });
    seat.turn('turn-1', [eventOf(1, 'Submit a finding')]);
    const { id } = await until('command');
    seat.tell('turn-1', eventOf(2, 'and mind the MEERKAT'));
    seat.answer(id, false, { code: 'wrong-status', detail: 'The sidebar is paused.' });
    const ended = await until('turn-ended');
    expect(ended.text).toMatch(/^I have \d\d tools and heard: .*MEERKAT$/su);
    expect(facts.find((fact) => fact.kind === 'tool-result')).toMatchObject({ isError: true, output: 'wrong-status: The sidebar is paused.' });
    seat.turn('turn-2', [eventOf(3, 'And again')]);
    await until('turn-ended', ({ turnId }) => turnId === 'turn-2');
    const prompts = readFileSync(kept, 'utf8');
    expect(prompts.startsWith('model large\nYou are AGENT-echo and take part in SB-1')).toBe(true);
    expect(prompts.split('Find out why the build is slow.')).toHaveLength(2);
    expect(prompts.split('Be brief.')).toHaveLength(2);
    expect(prompts.split('MEERKAT')).toHaveLength(2);
    // It told what the session has cost; a budget counts what each prompt did.
    const costs = facts.flatMap((fact) => (fact.kind === 'usage' ? [fact.usage.costUsd] : []));
    expect(costs).toEqual([0.25, 0.25, 0.25]);
    await seat.stop('done');
  });

  test('[RT-33] what it wants to be allowed is asked, allowed once and never for good; a turn that is cancelled takes it back', async () => {
    const { seat, facts, until } = startHeard(acp());
    await until('ready');
    for (const [turn, decision, said] of [
      ['turn-1', 'allow', 'It was once.'],
      ['turn-2', 'deny', 'It was no.'],
    ] as const) {
      seat.turn(turn, [eventOf(1, 'Test it [[ask]]')]);
      const { requestId, tool, input } = await until('permission', (fact) => fact.requestId === `p${turn.slice(-1)}`);
      expect({ tool, input }).toEqual({ tool: 'execute', input: { command: 'npm test' } });
      seat.permit(requestId, { decision, message: null, input: null });
      expect((await until('turn-ended', ({ turnId }) => turnId === turn)).text).toContain(said);
    }
    // A tool of ours is not asked for: nobody answers here.
    seat.turn('ours', [eventOf(1, 'Submit it [[ours]]')]);
    expect((await until('turn-ended', ({ turnId }) => turnId === 'ours')).text).toContain('It was once.');
    expect(facts.flatMap((fact) => (fact.kind === 'permission' ? [fact.tool] : []))).toEqual(['execute', 'execute']);
    seat.turn('turn-3', [eventOf(1, 'Test it [[ask]]')]);
    await until('permission', (fact) => fact.requestId === 'p3');
    seat.cancel('turn-3');
    expect((await until('turn-ended', ({ turnId }) => turnId === 'turn-3')).status).toBe('cancelled');
    seat.turn('turn-4', [eventOf(1, 'Think [[slow]]')]);
    await until('text');
    seat.cancel('turn-4');
    expect((await until('turn-ended', ({ turnId }) => turnId === 'turn-4')).status).toBe('cancelled');
    await seat.stop('done');
  });

  test.each(['mcp__yarnboard__finding', 'mcp__yarnboard__of_a_project__finding'])(
    '[RT-33] a tool of a server that a project calls like ours is asked for like any other: %s',
    async (title) => {
      const { seat, until } = startHeard(acp());
      await until('ready');
      seat.turn('turn-1', [eventOf(1, `Submit it [[posing ${title}]]`)]);
      const { requestId, tool } = await until('permission');
      expect(tool).toBe(title);
      seat.permit(requestId, { decision: 'deny', message: null, input: null });
      expect((await until('turn-ended')).text).toContain('It was no.');
      await seat.stop('done');
    },
  );

  test('[RT-33] limits, refusals and garbage end the turn with a code and a sentence, and the next one works', async () => {
    const { seat, facts, until } = startHeard(acp());
    await until('ready');
    seat.turn('limit', [eventOf(1, '[[limit]]')]);
    expect(await until('turn-ended')).toMatchObject({ status: 'failed', why: 'rate-limited: Rate limit exceeded, try again later' });
    expect((await until('rest')).until).toBeGreaterThan(Date.now());
    seat.turn('refuse', [eventOf(1, '[[refuse]]')]);
    expect(await until('turn-ended', ({ turnId }) => turnId === 'refuse')).toMatchObject({
      status: 'failed',
      why: 'refused: The model refuses to go on.',
    });
    seat.turn('garbage', [eventOf(1, '[[garbage]]')]);
    expect((await until('turn-ended', ({ turnId }) => turnId === 'garbage')).status).toBe('completed');
    expect(facts.filter(({ kind }) => kind === 'fault')).toEqual([]);
    seat.turn('die', [eventOf(1, '[[die]]')]);
    expect((await until('died')).why).toContain('ended with code 7');
  });

  test('[RT-33] an agent of another version, one that is signed out, one without the model and one that is missing say so; nothing of them is left', async () => {
    // A folder of its own: other tests leave and remove theirs meanwhile.
    const temporary = mkdtempSync(join(own.folder, 'temporary-'));
    const deaths: string[] = [];
    for (const [command, more] of [
      [[process.execPath, AGENT, 'old'], {}],
      [[process.execPath, AGENT, 'signed-out'], {}],
      [[process.execPath, AGENT, 'well'], { model: 'huge' }],
      [['/nowhere/agent'], {}],
    ] as const)
      deaths.push((await startHeard(own.make({ kind: 'acp', command, ...more }, { TMPDIR: temporary })).until('died')).why);
    expect(deaths[0]).toContain('The agent speaks version 99 of the Agent Client Protocol; Yarnboard speaks version 1.');
    expect(deaths[1]).toContain('The agent wants you to sign in first (Web login). Start it once in a terminal and sign in there.');
    expect(deaths[2]).toContain('The agent has no model "huge"; it has small, large.');
    expect(deaths[3]).toContain('"/nowhere/agent" could not be started');
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
  });

  test('[RT-33] its settings are looked at: a command, the SDK, and what is for other kinds', async () => {
    const errorOf = (given: object): string => {
      const read = readRuntimes({ one: given });
      return read.ok ? '' : read.error;
    };
    expect(errorOf({ kind: 'acp' })).toContain('a program is missing');
    expect(errorOf({ kind: 'acp', command: ['x'], speaks: 'mcp' })).toContain('"speaks" is for runtimes of the kind "stdio"');
    expect(errorOf({ kind: 'acp', command: ['x'], permission_mode: 'plan' })).toContain('"permission_mode"');
    expect(own.problemOf({ kind: 'acp', command: ['/nowhere/agent'] })).toBe('there is no program "/nowhere/agent" that can be run');
    expect(own.problemOf({ kind: 'acp', command: [process.execPath] })).toBeNull();
    const bridge = { command: () => [], sdk: () => null, problem: () => 'no SDK', version: '' };
    expect(own.problemOf({ kind: 'acp', command: [process.execPath] }, { bridge })).toBe('no SDK');
  });

  test('[RT-57] a try says what works', async () => {
    const checks = await tryRuntime({
      runtime: acp(),
      agent: 'AGENT-x',
      model: null,
      newId: () => 'id',
      after: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    });
    expect(checks.map(({ name, works }) => [name, works])).toEqual([
      ['start', true],
      ['turn', true],
      ['usage', true],
      ['protocol', true],
    ]);
    expect(checks[0]?.text).toBe('started: acp-agent 1.2.3');
  });
});

describe('a program that is a client of MCP', () => {
  test('[RT-34] its opening comes with the first turn, what came meanwhile with the next answer, and a tool after a cancelled turn is refused', async () => {
    const { seat, facts, until } = startHeard(own.make({ kind: 'stdio', speaks: 'mcp', command: [process.execPath, CLIENT] }));
    expect(await until('ready')).toMatchObject({ name: 'mcp' });
    seat.turn('turn-1', [eventOf(1, 'Submit a finding, please')]);
    const { id } = await until('command');
    seat.tell('turn-1', eventOf(2, 'and mind the MEERKAT'));
    seat.cancel('turn-1');
    seat.answer(id, true, { ref: 'x' });
    expect((await until('turn-ended')).status).toBe('cancelled');
    seat.turn('turn-2', [eventOf(3, 'Hello')]);
    expect((await until('turn-ended', ({ turnId }) => turnId === 'turn-2')).status).toBe('completed');
    expect(facts.filter(({ kind }) => kind === 'fault')).toEqual([]);
    await seat.stop('done');
    // What it heard besides is on its standard error, which is told with its end.
    const died = facts.at(-1);
    expect(died?.kind === 'died' ? died.why : '').toMatch(/Meanwhile:\s.*MEERKAT.*Your turn was cancelled\. End it with turn_end now\./su);
  });
});

test('[RT-33] whatever an agent says of its tools, each use is reported once and has one result, in that order', () => {
  const status = fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'unheard-of', null);
  const call = fc.record({
    sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update'),
    toolCallId: fc.constantFrom('a', 'b'),
    title: fc.option(fc.string()),
    kind: fc.constantFrom('execute', 'other', 'edit', 7),
    status,
    rawInput: fc.oneof(fc.constant(undefined), fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }), fc.string()),
    content: fc.option(fc.array(fc.oneof(fc.constant({ type: 'diff', path: '/a' }), fc.jsonValue()), { maxLength: 2 })),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(call, fc.jsonValue(), fc.record({ ask: call })), { maxLength: 20 }), (updates) => {
      let hearing = UNHEARD;
      const told: string[] = [];
      for (const update of updates) {
        const heard = typeof update === 'object' && update !== null && 'ask' in update ? hearAsked(hearing, update.ask) : hearUpdate(hearing, update);
        ({ hearing } = heard);
        for (const frame of heard.frames) if (frame.type === 'tool' || frame.type === 'tool-result') told.push(`${frame.type} ${frame.id}`);
      }
      for (const id of ['a', 'b']) {
        const own_ = told.filter((one) => one.endsWith(` ${id}`));
        expect([[], [`tool ${id}`], [`tool ${id}`, `tool-result ${id}`]]).toContainEqual(own_);
      }
    }),
  );
});
