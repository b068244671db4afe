import { basename, join } from 'node:path';
import type { SeenFile } from '@yarnboard/domain';
import { settingsIn } from './config-formats.ts';
import type { Registry } from './package-names.ts';
import type { Reach } from './reach.ts';

/** Something that a project names with a version or a range. */
export type Pin = {
  readonly name: string;
  readonly registry: Registry;
  readonly version: string | null;
  /** Its place, worded for people. */
  readonly where: string;
  /** `pin`: exactly this version; `range`: the allowed versions; `installed`: the version present. */
  readonly kind: 'pin' | 'range' | 'installed';
  readonly file: SeenFile;
};

/** The versions named in a project's manifests, lock files and images. Read as data, never run. */
export const pinsIn = async (reach: Reach, folder: string): Promise<readonly Pin[]> => {
  const listed = (await reach.list(folder, 1000)) ?? [];
  const names = listed.filter(({ isFile, name }) => isFile && readerOf(name) !== null).map(({ name }) => name);
  const pins = await Promise.all(
    names.map(async (name): Promise<readonly Pin[]> => {
      const read = await reach.read(join(folder, name));
      if (read.kind !== 'text') return [];
      const file = { path: read.path, stamp: read.stamp };
      return (readerOf(name)?.(read.text, name) ?? []).map((pin) => ({ ...pin, where: `${name}: ${pin.name} ${pin.version ?? ''}`.trim(), file }));
    }),
  );
  return pins.flat();
};

type Raw = Omit<Pin, 'where' | 'file'>;
type Reader = (text: string, file: string) => readonly Raw[];

/** The reader for a file that names versions; null for any other file. */
export const readerOf = (file: string): Reader | null => {
  const name = basename(file).toLowerCase();
  return (
    NAMED[name] ??
    (/^requirements[\w.-]*\.txt$/u.test(name) ? requirements : /^(?:.+\.)?dockerfile$|^dockerfile\..+$/u.test(name) ? dockerfile : null)
  );
};

const exactly =
  (name: string): Reader =>
  (text) => {
    const version = (text.split('\n')[0] ?? '').trim().replace(/^v/u, '');
    return /^\d+(?:\.\d+)*/u.test(version) ? [{ name, registry: 'tool', version, kind: 'pin' }] : [];
  };

const kindOf = (version: string | null): Raw['kind'] =>
  version !== null && /^(?:==?)?v?\d+(?:\.\d+)+(?:[-+.]?[a-z][\w.]*)?$/iu.test(version.trim()) ? 'pin' : 'range';

const packageJson: Reader = (text, file) =>
  (settingsIn(file, text) ?? []).flatMap(({ path: [group = '', name, ...deeper], value }): readonly Raw[] => {
    if (group === 'packageManager' && name === undefined) {
      const [manager = '', version = ''] = value.split('@');
      return [{ name: manager, registry: 'tool', version: version.replace(/\+.*$/u, ''), kind: 'pin' }];
    }
    if (name === undefined || deeper.length > 0) return [];
    if (group === 'engines' || group === 'volta') return [{ name, registry: 'tool', version: value, kind: group === 'volta' ? 'pin' : 'range' }];
    return /^(?:dev|peer|optional)?dependencies$/iu.test(group) ? [{ name, registry: 'npm', version: value, kind: 'range' }] : [];
  });

/** `packages["node_modules/x"].version` in lock versions 2 and 3; older ones have `dependencies.x.version`. */
const packageLock: Reader = (text, file) =>
  (settingsIn(file, text) ?? []).flatMap(({ path, value }) => {
    const [group, place = '', field] = path;
    if (field !== 'version' || path.length !== 3) return [];
    const name = group === 'packages' ? place.split('node_modules/').at(-1) : group === 'dependencies' ? place : undefined;
    const isNested = place.split('node_modules/').length > 2;
    return name === undefined || name === '' || isNested ? [] : [{ name, registry: 'npm', version: value, kind: 'installed' }];
  });

const requirements: Reader = (text) =>
  text.split('\n').flatMap((line) => {
    const [, name, range = ''] =
      /^\s*([A-Za-z0-9][\w.-]*)(?:\[[\w,\s-]*\])?\s*((?:[=<>!~]=?|===)\s*[^;#\s]+(?:\s*,\s*[=<>!~]=?\s*[^;#\s,]+)*)?\s*(?:[;#].*)?$/u.exec(line) ??
      [];
    return name === undefined
      ? []
      : [{ name, registry: 'pypi', version: range === '' ? null : range.replaceAll(/\s+/gu, ''), kind: /^==[^*]+$/u.test(range) ? 'pin' : 'range' }];
  });

const pyproject: Reader = (text, file) => {
  const settings = settingsIn(file, text) ?? [];
  const python = settings
    .filter(({ path }) => path.at(-1) === 'requires-python')
    .map(({ value }) => ({ name: 'python', registry: 'tool' as const, version: value, kind: 'range' as const }));
  const poetry = settings.flatMap(({ path, value }) =>
    path[0] === 'tool' && path[1] === 'poetry' && path.includes('dependencies')
      ? [
          {
            name: path.at(-1) ?? '',
            registry: path.at(-1) === 'python' ? ('tool' as const) : ('pypi' as const),
            version: value,
            kind: 'range' as const,
          },
        ]
      : [],
  );
  // Requirement lists have one quoted entry per line.
  const listed = [...text.matchAll(/^\s*"([A-Za-z0-9][^"\n]{0,200})",?\s*$/gmu)].flatMap(([, one = '']) => requirements(one, ''));
  return [...python, ...poetry, ...listed];
};

/** `name = "x"` followed by `version = "1"`: poetry, uv and cargo. */
const blocks =
  (registry: Registry): Reader =>
  (text) =>
    text
      .split(/^\[\[package\]\]/mu)
      .slice(1)
      .flatMap((block) => {
        const [, name] = /^name\s*=\s*"([^"]{1,200})"/mu.exec(block) ?? [];
        const [, version] = /^version\s*=\s*"([^"]{1,100})"/mu.exec(block) ?? [];
        return name === undefined || version === undefined ? [] : [{ name, registry, version, kind: 'installed' as const }];
      });

const cargo: Reader = (text, file) =>
  (settingsIn(file, text) ?? []).flatMap(({ path, value }): readonly Raw[] => {
    if (path[0] === 'package' && path[1] === 'rust-version') return [{ name: 'rust', registry: 'tool', version: value, kind: 'range' }];
    const [group = '', name] = path;
    if (name === undefined || !group.endsWith('dependencies')) return [];
    const [, inTable] = /version\s*=\s*"([^"]+)"/u.exec(value) ?? [];
    return [{ name, registry: 'cargo', version: inTable ?? (value.startsWith('{') ? null : value), kind: 'range' }];
  });

const goMod: Reader = (text) => [
  ...[...text.matchAll(/^go\s+(\d[\w.]*)/gmu)].map(([, version = '']) => ({ name: 'go', registry: 'tool' as const, version, kind: 'pin' as const })),
  ...[...text.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./-]+)\s+(v[\w.+-]+)/gmu)].map(([, name = '', version = '']) => ({
    name,
    registry: 'go' as const,
    version,
    kind: 'pin' as const,
  })),
];

const toolVersions: Reader = (text) =>
  text.split('\n').flatMap((line) => {
    const [, name, version] = /^([\w-]+)\s+(\d[\w.]*)/u.exec(line.trim()) ?? [];
    return name === undefined || version === undefined ? [] : [{ name: name.replace(/^nodejs$/u, 'node'), registry: 'tool', version, kind: 'pin' }];
  });

const dockerfile: Reader = (text) =>
  [...text.matchAll(/^FROM\s+(?:--\S+\s+)?(?:[\w.:-]+\/)*([\w-]+):(\d[\w.]*)/gimu)].map(([, name = '', version = '']) => ({
    name,
    registry: 'tool',
    version,
    kind: 'pin',
  }));

const yarnLock: Reader = (text) =>
  [...text.matchAll(/^"?(@?[\w./-]+)@[^\n]{0,300}:\n\s+version:?\s+"?([\w.+-]+)"?/gmu)].map(([, name = '', version = '']) => ({
    name,
    registry: 'npm',
    version,
    kind: 'installed',
  }));

const pnpmLock: Reader = (text) =>
  [...text.matchAll(/^\s+'?\/?(@?[\w.-]+(?:\/[\w.-]+)?)@(\d[\w.+-]*)(?:\([^)]*\))*'?:\s*$/gmu)].map(([, name = '', version = '']) => ({
    name,
    registry: 'npm',
    version,
    kind: 'installed',
  }));

const gemLock: Reader = (text) =>
  [...text.matchAll(/^ {4}([\w.-]+) \((\d[\w.]*)\)$/gmu)].map(([, name = '', version = '']) => ({
    name,
    registry: 'gem',
    version,
    kind: 'installed',
  }));

const gemfile: Reader = (text) =>
  [...text.matchAll(/^\s*gem\s+["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?/gmu)].map(([, name = '', version]) => ({
    name,
    registry: 'gem',
    version: version ?? null,
    kind: kindOf(version ?? null),
  }));

const NAMED: Readonly<Record<string, Reader>> = {
  'package.json': packageJson,
  'package-lock.json': packageLock,
  'npm-shrinkwrap.json': packageLock,
  'pyproject.toml': pyproject,
  'poetry.lock': blocks('pypi'),
  'uv.lock': blocks('pypi'),
  'cargo.lock': blocks('cargo'),
  'cargo.toml': cargo,
  'go.mod': goMod,
  '.tool-versions': toolVersions,
  '.python-version': exactly('python'),
  '.nvmrc': exactly('node'),
  '.node-version': exactly('node'),
  '.ruby-version': exactly('ruby'),
  'rust-toolchain': exactly('rust'),
  'yarn.lock': yarnLock,
  'pnpm-lock.yaml': pnpmLock,
  'gemfile.lock': gemLock,
  gemfile,
};
