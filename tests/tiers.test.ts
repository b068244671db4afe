import { expect, test } from 'vitest';
import { groupOf, PLACES, testFiles } from './tiers.ts';
import { filesIn } from './source-files.ts';

const files = testFiles();

test('[GATE-1] every test file is in exactly one tier, and none is left out', () => {
  const found = [...filesIn('packages', /\.test\.tsx?$/u), ...filesIn('tests', /\.test\.tsx?$/u), ...filesIn('scripts', /\.test\./u)];
  expect(found.length).toBeGreaterThan(200);
  expect(found.map(({ path }) => path).toSorted()).toEqual(files);
  expect(files.filter((path) => groupOf(path) === null)).toEqual([]);
});

test('[GATE-1] every line of the list places a file', () => {
  const used = new Set(files.map((path) => PLACES.findIndex(([fits]) => fits.test(path))));
  expect(PLACES.filter((_, at) => !used.has(at)).map(([fits]) => fits.source)).toEqual([]);
});

test('[GATE-1] what needs PostgreSQL, and what needs a browser but for the smoke test, is in the tail', () => {
  const quick = filesIn('packages', /\.test\.tsx?$/u)
    .concat(filesIn('tests', /\.test\.ts$/u))
    .filter(({ path }) => /^(?:pure|page|server)$/u.test(groupOf(path) ?? ''));
  const needy = quick.filter(({ text }) => /find(?:Postgres|Chromium)\(/u.test(text));
  expect(needy.map(({ path }) => path)).toEqual(['tests/smoke.test.ts']);
});
