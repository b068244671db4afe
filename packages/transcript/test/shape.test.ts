import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchesOf, createShape, extendShape, type Shape } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { add, emptySession, mainOf, prompt, reply, result, shapeOf, times, use } from './reading.ts';

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
    fc.property(anyRecords, (values) => {
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
    fc.property(anyRecords, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (values, steps) => {
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
  for (const map of [session.uses, session.results, shape.replies, shape.prompts, shape.answers, session.graph.nodes]) {
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
