import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Continues, Session } from '../src/index.ts';
import { prompt, record, reportOf, sessionOf, text, use } from './reading.ts';

type Line = Record<string, unknown>;

const at = (second: number): { timestamp: string } => ({ timestamp: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString() });

/** A prompt and its answer, at second `n`, in a session. */
const exchange = (n: number, sessionId: string, version = '2.1.50'): readonly Line[] => [
  prompt(`u${n}`, n === 0 ? null : `a${n - 1}`, `prompt ${n}`, { sessionId, version, ...at(n) }),
  record({
    type: 'assistant',
    uuid: `a${n}`,
    parentUuid: `u${n}`,
    sessionId,
    version,
    requestId: `q${n}`,
    ...at(n),
    message: { role: 'assistant', id: `m${n}`, model: 'claude-sonnet-4-5', content: [use(`t${n}`)], usage: { input_tokens: 0, output_tokens: 1000 } },
  }),
];

/** What every version since 2.0.28 writes first into a new file, also of a fork: the only times that a copy does not take over. */
const opening = (second: number, sessionId: string): Line => ({ type: 'queue-operation', operation: 'dequeue', sessionId, ...at(second) });

const exchanges = (from: number, to: number, sessionId: string, version?: string): readonly Line[] =>
  Array.from({ length: to - from }, (_, i) => exchange(from + i, sessionId, version)).flat();

const named = (id: string, ...lines: readonly (Line | string)[]): Session => sessionOf([{ path: `${id}.jsonl`, lines }], id);

const without = (line: Line, field: string): Line => Object.fromEntries(Object.entries(line).filter(([name]) => name !== field));

/** Under uuids of its own, as 1.0.30 copied. */
const renamed = ({ uuid, parentUuid }: Line): Line => ({
  uuid: `new ${uuid as string}`,
  parentUuid: parentUuid === null ? null : `new ${parentUuid as string}`,
});

const lineageOf = (...sessions: readonly Session[]): Record<string, Continues | null> =>
  Object.fromEntries(reportOf(sessions).sessions.map((one) => [one.id, one.continues]));

const costsOf = (...sessions: readonly Session[]): Record<string, number> =>
  Object.fromEntries(reportOf(sessions).sessions.map((one) => [one.id, one.spending.responses]));

// What versions do to the session id of the records that a fork copies.
const REWRITES = {
  all: (line: Line, id: string) => ({ ...line, sessionId: id }),
  some: (line: Line, id: string) => (line['type'] === 'user' ? { ...line, sessionId: id } : line),
  none: (line: Line) => line,
} as const;
const rewrites = Object.keys(REWRITES) as readonly (keyof typeof REWRITES)[];

describe('resumes of 1.0.x', () => {
  test('[CONT-1] [CONT-2] a copy with the same uuids and rewritten timestamps resumes its source', () => {
    const source = exchanges(0, 3, 'A', '1.0.100');
    const copy = source.map((line) => ({ ...without(line, 'requestId'), sessionId: 'B', ...at(100) }));
    const own = exchanges(101, 103, 'B', '1.0.100');
    const sessions = [named('B', ...copy, ...own), named('A', ...source)];
    expect(lineageOf(...sessions)).toEqual({ A: null, B: { sessionId: 'A', by: 'resume', shared: 6 } });
    expect(costsOf(...sessions)).toEqual({ A: 3, B: 2 });
  });

  test('[CONT-1] a copy with new uuids is known by its message ids', () => {
    const source = exchanges(0, 3, 'A', '1.0.30');
    const copy = source.map((line) => ({ ...line, ...renamed(line), sessionId: 'B', ...at(50) }));
    const sessions = [named('B', ...copy, ...exchanges(51, 52, 'B', '1.0.30')), named('A', ...source)];
    expect(lineageOf(...sessions)).toEqual({ A: null, B: { sessionId: 'A', by: 'resume', shared: 3 } });
    expect(costsOf(...sessions)).toEqual({ A: 3, B: 1 });
  });

  test('[CONT-1] a chain of three goes back one by one, and every response counts for the first', () => {
    const first = exchanges(0, 2, 'A', '1.0.100');
    const second = [...first.map((line) => ({ ...line, sessionId: 'B', ...at(10) })), ...exchanges(11, 13, 'B', '1.0.100')];
    const third = [...second.map((line) => ({ ...line, sessionId: 'C', ...at(20) })), ...exchanges(21, 22, 'C', '1.0.100')];
    const sessions = [named('C', ...third), named('A', ...first), named('B', ...second)];
    expect(lineageOf(...sessions)).toEqual({
      A: null,
      B: { sessionId: 'A', by: 'resume', shared: 4 },
      C: { sessionId: 'B', by: 'resume', shared: 8 },
    });
    expect(costsOf(...sessions)).toEqual({ A: 2, B: 2, C: 1 });
  });

  test.each([
    ['1.0.30', 'resume'],
    ['2.0.13', 'resume'],
    ['2.0.14', 'fork'],
    ['2.0.9', 'resume'],
    ['2.1.0', 'fork'],
    ['10.0.0', 'fork'],
  ])('[CONT-2] a copy made by %s is a %s', (version, by) => {
    const source = exchanges(0, 2, 'A', version);
    const copy = [...source.map((line) => ({ ...line, sessionId: 'B' })), ...exchanges(5, 6, 'B', version)];
    expect(lineageOf(named('A', ...source), named('B', ...copy))['B']?.by).toBe(by);
  });
});

describe('forks', () => {
  test.each(rewrites)(
    '[CONT-1] a fork that rewrote the session id on %s of its records continues its source, also when that goes on later',
    (how) => {
      const source = exchanges(0, 3, 'SOURCE');
      const copied = source.map((line) => REWRITES[how](line, 'FORK'));
      const back = exchanges(20, 24, 'SOURCE');
      const sessions = [
        named('FORK', opening(9, 'FORK'), ...copied, ...exchanges(10, 11, 'FORK')),
        named('SOURCE', opening(0, 'SOURCE'), ...source, ...back),
      ];
      expect(lineageOf(...sessions)).toEqual({ SOURCE: null, FORK: { sessionId: 'SOURCE', by: 'fork', shared: 6 } });
      expect(costsOf(...sessions)).toEqual({ SOURCE: 7, FORK: 1 });
    },
  );

  test('[CONT-1] a fork that names its source continues it though both hold the same', () => {
    const source = exchanges(0, 2, 'A');
    const copied = source.map((line) => ({ ...line, sessionId: 'B', forkedFrom: { sessionId: 'A', messageUuid: line['uuid'] } }));
    expect(lineageOf(named('B', ...copied), named('A', ...source))).toEqual({ A: null, B: { sessionId: 'A', by: 'fork', shared: 4 } });
  });

  test('[CONT-1] a fork of the middle of a session, which has nothing of its own, continues it', () => {
    const source = exchanges(0, 4, 'A');
    const copied = exchanges(0, 2, 'A').map((line) => ({ ...line, sessionId: 'B', forkedFrom: { sessionId: 'A', messageUuid: line['uuid'] } }));
    expect(lineageOf(named('A', ...source), named('B', ...copied))).toEqual({ A: null, B: { sessionId: 'A', by: 'fork', shared: 4 } });
  });

  test('[CONT-1] a fork that copied nothing, or whose source is not here, continues the one it names', () => {
    const own = exchanges(0, 1, 'B').map((line) => ({ ...line, forkedFrom: { sessionId: 'A', messageUuid: 'u0' } }));
    const origin = { sessionId: 'A', by: 'fork', shared: 0 };
    expect(lineageOf(named('B', ...own))).toEqual({ B: origin });
    expect(lineageOf(named('B', ...own), named('A', ...exchanges(5, 6, 'A')))).toEqual({ A: null, B: origin });
  });

  test('[CONT-1] of several sources the one that shares most is continued', () => {
    const root = exchanges(0, 2, 'A');
    const longer = [...root.map((line) => ({ ...line, sessionId: 'B' })), ...exchanges(10, 14, 'B')];
    const third = [...longer.map((line) => ({ ...line, sessionId: 'C' })), ...exchanges(20, 21, 'C')];
    const first = named('A', opening(0, 'A'), ...root, ...exchanges(30, 31, 'A'));
    expect(lineageOf(first, named('B', opening(10, 'B'), ...longer), named('C', opening(20, 'C'), ...third))).toEqual({
      A: null,
      B: { sessionId: 'A', by: 'fork', shared: 4 },
      C: { sessionId: 'B', by: 'fork', shared: 12 },
    });
  });

  test('[CONT-1] sessions that share nothing continue nothing', () => {
    expect(lineageOf(named('A', ...exchanges(0, 2, 'A')), named('B', ...exchanges(5, 7, 'B')))).toEqual({ A: null, B: null });
  });

  test('[CONT-1] copies without any timestamp still continue one another in one direction', () => {
    const source = exchanges(0, 2, 'A').map((line) => without(line, 'timestamp'));
    const copy = [...source, ...exchanges(5, 6, 'B').map((line) => without(line, 'timestamp'))].map((line) => ({ ...line, sessionId: 'B' }));
    expect(lineageOf(named('B', ...copy), named('A', ...source))).toEqual({ A: null, B: { sessionId: 'A', by: 'fork', shared: 4 } });
    const grown = named('A', ...source, ...exchanges(8, 9, 'A').map((line) => without(line, 'timestamp')));
    const other = named('B', ...copy);
    expect(Object.values(lineageOf(grown, other)).filter((one) => one !== null)).toHaveLength(1);
    expect(lineageOf(other, grown)).toEqual(lineageOf(grown, other));
  });
});

describe('any history of forks', () => {
  // Each step: continue a session, or fork one (keeping or rewriting session ids) and continue the fork.
  const step = fc.record({ of: fc.nat({ max: 20 }), forks: fc.boolean(), how: fc.constantFrom(...rewrites) });
  const history = fc.array(step, { minLength: 1, maxLength: 12 });

  type Made = { readonly id: string; readonly root: string; lines: readonly Line[] };

  const play = (steps: readonly { readonly of: number; readonly forks: boolean; readonly how: keyof typeof REWRITES }[]): readonly Made[] => {
    const made: Made[] = [{ id: 'S0', root: 'S0', lines: [opening(0, 'S0'), ...exchange(0, 'S0')] }];
    let second = 10;
    for (const { of, forks, how } of steps) {
      const chosen = made[of % made.length];
      if (chosen === undefined) continue;
      second += 10;
      if (!forks) chosen.lines = [...chosen.lines, ...exchange(second, chosen.id)];
      else {
        const id = `S${made.length}`;
        made.push({
          id,
          root: chosen.root,
          lines: [opening(second, id), ...chosen.lines.slice(1).map((line) => REWRITES[how](line, id)), ...exchange(second, id)],
        });
      }
    }
    return made;
  };

  test('[CONT-3] totals count everything once, session sums equal them, and all forks lead back to the first session', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (steps, dice) => {
        const made = play(steps);
        const shuffled = [...made].sort((a, b) => (dice.next().value ?? 0) - (dice.next().value ?? 0) || (a.id < b.id ? -1 : 1));
        const { totals, sessions } = reportOf(shuffled.map(({ id, lines }) => named(id, ...lines)));
        const uuids = new Set(made.flatMap((one) => one.lines.slice(1).map((line) => line['uuid'])));
        expect(totals).toMatchObject({
          messages: uuids.size,
          toolUses: uuids.size / 2,
          sessions: made.length,
          spending: { responses: uuids.size / 2 },
        });
        expect(sessions.reduce((sum, one) => sum + one.spending.responses, 0)).toBe(totals.spending.responses);
        expect(sessions.reduce((sum, one) => sum + one.spending.costUsd, 0)).toBeCloseTo(totals.spending.costUsd, 10);
        const continues = new Map(sessions.map((one) => [one.id, one.continues?.sessionId ?? null]));
        for (const { id } of made) {
          let end = id;
          for (let steps = 0; steps <= made.length; steps += 1) end = continues.get(end) ?? end;
          expect(end).toBe('S0');
        }
      }),
    );
  });

  test('[CONT-1] the order in which sessions are read changes nothing', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const sessions = play(steps).map(({ id, lines }) => named(id, ...lines));
        expect(lineageOf(...sessions.toReversed())).toEqual(lineageOf(...sessions));
        expect(costsOf(...sessions.toReversed())).toEqual(costsOf(...sessions));
      }),
    );
  });

  test('[CONT-3] branch points, compactions and sidechains of copies count once', () => {
    const source = [
      ...exchange(0, 'A'),
      record({ type: 'system', subtype: 'compact_boundary', uuid: 'c1', logicalParentUuid: 'a0', sessionId: 'A', ...at(1) }),
      prompt('x', 'c1', 'one way', { sessionId: 'A', ...at(2) }),
      prompt('y', 'c1', 'the other way', { sessionId: 'A', ...at(3) }),
    ];
    const copy = [...source.map((line) => ({ ...line, sessionId: 'B' })), ...exchange(9, 'B')];
    const { totals } = reportOf([named('A', ...source), named('B', ...copy)]);
    expect({ branchPoints: totals.branchPoints, compactions: totals.compactions, toolUses: totals.toolUses, messages: totals.messages }).toEqual({
      branchPoints: 1,
      compactions: 1,
      toolUses: 2,
      messages: 7,
    });
  });

  test('[DAG-4] a parent that stands in another session read is not missing', () => {
    const alone = named('B', ...exchanges(2, 3, 'B'));
    expect(reportOf([alone]).sessions.map((one) => one.orphans)).toEqual([1]);
    expect(reportOf([alone, named('A', ...exchanges(0, 2, 'A'))]).sessions.map((one) => [one.id, one.orphans])).toEqual([
      ['A', 0],
      ['B', 0],
    ]);
  });
});

describe('what a session is', () => {
  test('[SESS-1] a file with messages is a session; a file with none is skipped and named', () => {
    const report = reportOf([named('A', ...exchange(0, 'A')), named('EMPTY'), named('TITLE', { type: 'summary', summary: 'x', leafUuid: 'a0' })]);
    expect([report.sessions.map((one) => one.id), report.skipped]).toEqual([
      ['A'],
      [
        { file: 'EMPTY.jsonl', reason: 'no messages' },
        { file: 'TITLE.jsonl', reason: 'no messages' },
      ],
    ]);
  });

  test('[SESS-1] a session id that only has sidechains is a session', () => {
    const session = sessionOf([{ path: 'agent-W.jsonl', agentId: 'W', lines: [prompt('w1', null, 'Warmup', { isSidechain: true })] }]);
    const report = reportOf([session]);
    expect(report.sessions.map(({ id, messages, sidechains }) => ({ id, messages, sidechains: sidechains.length }))).toEqual([
      { id: 'S', messages: 0, sidechains: 1 },
    ]);
    expect(report.totals.messages).toBe(1);
  });

  test('[SESS-2] two files of one session are one, and what both hold counts once', () => {
    const session = sessionOf([
      { path: 'one.jsonl', lines: exchanges(0, 2, 'S') },
      { path: 'two.jsonl', lines: exchanges(1, 3, 'S') },
    ]);
    const [report] = reportOf([session]).sessions;
    expect({ files: report?.files, messages: report?.messages, duplicates: report?.duplicates }).toEqual({
      files: ['one.jsonl', 'two.jsonl'],
      messages: 6,
      duplicates: 2,
    });
  });

  test('[SESS-2] sessions are listed by their first record, those without a time last and by id', () => {
    const sessions = [
      named('Z', prompt('z', null)),
      named('Y', prompt('y', null)),
      named('B', ...exchanges(5, 6, 'B')),
      named('A', ...exchanges(1, 2, 'A')),
    ];
    expect(reportOf(sessions).sessions.map((one) => one.id)).toEqual(['A', 'B', 'Y', 'Z']);
  });
});

const titleOf = (...sessions: readonly Session[]): string | null | undefined => reportOf(sessions).sessions[0]?.title;

describe('titles', () => {
  const custom = { type: 'custom-title', customTitle: 'mine', sessionId: 'A' };
  const ai = { type: 'ai-title', aiTitle: 'made', sessionId: 'A' };
  const summary = { type: 'summary', summary: 'summed up', leafUuid: 'a0' };

  test('[SESS-3] what the user gave beats what the CLI gave beats a summary beats the first prompt', () => {
    const lines = exchange(0, 'A');
    expect([
      titleOf(named('A', summary, ...lines, custom, ai)),
      titleOf(named('A', summary, ai, ...lines)),
      titleOf(named('A', summary, ...lines)),
      titleOf(named('A', ...lines)),
    ]).toEqual(['mine', 'made', 'summed up', 'prompt 0']);
  });

  test('[SESS-3] the newest of several counts', () => {
    expect(titleOf(named('A', ...exchange(0, 'A'), custom, { ...custom, customTitle: 'renamed' }))).toBe('renamed');
  });

  test('[SESS-3] a summary titles the session that has its leaf, wherever it stands', () => {
    expect(titleOf(named('A', ...exchange(0, 'A')), named('ELSEWHERE', summary))).toBe('summed up');
    expect(titleOf(named('A', ...exchange(0, 'A')), named('ELSEWHERE', { ...summary, leafUuid: 'nobody' }))).toBe('prompt 0');
  });

  test('[SESS-3] a session of replies only has no title', () => {
    const [, answer = {}] = exchange(0, 'A');
    expect(titleOf(named('A', { ...answer, message: { role: 'assistant', id: 'm', content: [text('x')] } }))).toBeNull();
  });
});
