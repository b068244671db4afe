import { expect, test } from 'vitest';
import { filesIn } from '../../../tests/source-files.ts';

test('[STORE-15] only the store package names its databases', () => {
  const outside = filesIn('packages', /^packages\/(?!store\/)[^/]+\/src\/.*\.tsx?$/u);
  expect(outside.length).toBeGreaterThan(100);
  expect(outside.filter(({ text }) => /=== '(?:sqlite|postgres)'/u.test(text)).map(({ path }) => path)).toEqual([]);
});
