import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activePath, createGrowingPath, extendActivePath, type Path, type Session } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { add, beside, emptySession, fixture, prompt, reply, result, shapeOf, times, use } from './reading.ts';

const told = ({ leaf, nodes, messages }: Path): object => ({ leaf: leaf?.uuid, nodes: nodes.map((node) => node.uuid), messages });
const atOnce = (session: Session): object => told(activePath(session, shapeOf(session)));

/** Records of a conversation that mostly goes on where it ended: parallel tools, attachments in the chain, now and then a rewind. */
const lively = fc
  .array(
    fc.record({
      kind: fc.constantFrom('prompt', 'reply', 'words', 'tools', 'result', 'attachment', 'progress', 'last-prompt', 'stub'),
      back: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 8 }) }),
      id: fc.nat({ max: 2 }),
    }),
    { maxLength: 40 },
  )
  .map((rows) => {
    const uuids: string[] = [];
    const open: string[] = [];
    return rows.map(({ kind, back, id }, i) => {
      const parent = uuids.at(-1 - back) ?? null;
      if (kind === 'last-prompt') return { type: kind, leafUuid: parent ?? 'nobody' };
      const uuid = `n${i}`;
      uuids.push(uuid);
      const message = `m${Math.floor(i / (id + 1))}`;
      switch (kind) {
        case 'prompt':
          return prompt(uuid, parent, `words ${i}`);
        case 'reply':
        case 'words':
          return reply(uuid, parent, message);
        case 'tools':
          open.push(`t${i}`);
          return reply(uuid, parent, message, [use(`t${i}`)]);
        case 'result':
          return result(uuid, parent, open.splice(Math.max(0, open.length - 1 - id), 1)[0] ?? 'nobody');
        case 'stub':
          return result(uuid, parent, open.at(-1) ?? 'nobody', 'Async agent launched');
        case 'attachment':
        case 'progress':
          return beside(kind, uuid, parent);
        default:
          return expect.unreachable(`no such kind: ${String(kind satisfies never)}`);
      }
    });
  });

/** Both paths, told at every line at which somebody asks. */
const bothWays = (
  values: readonly object[],
  isAsked: (i: number) => boolean,
): { readonly grown: readonly object[]; readonly found: readonly object[] } => {
  const session = emptySession();
  const growing = createGrowingPath();
  const grown: object[] = [];
  const found: object[] = [];
  values.forEach((value, i) => {
    add(session, value);
    if (!isAsked(i)) return;
    grown.push(told(extendActivePath(growing, session)));
    found.push(atOnce(session));
  });
  return { grown, found };
};

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
        const { grown, found } = bothWays(all, () => true);
        expect(grown).toEqual(found);
      }),
      times(6),
    );
  });

  test('[PATH-6] is the path found at once in conversations that go on where they ended', () => {
    fc.assert(
      fc.property(lively, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (values, asked) => {
        const each = bothWays(values, () => true);
        const some = bothWays(values, (i) => asked[i] === true);
        expect([each.grown, some.grown]).toEqual([each.found, some.found]);
      }),
      times(8),
    );
  });

  test.each(['1.0.100/partools', '2.0.30/compact', '2.1.50/task', '2.1.220/partools', '2.1.220/killpar', '2.1.325/resume', '2.1.325/compactchain'])(
    '[PATH-6] is the path found at once at every line that a CLI wrote: %s',
    (name) => {
      const values = fixture(name).map((line) => JSON.parse(line) as object); // as a CLI wrote it
      const { grown, found } = bothWays(values, () => true);
      expect(grown).toEqual(found);
    },
  );

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
    for (const map of [session.uses, session.results, session.replies, session.prompts, session.graph.nodes]) {
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
