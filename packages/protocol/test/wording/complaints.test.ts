import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { complaintsOf, DOORS, REGISTRY, words, type Operation, type OperationName } from '../../src/index.ts';

const schema = z.strictObject({
  name: z.string().min(2).max(5),
  count: z.number().int().min(1).max(10),
  kind: z.enum(['one', 'two']),
  only: z.literal('this').optional(),
  id: z.uuid().optional(),
  lines: z.string().regex(/^\d+$/u, 'must be a number of lines').optional(),
  list: z.array(z.string()).min(1).max(2),
  marks: z.record(z.string(), z.number().max(1)).optional(),
});
const fine = { name: 'abc', count: 3, kind: 'one', list: ['a'] };

const said = (given: unknown): string => {
  const read = schema.safeParse(given);
  return words({ reason: 'bad-input', facts: { complaints: complaintsOf(read.error?.issues ?? [], given) } }, 'http');
};

describe('complaints about inputs', () => {
  test.each([
    [{ ...fine, name: undefined }, 'name is missing'],
    [{ ...fine, name: 7 }, 'name must be text'],
    [{ ...fine, name: 'a' }, 'name must be at least 2 characters long'],
    [{ ...fine, name: 'abcdef' }, 'name must be at most 5 characters long'],
    [{ ...fine, count: '3' }, 'count must be a number'],
    [{ ...fine, count: 1.5 }, 'count must be a whole number'],
    [{ ...fine, count: 11 }, 'count must be at most 10'],
    [{ ...fine, kind: 'three' }, 'kind must be one of one, two'],
    [{ ...fine, only: 'that' }, 'only must be this'],
    [{ ...fine, id: 'x' }, 'id must be a UUID'],
    [{ ...fine, lines: 'x' }, 'lines must be a number of lines'],
    [{ ...fine, list: [] }, 'list must be at least 1 item long'],
    [{ ...fine, list: 'a' }, 'list must be a list'],
    [{ ...fine, marks: { a: 2 } }, 'marks.a must be at most 1'],
    [{ ...fine, other: 1 }, 'other is not known here'],
    [[], 'the request must be an object'],
    [{ ...fine, name: undefined, kind: 'x' }, 'name is missing; kind must be one of one, two'],
  ])('[WORDS-6] %j: %s', (given, told) => {
    expect(said(given)).toBe(told);
  });

  test('[WORDS-6] no operation answers nonsense in the words of the schema library', () => {
    const names = Object.keys(REGISTRY) as readonly OperationName[];
    const anyInput = fc.dictionary(
      fc.constantFrom('sidebar_id', 'limit', 'status', 'content', 'scores', 'seq', 'id', 'cursor', 'odd'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...DOORS), anyInput, (name, door, given) => {
        const operation: Operation = REGISTRY[name];
        const read = operation.input.safeParse(given);
        if (read.success) return;
        const text = words({ reason: 'bad-input', facts: { complaints: complaintsOf(read.error.issues, given) } }, door, name);
        expect(text).not.toMatch(/expected|received|Invalid|Too (?:big|small)|Unrecognized|undefined|\[object/u);
        expect(text).toMatch(/\w/u);
      }),
    );
  });

  test('[WORDS-6] whoever sends nonsense of any length gets a short answer', () => {
    const given = { ...fine, ...Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${'x'.repeat(1000)}${n}`, 1])) };
    expect(said(given).length).toBeLessThan(1000);
  });
});
