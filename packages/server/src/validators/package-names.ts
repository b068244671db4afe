/** Where a name comes from: a registry of packages, or what runtimes, programs and images are called (`tool`). */
export type Registry = 'pypi' | 'npm' | 'cargo' | 'gem' | 'go' | 'tool';

/**
 * VAL-53: whether a listed name is the one that was asked for, by the rules of its registry. Only some registries treat separators as equal: on npm,
 * `lodash.merge` and `lodash-merge` are two packages, and so are `@types/node` and `types-node`.
 */
export const isNamed = (registry: Registry, listed: string, asked: string): boolean => PLAIN[registry](listed) === PLAIN[registry](asked);

// People write "Express is installed": of two names that differ in case only, npm and RubyGems refuse the second.
const inLowerCase = (name: string): string => name.toLowerCase();

const PLAIN: Readonly<Record<Registry, (name: string) => string>> = {
  // PEP 503: any run of separators is one.
  pypi: (name) => name.toLowerCase().replaceAll(/[._-]+/gu, '-'),
  npm: inLowerCase,
  // crates.io takes - and _ for the same.
  cargo: (name) => name.toLowerCase().replaceAll('_', '-'),
  gem: inLowerCase,
  // A module is a path, and the case of its letters counts.
  go: (name) => name,
  tool: inLowerCase,
};
