import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addFile, createGrowingSession, outlineSession, sidechainsOf, trailOf, type Session } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { lively } from './lively-records.ts';
import { add, beside, emptySession, prompt, reply, result, times, use } from './reading.ts';
import { writtenSessions, type Written } from './written-sessions.ts';

const inMain = (values: readonly object[]): readonly Written[] => values.map((value) => ({ agentId: null, value }));

const atOnce = (session: Session): object => ({
  outline: outlineSession(session, { now: session.lastAt }),
  sidechains: sidechainsOf(session, { now: session.lastAt }).map(({ nodes, calls, ...rest }) => ({
    ...rest,
    nodes: nodes.length,
    calls: calls.length,
  })),
  trail: trailOf(session),
});

/** What is told of a session as it grows, and what is found of it at once, at every line at which somebody asks. */
const bothWays = (lines: readonly Written[], isAsked: (i: number) => boolean = () => true) => {
  const session = emptySession();
  const files = new Map<string | null, number>([[null, 0]]);
  const grown = createGrowingSession(session);
  const [told, found]: [object[], object[]] = [[], []];
  lines.forEach(({ value, agentId }, i) => {
    const file = files.get(agentId) ?? addFile(session, { path: `agent-${agentId}.jsonl`, agentId });
    files.set(agentId, file);
    add(session, value, file);
    if (!isAsked(i)) return;
    told.push({
      outline: grown.outline(),
      sidechains: grown.sidechains().map(({ nodes, calls, ...rest }) => ({ ...rest, nodes: nodes.length, calls: calls.length })),
      trail: trailOf(session, undefined, grown.path),
    });
    found.push(atOnce(session));
  });
  return { told, found };
};

const askedAt = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });

describe('a session that grows', () => {
  test('[PATH-12] is told at every step as it is found at once, whatever comes', () => {
    fc.assert(
      fc.property(anyRecords, askedAt, (values, asked) => {
        for (const isAsked of [() => true, (i: number) => asked[i] === true]) {
          const { told, found } = bothWays(inMain(values), isAsked);
          expect(told).toEqual(found);
        }
      }),
      times(6),
    );
  });

  test('[PATH-12] is told as it is found at once where conversations go on where they ended', () => {
    fc.assert(
      fc.property(lively, askedAt, (values, asked) => {
        for (const isAsked of [() => true, (i: number) => asked[i] === true]) {
          const { told, found } = bothWays(inMain(values), isAsked);
          expect(told).toEqual(found);
        }
      }),
      times(8),
    );
  });

  test('[PATH-12] is told as it is found at once at every line that a tool wrote, in its sub-agents as well', () => {
    for (const { name, lines } of writtenSessions()) {
      const every = Math.ceil(lines.length / 60);
      const { told, found } = bothWays(lines, (i) => i % every === 0 || i === lines.length - 1);
      expect({ name, told }).toEqual({ name, told: found });
    }
  });

  /** A conversation with a branch at its beginning, a sub-agent and many turns. */
  const longSession = (turns: number): Session => {
    const session = emptySession();
    const agent = addFile(session, { path: 'agent-a.jsonl', agentId: 'a' });
    for (const value of [
      prompt('p', null),
      prompt('left', 'p'),
      reply('x', 'left', 'mx'),
      reply('b', 'p', 'mb', [use('call', 'Agent', { prompt: 'look' })]),
    ])
      add(session, value);
    for (let i = 0; i < turns; i += 1) add(session, reply(`s${i}`, i === 0 ? null : `s${i - 1}`, `ms${i}`), agent);
    add(session, result('r', 'b', 'call'));
    for (let i = 0; i < turns; i += 1) for (const value of turn(i)) add(session, value);
    return session;
  };
  const turn = (i: number): readonly object[] => [
    prompt(`u${i}`, i === 0 ? 'r' : `z${i - 1}`, `words ${i}`),
    reply(`v${i}`, `u${i}`, `m${i}`, [use(`t${i}`)]),
    result(`w${i}`, `v${i}`, `t${i}`),
    beside('attachment', `y${i}`, `w${i}`),
    reply(`z${i}`, `w${i}`, `n${i}`),
  ];

  /** How many records and names are looked at when so many turns come. */
  const looksFor = (turns: number, more: number): number => {
    const session = longSession(turns);
    const grown = createGrowingSession(session);
    grown.outline();
    let looks = 0;
    const counting = <T extends object>(list: T): T =>
      new Proxy(list, {
        get: (of, key) => {
          looks += typeof key === 'string' && /^\d+$/u.test(key) ? 1 : 0;
          return Reflect.get(of, key) as unknown;
        },
      });
    const { trace } = grown.path;
    for (const [of, name] of [
      [session.main, 'nodes'],
      [grown.path.shape, 'spots'],
      [trace, 'nodes'],
      [session.agents.get('a'), 'nodes'],
    ] as const)
      if (of != null) Object.defineProperty(of, name, { value: counting(Reflect.get(of, name) as object) });
    for (const map of [session.uses, session.results, session.graph.nodes]) {
      const get = map.get.bind(map) as (key: string) => unknown;
      Object.defineProperty(map, 'get', { value: (key: string) => ((looks += 1), get(key)) });
    }
    // The list that counts is another one than was known: all is looked at once more.
    grown.outline();
    looks = 0;
    for (let i = turns; i < turns + more; i += 1) {
      for (const value of turn(i)) add(session, value);
      grown.outline();
    }
    return looks;
  };

  test('[PATH-12] costs what is new, however much is there', () => {
    const small = looksFor(50, 10);
    expect(small).toBeGreaterThan(0);
    expect(looksFor(5000, 10)).toBe(small);
  });
});
