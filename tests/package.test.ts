import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { inspectDocument } from '@yarnboard/protocol';
import { publint } from 'publint';
import { beforeAll, expect, test } from 'vitest';
import { SQLITE_VERSION } from '../packages/cli/src/sqlite/ready.ts';
import { builtCommand, temporaryFolder } from '../packages/cli/test/terminal.ts';
import { addressOf, until } from './home.ts';
import { PATIENCE } from './patience.ts';
import { filesIn, root } from './source-files.ts';
import { builtPage } from './web/built-page.ts';

/** Packs a package as it lies here: whatever it needs was built before. */
const packed = (name: string): string => {
  const folder = temporaryFolder();
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const file = execFileSync('npm', args, { cwd: join(root, 'packages', name), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return join(folder, file.trim());
};

const unpacked = (name: string): string => {
  const file = packed(name);
  execFileSync('tar', ['-xzf', file, '-C', dirname(file)]);
  return join(dirname(file), 'package');
};

/** The command, installed from its tarball by npm into an empty folder, with the scripts of its dependencies switched off: nothing is compiled. */
const installed = (tarball: string): string => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'ignore' });
  return join(folder, 'node_modules', 'yarnboard');
};

/** Somebody who has never run it, with an empty home directory. */
const newUser = (changes: NodeJS.ProcessEnv = {}) => {
  const home = temporaryFolder();
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, npm_config_cache: npmCache(), ...changes };
  for (const name of ['YARNBOARD_HOME', 'YARNBOARD_STATE', 'YARNBOARD_SQLITE', 'XDG_STATE_HOME', 'CLAUDE_CONFIG_DIR', 'npm_config_nodedir'])
    delete env[name];
  const state = join(home, '.local', 'state', 'yarnboard');
  return { home, env, state };
};

// Not an empty one: what is tested here must not depend on how fast the registry is.
const npmCache = (): string => execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Puts the SQLite of this repository where a first start would have built it. */
const buildBeforehand = (state: string): void => {
  const key = [SQLITE_VERSION, process.platform, process.arch, process.versions.modules].join('-');
  mkdirSync(join(state, 'sqlite', key, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(state, 'sqlite', key, 'node_modules', 'better-sqlite3'));
};

/** A PATH with the programs that npm needs, and no compiler. */
const pathWith = (...programs: readonly string[]): string => {
  const folder = temporaryFolder();
  for (const program of programs) {
    const found = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, program)).find((path) => existsSync(path)); // prettier-ignore
    if (found !== undefined) symlinkSync(found, join(folder, program));
  }
  return folder;
};

/** The machine's compiler in a hurry: what it makes is slow and otherwise the same. */
const unoptimised = (compiler: string): string => {
  const path = join(temporaryFolder(), compiler);
  writeFileSync(path, `#!/bin/sh\nexec ${compiler} "$@" -O0 -g0\n`, { mode: 0o755 });
  return path;
};

// Once for all: it takes a while on a busy machine.
let tarball = '';
let folder = '';
let command = '';
beforeAll(() => {
  builtCommand();
  builtPage();
  tarball = packed('cli');
  folder = installed(tarball);
  command = join(folder, 'dist', 'yarnboard.mjs');
});

test('[INST-5] what is published is small, has no source maps and no complaint of publint; the rest is private', async () => {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'packages/transcript')]);
  for (const [file, most] of [
    [tarball, 11_000_000],
    [packed('transcript'), 3_000_000],
  ] as const) {
    const bytes = readFileSync(file);
    console.log(`${basename(file)}: ${(bytes.length / 1e6).toFixed(2)} MB`);
    expect(bytes.length).toBeLessThanOrEqual(most);
    const files = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(files.filter((name) => /\.map$|\.tsbuildinfo$|\/test\/|\.test\./u.test(name))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE']));
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    expect(messages).toEqual([]);
  }
  const published = filesIn('packages', /^packages\/[^/]+\/package\.json$/u)
    .map(({ text }) => JSON.parse(text) as { readonly name: string; readonly private?: boolean; readonly repository?: unknown })
    .filter((manifest) => manifest.private !== true);
  expect(published.map(({ name }) => name).toSorted()).toEqual(['@yarnboard/transcript', 'yarnboard']);
  expect(published.every(({ repository }) => repository !== undefined)).toBe(true);
});

test('[DOC-6] [INST-3] the installed command reads the demo set where SQLite was not built', () => {
  const { env, home } = newUser({ PATH: pathWith('node') });
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [command, ...args], { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  const { status, stdout } = run('inspect', '--demo', '--json');
  expect(status).toBe(0);
  expect(inspectDocument.parse(JSON.parse(stdout)).totals.sessions).toBeGreaterThanOrEqual(20);
  for (const verb of ['show', 'envelopes']) {
    const shown = run(verb, '108016d4', '--demo');
    expect([verb, shown.status, shown.stderr]).toEqual([verb, 0, '']);
    expect(shown.stdout).toContain('levels deep');
  }
  // Programs wait for an answer, not for a compiler.
  const mcp = run('mcp');
  expect([mcp.status, mcp.stdout, mcp.stderr]).toEqual([
    3,
    '',
    'yarnboard: SQLite is not built for this machine yet; run `yarnboard start` once in a terminal\n',
  ]);
  expect(existsSync(join(folder, 'dist', 'reading-thread.mjs'))).toBe(true);
  expect(existsSync(join(home, '.local'))).toBe(false);
});

test('[INST-2] [INST-3] where SQLite cannot be built, the installed command says in one sentence what to install', () => {
  const { env, state } = newUser({ PATH: pathWith('node', 'npm', 'sh') });
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'start', '--demo', '--no-open'], {
    env,
    encoding: 'utf8',
  });
  const log = join(state, 'sqlite', 'build.log');
  expect([status, stdout]).toEqual([3, '']);
  const [first, second, ...rest] = stderr.trim().split('\n');
  expect(first).toMatch(/^Building SQLite for Node \S+, once\./u);
  expect(second).toMatch(
    /^yarnboard: SQLite cannot be built on this machine: install a C\+\+ compiler, make and Python 3, then try again; the full log is in /u,
  );
  expect(second).toContain(log);
  expect(rest).toEqual([]);
  expect(readFileSync(log, 'utf8')).toContain('gyp ERR!');
  expect(statSync(state).mode & 0o077).toBe(0); // the key of the checkpoints will lie there
  expect(readdirSync(join(state, 'sqlite'))).toEqual(['build.log']);
});

test('[INST-1] [INST-3] the installed command builds SQLite at its first start, and finds it again', async () => {
  const { env } = newUser({ CC: unoptimised('cc'), CXX: unoptimised('c++') });
  const server = spawn(process.execPath, [command, 'start', '--demo', '--no-open', '--port', '0'], { env });
  try {
    const url = await addressOf(server);
    await until(async () => {
      const { items } = (await (await fetch(`${url}/api/v1/sessions?limit=1`)).json()) as { readonly items: readonly unknown[] };
      return items.length === 0 ? null : items;
    });
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  const { status, stderr } = spawnSync(process.execPath, [command, 'verify', '--demo'], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('[MEAN-1] the installed command searches by meaning: the embedding came along', () => {
  const { env, state } = newUser();
  buildBeforehand(state);
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [command, ...args, '--demo', '--json'], { env, encoding: 'utf8' });
  expect(run('import').status).toBe(0);
  const asked = run('search', 'what went wrong with the tests', '--mode', 'semantic');
  const { items, coverage } = JSON.parse(asked.stdout) as { readonly items: readonly { readonly by: string }[]; readonly coverage: object };
  expect([asked.status, items.length > 0, items.every(({ by }) => by === 'meaning')]).toEqual([0, true, true]);
  expect(coverage).toMatchObject({ model: 'yarnboard-static-256-v1' });
});

test('[INST-4] a database in PostgreSQL without pg is refused with what to install', () => {
  const { env, state } = newUser();
  buildBeforehand(state);
  const args = ['start', '--no-open', '--db', 'postgres://nobody@127.0.0.1:1/nothing'];
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { env, encoding: 'utf8' });
  expect(status).toBe(3);
  expect(stderr).toMatch(/^yarnboard: A board on PostgreSQL needs the package "pg", which is not installed: .*npm install pg.*\n$/u);
});

test('[DOC-6] [SRV-10] the installed command serves the page, whole and packed', async () => {
  const { env, state } = newUser();
  buildBeforehand(state);
  const server = spawn(process.execPath, [command, 'start', '--no-open', '--port', '0'], { env });
  try {
    const url = await addressOf(server);
    const html = await (await fetch(`${url}/sessions`, { headers: { accept: 'text/html' } })).text();
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/gu)].map(([, path = '']) => path);
    expect(files.filter((path) => /^\/assets\/.*\.js$/u.test(path)).length).toBeGreaterThan(0);
    for (const path of files) expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
    const scripts = files.filter((path) => path.endsWith('.js'));
    const told = await Promise.all(
      scripts.map(async (path) => {
        const { headers } = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'br' } });
        return [headers.get('content-type'), headers.get('content-encoding')];
      }),
    );
    expect(new Set(told.map(([type]) => type))).toEqual(new Set(['text/javascript; charset=utf-8']));
    // The first of them is too small to be worth it.
    expect(told.map(([, encoding]) => encoding)).toContain('br');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});

test('[DOC-6] the packed transcript package works from its README in an empty project', () => {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'packages/transcript')]);
  const folder = unpacked('transcript');
  // What it declares is what an installation would put beside it, and no more.
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly dependencies?: Record<string, string> };
  for (const name of Object.keys(dependencies)) cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [reading = '', asking = '', showing = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/gu)].map(([, code = '']) => code);
  const demo = join(root, 'packages/cli/demo/projects/-home-dev-proj/a2e96c1e-9d3f-4c12-920b-ffd7daae32a3.jsonl');
  const project = temporaryFolder();
  const program = `
    import { readFileSync } from 'node:fs';
    const bytes = readFileSync(${JSON.stringify(demo)});
    const textAt = ({ offset, length }) => bytes.toString('utf8', offset, offset + length);
    ${[reading, asking, showing]
      .join('\n')
      .replace(/\(bytes: Uint8Array, from: number, to: number\): string \| null/gu, '(bytes, from, to)')
      .replaceAll("'@yarnboard/transcript'", JSON.stringify(join(folder, 'dist', 'index.js')))}
    console.log(JSON.stringify({ branches: branches.length, sidechains: sidechains.length, leaf: path.leaf.uuid.slice(0, 6) }));`;
  writeFileSync(join(project, 'example.mjs'), program);
  const { stdout, stderr } = spawnSync(process.execPath, [join(project, 'example.mjs')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({ branches: 1, sidechains: 0, leaf: '093945' });
  expect(stdout).toContain('Branch from the first assistant message.');
});

test('[DOC-4] every yarnboard command in the README that needs no sessions of your own runs', () => {
  const command = builtCommand();
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/gu)].flatMap(([, block = '']) => block.split('\n'));
  const commands = lines
    .map((line) => line.replace(/\s+#.*$/u, '').trim())
    .filter((line) => line.startsWith('yarnboard ') && line.includes('--demo') && !line.startsWith('yarnboard start')); // that one runs until it is stopped
  expect(commands.length).toBeGreaterThanOrEqual(5);
  const folder = temporaryFolder();
  for (const line of commands) {
    const args = [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
    const env = { ...process.env, YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') };
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8', env, timeout: PATIENCE });
    expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
  }
});
