import { dirname, posix } from 'node:path';
import { REGISTRY } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { filesIn, importsOf } from './source-files.ts';

// Rank 0 is pure; imports only go down.
const RANKS: Readonly<Record<string, number>> = { language: 0, transcript: 0, domain: 0, store: 1, protocol: 1, server: 2, web: 2, cli: 3 };
const PURE = new Set(['language', 'transcript', 'domain']);

type Manifest = { readonly name: string; readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> };

const packages = filesIn('packages', /^packages\/[^/]+\/package\.json$/u).map(({ path, text }) => {
  const folder = path.split('/')[1] ?? '';
  const manifest = JSON.parse(text) as Manifest; // our own file
  return { folder, manifest, sources: filesIn(`packages/${folder}/src`, /\.tsx?$/u) };
});
const folderOf = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]));
const sources = packages.flatMap(({ folder, sources: files }) => files.map((file) => ({ folder, ...file })));

describe('the architecture', () => {
  test('[ARCH-1] every package has a rank', () => {
    expect(packages.length).toBeGreaterThan(2);
    expect(packages.filter(({ folder }) => RANKS[folder] === undefined)).toEqual([]);
  });

  test('[ARCH-2] imports between packages only go down', () => {
    let looked = 0;
    const upward = sources.flatMap(({ folder, path, text }) =>
      importsOf(text).flatMap((name) => {
        const target = folderOf.get(name);
        if (target === undefined) return [];
        looked += 1;
        return (RANKS[target] ?? 0) < (RANKS[folder] ?? 0) ? [] : [`${path} imports ${name}`];
      }),
    );
    expect(upward).toEqual([]);
    expect(looked).toBeGreaterThan(10);
  });

  test('[ARCH-3] what a package imports it declares', () => {
    const undeclared = packages.flatMap(({ manifest, sources: files }) => {
      const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
      return files.flatMap(({ path, text }) =>
        importsOf(text)
          .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
          .map((name) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name)))
          .filter((name) => !declared.has(name))
          .map((name) => `${path} imports ${name}`),
      );
    });
    expect(undeclared).toEqual([]);
  });

  test('[ARCH-4] no import leaves its package by path, and relative imports name a file', () => {
    const escapes = sources.flatMap(({ folder, path, text }) =>
      importsOf(text)
        .filter((name) => name.startsWith('.'))
        .filter((name) => !posix.join(dirname(path), name).startsWith(`packages/${folder}/src/`) || !/\.(?:tsx?|css)$/u.test(name))
        .map((name) => `${path} imports ${name}`),
    );
    expect(escapes).toEqual([]);
  });

  test('[ARCH-5] pure packages import nothing of Node, have no classes, and throw nowhere but in assertNever', () => {
    const pure = sources.filter(({ folder }) => PURE.has(folder));
    expect(pure.length).toBeGreaterThan(20);
    const impure = pure.flatMap(({ path, text }) => [
      ...importsOf(text)
        .filter((name) => name.startsWith('node:'))
        .map((name) => `${path} imports ${name}`),
      ...(/^\s*(?:export\s+)?(?:abstract\s+)?class\s/mu.test(text) ? [`${path} has a class`] : []),
      ...(/\bthrow\b/u.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '')) && !path.endsWith('/never.ts') ? [`${path} throws`] : []),
    ]);
    expect(impure).toEqual([]);
  });

  test('[ARCH-6] one index per package lists names; there are no barrels inside', () => {
    const barrels = sources.filter(
      ({ text, path }) => /export\s+\*/u.test(text) || (path.endsWith('/index.ts') && !/^packages\/[^/]+\/src\/index\.ts$/u.test(path)),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  test('[ARCH-7] snake_case keys are made in protocol only; elsewhere they are read from foreign files', () => {
    const made = sources
      .filter(({ folder }) => folder !== 'protocol')
      .flatMap(({ path, text }) => [...text.matchAll(/^\s+(?:readonly )?([a-z]+_[a-z_]+)\??:/gmu)].map(([, key = '']) => ({ path, key })))
      .filter(({ key }) => !Object.hasOwn(REGISTRY, key))
      .map(({ path, key }) => `${path}: ${key}`);
    expect(made).toEqual([]);
  });

  test('[ARCH-8] files and folders are named in kebab-case without words that mean nothing', () => {
    const vague = sources.filter(({ path }) => /utils|helpers|manager|service|common\b/u.test(path) || !/^[a-z0-9./-]+$/u.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });
});
