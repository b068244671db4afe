import { expect, test } from 'vitest';
import { claimOf } from '../../src/contradictions/claim.ts';
import { createClaims } from '../../src/contradictions/claims.ts';

test('[PAD-16] the claim of a text is made once, and what was not asked for longest makes room', () => {
  const claims = createClaims({ mask: (text) => text, mostCharacters: 40 });
  const [first, second, third] = ['the cache is cold', 'the disk is full', 'the port is 5432'];
  const claim = claims.of(first);
  expect(claim).toEqual(claimOf(first));
  const other = claims.of(second);
  expect(claims.of(first)).toBe(claim);
  expect(claims.held()).toBe(first.length + second.length);
  claims.of(third);
  expect(claims.held()).toBe(first.length + third.length);
  expect(claims.of(first)).toBe(claim);
  expect(claims.of(second)).not.toBe(other);
  claims.of('x'.repeat(41));
  expect(claims.held()).toBe(0);
});
