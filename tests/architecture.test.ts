import { dirname, posix } from 'node:path';
import { EVENT_NAMES, openapiDocument, REGISTRY, SESSION_TOOLS } from '@yarnboard/protocol';
import { DIALECTS } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cyclesIn, graphOfFiles, graphOfFolders, type Graph } from './import-graph.ts';
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

  test('[ARCH-7] snake_case keys are made in protocol only; elsewhere names of the registry are used as they are, and no key is computed to hide one', () => {
    // A dialect makes records in the form that files of transcripts have.
    const outside = sources.filter(({ folder, path }) => folder !== 'protocol' && !path.startsWith('packages/transcript/src/dialects/'));
    const known = new Set<string>([...Object.keys(REGISTRY), ...EVENT_NAMES, ...propertiesIn(openapiDocument('0'))]);
    const made = outside
      .flatMap(({ path, text }) => [...text.matchAll(/^\s+(?:readonly )?([a-z]+_[a-z_]+)\??:/gmu)].map(([, key = '']) => ({ path, key })))
      .filter(({ key }) => !known.has(key))
      .map(({ path, key }) => `${path}: ${key}`);
    expect(made).toEqual([]);
    const computed = outside.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<=[{,]\s*)\[\s*(['"`])([a-z]+_[a-z_]+)\1\s*\]\s*[:(]/gu)].map(([, , key = '']) => `${path}: ${key}`),
    );
    expect(computed).toEqual([]);
  });

  test('[ARCH-8] files and folders are named in kebab-case without words that mean nothing', () => {
    const vague = sources.filter(({ path }) => /utils|helpers|manager|service|common\b/u.test(path) || !/^[a-z0-9./-]+$/u.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  test('[ARCH-9] no file imports itself in a circle, types included', () => {
    expect(graphs.reduce((sum, { files }) => sum + edgesIn(files), 0)).toBeGreaterThan(500);
    expect(graphs.flatMap(({ folder, files }) => newCycles(folder, files))).toEqual([]);
  });

  test('[ARCH-10] no folder of a package depends on itself in a circle, types included', () => {
    expect(graphs.reduce((sum, { folders }) => sum + edgesIn(folders), 0)).toBeGreaterThan(50);
    expect(graphs.flatMap(({ folder, folders }) => newCycles(folder, folders))).toEqual([]);
  });

  test('[ARCH-11] in the server, doors stand on operations and nothing below knows them', () => {
    const server = graphs.find(({ folder }) => folder === 'server')?.folders ?? new Map<string, ReadonlySet<string>>();
    const below = [...server].filter(([from]) => from.includes('/') || !from.endsWith('.ts'));
    expect(below.length).toBeGreaterThan(8);
    expect(below.map(([from]) => from).filter((folder) => heightOf(folder) === null)).toEqual([]);
    const upward = below.flatMap(([from, targets]) =>
      [...targets].filter((to) => (heightOf(to) ?? Infinity) > (heightOf(from) ?? -1)).map((to) => `${from} imports ${to}`),
    );
    expect(upward).toEqual([]);
  });

  test('[ARCH-12] every import is seen: whatever is loaded by a name that is made up while running is foreign', () => {
    expect(
      importsOf("type A = Map<import('./a.ts').A, B>;\nconst b = await import(`./b.ts`);\nexport type { C } from './c.ts';\nimport './d.css';"),
    ).toEqual(['./a.ts', './b.ts', './c.ts', './d.css']);
    const hidden = sources.filter(({ text }) => /(?<![\w$.])import\(\s*(?!['"]|`[^`$]*`)[^)\s]/u.test(text)).map(({ path }) => path);
    expect(hidden).toEqual(['packages/server/src/launches/foreign-package.ts']); // the Agent SDK and the like, from wherever they are installed
  });

  test('[ARCH-13] [DIALECT-14] nothing outside of a dialect names its tool, but words, signs and what is listed here with its reason', () => {
    const names = DIALECTS.map(({ name }) => name);
    // A name as short as "pi" is one only where it stands alone.
    const [long, short] = [names.filter((name) => name.length > 2), names.filter((name) => name.length <= 2)];
    const named = new RegExp(`\\b(?:${long.join('|')})\\b|['"\`](?:${short.join('|')})['"\`]`, 'iu');
    const imports = long.map((name) => name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase()));
    const imported = new RegExp(`\\b(?:${imports.join('|')})\\b`, 'u');
    const isNaming = (text: string): boolean => named.test(text) || imported.test(text);
    const outside = sources.filter(({ path }) => !path.startsWith('packages/transcript/src/dialects/') && !path.includes('/src/testing/'));
    const naming = outside
      .filter(({ text }) => isNaming(text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=[;,{}] )\/\/.*$/gmu, '')))
      .map(({ path }) => path);
    expect(naming.sort()).toEqual(Object.keys(NAMING_TOOLS).sort());
    expect(names.length).toBeGreaterThan(5);
  });

  test('[ARCH-13] what reads sessions is not imported from within a dialect, and no dialect from another but where one tool began as the other', () => {
    const within = sources
      .filter(({ path }) => path !== 'packages/transcript/src/index.ts')
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter((name) => name.startsWith('.'))
          .map((name) => posix.join(dirname(path), name))
          .filter((target) => /\/dialects\/[^/]+\//u.test(target) && dirname(target) !== dirname(path) && !path.endsWith('/dialects/dialects.ts'))
          .map((target) => `${dirname(path).split('/').at(-1) ?? ''} imports ${dirname(target).split('/').at(-1) ?? ''}`),
      );
    expect(new Set(within)).toEqual(new Set(['qwen imports gemini']));
  });

  test('[DIALECT-14] inputs and descriptions name the tools that are read, and so does the page', () => {
    const names = DIALECTS.map(({ name }) => name).sort();
    expect(SESSION_TOOLS.split(', ').sort()).toEqual(names);
    for (const path of ['packages/web/src/shared/tools.ts', 'packages/web/src/shared/tool-sign.tsx']) {
      const text = sources.find((one) => one.path === path)?.text ?? '';
      expect({ path, missing: names.filter((name) => !text.includes(`['${name}'`)) }).toEqual({ path, missing: [] });
    }
  });

  test('[ARCH-9] a circle is found wherever it is closed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 }), (size, pairs) => {
        const edges = pairs.map(([a, b]): [number, number] => [a % size, b % size]).filter(([a, b]) => a !== b);
        const inCycle = new Set(cyclesIn(graphOf(size, edges)).flat());
        for (let node = 0; node < size; node += 1) expect(inCycle.has(`${node}`)).toBe(reaches(edges, node, node));
      }),
    );
  });
});

/** Where a tool is named all the same, and why. */
const NAMING_TOOLS: Readonly<Record<string, string>> = {
  'packages/transcript/src/index.ts': 'exports the dialects',
  'packages/protocol/src/session-tools.ts': 'the names for people and agents to choose from',
  'packages/web/src/shared/tools.ts': 'what people call them',
  'packages/web/src/shared/tool-sign.tsx': 'their signs',
  'packages/web/src/features/sessions/session-list.tsx': 'tells who has no session yet what to run',
  'packages/domain/src/agents/permission-rules.ts': 'folders in which agents find what they may do',
  'packages/cli/src/read/tree.ts': 'standard input has no path; it is read as the tool whose lines are records',
  'packages/server/src/operations/activity.ts': 'of what nobody has told yet the tool is taken to be that one',
  'packages/server/src/operations/holder.ts': 'a run or a launch is a session of that one before anything of it was read',
  'packages/server/src/launches/claude-program.ts': 'starts Claude Code: what runs a session is not what reads one',
  'packages/server/src/runtimes/claude/context.ts': 'goes on in a session of Claude Code by its own fork, which no other tool has',
  'packages/store/src/library/reading.ts': 'its lines are records, and are read without making any',
  'packages/store/src/library/draft.ts': 'entries from before tools were told apart are of that one (DIALECT-4)',
  'packages/store/src/postgres/schema.ts': 'so are marks of files',
  'packages/store/src/sqlite/schema.ts': 'so are marks of files',
};

/** The folders of the server, the lowest first. Those in one row do not know each other, or only one way round. */
const HEIGHTS: readonly (readonly string[])[] = [
  ['home'],
  ['ingest'],
  ['sessions', 'sessions/envelopes'],
  ['engine', 'launches'],
  ['runtimes', 'runtimes/openai', 'runtimes/bridge', 'runtimes/claude', 'validators'],
  ['followers'],
  ['threads'],
  ['recovery', 'operations/request'],
  ['operations/board', 'operations/archive', 'operations/trace'],
  ['operations'],
  ['doors'],
  ['doors/ws', 'doors/mcp'],
  ['doors/http'],
];

const heightOf = (folder: string): number | null => {
  const height = HEIGHTS.findIndex((names) => names.includes(folder));
  return height === -1 ? null : height;
};

/**
 * Cycles that are known and not cut yet, with the reason. What is found must lie within one of these, so none of them can grow and no other can
 * come up; whoever cuts one takes it off.
 */
const KNOWN: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // The catalogue of messages takes types of events and commands out of `board`; then these folders stand on it and no longer on each other.
  domain: [
    ['agents', 'auto-merge', 'board', 'citations', 'claims', 'scratchpad', 'sidebar'],
    ['board/deciding.ts', 'board/limits.ts'],
    [
      'agents/evolve.ts',
      'auto-merge/evolve.ts',
      'board/evolve.ts',
      'citations/evolve.ts',
      'claims/evolve.ts',
      'scratchpad/evolve.ts',
      'sidebar/evolve.ts',
    ],
  ],
};

const graphs = packages.map(({ folder, sources: files }) => {
  const graph = graphOfFiles(`packages/${folder}/src`, files);
  return { folder, files: graph, folders: graphOfFolders(graph) };
});

const edgesIn = (graph: Graph): number => [...graph.values()].reduce((sum, targets) => sum + targets.size, 0);

const newCycles = (folder: string, graph: Graph): readonly string[] =>
  cyclesIn(graph)
    .filter((found) => !(KNOWN[folder] ?? []).some((known) => found.every((name) => known.includes(name))))
    .map((found) => `${folder}: ${found.join(' <-> ')}`);

const graphOf = (size: number, edges: readonly (readonly [number, number])[]): Graph =>
  new Map(Array.from({ length: size }, (_, node) => [`${node}`, new Set(edges.filter(([from]) => from === node).map(([, to]) => `${to}`))]));

const reaches = (edges: readonly (readonly [number, number])[], from: number, to: number): boolean => {
  const seen = new Set<number>();
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [a, b] of edges) {
      if (a !== node || seen.has(b)) continue;
      if (b === to) return true;
      seen.add(b);
      open.push(b);
    }
  }
  return false;
};

/** Every name of a property in a JSON Schema document. */
const propertiesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'properties' in value && typeof value.properties === 'object' && value.properties !== null ? Object.keys(value.properties) : [];
  return [...own, ...Object.values(value).flatMap(propertiesIn)];
};
