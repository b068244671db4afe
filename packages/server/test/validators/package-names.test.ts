import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNamed, type Registry } from '../../src/validators/package-names.ts';
import { createPrograms } from '../../src/validators/programs.ts';
import { aroundOf, makeTree, verdictOn } from './trees.ts';

const REGISTRIES: readonly Registry[] = ['pypi', 'npm', 'cargo', 'gem', 'go', 'tool'];
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/u);
const words = fc.array(word, { minLength: 2, maxLength: 4 });
const separator = fc.constantFrom('-', '_', '.');
const joined = (parts: readonly string[], by: readonly string[]): string =>
  parts.map((part, i) => (i === 0 ? part : (by[i - 1] ?? '-') + part)).join('');
const written = fc.record({
  parts: words,
  some: fc.array(separator, { minLength: 3, maxLength: 3 }),
  others: fc.array(separator, { minLength: 3, maxLength: 3 }),
});

describe('names of packages', () => {
  test('[VAL-53] PyPI takes every run of separators for the same, npm and RubyGems none, and crates.io a dash for an underscore', () => {
    fc.assert(
      fc.property(written, ({ parts, some, others }) => {
        const [a, b] = [joined(parts, some), joined(parts, others)];
        expect(isNamed('pypi', a, b)).toBe(true);
        expect(isNamed('pypi', a, joined(parts, ['--', '._', '-.-']))).toBe(true);
        for (const registry of ['npm', 'gem', 'go'] as const) expect(isNamed(registry, a, b)).toBe(a === b);
        expect(isNamed('cargo', a, b)).toBe(a.replaceAll('_', '-') === b.replaceAll('_', '-'));
      }),
    );
  });

  test('[VAL-53] a scope is part of a name of npm, and nothing stands for it', () => {
    fc.assert(
      fc.property(word, word, separator, (scope, name, by) => {
        expect(isNamed('npm', `@${scope}/${name}`, `@${scope}/${name}`)).toBe(true);
        for (const other of [`${scope}/${name}`, `${scope}${by}${name}`, name, `@${scope}${by}${name}`, `@${scope}x/${name}`])
          expect(isNamed('npm', `@${scope}/${name}`, other)).toBe(false);
      }),
    );
  });

  test('[VAL-53] for every registry it is an equivalence, and only the path of a Go module minds the case of letters', () => {
    const name = fc.stringMatching(/^[A-Za-z][\w.-]{0,10}$/u);
    fc.assert(
      fc.property(fc.constantFrom(...REGISTRIES), name, name, name, (registry, a, b, c) => {
        const is = (one: string, other: string): boolean => isNamed(registry, one, other);
        expect(is(a, a)).toBe(true);
        expect(is(a, b)).toBe(is(b, a));
        expect(!(is(a, b) && is(b, c)) || is(a, c)).toBe(true);
        expect(is(a, a.toUpperCase())).toBe(registry !== 'go' || a === a.toUpperCase());
      }),
    );
  });
});

describe('packages of a project', () => {
  const NO_PROGRAMS = { programs: createPrograms([]) };
  const npm = makeTree({
    'package.json': '{"dependencies":{"lodash.merge":"^4.6.0","@types/node":"^22.0.0","express":"^5.0.0"}}',
    'node_modules/lodash.merge/package.json': '{"version":"4.6.2"}',
    'node_modules/@types/node/package.json': '{"version":"22.1.0"}',
    'node_modules/express/package.json': '{"version":"5.1.0"}',
  });

  test.each([
    ['The package `lodash.merge` is installed.', 'confirmed'],
    ['The package `lodash-merge` is installed.', 'contradicted'],
    ['The package `@types/node` is installed.', 'confirmed'],
    ['The package `types-node` is installed.', 'contradicted'],
    ['The package Express is installed.', 'confirmed'],
  ])('[VAL-53] of npm: %s: %s', async (claim, outcome) => {
    expect((await verdictOn(claim, aroundOf(npm, NO_PROGRAMS))).outcome).toBe(outcome);
  });

  const both = makeTree({
    '.venv/pyvenv.cfg': 'home = /usr\nversion = 3.11.4\n',
    '.venv/lib/python3.11/site-packages/Flask_Login-0.6.3.dist-info/METADATA': 'Name: Flask-Login\n',
    'requirements.txt': 'flask==3.0.1\n',
    'package.json': '{"dependencies":{"left-pad":"^1.3.0"}}',
    'node_modules/left-pad/package.json': '{"version":"1.3.0"}',
    'node_modules/deep/package.json': '{"version":"1.0.0"}',
    'Cargo.lock': '[[package]]\nname = "serde_json"\nversion = "1.0.1"\n',
  });

  test.each([
    // In the venv, but in no list: other packages need it.
    ['The package `flask-login` is installed.', 'confirmed'],
    ['The package `flask_login` is installed.', 'confirmed'],
    ['The package `left-pad` is installed.', 'confirmed'],
    ['The package `deep` is installed.', 'confirmed'],
    ['The package `serde-json` is installed.', 'confirmed'],
    ['The package `not-there-at-all` is installed.', 'contradicted'],
    // It is listed, and its own environment does not have it: somebody has to look.
    ['The package `flask` is installed.', 'inconclusive'],
  ])('[VAL-54] of a project in several languages: %s: %s', async (claim, outcome) => {
    const verdict = await verdictOn(claim, aroundOf(both, NO_PROGRAMS));
    expect({ claim, outcome: verdict.outcome, conflicts: verdict.conflicts.length > 0 }).toEqual({
      claim,
      outcome,
      conflicts: outcome === 'inconclusive',
    });
  });

  test('[VAL-55] a client that is called like a program says nothing of its version; an image does', async () => {
    const files = { 'package.json': '{"dependencies":{"redis":"^4.6.0"}}', 'node_modules/redis/package.json': '{"version":"4.6.7"}' };
    expect((await verdictOn('We are using Redis 7.2.', aroundOf(makeTree(files), NO_PROGRAMS))).says).toEqual({
      project_pin: 'nothing',
      project_environment: 'nothing',
      system_program: 'nothing',
    });
    const served = makeTree({ ...files, Dockerfile: 'FROM redis:7.2-alpine\n' });
    expect(await verdictOn('We are using Redis 7.2.', aroundOf(served, NO_PROGRAMS))).toMatchObject({ outcome: 'confirmed', conflicts: [] });
    expect((await verdictOn('We are using Redis 6.0.', aroundOf(served, NO_PROGRAMS))).outcome).toBe('contradicted');
  });
});
