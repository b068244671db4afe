import { describe, expect, test } from 'vitest';
import { KNOWN_AGENTS, type Analysis, type Session } from '../src/index.ts';
import { prompt, reply, reportOf, result, sessionOf, task, text, use, type GivenFile } from './reading.ts';

const at = (second: number): { timestamp: string } => ({ timestamp: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString() });

const analysisOf = (...sessions: readonly Session[]): Analysis => reportOf(sessions).analysis;

/** An agent's file: the caller's prompts and the agent's answers in turn, ten seconds apart. */
const agent = (agentId: string, toolUseId: string | null, ...said: readonly (string | readonly unknown[])[]): GivenFile => ({
  path: `agent-${agentId}.jsonl`,
  agentId,
  ...(toolUseId === null ? {} : { meta: { toolUseId } }),
  lines: said.map((words, i) => {
    const parent = i === 0 ? null : `${agentId}${i - 1}`;
    if (typeof words === 'string' && i % 2 === 0) return prompt(`${agentId}${i}`, parent, words, { isSidechain: true, ...at(i * 10) });
    return reply(`${agentId}${i}`, parent, `m${agentId}${i}`, typeof words === 'string' ? [text(words)] : words, {
      isSidechain: true,
      ...at(i * 10),
    });
  }),
});

const main = (...lines: readonly object[]): GivenFile => ({ path: 'main.jsonl', lines });

const patternsOf = (...said: readonly string[]): Analysis['patterns'] =>
  analysisOf(sessionOf([main(reply('a1', null, 'm1', [task('t1', said[0] ?? '')])), agent('A', 't1', ...said)])).patterns;

const spread = (total: number, mean: number, max: number): object => ({ total, mean, max });

describe('delegations', () => {
  test('[ANALYSIS-1] calls are counted by agent, with what became of them', () => {
    const session = sessionOf([
      main(
        reply('a1', null, 'm1', [
          task('t1', 'x', 'bug-hunter'),
          task('t2', 'y', 'bug-hunter'),
          task('t3', 'z', 'Explore'),
          task('t4', 'never ran', 'Explore'),
        ]),
        result('r1', 'a1', 't1'),
      ),
      agent('A', 't1', 'x', [use('b1', 'Bash'), use('b2', 'Read')], 'more', 'done'),
      agent('B', 't2', 'y', [use('b3', 'Bash'), task('t5', 'deep', null)]),
      agent('C', 't3', 'z'),
      agent('D', 't5', 'deep', 'done'),
      agent('W', null, 'Warmup', 'ready'),
    ]);
    expect(analysisOf(session)).toEqual({
      delegations: 5,
      agents: [
        {
          agent: 'Explore',
          purpose: null,
          calls: 2,
          sidechains: 1,
          states: new Map([['incomplete', 1]]),
          messages: 1,
          turns: 1,
          toolUses: 0,
          tools: new Map(),
          maxDepth: 1,
          durationMs: spread(0, 0, 0),
        },
        {
          agent: 'bug-hunter',
          purpose: 'Bug detection and analysis',
          calls: 2,
          sidechains: 2,
          states: new Map([
            ['complete', 1],
            ['incomplete', 1],
          ]),
          messages: 6,
          turns: 3,
          toolUses: 4,
          tools: new Map([
            ['Bash', 2],
            ['Read', 1],
            ['Task', 1],
          ]),
          maxDepth: 1,
          durationMs: spread(40_000, 20_000, 30_000),
        },
        {
          agent: 'unknown',
          purpose: null,
          calls: 1,
          sidechains: 1,
          states: new Map([['incomplete', 1]]),
          messages: 2,
          turns: 1,
          toolUses: 0,
          tools: new Map(),
          maxDepth: 2,
          durationMs: spread(10_000, 10_000, 10_000),
        },
      ],
      depths: new Map([
        ['1', 3],
        ['2', 1],
      ]),
      turns: { total: 5, mean: 1.25, max: 2, multiTurn: 1 },
      patterns: { refinement: 1, clarification: 0, errorRecovery: 0 },
      tools: new Map([
        ['Bash', 2],
        ['Read', 1],
        ['Task', 1],
      ]),
      durationMs: spread(50_000, 12_500, 30_000),
    });
  });

  test('[ANALYSIS-1] a call copied into a fork counts once, and so does an agent in two sessions', () => {
    const call = reply('a1', null, 'm1', [task('t1', 'x', 'Explore')]);
    const source = sessionOf([main(call), agent('A', 't1', 'x', 'done')], 'S');
    const fork = sessionOf([main(call, prompt('u9', 'a1', 'on')), agent('A', 't1', 'x', 'done')], 'F');
    const { delegations, agents } = analysisOf(source, fork);
    expect([delegations, agents.map(({ agent: name, calls, sidechains }) => [name, calls, sidechains])]).toEqual([1, [['Explore', 1, 1]]]);
  });

  test('[ANALYSIS-1] a call without subagent_type whose meta names the agent counts under that name', () => {
    const session = sessionOf([
      main(reply('a1', null, 'm1', [task('t1', 'x', null)])),
      { path: 'agent-A.jsonl', agentId: 'A', meta: { toolUseId: 't1', agentType: 'Plan' }, lines: [prompt('s1', null, 'x', { isSidechain: true })] },
    ]);
    expect(analysisOf(session).agents.map(({ agent: name, calls, sidechains }) => [name, calls, sidechains])).toEqual([['Plan', 1, 1]]);
  });

  test('[ANALYSIS-1] without delegations every number is zero', () => {
    const nothing = { total: 0, mean: 0, max: 0 };
    expect(analysisOf(sessionOf([main(prompt('u1', null)), agent('W', null, 'Warmup')]))).toEqual({
      delegations: 0,
      agents: [],
      depths: new Map(),
      turns: { ...nothing, multiTurn: 0 },
      patterns: { refinement: 0, clarification: 0, errorRecovery: 0 },
      tools: new Map(),
      durationMs: nothing,
    });
  });

  test('[ANALYSIS-2] the eight agents of the seed carry their purpose', () => {
    expect(Object.fromEntries(KNOWN_AGENTS)).toEqual({
      'zen-architect': 'System architecture design',
      'bug-hunter': 'Bug detection and analysis',
      'modular-builder': 'Modular code construction',
      'test-coverage': 'Test case generation',
      'refactor-architect': 'Code refactoring strategies',
      'integration-specialist': 'System integration design',
      'synthesis-master': 'Knowledge synthesis',
      'subagent-architect': 'Agent creation',
    });
    const session = sessionOf([
      main(
        reply(
          'a1',
          null,
          'm1',
          [...KNOWN_AGENTS.keys()].map((name, i) => task(`t${i}`, name, name)),
        ),
      ),
    ]);
    expect(new Map(analysisOf(session).agents.map((one) => [one.agent, one.purpose]))).toEqual(KNOWN_AGENTS);
  });
});

describe('further prompts', () => {
  test('[ANALYSIS-3] progressive refinement, as the seed shows it', () => {
    const said = [
      'Analyze this code',
      'Initial analysis...',
      'Look deeper at the database layer',
      'Database analysis...',
      'Check for SQL injection vulnerabilities',
      'Security scan results...',
    ];
    expect(patternsOf(...said)).toEqual({ refinement: 2, clarification: 0, errorRecovery: 0 });
  });

  test('[ANALYSIS-3] a clarification, as the seed shows it', () => {
    expect(patternsOf('Generate test cases', 'What testing framework?', 'Use pytest', 'Generated pytest cases...')).toEqual({
      refinement: 0,
      clarification: 1,
      errorRecovery: 0,
    });
  });

  test('[ANALYSIS-3] error recovery, as the seed shows it', () => {
    const said = ['Parse this file', 'Error: File not found', 'The file is at /correct/path/file.py', 'Successfully parsed...'];
    expect(patternsOf(...said)).toEqual({ refinement: 0, clarification: 0, errorRecovery: 1 });
  });

  test('[ANALYSIS-3] trouble that ends in a question is trouble', () => {
    expect(patternsOf('go', 'Error: no such file. Where is it?', 'there')).toEqual({ refinement: 0, clarification: 0, errorRecovery: 1 });
  });

  test('[ANALYSIS-3] the last answer before the prompt decides, and the first prompt is none', () => {
    const session = sessionOf([
      main(reply('a1', null, 'm1', [task('t1', 'go')])),
      {
        path: 'agent-A.jsonl',
        agentId: 'A',
        meta: { toolUseId: 't1' },
        lines: [
          prompt('s0', null, 'go', { isSidechain: true }),
          reply('s1', 's0', 'x1', [text('Error: broken')], { isSidechain: true }),
          reply('s2', 's1', 'x2', [text('Which one?')], { isSidechain: true }),
          prompt('s3', 's2', 'this one', { isSidechain: true }),
          prompt('s4', 's3', 'and that', { isSidechain: true }),
        ],
      },
    ]);
    expect(analysisOf(session).patterns).toEqual({ refinement: 0, clarification: 1, errorRecovery: 0 });
  });
});
