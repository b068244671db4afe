import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverageText } from '../../../src/features/search/hit-line.tsx';
import { addressOf, FILTERS, questionOf, wishIn, type SearchWish } from '../../../src/features/search/search-address.ts';
import { dayBefore } from '../../../src/shared/span-filter.tsx';

const word = fc.string({ maxLength: 20 }).map((text) => text.trim());
const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10));
const orNone = (some: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), some);
const anyWish: fc.Arbitrary<SearchWish> = fc.record({
  q: fc.string({ maxLength: 40 }),
  mode: fc.constantFrom('', 'words', 'semantic'),
  project: word,
  actor: fc.constantFrom('', 'human', 'agent', 'system'),
  sessionTool: fc.constantFrom('', 'codex', 'pi'),
  tool: word,
  model: word,
  since: orNone(day),
  until: orNone(day),
  error: fc.constantFrom('', '1'),
  standing: fc.constantFrom('', '1'),
  session: word,
  agent: word,
});

test('[PAGE-64] a search survives a round trip through its address', () => {
  fc.assert(
    fc.property(anyWish, (wish) => {
      expect(wishIn(new URLSearchParams(addressOf(wish).toString()))).toEqual(wish);
    }),
  );
});

test('[PAGE-64] whatever stands in an address, what is asked of the server is something it takes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('q', ...FILTERS, 'other'), fc.string()), (given) => {
      const { q, ...filters } = questionOf(wishIn(new URLSearchParams(given)));
      expect(q).toBe((given['q'] ?? '').trim());
      expect(Object.values(filters).every((value) => typeof value === 'string' && value !== '')).toBe(true);
    }),
  );
  expect(questionOf(wishIn(new URLSearchParams('q=a&actor=cat&since=yesterday&until=2026-13-01&error=yes&page=3')))).toEqual({ q: 'a' });
  expect(questionOf(wishIn(new URLSearchParams('q=+a+&error=1&since=2026-11-01')))).toEqual({ q: 'a', hasError: 'true', since: '2026-11-01' });
});

test('[PAGE-242] the mode of a search is in its address, and how much is indexed by meaning is said until all of it is', () => {
  expect(questionOf(wishIn(new URLSearchParams('q=a&mode=semantic')))).toEqual({ q: 'a', mode: 'semantic' });
  expect(questionOf(wishIn(new URLSearchParams('q=a&mode=telepathy')))).toEqual({ q: 'a' });
  expect(coverageText({ model: 'm', position: 399, of: 1000 })).toBe('Only 39% indexed by meaning so far');
  expect(coverageText({ model: 'm', position: 1000, of: 1000, unknown: true })).toBe(
    'None of these words is known to the model, so meaning went by their characters',
  );
  expect(coverageText({ model: 'm', position: 1000, of: 1000 })).toBeNull();
  expect(coverageText(null)).toBeNull();
});

test('[PAGE-64] a span of time is counted in days from now', () => {
  expect(dayBefore(Date.parse('2026-03-01T10:00:00Z'), 7)).toBe('2026-02-22');
});
