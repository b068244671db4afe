import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedIn, listPath, ONLYS, SORTS, type Listed } from '../../../src/features/sessions/list-address.ts';

const day = fc.constantFrom('', '2026-01-31', '2025-12-01');
const listed: fc.Arbitrary<Listed> = fc.record({
  project: fc.option(fc.string()),
  tool: fc.string(),
  text: fc.string(),
  sort: fc.constantFrom(...SORTS),
  only: fc.subarray([...ONLYS]),
  since: day,
  until: day,
});

test('[PAGE-615] an address says all that was chosen, and is read as it was written', () => {
  fc.assert(
    fc.property(listed, (one) => {
      expect(listedIn(new URLSearchParams(listPath(one).split('?')[1] ?? ''))).toEqual(one);
    }),
  );
  expect(listPath(listedIn(new URLSearchParams('sort=shape&only=red,errors&since=yesterday&until=2026-99-99')))).toBe('/sessions?only=errors');
});
