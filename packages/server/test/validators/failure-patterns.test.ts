import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ValidationOutcome } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import type { Programs } from '../../src/validators/programs.ts';
import { aroundOf, makeTree, verdictOn, type Around } from './trees.ts';

/** What programs of a machine said, by name and arguments; the machine itself has none of them. */
const recorded = (outputs: Readonly<Record<string, string>>): Programs => ({
  has: (name) => Object.keys(outputs).some((line) => line.startsWith(`${name} `)),
  run: async (name, args) => {
    const [, output] = Object.entries(outputs).find(([line]) => `${name} ${args.join(' ')}`.startsWith(line)) ?? [];
    return output === undefined ? { code: 1, output: '', fault: null } : { code: 0, output, fault: null };
  },
  runDeclared: async () => null,
});

/** A process of this name that listens nowhere: a copy of sleep. */
const running = async (name: string): Promise<void> => {
  const program = join(makeTree(), name);
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
  const child = spawn(program, ['600'], { stdio: 'ignore' });
  afterFile(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('spawn', resolve));
};

const answering = async (status: number): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterFile(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens
};

const NO_UNIT = 'LoadState=not-found\nActiveState=inactive\nSubState=dead\n';
const ACTIVE = 'LoadState=loaded\nActiveState=active\nSubState=running\n';
const service = (name: string, more: object) => [{ name, unit: null, port: null, health: null, metrics: null, ...more }];

type Pattern = {
  readonly claim: string;
  readonly around: () => Promise<Around>;
  /** What somebody who asks only this method hears. */
  readonly alone: readonly [method: string, says: 'supports' | 'refutes' | 'nothing'];
  readonly outcome: ValidationOutcome;
  readonly needsReview?: boolean;
  readonly foundAt?: readonly string[];
};

const PATTERNS: Readonly<Record<string, Pattern>> = {
  'wrong environment: a unit of the user, not of the system': {
    claim: 'yarnofuser is running.',
    around: async () => {
      await running('yarnofuser');
      return aroundOf(makeTree(), { programs: recorded({ 'systemctl --user show': ACTIVE, 'systemctl show': NO_UNIT }) });
    },
    alone: ['system_unit', 'nothing'],
    outcome: 'confirmed',
  },
  'wrong environment: in a container, not on the machine': {
    claim: 'yarninbox is running.',
    around: async () => {
      await running('yarninbox');
      const programs = recorded({ 'docker ps': 'yarninbox\tyarn/inbox:1\trunning\tUp 2 hours\n', 'systemctl show': NO_UNIT });
      return aroundOf(makeTree(), { programs, mayAskContainers: true });
    },
    alone: ['system_unit', 'nothing'],
    outcome: 'confirmed',
  },
  'wrong environment: the Python of the project, not of the system': {
    claim: 'We are using Python 3.11.',
    around: async () => aroundOf(makeTree({ '.python-version': '3.11.4\n' }), { programs: recorded({ 'python3 --version': 'Python 3.12.4\n' }) }),
    alone: ['system_program', 'refutes'],
    outcome: 'confirmed',
  },
  'wrong environment: a package of the venv, not of the system': {
    claim: 'The package `flask-login` is installed.',
    around: async () =>
      aroundOf(
        makeTree({
          '.venv/pyvenv.cfg': 'home = /usr\nversion = 3.11.4\n',
          '.venv/lib/python3.11/site-packages/Flask_Login-0.6.3.dist-info/METADATA': 'Name: Flask-Login\n',
        }),
        { programs: recorded({}) },
      ),
    alone: ['system_packages', 'nothing'],
    outcome: 'confirmed',
  },
  'wrong path: the file is elsewhere': {
    claim: 'The file lib/app.ts exists.',
    around: async () => aroundOf(makeTree({ 'src/app.ts': '' })),
    alone: ['from_session_directory', 'refutes'],
    outcome: 'inconclusive',
    foundAt: ['src/app.ts'],
  },
  'ambiguous: it runs, and does not listen': {
    claim: 'yarnmute is running.',
    around: async () => {
      await running('yarnmute');
      return aroundOf(makeTree(), { services: service('yarnmute', { port: 1 }) });
    },
    alone: ['process', 'supports'],
    outcome: 'inconclusive',
    needsReview: true,
  },
  'ambiguous: it runs, and is not healthy': {
    claim: 'yarnill is healthy.',
    around: async () => {
      await running('yarnill');
      return aroundOf(makeTree(), { services: service('yarnill', { health: await answering(503) }) });
    },
    alone: ['process', 'nothing'],
    outcome: 'contradicted',
  },
  'ambiguous: another program has its name in its own': {
    claim: 'yarnpart is running.',
    around: async () => {
      await running('yarnpart-export');
      return aroundOf(makeTree(), { services: service('yarnpart', { port: 1 }) });
    },
    alone: ['process', 'refutes'],
    outcome: 'contradicted',
  },
  'wrong file: the one that was named says it, not the usual one': {
    claim: 'The server timeout is 0.5s (deploy/edge.toml:2).',
    around: async () => aroundOf(makeTree({ 'deploy/edge.toml': '[server]\ntimeout = "500ms"\n', 'config/app.toml': '[server]\ntimeout = "9s"\n' })),
    alone: ['named_file', 'supports'],
    outcome: 'confirmed',
  },
  'misparse: a comment that looks like a setting': {
    claim: 'The server timeout is 500ms.',
    around: async () => aroundOf(makeTree({ 'config/app.toml': '[server]\n# timeout = "500ms"\ntimeout = "30s"\n' })),
    alone: ['usual_files', 'refutes'],
    outcome: 'contradicted',
  },
};

test('[VAL-36] gcc of macOS is clang, whose versions say nothing of gcc', async () => {
  const apple = recorded({ 'gcc --version': 'Apple clang version 15.0.0 (clang-1500.3.9.4)\nTarget: arm64-apple-darwin23.5.0\n' });
  expect((await verdictOn('We are using gcc 13.', aroundOf(makeTree(), { programs: apple }))).says['system_program']).toBe('nothing');
  const gnu = recorded({ 'gcc --version': 'gcc (Debian 12.2.0-14) 12.2.0\n' });
  expect((await verdictOn('We are using gcc 13.', aroundOf(makeTree(), { programs: gnu }))).says['system_program']).toBe('refutes');
});

const CASES = Object.entries(PATTERNS);

test.each(CASES)('[VAL-38] %s', async (_, { claim, around, alone: [method, says], ...wanted }) => {
  const verdict = await verdictOn(claim, await around());
  expect(verdict).toMatchObject({ needsReview: false, foundAt: [], ...wanted, says: { [method]: says } });
});

test('[VAL-40] a program of the system is in no manifest, and is installed all the same; what neither has is not', async () => {
  const tree = makeTree({ 'package.json': '{"dependencies":{"react":"^19.0.0"}}', 'node_modules/react/package.json': '{"version":"19.1.0"}' });
  const system = { programs: recorded({ 'dpkg-query --show': 'installed 1.6-2.1\n' }) };
  expect(await verdictOn('`jq` is installed.', aroundOf(tree, system))).toMatchObject({
    outcome: 'confirmed',
    conflicts: [],
    says: { node_modules: 'nothing', manifest_and_lock: 'nothing', system_packages: 'supports' },
  });
  expect((await verdictOn('`jq` 1.7 is installed.', aroundOf(tree, system))).outcome).toBe('contradicted');
  expect((await verdictOn('`left-pad` is installed.', aroundOf(tree, { programs: recorded({}) }))).outcome).toBe('contradicted');
  // Where the project has the name, the project is meant.
  expect(
    (await verdictOn('`react` 18 is installed.', aroundOf(tree, { programs: recorded({ 'dpkg-query --show': 'installed 18.2\n' }) }))).outcome,
  ).toBe('contradicted');
});
