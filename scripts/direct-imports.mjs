// An esbuild plugin: imports from a package of ours go straight to the files that export the names, past its index.ts.
//
// esbuild puts into one chunk whatever the same entry points reach, and an index reaches everything: a command that only asks a running server would load
// the rules about language, the databases and the dialects with it. Our indexes hold nothing but re-exports, and no module of ours acts when it is loaded.
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const IMPORT = /^import \{([^}]*)\} from '@yarnboard\/(\w+)';$/gmu;
const REEXPORT = /^export (type )?\{([^}]*)\} from '(\.[^']+)';$/gmu;

export const directImports = (root) => ({
  name: 'direct-imports',
  setup(build) {
    const indexes = new Map();
    const indexOf = (name) => {
      if (!indexes.has(name)) indexes.set(name, readIndex(join(root, 'packages', name, 'src')));
      return indexes.get(name);
    };
    build.onLoad({ filter: /packages.\w+.src..*\.ts$/ }, async ({ path }) => ({
      contents: redirected(await readFile(path, 'utf8'), path, indexOf),
      loader: 'ts',
    }));
  },
});

/** Where each name that an index exports comes from, and what it is called there. */
const readIndex = (folder) => {
  const names = new Map();
  const text = readFileSync(join(folder, 'index.ts'), 'utf8');
  for (const [, type, list, from] of text.matchAll(REEXPORT)) {
    if (type !== undefined) continue;
    for (const { name, as } of specifiersOf(list)) names.set(as, { name, file: join(folder, from) });
  }
  return names;
};

/** `a, type B, c as d` without the types. */
const specifiersOf = (list) =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => {
      const [name, as = name] = one.split(' as ');
      return { name, as };
    });

export const redirected = (source, path, indexOf) =>
  source.replace(IMPORT, (whole, list, name) => {
    const index = indexOf(name);
    const wanted = specifiersOf(list);
    // Better one that loads too much than one that does not load: the bundler says what is missing.
    if (wanted.some((one) => !index.has(one.name))) return whole;
    // On one line each, and as many lines as before: places in the source stay what they are.
    const lines = wanted.map((one) => {
      const { name: there, file } = index.get(one.name);
      return `import { ${there === one.as ? there : `${there} as ${one.as}`} } from '${specifierTo(file, path)}';`;
    });
    return lines.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
  });

const specifierTo = (file, from) => {
  const path = relative(dirname(from), file).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
};
