import { expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

const rules = filesIn('docs/spec', /\.md$/u).flatMap(({ text }) => [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gmu)].map(([, rule = '']) => rule));
// What every store must do is tested by a suite that the adapters' tests run.
const suites = [
  ...filesIn('packages', /\/test\/.*\.test\.tsx?$/u),
  ...filesIn('packages/store/src/testing', /\.ts$/u),
  ...filesIn('tests', /\.test\.ts$/u),
];
const proofs = suites.flatMap(({ path, text }) =>
  [...text.matchAll(/\b(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:\[[A-Z]+-\d+\]\s*)+)/gu)].flatMap(([, , ids = '']) =>
    [...ids.matchAll(/[A-Z]+-\d+/gu)].map(([rule]) => ({ rule, path })),
  ),
);

test('[DOC-1] every rule is stated once', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
});

test('[DOC-2] every rule has a test that names it', () => {
  const proven = new Set(proofs.map(({ rule }) => rule));
  expect(rules.filter((rule) => !proven.has(rule))).toEqual([]);
});

test('[DOC-3] every rule that a test names is stated', () => {
  const stated = new Set(rules);
  expect(proofs.filter(({ rule }) => !stated.has(rule))).toEqual([]);
});
