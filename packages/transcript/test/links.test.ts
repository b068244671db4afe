import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sidechainsOf, type AgentMeta, type Session } from '../src/index.ts';
import { mainOf, prompt, record, reply, result, sessionOf, task, text, type GivenFile } from './reading.ts';

const side = { isSidechain: true };

const call = (uuid: string, ...tasks: readonly unknown[]): Record<string, unknown> => reply(uuid, null, `msg-${uuid}`, tasks);

const main = (...lines: readonly object[]): GivenFile => ({ path: 'main.jsonl', lines });

const agent = (agentId: string, words: string | null, more: Readonly<Record<string, unknown>> = {}, meta?: Partial<AgentMeta>): GivenFile => ({
  path: `agent-${agentId}.jsonl`,
  agentId,
  ...(meta === undefined ? {} : { meta }),
  lines: [
    words === null
      ? reply(`${agentId}-1`, null, `m-${agentId}`, [text('x')], { ...side, ...more })
      : prompt(`${agentId}-1`, null, words, { ...side, ...more }),
  ],
});

const linksOf = (session: Session): Record<string, readonly [by: string, ...calls: string[]]> =>
  Object.fromEntries(sidechainsOf(session).map(({ id, linkedBy, toolUseIds }) => [id, [linkedBy, ...toolUseIds]]));

const named = (agentId: string): Record<string, unknown> => ({ toolUseResult: { agentId, status: 'completed' } });

const progress = (agentId: string, toolUseId: string): object =>
  record({ type: 'progress', uuid: `p-${agentId}-${toolUseId}`, data: { type: 'agent_progress', agentId, prompt: 'x' }, parentToolUseID: toolUseId });

const notification = (agentId: string, toolUseId: string): object =>
  prompt(
    `n-${agentId}-${toolUseId}`,
    null,
    `<task-notification>\n<task-id>${agentId}</task-id>\n<tool-use-id>${toolUseId}</tool-use-id>\n<status>completed</status>\n</task-notification>`,
  );

// In the order of trust. Each, given an agent and a call, makes files that say that the call started the agent.
const EVIDENCE = {
  meta: (agentId: string, toolUseId: string) => ({ meta: { toolUseId }, first: {}, lines: [], agentId }),
  agent_id: (agentId: string, toolUseId: string) => ({
    meta: {},
    first: {},
    lines: [result(`r-${toolUseId}`, null, toolUseId, 'done', named(agentId))],
    agentId,
  }),
  parent_tool_use_id: (agentId: string, toolUseId: string) => ({ meta: {}, first: { parent_tool_use_id: toolUseId }, lines: [], agentId }),
  progress: (agentId: string, toolUseId: string) => ({ meta: {}, first: {}, lines: [progress(agentId, toolUseId)], agentId }),
  notification: (agentId: string, toolUseId: string) => ({ meta: {}, first: {}, lines: [notification(agentId, toolUseId)], agentId }),
  parent_uuid: (agentId: string, toolUseId: string) => ({ meta: {}, first: { parentUuid: `a-${toolUseId}` }, lines: [], agentId }),
} as const;
type Evidence = keyof typeof EVIDENCE;
const KINDS = Object.keys(EVIDENCE) as readonly Evidence[];

describe('each kind of evidence', () => {
  test.each(KINDS)('[SIDE-3] %s alone links an agent to its call, whatever the prompts say', (kind) => {
    const proof = EVIDENCE[kind]('A', 't2');
    const session = sessionOf([
      main(call('a-t1', task('t1', 'one')), call('a-t2', task('t2', 'two')), ...proof.lines),
      agent('A', 'neither', proof.first, proof.meta),
    ]);
    expect(linksOf(session)).toEqual({ A: [kind, 't2'] });
  });

  test('[SIDE-3] the only call with the prompt is linked by the prompt, white space aside', () => {
    const session = sessionOf([main(call('a1', task('t1', 'one'), task('t2', '  two\n\n  lines '))), agent('A', 'two lines')]);
    expect(linksOf(session)).toEqual({ A: ['prompt', 't2'] });
  });

  test('[SIDE-3] an inline sidechain without its prompt is linked by its place before the result', () => {
    const session = mainOf(
      call('a1', task('t1', 'one'), task('t2', 'two')),
      reply('s1', null, 'm', [text('x')], side),
      result('r2', 'a1', 't2'),
      result('r1', 'a1', 't1'),
    );
    expect(linksOf(session)).toEqual({ s1: ['position', 't2'] });
  });

  test('[SIDE-3] an agent file that begins with its answer is linked by the id in the result (2.0.42 to 2.0.60)', () => {
    const session = sessionOf([main(call('a1', task('t1', 'one')), result('r1', 'a1', 't1', 'done', named('A'))), agent('A', null)]);
    expect(linksOf(session)).toEqual({ A: ['agent_id', 't1'] });
  });

  test('[SIDE-3] the id at the end of an answer’s text names the agent where nothing else does', () => {
    const session = sessionOf([
      main(
        call('a1', task('t1', 'one')),
        result('r1', 'a1', 't1', [text('Done.'), text('agentId: a363e5c (for resuming to continue this agent’s work)')]),
      ),
      agent('a363e5c', null),
    ]);
    expect(linksOf(session)).toEqual({ a363e5c: ['agent_id', 't1'] });
  });

  test('[SIDE-3] the tool may be called Agent', () => {
    const session = sessionOf([main(call('a1', { type: 'tool_use', id: 't1', name: 'Agent', input: { prompt: 'go' } })), agent('A', 'go')]);
    expect(linksOf(session)).toEqual({ A: ['prompt', 't1'] });
  });

  test('[SIDE-3] a call whose record is missing is still named', () => {
    const session = sessionOf([main(prompt('u1', null)), agent('A', 'go', {}, { toolUseId: 't-gone' })]);
    expect(sidechainsOf(session).map(({ linkedBy, toolUseIds, calls, state }) => ({ linkedBy, toolUseIds, calls, state }))).toEqual([
      { linkedBy: 'meta', toolUseIds: ['t-gone'], calls: [], state: 'orphaned' },
    ]);
  });

  test('[SIDE-3] nothing at all is evidence none', () => {
    expect(linksOf(sessionOf([main(call('a1', task('t1', 'one'))), agent('A', 'other'), agent('B', null)]))).toEqual({ A: ['none'], B: ['none'] });
  });

  test('[SIDE-3] a background shell that notifies under an agent’s name is no call', () => {
    const shell = reply('a1', null, 'm1', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { run_in_background: true } }]);
    expect(linksOf(sessionOf([main(shell, notification('A', 't1')), agent('A', 'go')]))).toEqual({ A: ['none'] });
  });
});

describe('precedence', () => {
  test('[SIDE-4] of two kinds of evidence for the same call the stronger is named', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...KINDS), { minLength: 1 }), (kinds) => {
        const proofs = kinds.map((kind) => EVIDENCE[kind]('A', 't1'));
        const session = sessionOf([
          main(call('a-t1', task('t1', 'one')), ...proofs.flatMap((proof) => [...proof.lines])),
          agent('A', 'one', Object.assign({}, ...proofs.map((proof) => proof.first)), Object.assign({}, ...proofs.map((proof) => proof.meta))),
        ]);
        const strongest = KINDS.find((kind) => kinds.includes(kind));
        expect(linksOf(session)).toEqual({ A: [strongest, 't1'] });
      }),
    );
  });

  test.each(KINDS.slice(0, 5))('[SIDE-4] %s beats the parent’s uuid and the prompt of another call', (kind) => {
    const proof = EVIDENCE[kind]('A', 't2');
    const session = sessionOf([
      main(call('a-t1', task('t1', 'one')), call('a-t2', task('t2', 'two')), ...proof.lines),
      agent('A', 'one', { parentUuid: 'a-t1', ...proof.first }, proof.meta),
    ]);
    expect(linksOf(session)).toEqual({ A: [kind, 't2'] });
  });

  test('[SIDE-4] the parent’s uuid beats the prompt', () => {
    const session = mainOf(call('a1', task('t1', 'one')), call('a2', task('t2', 'two')), prompt('s1', 'a2', 'one', side));
    expect(linksOf(session)).toEqual({ s1: ['parent_uuid', 't2'] });
  });

  test('[SIDE-4] the prompt beats the place', () => {
    const session = mainOf(call('a1', task('t1', 'one'), task('t2', 'two')), prompt('s1', null, 'one', side), result('r2', 'a1', 't2'));
    expect(linksOf(session)).toEqual({ s1: ['prompt', 't1'] });
  });

  test('[SIDE-4] a call that an id gave to one agent is not given to another with the same prompt', () => {
    const session = sessionOf([main(call('a1', task('t1', 'same'))), agent('A', 'same'), agent('B', 'same', {}, { toolUseId: 't1' })]);
    expect(linksOf(session)).toEqual({ A: ['none'], B: ['meta', 't1'] });
  });

  test('[SIDE-4] a call whose result names an agent of another session goes to nobody here', () => {
    // A fork copies the call and its result; the agent's file stays in the source session's folder.
    const session = sessionOf([
      main(call('a1', task('t1', 'same')), result('r1', 'a1', 't1', 'done', named('ELSEWHERE')), call('a2', task('t2', 'same'))),
      agent('B', 'same'),
    ]);
    expect(linksOf(session)).toEqual({ B: ['prompt', 't2'] });
  });

  test('[SIDE-10] a call that resumes one agent is not taken by another with its prompt', () => {
    const session = sessionOf([
      main(call('a1', task('t1', 'go')), call('a2', task('t2', 'go on', null, { resume: 'A' }))),
      agent('A', 'go', {}, { toolUseId: 't1' }),
      agent('B', 'go on'),
    ]);
    expect(linksOf(session)).toEqual({ A: ['meta', 't1', 't2'], B: ['none'] });
  });

  test('[SIDE-10] a version that ignored resume and started another agent is believed', () => {
    const session = sessionOf([
      main(call('a1', task('t1', 'go')), call('a2', task('t2', 'go on', null, { resume: 'A' })), result('r2', 'a2', 't2', 'done', named('B'))),
      agent('A', 'go'),
      agent('B', 'go on'),
    ]);
    expect(linksOf(session)).toEqual({ A: ['prompt', 't1'], B: ['agent_id', 't2'] });
  });
});

const at = (second: number): object => ({ timestamp: `2026-01-01T00:00:0${second}Z` });

describe('equal prompts', () => {
  test('[SIDE-5] inline sidechains go with the result that follows them, not with the order of calls', () => {
    const session = mainOf(
      call('a1', task('t1', 'same'), task('t2', 'same')),
      prompt('s1', null, 'same', side),
      reply('s2', 's1', 'm1', [text('x')], side),
      result('r2', 'a1', 't2'),
      prompt('s3', null, 'same', side),
      reply('s4', 's3', 'm2', [text('y')], side),
      result('r1', 'a1', 't1'),
    );
    expect(linksOf(session)).toEqual({ s1: ['position', 't2'], s3: ['position', 't1'] });
  });

  test('[SIDE-5] what the place does not settle goes by the order of calls', () => {
    const session = mainOf(
      call('a1', task('t1', 'same'), task('t2', 'same'), task('t3', 'same')),
      prompt('s1', null, 'same', side),
      prompt('s2', null, 'same', side),
      result('r1', 'a1', 't1'),
    );
    expect(linksOf(session)).toEqual({ s1: ['position', 't2'], s2: ['position', 't1'] });
  });

  test('[SIDE-5] results that stand in one record tell nobody apart, so the order of calls does', () => {
    const results = ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }));
    const session = mainOf(
      call('a1', task('t1', 'same'), task('t2', 'same')),
      prompt('s1', null, 'same', side),
      prompt('s2', null, 'same', side),
      record({ uuid: 'r1', parentUuid: 'a1', message: { role: 'user', content: results } }),
    );
    expect(linksOf(session)).toEqual({ s1: ['position', 't1'], s2: ['position', 't2'] });
  });

  test('[SIDE-5] agents in files go by the order of their beginnings and of the calls', () => {
    const session = sessionOf([
      main(call('a1', task('t1', 'same')), call('a2', task('t2', 'same'))),
      agent('LATE', 'same', { ...at(5) }),
      agent('EARLY', 'same', { ...at(3) }),
    ]);
    expect(linksOf(session)).toEqual({ EARLY: ['position', 't1'], LATE: ['position', 't2'] });
  });

  test('[SIDE-5] ids settle some and the order of calls the rest', () => {
    const session = sessionOf([
      main(call('a1', task('t1', 'same'), task('t2', 'same'), task('t3', 'same')), result('r1', 'a1', 't1', 'done', named('B'))),
      agent('A', 'same'),
      agent('B', 'same'),
      agent('C', 'same'),
    ]);
    expect(linksOf(session)).toEqual({ A: ['position', 't2'], B: ['agent_id', 't1'], C: ['position', 't3'] });
  });

  test('[SIDE-4] however many agents and calls share a prompt, every call is given away at most once and none is left while an agent waits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 12 }),
        fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 12 }),
        (calls, agents) => {
          const session = sessionOf([
            main(...calls.map((words, i) => call(`a${i}`, task(`t${i}`, words)))),
            ...agents.map((words, i) => agent(`A${i}`, words)),
          ]);
          const given = sidechainsOf(session).flatMap((one) => one.toolUseIds);
          expect(new Set(given).size).toBe(given.length);
          for (const words of ['x', 'y', 'z']) {
            const wanted = calls.filter((one) => one === words).length;
            const there = agents.filter((one) => one === words).length;
            expect(given.filter((id) => calls[Number(id.slice(1))] === words).length).toBe(Math.min(wanted, there));
          }
        },
      ),
    );
  });
});

describe('agents that nobody called', () => {
  test('[SIDE-6] warm-ups and helpers stay unattached and take no open call', () => {
    const session = sessionOf([
      main(call('a1', task('t1', 'go'))),
      agent('W1', 'Warmup'),
      agent('W2', 'Warmup'),
      agent('acompact-1', null),
      agent('aprompt_suggestion-1', '[SUGGESTION MODE] …'),
      agent('A', 'go'),
    ]);
    expect(linksOf(session)).toEqual({ W1: ['none'], W2: ['none'], 'acompact-1': ['none'], 'aprompt_suggestion-1': ['none'], A: ['prompt', 't1'] });
  });

  test('[SIDE-6] an inline warm-up before a typed prompt stays unattached', () => {
    const session = mainOf(
      prompt('s1', null, 'Warmup', side),
      reply('s2', 's1', 'm', [text('Ready.')], side),
      prompt('u1', null, 'hello'),
      call('a1', task('t1', 'go')),
      result('r1', 'a1', 't1'),
    );
    expect(sidechainsOf(session).map(({ id, linkedBy, state, agent: name }) => ({ id, linkedBy, state, name }))).toEqual([
      { id: 's1', linkedBy: 'none', state: 'orphaned', name: 'unknown' },
    ]);
  });

  test('[SIDE-6] a Task with an empty prompt is not linked to an agent with an empty one', () => {
    expect(linksOf(sessionOf([main(call('a1', task('t1', ''))), agent('A', '')]))).toEqual({ A: ['none'] });
  });
});
