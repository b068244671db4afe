import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDocument } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { PATIENCE } from './patience.ts';
import { builtCommand, spawned, temporaryFolder } from '../packages/cli/test/terminal.ts';
import { addressOf } from './home.ts';
import { root } from './source-files.ts';
import { builtPage } from './web/built-page.ts';

const unpacked = (name: string): string => {
  const folder = temporaryFolder();
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, 'packages', name),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  execFileSync('sh', ['-c', 'tar -xzf ./*.tgz'], { cwd: folder });
  return join(folder, 'package');
};

test('[DOC-6] the packed command runs in an empty folder, with its demo set and its thread', () => {
  builtCommand();
  const folder = unpacked('cli');
  const { status, stdout } = spawned(join(folder, 'dist', 'yarnboard.mjs'), ['inspect', '--demo', '--json']);
  expect(status).toBe(0);
  expect(inspectDocument.parse(JSON.parse(stdout)).totals.sessions).toBeGreaterThanOrEqual(20);
  expect(existsSync(join(folder, 'dist', 'reading-thread.mjs'))).toBe(true);
  expect(existsSync(join(folder, 'README.md')) && existsSync(join(folder, 'LICENSE'))).toBe(true);
});

test('[DOC-6] [SRV-10] the packed command serves the page, whole and packed', async () => {
  builtCommand();
  builtPage();
  const folder = unpacked('cli');
  // As an installation would put it beside.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(folder, 'node_modules', 'better-sqlite3'));
  const place = temporaryFolder();
  const env = { ...process.env, YARNBOARD_HOME: join(place, 'home'), YARNBOARD_STATE: join(place, 'state'), CLAUDE_CONFIG_DIR: place };
  const server = spawn(process.execPath, [join(folder, 'dist', 'yarnboard.mjs'), 'start', '--no-open', '--port', '0'], { env });
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
