import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviceOn, type Machine } from '../src/sqlite/advice.ts';
import { headersFor } from '../src/sqlite/build.ts';
import { SQLITE_VERSION } from '../src/sqlite/ready.ts';
import { temporaryFolder } from './terminal.ts';

const machine = (programs: readonly string[], changes: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  has: (program) => programs.includes(program),
  hasHeaders: true,
  ...changes,
});
const TOOLS = ['make', 'g++', 'python3'];

// As prebuild-install 7, node-gyp 12 and npm 11 say it.
const NO_PYTHON = 'gyp ERR! stack Error: Could not find any Python installation to use';
const NO_MAKE = 'gyp ERR! stack Error: not found: make';
const NO_VISUAL_STUDIO = 'gyp ERR! find VS Could not find any Visual Studio installation to use';
const NO_BINARY = 'prebuild-install warn install getaddrinfo ENOTFOUND github.com';
const NO_HEADERS = 'gyp ERR! stack is related to network connectivity. In most cases you are behind a proxy or have bad';
const NO_REGISTRY = 'npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/better-sqlite3 failed';

describe('the sentence about a build that failed', () => {
  test.each([
    ['apt-get', 'install a C++ compiler, make and Python 3 (sudo apt-get install g++ make python3)'],
    ['dnf', 'install a C++ compiler, make and Python 3 (sudo dnf install gcc-c++ make python3)'],
    ['apk', 'install a C++ compiler, make and Python 3 (apk add g++ make python3)'],
    ['pacman', 'install a C++ compiler, make and Python 3 (sudo pacman -S gcc make python)'],
    ['nothing', 'install a C++ compiler, make and Python 3'],
  ])('[INST-2] on a Linux with %s says: %s', (installer, advice) => {
    expect(adviceOn(NO_PYTHON, machine([installer]))).toBe(advice);
    expect(adviceOn(NO_MAKE, machine([installer, ...TOOLS]))).toBe(advice);
    expect(adviceOn('', machine([installer, 'make', 'python3']))).toBe(advice);
  });

  test('[INST-2] names what macOS and Windows need', () => {
    expect(adviceOn('gyp ERR! stack Error: No Xcode or CLT version detected!', machine(TOOLS, { platform: 'darwin' }))).toBe(
      'install the command line tools (xcode-select --install)',
    );
    expect(adviceOn(NO_VISUAL_STUDIO, machine([], { platform: 'win32' }))).toBe(
      'install Python 3 and the Visual Studio Build Tools with "Desktop development with C++"',
    );
  });

  test('[INST-2] names the headers where there are none and none can be downloaded, and only there', () => {
    const headers = "install Node's headers, which come with Node from https://nodejs.org";
    expect(adviceOn(NO_HEADERS, machine(TOOLS, { hasHeaders: false }))).toBe(headers);
    expect(adviceOn(`${NO_BINARY}\n${NO_PYTHON}`, machine(['apk'], { hasHeaders: false }))).toBe(
      `install a C++ compiler, make and Python 3 (apk add g++ make python3), and ${headers}`,
    );
    expect(adviceOn(NO_BINARY, machine(TOOLS))).toBeNull();
  });

  test('[INST-2] says that the registry is away, and nothing about what it does not know', () => {
    expect(adviceOn(NO_REGISTRY, machine(TOOLS))).toBe('connect to the npm registry');
    expect(adviceOn('gyp ERR! build error', machine(TOOLS))).toBeNull();
  });
});

describe('the headers', () => {
  const nodeWith = (files: Readonly<Record<string, string>>): string => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries({ 'bin/node': '', ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  };
  const major = process.versions.node.split('.')[0] ?? '';
  const header = (version: string) => ({ 'include/node/node_version.h': `#define NODE_MAJOR_VERSION ${version}\n` });
  const beside = (folder: string, env = {}) => headersFor(env, join(folder, 'bin', 'node'));

  test('[INST-1] those beside the running node are used', () => {
    const folder = nodeWith(header(major));
    expect(beside(folder)).toEqual({ npm_config_nodedir: folder });
  });

  test('[INST-1] those of another version are not, and none is no error', () => {
    expect(beside(nodeWith(header('18')))).toEqual({});
    expect(beside(nodeWith({}))).toEqual({});
  });

  test('[INST-1] whoever names others means them', () => {
    const folder = nodeWith(header(major));
    expect(beside(folder, { npm_config_nodedir: '/elsewhere' })).toEqual({});
    expect(beside(folder, { NPM_CONFIG_NODEDIR: '/elsewhere' })).toEqual({});
    expect(beside(folder, { npm_config_nodedir: '' })).toEqual({ npm_config_nodedir: folder });
  });
});

test('[INST-3] what the first start builds is what the package declares', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly optionalDependencies?: unknown };
  expect(manifest.optionalDependencies).toEqual({ 'better-sqlite3': SQLITE_VERSION });
});
