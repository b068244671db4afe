import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchesOf, createShape, extendShape, type Shape } from '../src/index.ts';
import { add, at, emptySession, mainOf, prompt, record, reply, result, shapeOf, text, times, use } from './reading.ts';

const kinds = [
  'prompt',
  'prompt',
  'reply',
  'reply',
  'reply',
  'result',
  'result',
  'attachment',
  'progress',
  'system',
  'boundary',
  'summary',
  'synthetic',
  'command',
  'new-kind',
] as const;
const rows = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    parent: fc.integer({ min: -2, max: 30 }),
    near: fc.integer({ min: 0, max: 3 }),
    id: fc.nat({ max: 3 }),
    tool: fc.nat({ max: 3 }),
    side: fc.nat({ max: 9 }),
    twin: fc.boolean(),
  }),
  { maxLength: 30 },
);

/** Records of every kind that share few message ids, tool ids, words and instants, and hang on each other in any order. */
const records = rows.map((all) =>
  all.map(({ kind, parent, near, id, tool, side, twin }, i) => {
    const above = parent === -1 ? null : parent === -2 ? 'gone' : parent > 8 ? `n${Math.max(0, i - 1 - near)}` : `n${parent}`;
    const more = { isSidechain: side === 0, uuid: twin && side === 1 ? 'n0' : `n${i}`, parentUuid: i === 0 && parent >= 0 ? null : above };
    switch (kind) {
      case 'prompt':
        return prompt('', null, `words ${id}`, { ...more, ...at(tool) });
      case 'reply':
        return reply(
          '',
          null,
          `m${id}`,
          twin ? [use(`t${tool}`)] : [text('x')],
          id === 3 ? { ...more, message: { content: [use(`t${tool}`)] } } : more,
        );
      case 'result':
        return result('', null, tool === 3 ? `t${id}` : `t${tool}`, twin ? 'done' : 'Async agent launched', more);
      case 'boundary':
        return record({ type: 'system', subtype: 'compact_boundary', logicalParentUuid: `n${tool * 5}`, ...more, parentUuid: null });
      case 'summary':
        return prompt('', null, 'x', { isCompactSummary: true, ...more });
      case 'synthetic':
        return reply('', null, `m${id}`, [], { isApiErrorMessage: true, ...more });
      case 'command':
        return prompt('', null, '<command-name>/model</command-name>', more);
      case 'attachment':
      case 'progress':
      case 'system':
      case 'new-kind':
        return record({ type: kind, ...more });
      default:
        return expect.unreachable(`no such kind: ${String(kind satisfies never)}`);
    }
  }),
);

const view = (shape: Shape): object => ({
  spots: shape.spots.map(({ node, up, message, isReplay, isAnswered, carries, forks }) => ({
    uuid: node.uuid,
    up: up?.node.uuid,
    message,
    isReplay,
    isAnswered,
    carries,
    forks,
  })),
  points: [...shape.points].map(({ node }) => node.uuid).sort(),
  branches: branchesOf(shape).map(({ parent, children }) => [parent.uuid, children.map(({ node }) => node.uuid)]),
});

test('[PATH-5] a shape that grows record by record is at every step the shape computed at once', () => {
  fc.assert(
    fc.property(records, (values) => {
      const session = emptySession();
      const shape = createShape();
      for (const value of values) {
        add(session, value);
        extendShape(shape, session);
        expect(view(shape)).toEqual(view(shapeOf(session)));
      }
    }),
    times(6),
  );
});

test('[PATH-5] a shape that grows now and then is the shape computed at once', () => {
  fc.assert(
    fc.property(records, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (values, steps) => {
      const session = emptySession();
      const shape = createShape();
      values.forEach((value, i) => {
        add(session, value);
        if (steps[i] === true) extendShape(shape, session);
      });
      extendShape(shape, session);
      expect(view(shape)).toEqual(view(shapeOf(session)));
    }),
    times(3),
  );
});

test('[PATH-5] a result before its tool use answers it, whether both are new or one of them', () => {
  const lines = [prompt('u1', null), reply('a1', 'u1', 'm1'), result('r', 'a1', 't'), reply('a2', 'a1', 'm1', [use('t')]), prompt('u2', 'a1')];
  expect(view(shapeOf(mainOf(...lines)))).toMatchObject({ branches: [['a1', ['a2', 'u2']]] });
});

test('[PATH-5] a parent that comes in the same breath as its child does not make the shape start again, one that comes later does', () => {
  const session = emptySession();
  add(session, prompt('u1', null));
  const shape = shapeOf(session);
  const first = shape.spots[0];
  add(session, reply('a2', 'a1', 'm2'));
  add(session, reply('a1', 'u1', 'm1'));
  extendShape(shape, session);
  expect([shape.spots[0] === first, view(shape)]).toEqual([true, view(shapeOf(session))]);
  add(session, prompt('u4', 'a3'));
  extendShape(shape, session);
  add(session, reply('a3', 'a2', 'm3'));
  extendShape(shape, session);
  expect([shape.spots[0] === first, view(shape)]).toEqual([false, view(shapeOf(session))]);
});

const line = (i: number): object =>
  i % 3 === 0
    ? prompt(`n${i}`, i === 0 ? null : `n${i - 1}`)
    : i % 3 === 1
      ? reply(`n${i}`, `n${i - 1}`, `m${i}`, [use(`t${i}`)])
      : result(`n${i}`, `n${i - 1}`, `t${i - 1}`);

/** How often the shape looks into the session's maps for some new records. */
const lookups = (size: number, fresh: number): number => {
  const session = emptySession();
  for (let i = 0; i < size; i += 1) add(session, line(i));
  const shape = shapeOf(session);
  const [first, last] = [shape.spots[0], shape.spots.at(-1)];
  for (let i = size; i < size + fresh; i += 1) add(session, line(i));
  let count = 0;
  for (const map of [session.uses, session.results, session.replies, session.prompts, session.graph.nodes]) {
    const original = map.get.bind(map) as (key: string) => unknown;
    Object.defineProperty(map, 'get', { value: (key: string) => ((count += 1), original(key)) });
  }
  extendShape(shape, session);
  expect([shape.spots.length, shape.spots[0] === first, shape.spots[size - 1] === last]).toEqual([size + fresh, true, true]);
  return count;
};

test('[PATH-5] growing looks at what is new and keeps what is there', () => {
  const small = lookups(300, 30);
  expect(small).toBeGreaterThan(0);
  expect(lookups(30_000, 30)).toBe(small);
});
