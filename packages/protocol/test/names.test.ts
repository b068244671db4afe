import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { camelOf, foreign, messageToWire, REGISTRY, snakeOf, toWire, type Operation } from '../src/index.ts';

const word = fc.stringMatching(/^(?:[a-z]+|[0-9]+[a-z]*)$/u);
const snake = fc.tuple(fc.stringMatching(/^[a-z]+$/u), fc.array(word, { maxLength: 5 })).map(([first, rest]) => [first, ...rest].join('_'));
// What two digits in a row would mean, one word or two, no name in camelCase can tell.
const tellable = snake.filter((name) => !/[0-9]_[0-9]/u.test(name));

/** Every key that an answer can have, from the schemas. */
const keysOf = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
};
const wireKeys = new Set(Object.values<Operation>(REGISTRY).flatMap(({ output }) => keysOf(z.toJSONSchema(output))));

test('[API-2] every name outside comes back from the name inside', () => {
  fc.assert(
    fc.property(tellable, (name) => {
      expect(snakeOf(camelOf(name))).toBe(name);
      expect(camelOf(name)).toMatch(/^[a-z][A-Za-z0-9]*$/u);
    }),
  );
});

test('[API-2] every name inside comes back from the name outside', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]+(?:[A-Z][a-z]*|[0-9]+[a-z]*)*$/u), (name) => {
      expect(camelOf(snakeOf(name))).toBe(name);
    }),
  );
  expect(['isAPlan', 'line2Text', 'cacheWrite5mTokens', 'preTokens'].map(snakeOf)).toEqual([
    'is_a_plan',
    'line_2_text',
    'cache_write_5m_tokens',
    'pre_tokens',
  ]);
});

test('[API-2] every name of every answer survives the way in and out, but for the two spellings that the seed asks for', () => {
  expect(wireKeys.size).toBeGreaterThan(100);
  expect([...wireKeys].filter((key) => snakeOf(camelOf(key)) !== key)).toEqual(['_id', 'isSidechain']);
});

test('[API-2] names change all the way down, and foreign JSON keeps its own', () => {
  const inside = {
    sessionId: 's',
    byDay: [{ costUsd: 1 }],
    messageData: foreign({ parentUuid: 'p', deep: [{ toolUseID: 1 }], ['__proto__']: { a: 1 } }),
  };
  const told = { session_id: 's', by_day: [{ cost_usd: 1 }], message_data: { parentUuid: 'p', deep: [{ toolUseID: 1 }], ['__proto__']: { a: 1 } } };
  expect(JSON.stringify(toWire(inside))).toBe(JSON.stringify(told));
});

test('[API-2] values stay what they are', () => {
  fc.assert(
    fc.property(
      fc.dictionary(tellable.map(camelOf), fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))),
      (inside) => {
        const outside = toWire(inside) as Record<string, unknown>;
        expect(Object.entries(inside).map(([key, value]) => [snakeOf(key), value])).toEqual(Object.entries(outside));
      },
    ),
  );
});

test('[API-3] a message has every name that the seed gives its fields', () => {
  expect(messageToWire({ uuid: 'u', sessionId: 's', parentUuid: 'p', isSidechain: true })).toEqual({
    _id: 'u',
    uuid: 'u',
    message_uuid: 'u',
    session_id: 's',
    session_id_alias: 's',
    parent_uuid: 'p',
    parent_uuid_alias: 'p',
    is_sidechain: true,
    isSidechain: true,
  });
  const fields = Object.keys(REGISTRY.message.output.shape);
  const named = [
    '_id',
    'uuid',
    'parent_uuid',
    'session_id',
    'type',
    'content',
    'timestamp',
    'isSidechain',
    'model',
    'cost_usd',
    'created_at',
    'usage',
  ];
  for (const field of named) expect(fields).toContain(field);
});
