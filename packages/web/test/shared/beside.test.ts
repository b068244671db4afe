import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { besideIn, keptBeside, withBeside } from '../../src/shared/beside.ts';

describe('what the address says of the panel', () => {
  test.each([
    ['', { shown: null, search: '' }],
    ['at=MSG-1', { shown: null, search: '' }],
    ['panel=sb-3', { shown: 'SB-3', search: '' }],
    ['panel=SB-3%3Ftab%3Dclaims%26mark%3Dopen', { shown: 'SB-3', search: 'tab=claims&mark=open' }],
    ['panel=all', { shown: 'all', search: '' }],
    ['panel=5e551011-0000-4000-8000-000000000001', { shown: '5e551011-0000-4000-8000-000000000001', search: '' }],
    ['panel=..%2Fhome', { shown: null, search: '' }],
    ['panel=SB-3%2Fx', { shown: null, search: '' }],
    ['panel=', { shown: null, search: '' }],
  ])('[PAGE-600] %s', (search, expected) => {
    expect(besideIn(search)).toEqual(expected);
  });

  test('[PAGE-600] the panel stays within a view, and closes with it', () => {
    const here = { path: '/sessions/a', search: 'at=MSG-1&panel=SB-3%3Ftab%3Dclaims' };
    expect(keptBeside('/sessions/a?at=MSG-2', here)).toBe('/sessions/a?at=MSG-2&panel=SB-3%3Ftab%3Dclaims');
    expect(keptBeside('/sessions/a', here)).toBe('/sessions/a?panel=SB-3%3Ftab%3Dclaims');
    expect(keptBeside('?at=MSG-2', here)).toBe('?at=MSG-2&panel=SB-3%3Ftab%3Dclaims');
    expect(keptBeside('/sessions/a?panel=SB-4', here)).toBe('/sessions/a?panel=SB-4');
    expect(keptBeside('/sessions', here)).toBe('/sessions');
    expect(keptBeside('/sessions/a?at=MSG-2', { ...here, search: 'at=MSG-1' })).toBe('/sessions/a?at=MSG-2');
  });

  test('[PAGE-600] whatever else is in the address is left as it is', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/u).filter((name) => name !== 'panel');
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(word, fc.string()), { selector: ([name]) => name }), fc.nat({ max: 99 }), fc.string(), (others, n, own) => {
        const search = new URLSearchParams(others.map(([name, value]) => [name, value])).toString();
        const opened = withBeside(search, own === '' ? `SB-${n}` : `SB-${n}?${own}`);
        expect(besideIn(opened)).toEqual({ shown: `SB-${n}`, search: own });
        expect(withBeside(opened, null)).toBe(search === '' ? '' : `?${search}`);
      }),
    );
  });
});
