import { describe, expect, test } from 'vitest';
import { hasFacts, REASONS, REJECTIONS, rejectionOf, type FactsShape } from '../../src/index.ts';

describe('rejections', () => {
  test('[REJ-1] the reason fixes the code, and every code has a reason', () => {
    expect(rejectionOf('unknown-sidebar', { asked: 'SB-9' })).toEqual({ code: 'not-found', reason: 'unknown-sidebar', facts: { asked: 'SB-9' } });
    expect(new Set(Object.values(REASONS).map(({ code }) => code))).toEqual(new Set(REJECTIONS));
  });

  test('[REJ-1] facts are called by single words, which read the same on every wire', () => {
    const names = Object.values(REASONS).flatMap(({ facts }) => Object.keys(facts));
    expect(names.filter((name) => !/^[a-z]+$/u.test(name))).toEqual([]);
  });

  const shape = {
    text: 'text',
    maybe: 'text-or-null',
    number: 'number',
    flag: 'flag',
    texts: 'texts',
    states: 'states',
    complaints: 'complaints',
    word: ['one', 'two'],
  } as const satisfies FactsShape;
  const facts = {
    text: 'a',
    maybe: null,
    number: 1,
    flag: false,
    texts: ['a'],
    states: [{ sidebar: 'SB-1', status: 'ACTIVE' }],
    complaints: [{ input: 'a', fault: 'missing', wanted: [] }],
    word: 'two',
  };

  test('[REJ-2] facts are known by their shape; what a newer version adds does no harm', () => {
    expect(hasFacts(shape, facts)).toBe(true);
    expect(hasFacts(shape, { ...facts, maybe: 'b', more: 1 })).toBe(true);
  });

  test.each([
    ['text', 1],
    ['text', undefined],
    ['maybe', 1],
    ['number', '1'],
    ['flag', 'true'],
    ['texts', ['a', 1]],
    ['texts', 'a'],
    ['states', [{ sidebar: 'SB-1' }]],
    ['complaints', [{ input: 'a', fault: 'odd', wanted: [] }]],
    ['word', 'three'],
  ])('[REJ-2] facts whose %s is %j are not these facts', (name, value) => {
    expect(hasFacts(shape, { ...facts, [name]: value })).toBe(false);
  });

  test.each([null, 'text', []])('[REJ-2] %j has no facts', (value) => {
    expect(hasFacts(shape, value)).toBe(false);
    expect(hasFacts({}, value)).toBe(false);
  });
});
