import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import { sidechainsOf, type Session } from '../src/index.ts';
import { parseInstant } from '../src/time.ts';
import { mainOf, prompt, record, reply, result, sessionOf, task, text, type GivenFile } from './reading.ts';

const side = { isSidechain: true };
const MINUTE = 60_000;
const NOON = parseInstant('2026-01-01T12:00:00Z');
const atNoon = { timestamp: '2026-01-01T12:00:00Z' };

const call = (uuid: string, ...tasks: readonly unknown[]): Record<string, unknown> => reply(uuid, null, `msg-${uuid}`, tasks, atNoon);

const oneAgent = (...lines: readonly object[]): Session =>
  sessionOf([
    { path: 'main.jsonl', lines: [call('a1', task('t1', 'go')), ...lines] },
    { path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', side)] },
  ]);

const statesOf = (session: Session, now?: number): readonly string[] =>
  sidechainsOf(session, now === undefined ? {} : { now }).map((one) => one.state);

const stub = result('r1', 'a1', 't1', [text('Async agent launched successfully.\nagentId: A')], {
  toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'A' },
});

const tagged = (tag: string, idTag: string, status: string, toolUseId: string | null): string =>
  `<${tag}>\n<${idTag}>A</${idTag}>\n${toolUseId === null ? '' : `<tool-use-id>${toolUseId}</tool-use-id>\n`}<status>${status}</status>\n<summary>Agent "x" ${status}</summary>\n</${tag}>`;

// Where versions put what they have to say about a background agent.
const WAYS = {
  'a user record': (words: string) => prompt('n1', null, words, { origin: { kind: 'task-notification' } }),
  'a queue operation': (words: string) => ({ type: 'queue-operation', operation: 'enqueue', content: words, sessionId: 'S' }),
  'a queued command': (words: string) => record({ type: 'attachment', uuid: 'n2', attachment: { type: 'queued_command', prompt: words } }),
} as const;
type Way = keyof typeof WAYS;

describe('answers', () => {
  test('[SIDE-8] any answer completes a call, also an error of the agent', () => {
    expect(statesOf(oneAgent(result('r1', 'a1', 't1')))).toEqual(['complete']);
    const failed = record({
      uuid: 'r1',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'API Error: 500', is_error: true }] },
    });
    expect(statesOf(oneAgent(failed))).toEqual(['complete']);
  });

  test('[SIDE-8] the stub of a background agent does not', () => {
    expect(statesOf(oneAgent(stub))).toEqual(['incomplete']);
  });

  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    '[Request interrupted by user for tool use]',
    '[Tool call interrupted: the session ended before it finished]',
  ])('[SIDE-8] the result "%s" leaves the agent incomplete, and nothing runs any more', (content) => {
    const rejected = record({
      uuid: 'r1',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content, is_error: true }] },
    });
    expect(statesOf(oneAgent(rejected), NOON)).toEqual(['incomplete']);
  });

  test('[SIDE-8] an answer after a stub completes the call and keeps the agent that the stub named', () => {
    const session = sessionOf([
      { path: 'main.jsonl', lines: [call('a1', task('t1', 'other words')), stub, result('r2', 'a1', 't1', 'done')] },
      { path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', side)] },
    ]);
    expect(sidechainsOf(session).map(({ id, linkedBy, state }) => ({ id, linkedBy, state }))).toEqual([
      { id: 'A', linkedBy: 'agent_id', state: 'complete' },
    ]);
  });
});

describe('notifications', () => {
  const ways = Object.keys(WAYS) as readonly Way[];
  const forms = ways.flatMap((way) => [
    { way, tag: 'task-notification', idTag: 'task-id' },
    { way, tag: 'agent-notification', idTag: 'agent-id' },
  ]);

  test.each(forms)('[SIDE-8] a $tag of completion in $way completes an agent that was launched in the background', ({ way, tag, idTag }) => {
    expect(statesOf(oneAgent(stub, WAYS[way](tagged(tag, idTag, 'completed', 't1'))))).toEqual(['complete']);
  });

  test.each(forms)('[SIDE-8] a $tag that the agent was stopped, in $way, closes the call without completing it', ({ way, tag, idTag }) => {
    const session = oneAgent(stub, WAYS[way](tagged(tag, idTag, 'stopped', null)));
    expect(statesOf(session, NOON)).toEqual(['incomplete']);
  });

  test.each(ways)('[SIDE-3] [ENTRY-5] a notification in %s links an agent that nothing else names', (way) => {
    const session = sessionOf([
      { path: 'main.jsonl', lines: [call('a1', task('t1', 'other words')), WAYS[way](tagged('task-notification', 'task-id', 'completed', 't1'))] },
      { path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', side)] },
    ]);
    expect(sidechainsOf(session).map(({ linkedBy, toolUseIds, state }) => ({ linkedBy, toolUseIds, state }))).toEqual([
      { linkedBy: 'notification', toolUseIds: ['t1'], state: 'complete' },
    ]);
  });

  test('[SIDE-3] the JSON that 2.1.50 queues when it starts an agent links it and does not complete it', () => {
    const queued = { type: 'queue-operation', operation: 'enqueue', content: '{"task_id":"A","tool_use_id":"t1","task_type":"local_agent"}' };
    const session = sessionOf([
      { path: 'main.jsonl', lines: [call('a1', task('t1', 'other words')), queued] },
      { path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', side)] },
    ]);
    expect(sidechainsOf(session).map(({ linkedBy, state }) => ({ linkedBy, state }))).toEqual([{ linkedBy: 'notification', state: 'incomplete' }]);
  });

  test('[SIDE-8] a notification of an earlier call does not complete a later one', () => {
    const again = call('a2', task('t2', 'go on', null, { resume: 'A' }));
    const stubAgain = result('r2', 'a2', 't2', 'Async agent launched successfully.', {
      toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'A' },
    });
    const first = WAYS['a user record'](tagged('task-notification', 'task-id', 'completed', 't1'));
    expect(statesOf(oneAgent(stub, first, again, stubAgain), NOON)).toEqual(['running']);
    const second = WAYS['a queue operation'](tagged('task-notification', 'task-id', 'completed', 't2'));
    expect(statesOf(oneAgent(stub, first, again, stubAgain, second), NOON)).toEqual(['complete']);
  });
});

describe('running', () => {
  test('[SIDE-8] an open call runs for ten minutes after the session’s newest record, and without a clock nothing runs', () => {
    const session = oneAgent();
    expect([0, 9, 10, 60].map((minutes) => statesOf(session, NOON + minutes * MINUTE)[0])).toEqual([
      'running',
      'running',
      'incomplete',
      'incomplete',
    ]);
    expect(statesOf(session)).toEqual(['incomplete']);
  });

  test('[SIDE-8] a background agent runs until its notification', () => {
    expect(statesOf(oneAgent(stub), NOON)).toEqual(['running']);
    expect(statesOf(oneAgent(stub, WAYS['a queue operation'](tagged('task-notification', 'task-id', 'completed', 't1'))), NOON)).toEqual([
      'complete',
    ]);
  });

  test('[SIDE-8] the limit is a parameter', () => {
    expect(sidechainsOf(oneAgent(), { now: NOON + 30 * MINUTE, runningWithin: 60 * MINUTE }).map((one) => one.state)).toEqual(['running']);
  });

  test('[SIDE-8] an agent without a call is orphaned however recent it is', () => {
    const session = sessionOf([{ path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', { ...side, ...atNoon })] }]);
    expect(statesOf(session, NOON)).toEqual(['orphaned']);
  });
});

const nested = (agentId: string, calls: string | null, meta: GivenFile['meta'] = {}): GivenFile => ({
  path: `agent-${agentId}.jsonl`,
  agentId,
  meta,
  lines: [
    prompt(`${agentId}1`, null, agentId, side),
    reply(`${agentId}2`, `${agentId}1`, `m${agentId}`, calls === null ? [text('x')] : [task(`t-${calls}`, calls)], side),
  ],
});

const treeOf = (session: Session): object => Object.fromEntries(sidechainsOf(session).map(({ id, depth, parentId }) => [id, { depth, parentId }]));

describe('depth and parents', () => {
  test('[SIDE-7] agents below agents are as deep as their callers say, whatever the order of files', () => {
    const files = [{ path: 'main.jsonl', lines: [call('a1', task('t-A', 'A'))] }, nested('A', 'B'), nested('B', 'C'), nested('C', null)];
    const wanted = { A: { depth: 1, parentId: null }, B: { depth: 2, parentId: 'A' }, C: { depth: 3, parentId: 'B' } };
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: 4 }), (shuffled) => {
        expect(treeOf(sessionOf(shuffled))).toEqual(wanted);
      }),
    );
  });

  test('[SIDE-7] the meta tells parent and depth where the call is lost', () => {
    const session = sessionOf([
      nested('A', null, { spawnDepth: 1 }),
      nested('B', null, { parentAgentId: 'A', spawnDepth: 2 }),
      nested('C', null, { parentAgentId: 'GONE', spawnDepth: 4 }),
    ]);
    expect(treeOf(session)).toEqual({ A: { depth: 1, parentId: null }, B: { depth: 2, parentId: 'A' }, C: { depth: 4, parentId: 'GONE' } });
  });

  test('[SIDE-7] nestingLevel is believed, also in an agent’s own file', () => {
    const session = sessionOf([{ path: 'agent-A.jsonl', agentId: 'A', lines: [prompt('s1', null, 'go', { ...side, nestingLevel: 3 })] }]);
    expect(treeOf(session)).toEqual({ A: { depth: 3, parentId: null } });
  });

  test('[SIDE-7] a level that is no level is not believed', () => {
    for (const level of [0, -1, 1.5, 1e300]) {
      expect(treeOf(mainOf(prompt('s1', null, 'go', { ...side, nestingLevel: level })))).toEqual({ s1: { depth: 1, parentId: null } });
      expect(treeOf(sessionOf([nested('A', null, { spawnDepth: level })]))).toEqual({ A: { depth: 1, parentId: null } });
    }
  });

  test('[SIDE-7] agents that claim to have started one another, or themselves, are still listed once each', () => {
    const ring = sessionOf([nested('A', 'B'), nested('B', 'C'), nested('C', 'A'), nested('D', 'D')]);
    expect(sidechainsOf(ring).map(({ id, toolUseIds, parentId }) => ({ id, toolUseIds, parentId }))).toEqual([
      { id: 'A', toolUseIds: ['t-A'], parentId: 'C' },
      { id: 'B', toolUseIds: ['t-B'], parentId: 'A' },
      { id: 'C', toolUseIds: ['t-C'], parentId: 'B' },
      { id: 'D', toolUseIds: ['t-D'], parentId: 'D' },
    ]);
    const metas = sessionOf([nested('A', null, { parentAgentId: 'B' }), nested('B', null, { parentAgentId: 'A' })]);
    expect(sidechainsOf(metas).map((one) => one.id)).toEqual(['A', 'B']);
  });

  test('[SIDE-7] a chain of 5,000 agents has a depth of 5,000', () => {
    const files = Array.from({ length: 5000 }, (_, i) => nested(`A${i}`, `A${i + 1}`));
    const sidechains = sidechainsOf(sessionOf([{ path: 'main.jsonl', lines: [call('a1', task('t-A0', 'A0'))] }, ...files.reverse()]));
    expect(sidechains.reduce((deepest, one) => Math.max(deepest, one.depth), 0)).toBe(5000);
  });
});

// Growth, not speed: eight times as many agents may take about eight times as long, never sixty-four.
const millisecondsFor = (agents: number, words: (i: number) => string): number => {
  const lines: object[] = [];
  for (let i = 0; i < agents; i += 1) {
    lines.push(
      call(`a${i}`, task(`t${i}`, words(i))),
      prompt(`s${i}`, null, words(i), side),
      reply(`e${i}`, `s${i}`, `m${i}`, [text('x')], side),
      result(`r${i}`, `a${i}`, `t${i}`),
    );
  }
  const session = mainOf(...lines);
  const times = [1, 2, 3].map(() => {
    let sidechains: ReturnType<typeof sidechainsOf> = [];
    const took = cpuTimeOf(() => {
      sidechains = sidechainsOf(session);
    });
    expect(sidechains.map(({ id, toolUseIds, state }) => `${id} ${toolUseIds.join()} ${state}`)).toEqual(
      Array.from({ length: agents }, (_, i) => `s${i} t${i} complete`),
    );
    return took;
  });
  return Math.min(...times);
};

describe('size', () => {
  test.each([
    ['different prompts', (i: number) => `prompt ${i}`],
    ['one and the same prompt', () => 'same'],
  ])('[SIDE-5] thousands of agents with %s are linked in time proportional to their number', (_, words) => {
    const few = Math.max(millisecondsFor(2000, words), 2);
    expect(millisecondsFor(16_000, words) / few).toBeLessThan(30);
  });
});
