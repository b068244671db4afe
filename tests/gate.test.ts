import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterFile, afterTest, workOff } from './afterwards.ts';
import { filesIn, root } from './source-files.ts';

const sources = [...filesIn('packages', /\/test\/.*\.tsx?$/u), ...filesIn('tests', /^tests\/(?!e2e\/).*\.ts$/u)];
const fitting = (pattern: RegExp, among = sources): readonly string[] =>
  among.flatMap(({ path, text }) => text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])));
const isThisFile = (found: string): boolean => found.startsWith('tests/gate.test.ts:');

test('[GATE-1] CI runs both tiers', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^export CI=true$\n^npm run test:all$/mu);
});

test('[GATE-5] no test has a deadline of its own', () => {
  expect(sources.length).toBeGreaterThan(300);
  // Installing a program is no test, the pictures are for people, and the rest is what the tested code is given.
  const allowed =
    /^(?:tests\/(?:postgres|redis|chromium|web\/look)\.ts|packages\/store\/test\/search-text\.test\.ts|packages\/cli\/test\/hook\.test\.ts|packages\/server\/test\/validators\/validators\.test\.ts):/u;
  const found = [...fitting(/\b(?:timeout|asyncUtilTimeout): ?\d/u), ...fitting(/^\s*\}, [\d_]{4,}\);$/u), ...fitting(/[sS]etDefaultTimeout\(\d/u)];
  expect(found.filter((one) => !allowed.test(one) && !isThisFile(one))).toEqual([]);
});

test('[GATE-5] no test expects something to take less than a time by the clock', () => {
  const found = fitting(/performance\.now\(\)|Date\.now\(\) - \w+\)\.toBeLess/u).filter((one) => !isThisFile(one));
  const allowed = [
    'packages/cli/test/mcp-program.test.ts', // what is waited for in vain takes ten seconds of doing nothing
    'packages/server/test/doors/ws/back-pressure.test.ts', // at least so long
    'packages/server/test/launches/launches.test.ts', // names, not times
    'tests/web/main-thread.ts', // in the page, where it is reported
  ];
  expect(found.filter((one) => !allowed.some((path) => one.startsWith(`${path}:`)))).toEqual([]);
});

test('[GATE-6] properties begin at a seed that is known', () => {
  expect(fc.readConfigureGlobal()).toMatchObject({ seed: Number(process.env['YARNBOARD_PROPERTY_SEED'] ?? 1) });
  const drawn = (): readonly number[] => fc.sample(fc.integer(), 5);
  expect(drawn()).toEqual(drawn());
});

test('[GATE-7] no helper has a hook: it would be one of the first file only that uses it', () => {
  const helpers = sources.filter(({ path }) => !/\.test\.tsx?$/u.test(path) && path !== 'tests/setup.ts' && path !== 'packages/web/test/setup.ts');
  expect(helpers.length).toBeGreaterThan(40);
  expect(fitting(/^(?:before|after)(?:All|Each)\(/u, helpers)).toEqual([]);
});

test('[GATE-7] what was opened is closed, the last first, once, whatever goes wrong on the way', async () => {
  const closed: string[] = [];
  for (const name of ['first', 'second']) afterFile(() => void closed.push(name));
  for (const name of ['third', 'fourth']) afterTest(() => void closed.push(name));
  afterTest(() => {
    throw new Error('cannot be closed');
  });
  await expect(workOff('test')).rejects.toThrow('cannot be closed');
  expect(closed).toEqual(['fourth', 'third']);
  await workOff('file');
  await workOff('file');
  expect(closed).toEqual(['fourth', 'third', 'second', 'first']);
});
