import { describe, expect, test } from 'vitest';
import {
  branchesOf,
  combine,
  DEFAULT_PRICES,
  digestSession,
  priceOf,
  reconstruct,
  renderText,
  sidechainsOf,
  type Report,
  type Session,
} from '../src/index.ts';
import { grown, mainOf, prompt, record, reply, reportOf, result, sessionOf, shapeOf, task, text } from './reading.ts';
import { readText } from './read-lines.ts';

// Whatever is repeated by the ten thousand. Each of these took minutes when something was compared with everything before it; now each takes a
// moment, and none has a limit of its own but that of all tests.
const MANY = 30_000;
const each = <T>(make: (i: number) => T, length = MANY): T[] => Array.from({ length }, (_, i) => make(i));

const report = (session: Session): Report =>
  combine(
    [digestSession(session)],
    { files: 1, counts: { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 }, quarantine: [], skipped: [] },
    DEFAULT_PRICES,
  );

const priced = (i: number, message: object, more: object = {}): object => ({
  ...reply(`a${i}`, null, `m${i}`),
  message: { id: `m${i}`, model: 'claude-sonnet-4-5', content: [], usage: { output_tokens: 1 }, ...message },
  ...more,
});

describe('wide sessions', () => {
  test('[COST-2] [DAG-8] one message id with many request ids', () => {
    const session = grown(each((i) => priced(i, { id: 'same' }, { requestId: `r${i}` })));
    expect(report(session).totals.spending.responses).toBe(MANY);
  });

  test.each([
    ['a truncated list of objects', `{"a":[${'{"x":1},'.repeat(400_000)}`, 0, 1],
    ['a truncated object of objects', `{"a":{${'"x":{"y":1},'.repeat(200_000)}`, 0, 1],
    ['good and bad objects in turn', '{"a"}{"b":1}'.repeat(100_000), 100_000, 100_000],
    ['half objects', '{"a":1,'.repeat(200_000), 0, 1],
  ])('[PARSE-6] %s on one line', (_, line, records, quarantined) => {
    const { counts } = readText(`${line}\n`);
    expect([counts.records, counts.quarantined]).toEqual([records, quarantined]);
  });

  test('[SHOW-3] agents that nest by the thousand do not fill the page with margins', () => {
    const files = each(
      (i) => ({
        path: `agent-g${i}.jsonl`,
        agentId: `g${i}`,
        meta: { toolUseId: `t${i}` },
        lines: [reply(`q${i}`, null, `m${i}`, [task(`t${i + 1}`, 'p', 'w')], { isSidechain: true, agentId: `g${i}` })],
      }),
      2000,
    );
    const session = sessionOf([{ path: 'main.jsonl', lines: [reply('a', null, 'm', [task('t0', 'p', 'w')])] }, ...files]);
    const source = { session, title: null, project: null, recordOf: () => ({ message: { content: 'x' } }), outputOf: () => null };
    expect([...renderText(source, reconstruct(session))].join('').length).toBeLessThan(2000 * 1000);
  });

  test('[COST-1] many models', () => {
    const { byModel } = report(grown(each((i) => priced(i, { model: `model-${i}` }), 70_000)));
    expect([byModel.size, byModel.get('model-69999')?.responses]).toEqual([70_000, 1]);
  });

  test('[COST-5] a model name of brackets', () => {
    expect(priceOf(DEFAULT_PRICES, '['.repeat(300_000))).toBeNull();
  });

  test('[ANALYSIS-1] many kinds of agents', () => {
    const session = grown(each((i) => reply(`a${i}`, null, `m${i}`, [task(`t${i}`, `p${i}`, `agent-${i}`)])));
    expect(report(session).analysis.agents).toHaveLength(MANY);
  });

  test('[SIDE-4] many calls that resume one agent', () => {
    const session = sessionOf([
      {
        path: 'main.jsonl',
        lines: [
          reply(
            'a',
            null,
            'm',
            each((i) => task(`t${i}`, 'again', 'worker', { resume: 'g' }), 150_000),
          ),
        ],
      },
      { path: 'agent-g.jsonl', agentId: 'g', lines: [prompt('p', null, 'again', { isSidechain: true, agentId: 'g' })] },
    ]);
    expect(sidechainsOf(session)[0]?.toolUseIds).toHaveLength(150_000);
    expect([...reconstruct(session).steps()]).toHaveLength(4);
  });

  test('[DAG-8] many notices of one agent', () => {
    const session = grown(
      each((i) => record({ type: 'progress', uuid: `p${i}`, parentToolUseID: `t${i}`, data: { type: 'agent_progress', agentId: 'g' } })),
    );
    expect(session.evidence.get('g')?.size).toBe(MANY);
  });

  test('[SIDE-5] many calls in one record and as many sidechains below it', () => {
    const calls = reply(
      'a',
      null,
      'm',
      each((i) => task(`t${i}`, `work ${i}`, 'worker'), 10_000),
    );
    const strands = each((i) => prompt(`s${i}`, 'a', `work ${i}`, { isSidechain: true }), 10_000);
    const sidechains = sidechainsOf(mainOf(calls, ...strands));
    expect(sidechains.map((one) => one.toolUseIds[0])).toEqual(each((i) => `t${i}`, 10_000));
  });

  test('[DAG-11] branch points inside branches, each off the path', () => {
    const lines = each(
      (i) => [reply(`a${i}`, i === 0 ? null : `u${i - 1}`, `m${i}`), prompt(`x${i}`, `a${i}`), prompt(`u${i}`, `a${i}`)],
      10_000,
    ).flat();
    const session = mainOf(...lines.toReversed());
    expect(branchesOf(shapeOf(session))).toHaveLength(10_000);
    expect(report(session).totals.branchPoints).toBe(10_000);
  });

  test('[CONT-1] many forks of one session', () => {
    const shared = each((i) => prompt(`u${i}`, i === 0 ? null : `u${i - 1}`, `u${i}`, { timestamp: '2026-01-01T00:00:00Z' }), 500);
    const forks = each(
      (i) =>
        sessionOf([{ path: `${i}.jsonl`, lines: [...shared, ...(i === 0 ? [] : [prompt(`own${i}`, 'u499')])] }], `S${String(i).padStart(3, '0')}`),
      400,
    );
    const { sessions, totals } = reportOf(forks);
    expect(totals.messages).toBe(899);
    expect(sessions.filter((one) => one.continues?.sessionId === 'S000')).toHaveLength(399);
  });

  test('[SHOW-2] a text of newlines', () => {
    const session = mainOf(prompt('u', null, 'x'));
    const source = {
      session,
      title: null,
      project: null,
      recordOf: () => ({ message: { content: [text(`a${'\n'.repeat(300_000)}b`)] } }),
      outputOf: () => null,
    };
    expect([...renderText(source as never, reconstruct(session))].join('').endsWith('b\n')).toBe(true);
  });
});

describe('records without ids', () => {
  const seed = (words: string): Session =>
    sessionOf(
      [
        {
          path: `${words}.jsonl`,
          lines: [
            { type: 'user', message: { content: words } },
            { type: 'assistant', message: { model: 'claude-sonnet-4-5', content: [], usage: { input_tokens: 1_000_000 } } },
          ],
        },
      ],
      words,
    );

  test('[SESS-4] [COST-1] two sessions whose records have no uuids are two sessions', () => {
    const { sessions, totals } = reportOf([seed('one'), seed('two')]);
    expect(sessions.map((session) => session.continues)).toEqual([null, null]);
    expect([totals.messages, totals.spending.responses, totals.spending.costUsd]).toEqual([4, 2, 6]);
  });

  test('[CONT-1] sessions of an endpoint that reuses message ids are not taken for copies', () => {
    const session = (id: string): Session =>
      sessionOf([{ path: `${id}.jsonl`, lines: [priced(0, { id: 'msg_fixed' }, { uuid: `${id}-a`, requestId: `req-${id}` })] }], id);
    expect(reportOf([session('A'), session('B')]).sessions.map((one) => one.continues)).toEqual([null, null]);
  });

  test('[CONT-1] [COST-3] a chain of copies with rewritten uuids leads back to the first', () => {
    const turns = (prefix: string, count: number): object[] =>
      each(
        (i) =>
          priced(
            i,
            {},
            { uuid: `${prefix}${i}`, parentUuid: i === 0 ? null : `${prefix}${i - 1}`, timestamp: `2026-01-01T00:0${i}:00Z`, version: '1.0.30' },
          ),
        count,
      );
    const named = (id: string, lines: object[]): Session => sessionOf([{ path: `${id}.jsonl`, lines }], id);
    const { sessions } = reportOf([named('C', turns('b', 5)), named('B', turns('b', 4)), named('A', turns('a', 3))]);
    const of = new Map(sessions.map((session) => [session.id, [session.continues?.sessionId ?? null, session.spending.responses]]));
    expect(Object.fromEntries(of)).toEqual({ A: [null, 3], B: ['A', 1], C: ['B', 1] });
  });

  test('[CONT-1] a fork that was given up early still continues its source', () => {
    const lines = each((i) => prompt(`u${i}`, i === 0 ? null : `u${i - 1}`, `u${i}`, { timestamp: `2026-01-01T00:0${i}:00Z` }), 9);
    const started = (at: string): object => ({ type: 'queue-operation', operation: 'enqueue', timestamp: at });
    const source = sessionOf([{ path: 'a', lines: [started('2026-01-01T00:00:00Z'), ...lines] }], 'SOURCE');
    const fork = sessionOf([{ path: 'b', lines: [started('2026-01-09T00:00:00Z'), ...lines.slice(0, 4)] }], 'FORK');
    expect(Object.fromEntries(reportOf([fork, source]).sessions.map((one) => [one.id, one.continues?.sessionId ?? null]))).toEqual({
      SOURCE: null,
      FORK: 'SOURCE',
    });
  });

  test('[ENTRY-3] tool uses without ids are all counted, and a message may be plain text', () => {
    const session = mainOf(
      {
        type: 'assistant',
        uuid: 'a',
        message: {
          content: [
            { type: 'tool_use', name: 'Task', input: { subagent_type: 'x', prompt: 'p' } },
            { type: 'tool_use', name: 'Task', input: { subagent_type: 'y', prompt: 'q' } },
          ],
        },
      },
      { type: 'user', isSidechain: true, parentUuid: 'a', message: 'q' },
    );
    expect(session.uses.size).toBe(2);
    expect(sidechainsOf(session).map((one) => one.agent)).toEqual(['y']);
  });

  test('[SHOW-4] a killed agent whose call was left behind is shown, marked', () => {
    const session = sessionOf([
      {
        path: 'main.jsonl',
        lines: [
          prompt('u', null),
          reply('a1', 'u', 'm1', [text('x')]),
          reply('a2', 'a1', 'm2', [task('t', 'long', 'worker')]),
          prompt('u2', 'a1'),
          reply('a3', 'u2', 'm3'),
        ],
      },
      { path: 'agent-g.jsonl', agentId: 'g', meta: { toolUseId: 't' }, lines: [prompt('p', null, 'long', { isSidechain: true, agentId: 'g' })] },
    ]);
    const told = [...reconstruct(session).steps()].map((step) => (step.kind === 'message' ? step.node.uuid : step.kind));
    expect(told.filter((one) => one === 'enter')).toHaveLength(1);
    expect(sidechainsOf(session)[0]?.state).toBe('incomplete');
    expect(result('r', null, 't')).toBeDefined();
  });
});
