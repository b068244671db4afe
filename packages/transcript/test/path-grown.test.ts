import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activePath, addFile, createGrowingPath, cutSession, extendActivePath, pathTo, type Path, type Session } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { lively } from './lively-records.ts';
import { add, beside, emptySession, prompt, reply, result, shapeOf, times, use } from './reading.ts';
import { writtenSessions, type Written } from './written-sessions.ts';

const told = ({ leaf, nodes, messages }: Path): object => ({ leaf: leaf?.uuid, nodes: nodes.map((node) => node.uuid), messages });
const atOnce = (session: Session): object => told(activePath(session, shapeOf(session)));

/** Records of one file, or of several as an import interleaves them. */
const inMain = (values: readonly object[]): readonly Written[] => values.map((value) => ({ agentId: null, value }));

type Told = readonly object[];

/** The path in three ways, told at every line at which somebody asks: grown, found at once, and cut out of what came later. */
const everyWay = (
  lines: readonly Written[],
  isAsked: (i: number) => boolean = () => true,
): { readonly grown: Told; readonly found: Told; readonly cut: Told } => {
  const session = emptySession();
  const files = new Map<string | null, number>([[null, 0]]);
  const growing = createGrowingPath();
  const [grown, found, cut]: [object[], object[], object[]] = [[], [], []];
  lines.forEach(({ value, agentId }, i) => {
    const file = files.get(agentId) ?? addFile(session, { path: `agent-${agentId}.jsonl`, agentId });
    files.set(agentId, file);
    add(session, value, file);
    if (!isAsked(i)) return;
    grown.push(told(extendActivePath(growing, session)));
    found.push(atOnce(session));
  });
  // A line's place in its session is its offset.
  for (const [i] of lines.entries()) if (isAsked(i)) cut.push(atOnce(cutSession(session, i)));
  return { grown, found, cut };
};

/** What the suite found once, with the seed 1698099185: the answer in place of a stub stands in a sidechain record. */
const ANSWER_ELSEWHERE = [
  reply('n0', null, 'm0', [use('t2')]),
  result('n1', 'n0', 't2', 'Async agent launched'),
  prompt('n2', 'n0', 'words 0', { timestamp: '2026-01-01T00:00:00.000Z' }),
  result('n3', 'n0', 't2', 'done', { isSidechain: true }),
];

describe('a path that grows', () => {
  test('[PATH-6] is at every step the path found at once, whatever comes', () => {
    const marks = fc.array(fc.option(fc.nat({ max: 30 }), { freq: 6 }), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(anyRecords, marks, (values, marked) => {
        const all = values.flatMap((value, i): readonly object[] => {
          const mark = marked[i] ?? null;
          if (mark === null) return [value];
          return mark % 3 === 0 ? [{ ...value, is_active: mark % 2 === 0 }] : [value, { type: 'last-prompt', leafUuid: `n${mark}` }];
        });
        const { grown, found, cut } = everyWay(inMain(all));
        expect(grown).toEqual(found);
        expect(cut).toEqual(found);
      }),
      { ...times(6), examples: [[ANSWER_ELSEWHERE as never, []]] }, // shaped like what is made, though not made by it
    );
  });

  test('[PATH-6] is the path found at once in conversations that go on where they ended', () => {
    fc.assert(
      fc.property(lively, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (values, asked) => {
        const each = everyWay(inMain(values));
        const some = everyWay(inMain(values), (i) => asked[i] === true);
        expect([each.grown, some.grown]).toEqual([each.found, some.found]);
        expect([each.cut, some.cut]).toEqual([each.found, some.found]);
      }),
      times(8),
    );
  });

  test('[PATH-6] [PATH-8] is the path found at once, and the path cut there, at every line that a CLI wrote', () => {
    const sessions = writtenSessions();
    expect(sessions.length).toBeGreaterThan(200);
    expect(sessions.some(({ lines }) => lines.some(({ agentId }) => agentId !== null))).toBe(true);
    for (const { name, lines } of sessions) {
      // All lines of a short one, some of a long one: each is a path of its own.
      const every = Math.ceil(lines.length / 60);
      const { grown, found, cut } = everyWay(lines, (i) => i % every === 0 || i === lines.length - 1);
      expect({ name, grown }).toEqual({ name, grown: found });
      expect({ name, cut }).toEqual({ name, cut: found });
    }
  });

  test('[PATH-6] is not changed by an answer that stands in a sidechain record', () => {
    const { grown, found } = everyWay(inMain(ANSWER_ELSEWHERE));
    expect(grown).toEqual(found);
    expect(grown.at(-1)).toEqual({ leaf: 'n2', nodes: ['n0', 'n1', 'n2'], messages: 3 });
  });

  test('[PATH-8] that ends at a record has nothing on it that was said later, in any thread', () => {
    fc.assert(
      fc.property(anyRecords, fc.nat({ max: 29 }), (values, nth) => {
        const session = emptySession();
        for (const value of values) add(session, value);
        const node = [...session.graph.nodes.values()][nth];
        if (node === undefined) return;
        const then = cutSession(session, node.entry.place.offset);
        const tip = then.graph.nodes.get(node.uuid);
        if (tip === undefined) throw new Error('a cut keeps what it is made at');
        const { leaf, nodes } = pathTo(then, shapeOf(then, tip.thread), tip);
        expect([leaf, nodes.at(-1), nodes.every(({ thread }) => thread === tip.thread)]).toEqual([tip, tip, true]);
      }),
      times(4),
    );
  });

  test('[PATH-6] stays the same list, only longer, as long as the conversation goes on from its end', () => {
    const session = emptySession();
    const growing = createGrowingPath();
    add(session, prompt('u0', null));
    const { nodes } = extendActivePath(growing, session);
    for (let i = 0; i < 50; i += 1) {
      for (const value of [
        beside('attachment', `x${i}`, `u${i}`),
        reply(`a${i}`, `x${i}`, `m${i}`),
        reply(`b${i}`, `a${i}`, `m${i}`, [use(`t${i}`)]),
        result(`r${i}`, `b${i}`, `t${i}`),
        beside('progress', `p${i}`, `b${i}`),
        { type: 'last-prompt', leafUuid: `r${i}` },
        prompt(`u${i + 1}`, `r${i}`),
      ]) {
        add(session, value);
        expect(extendActivePath(growing, session).nodes).toBe(nodes);
      }
    }
    expect(told(extendActivePath(growing, session))).toEqual(atOnce(session));
    add(session, prompt('back', 'r3'));
    expect(extendActivePath(growing, session).nodes).not.toBe(nodes);
  });

  const lookups = (size: number): number => {
    const session = emptySession();
    const line = (i: number): object => (i % 2 === 0 ? prompt(`n${i}`, i === 0 ? null : `n${i - 1}`) : reply(`n${i}`, `n${i - 1}`, `m${i}`));
    for (let i = 0; i < size; i += 1) add(session, line(i));
    const growing = createGrowingPath();
    extendActivePath(growing, session);
    for (let i = size; i < size + 30; i += 1) add(session, line(i));
    let count = 0;
    for (const map of [session.uses, session.results, growing.shape.replies, growing.shape.prompts, growing.shape.answers, session.graph.nodes]) {
      const original = map.get.bind(map) as (key: string) => unknown;
      Object.defineProperty(map, 'get', { value: (key: string) => ((count += 1), original(key)) });
    }
    extendActivePath(growing, session);
    return count;
  };

  test('[PATH-6] looks at what is new, however much is there', () => {
    const small = lookups(300);
    expect(small).toBeGreaterThan(0);
    expect(lookups(30_000)).toBe(small);
  });
});
