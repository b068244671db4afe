import { spawn } from 'node:child_process';
import { copyFileSync, chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { classOf, VALIDATION_TYPES } from '@yarnboard/domain';
import { afterFile } from '../../../../tests/afterwards.ts';
import { check } from '../../src/validators/check.ts';
import { nothing, type Method } from '../../src/validators/port.ts';
import { createPrograms } from '../../src/validators/programs.ts';
import { validatorOf } from '../../src/validators/validators.ts';
import type { ClaimArguments } from '@yarnboard/language';
import { aroundOf, makeTree, verdictOn } from './trees.ts';

const listening = async (): Promise<number> => {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterFile(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port; // it listens
};

const serving = async (status: number, body = ''): Promise<string> => {
  const server = createHttp((_, response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterFile(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens
};

/** A program under its own name: a copy of sleep. */
const started = async (folder: string, name: string) => {
  const program = join(folder, name);
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
  const child = spawn(program, ['600'], { stdio: 'ignore' });
  afterFile(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('spawn', resolve));
  return child;
};

const SERVICE = { unit: null, port: null, health: null, metrics: null } as const;

describe('file_exists', () => {
  const root = makeTree({ 'src/app.ts': '', 'packages/web/src/page.ts': '', '.git/HEAD': 'ref: refs/heads/main\n' });
  test('[VAL-5] a path is looked for where it is given, from the session and from the repository; elsewhere is not there', async () => {
    expect(await verdictOn(`The file is at ${root}/src/app.ts.`, aroundOf(root))).toMatchObject({
      outcome: 'confirmed',
      says: { as_given: 'supports' },
    });
    expect(await verdictOn('The file src/app.ts exists.', aroundOf(root))).toMatchObject({ outcome: 'confirmed', confidence: 0.95 });
    // Named from the repository, in a session that began below it.
    const below = aroundOf(root, { cwd: join(root, 'packages/web') });
    expect(await verdictOn('The file src/app.ts exists.', below)).toMatchObject({
      outcome: 'confirmed',
      says: { from_session_directory: 'nothing' },
    });
    expect(await verdictOn('The file lib/app.ts exists.', aroundOf(root))).toMatchObject({ outcome: 'inconclusive', foundAt: ['src/app.ts'] });
    expect(await verdictOn('The file src/gone.ts exists.', aroundOf(root))).toMatchObject({ outcome: 'contradicted', confidence: 0.1 });
    expect(await verdictOn('The file src/gone.ts does not exist.', aroundOf(root))).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('The file page.ts exists.', aroundOf(root))).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('The file nowhere.ts exists.', aroundOf(root))).toMatchObject({ outcome: 'contradicted' });
  });

  test('[VAL-19] outside the roots and for denied names the answer is the same, whether it exists or not', async () => {
    const around = aroundOf(root);
    writeFileSync(join(root, '.env'), 'A=1');
    const there = await verdictOn('The file is at /etc/hostname.', around);
    const gone = await verdictOn('The file is at /etc/nothing.', around);
    const told = ({ checked }: typeof there) =>
      checked.map(({ attempt: { method, says, evidence, fault, foundAt } }) => ({ method, says, evidence, fault, foundAt }));
    expect(told(there)).toEqual(told(gone));
    expect(there.outcome).toBe('inconclusive');
    const secret = await verdictOn(`The file is at ${root}/.env.`, around);
    const none = await verdictOn(`The file is at ${root}/.env.prod.`, around);
    expect(told(secret)).toEqual(told(none));
  });
});

describe('config_value', () => {
  test('[VAL-24] the named file decides; without one the usual files do, and two that differ are a conflict', async () => {
    const root = makeTree({
      'config/app.toml': '[server]\ntimeout = "500ms"\nretries = 3\n',
      'config/dev.yaml': 'server:\n  retries: 5\n',
      'deploy/prod.json': '{ "pool_size": 20 }',
      'tests/fixtures/app.toml': 'timeout = "9s"',
    });
    const around = aroundOf(root);
    expect(await verdictOn('The server timeout is 0.5s (config/app.toml:2).', around)).toMatchObject({ outcome: 'confirmed' });
    const timeout = await verdictOn('The server timeout is 500ms.', around);
    expect(timeout).toMatchObject({ outcome: 'confirmed', confidence: 0.95 });
    expect(timeout.checked.find(({ attempt }) => attempt.says === 'supports')?.attempt.evidence).toBe('config/app.toml:2 server.timeout = 500ms');
    expect(await verdictOn('The server timeout is 300ms.', around)).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('`server.retries` is 3.', around)).toMatchObject({ outcome: 'inconclusive', needsReview: true });
    expect(await verdictOn('`pool_size` is 20.', around)).toMatchObject({ outcome: 'inconclusive', says: { other_places: 'supports' } });
    expect(await verdictOn('`unknown_key` is 20.', around)).toMatchObject({ outcome: 'inconclusive', needsReview: false });
  });

  test('[VAL-23] a key that names a secret is not compared, and a value is told only if it is plain', async () => {
    const root = makeTree({ 'app.toml': 'api_key = "hunter2hunter2"\nurl = "https://me:pw@host/path"\nport = 80\n' });
    const faults = async (sentence: string) =>
      (await verdictOn(sentence, aroundOf(root))).checked.map(({ attempt }) => [attempt.says, attempt.fault]);
    const right = await faults('`api_key` is "hunter2hunter2".');
    expect(right).toEqual(await faults('`api_key` is "wrong".'));
    expect(right.every(([says]) => says === 'nothing')).toBe(true);
    const url = await verdictOn('`url` is "http://localhost".', aroundOf(root));
    expect(JSON.stringify(url.checked)).not.toContain('pw@');
  });

  test.each([
    ['redis.conf', 'requirepass sommer\n', '`requirepass` is set to `sommer` in redis.conf.', '`requirepass` is set to `winter` in redis.conf.'],
    ['deploy.yaml', 'env:\n  - name: DB_PASSWORD\n    value: sommer\n', '`value` is "sommer" in deploy.yaml.', '`value` is "winter" in deploy.yaml.'],
    ['deploy.yaml', 'secrets:\n  db: sommer\n', '`db` is "sommer" in deploy.yaml.', '`db` is "winter" in deploy.yaml.'],
    ['app.yaml', 'api_keys:\n  kjh3k2j4h:\n    enabled: true\n', '`enabled` is "true" in app.yaml.', '`enabled` is "false" in app.yaml.'],
    ['app.xml', '<beans><property name="password" value="sommer"/></beans>\n', '`value` is "sommer" in app.xml.', '`value` is "winter" in app.xml.'],
  ])('[VAL-23] in %s a secret that only its surroundings name is neither compared nor quoted: %j', async (name, text, right, wrong) => {
    const root = makeTree({ [name]: text });
    const told = async (sentence: string) =>
      (await verdictOn(sentence, aroundOf(root))).checked.map(({ attempt: { method, says, fault, evidence } }) => ({
        method,
        says,
        fault,
        evidence,
      }));
    const answer = await told(right);
    expect(answer).toEqual(await told(wrong));
    expect(JSON.stringify(answer)).not.toMatch(/sommer|kjh3k2j4h/u);
  });

  test('[CLAIM-18] what a check has read is remembered by how it looked', async () => {
    const root = makeTree({ 'app.json': '{"port": 80}' });
    const { checked } = await verdictOn('`port` is 80.', aroundOf(root));
    expect(checked.flatMap(({ files }) => files)).toEqual([
      { path: join(root, 'app.json'), stamp: expect.stringMatching(/^\d+:12:\d+$/u) as string },
    ]);
  });
});

describe('service_status', () => {
  test('[VAL-25] what runs and listens is up; what runs and does not listen is for somebody to look at', async () => {
    const root = makeTree();
    await started(root, 'yarnservice');
    const [port, health, ill] = [await listening(), await serving(200), await serving(503)];
    const withService = (more: object) => aroundOf(root, { services: [{ ...SERVICE, name: 'yarnservice', ...more }] });
    expect(await verdictOn('yarnservice is running.', withService({ port }))).toMatchObject({ outcome: 'confirmed', confidence: 0.9 });
    expect(await verdictOn('yarnservice is down.', withService({ port }))).toMatchObject({ outcome: 'contradicted', confidence: 0.2 });
    expect(await verdictOn('yarnservice is running.', withService({ port: 1 }))).toMatchObject({ outcome: 'inconclusive', needsReview: true });
    expect(await verdictOn('yarnservice is healthy.', withService({ health }))).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('yarnservice is healthy.', withService({ health: ill }))).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn(`yarnservice is listening on port ${port}.`, withService({}))).toMatchObject({
      says: { listening_port: 'supports', process: 'nothing' },
    });
    // Part of the name is nobody.
    expect((await verdictOn('yarn is running.', withService({}))).says).toMatchObject({ process: 'refutes' });
    expect((await verdictOn('nothere is running.', aroundOf(root, { services: [{ ...SERVICE, name: 'nothere', port: 1 }] }))).outcome).toBe(
      'contradicted',
    );
  });

  test('[VAL-26] the process that checks is not what is looked for', async () => {
    const root = makeTree();
    const { pid = 0 } = await started(root, 'yarnalone');
    expect((await verdictOn('yarnalone is running.', aroundOf(root))).says['process']).toBe('supports');
    expect((await verdictOn('yarnalone is running.', aroundOf(root, { ownPids: new Set([pid]) }))).says['process']).toBe('refutes');
  });
});

describe('current_state', () => {
  test('[VAL-22] ports, the branch, the machine and declared metrics; redirects are not followed', async () => {
    const root = makeTree({ '.git/HEAD': 'ref: refs/heads/feature/x\n' });
    const metrics = await serving(200, 'connection_pool_utilization 0.8\nqueue_depth{q="a"} 3\nqueue_depth{q="b"} 4\n');
    const port = await listening();
    const around = aroundOf(root, { services: [{ ...SERVICE, name: 'app', metrics }] });
    expect(await verdictOn(`Port ${port} is open.`, around)).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn(`Port ${port} is free.`, around)).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('The current branch is `feature/x`.', around)).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('The current branch is main.', around)).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('The connection pool is at 80%.', around)).toMatchObject({ outcome: 'confirmed', confidence: 0.9 });
    expect(await verdictOn('The connection pool is at 20%.', around)).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('The queue depth is 3.', around)).toMatchObject({ outcome: 'inconclusive', says: { metrics_address: 'nothing' } });
    expect(await verdictOn('Disk usage is above 0%.', around)).toMatchObject({ outcome: 'confirmed', says: { machine: 'supports' } });
    const moved = aroundOf(root, { services: [{ ...SERVICE, name: 'app', metrics: await serving(302) }] });
    expect(await verdictOn('The connection pool is at 80%.', moved)).toMatchObject({ outcome: 'inconclusive' });
  });
});

describe('code_structure', () => {
  test('[VAL-27] a definition counts, a mention does not; where else it is defined is told', async () => {
    const root = makeTree({
      'src/load.ts': '// function parseAll() {}\nexport function loadAll() {}\nconst inner = () => 1;\n',
      'src/parse.ts': 'export const parseAll = () => 1;\n',
    });
    const around = aroundOf(root);
    expect(await verdictOn('The function `loadAll` exists in src/load.ts.', around)).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('The function `parseAll` exists in src/load.ts.', around)).toMatchObject({
      outcome: 'inconclusive',
      foundAt: ['src/parse.ts:1'],
    });
    expect(await verdictOn('The function `goneAll` exists in src/load.ts.', around)).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('src/load.ts exports `inner`.', around)).toMatchObject({ says: { exports: 'refutes' } });
    expect(await verdictOn('src/load.ts exports `loadAll`.', around)).toMatchObject({ outcome: 'confirmed' });
    expect(await verdictOn('The class `loadAll` exists in src/load.ts.', around)).toMatchObject({ outcome: 'inconclusive' });
  });
});

describe('version_check and dependency_exists', () => {
  const root = makeTree({
    '.python-version': '3.11.4\n',
    '.venv/pyvenv.cfg': 'home = /usr\nversion = 3.11.4\n',
    '.venv/lib/python3.11/site-packages/Flask_Login-0.6.3.dist-info/METADATA': 'Name: Flask-Login\n',
    'package.json': '{"dependencies":{"left-pad":"^1.3.0"},"devDependencies":{"vitest":"4.1.0"}}',
    'node_modules/left-pad/package.json': '{"name":"left-pad","version":"1.3.0"}',
  });
  test('[VAL-4] the project’s environment comes before the system’s', async () => {
    const around = aroundOf(root);
    expect(await verdictOn('We are using Python 3.11.', around)).toMatchObject({
      outcome: 'confirmed',
      says: { project_pin: 'supports', project_environment: 'supports' },
    });
    expect(await verdictOn('We are using Python 2.7.', around)).toMatchObject({ outcome: 'contradicted', confidence: 0.1 });
    const two = makeTree({ '.python-version': '3.11\n', Dockerfile: 'FROM python:3.9\n' });
    expect(await verdictOn('We are using Python 3.11.', aroundOf(two))).toMatchObject({ outcome: 'inconclusive', needsReview: true });
    const version = process.versions.node;
    const system = await verdictOn(`We are using Node ${version}.`, aroundOf(makeTree()));
    expect(['confirmed', 'contradicted', 'inconclusive']).toContain(system.outcome);
    expect(system.says['project_pin']).toBe('nothing');
  });

  test('[VAL-28] metadata of environments and lock files, by the names that installers use', async () => {
    const around = aroundOf(root);
    expect(await verdictOn('The package `flask-login` is installed.', around)).toMatchObject({ says: { venv: 'supports' } });
    expect(await verdictOn('The package left-pad is installed.', around)).toMatchObject({
      says: { node_modules: 'supports', manifest_and_lock: 'supports' },
    });
    const gone = await verdictOn('The package `not-there-at-all` is installed.', around);
    expect(gone).toMatchObject({ outcome: 'contradicted' });
    expect(await verdictOn('The package `not-there-at-all` is not installed.', around)).toMatchObject({ outcome: 'confirmed' });
    // A package that is linked into its folder, as pnpm does.
    const linked = makeTree({ 'store/x/package.json': '{"version":"2.0.0"}' });
    mkdirSync(join(linked, 'node_modules'));
    symlinkSync('../store/x', join(linked, 'node_modules/x'));
    expect((await verdictOn('The package `x` is installed.', aroundOf(linked))).says['node_modules']).toBe('supports');
  });
});

describe('what there is', () => {
  test('[VAL-1] every type has methods of its own, says what it reads, and none is a matter of judgement', () => {
    expect(VALIDATION_TYPES.map((type) => [type, validatorOf(type).type, validatorOf(type).methods.length, classOf(type) === 'judgement'])).toEqual([
      ['service_status', 'service_status', 6, false],
      ['file_exists', 'file_exists', 4, false],
      ['config_value', 'config_value', 3, false],
      ['dependency_exists', 'dependency_exists', 4, false],
      ['current_state', 'current_state', 4, false],
      ['code_structure', 'code_structure', 3, false],
      ['version_check', 'version_check', 3, false],
      ['did_it', 'did_it', 4, false],
    ]);
    expect(VALIDATION_TYPES.every((type) => validatorOf(type).reads.length > 20)).toBe(true);
  });

  test('[VAL-2] without roots and programs every method says why it says nothing, and nothing is concluded', async () => {
    const around = aroundOf([], { programs: createPrograms([]) });
    const { checked, outcome } = await verdictOn('The package `flask` is installed.', around);
    expect(outcome).toBe('inconclusive');
    expect(checked.map(({ attempt: { says, fault } }) => [says, fault === null])).toEqual(Array.from({ length: 4 }, () => ['nothing', false]));
  });
});

describe('methods', () => {
  const method = (name: string, run: Method<ClaimArguments>['run']): Method<ClaimArguments> => ({
    name,
    environment: 'system',
    missing: () => null,
    run,
  });
  const question = { type: 'file_exists', path: 'x' } as const;

  test('[VAL-6] one that hangs, fails or is missing says nothing, and the others go on at the same time', async () => {
    const stopped: string[] = [];
    const methods = [
      method('hangs', (_, { signal }) => {
        signal.addEventListener('abort', () => stopped.push('hangs'));
        return new Promise(() => {});
      }),
      method('fails', () => Promise.reject(new Error('a path nobody may know of'))),
      { ...method('missing', async () => nothing('')), missing: () => 'it is not installed' },
      method('works', async () => ({ says: 'supports', isDecisive: true, evidence: 'token: ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' })),
    ];
    const checked = await check(question, { around: aroundOf(makeTree()), now: () => 7, patience: 100, methods });
    expect(checked.map(({ attempt: { method: name, says, fault } }) => [name, says, fault])).toEqual([
      ['hangs', 'nothing', 'it took too long'],
      ['fails', 'nothing', 'it failed (unexpectedly)'],
      ['missing', 'nothing', 'it is not installed'],
      ['works', 'supports', null],
    ]);
    expect(stopped).toEqual(['hangs']);
    expect(checked[3]?.attempt.evidence).not.toContain('ghp_0123456789');
  });

  test('[VAL-21] programs get no shell, no environment and no more time than they have', async () => {
    const folder = makeTree({
      bash: '#!/bin/sh\nenv\n',
      perl: '#!/bin/sh\ntrap "" TERM\n(sleep 600 &)\nsleep 600\n',
      php: '#!/bin/sh\nwhile true; do echo flooding flooding flooding flooding; done\n',
      ruby: '#!/bin/sh\necho "$1"\n',
    });
    for (const name of ['bash', 'perl', 'php', 'ruby']) chmodSync(join(folder, name), 0o755);
    const programs = createPrograms([folder]);
    const signal = new AbortController().signal;
    process.env['YARNBOARD_PLANTED'] = 'planted';
    const { output } = await programs.run('bash', [], { signal });
    delete process.env['YARNBOARD_PLANTED'];
    expect(output).not.toContain('planted');
    expect(output.split('\n').filter((line) => /^(?:HOME|TOKEN|USER)=/u.test(line))).toEqual([]);
    expect((await programs.run('perl', [], { signal, timeout: 200 })).fault).toBe('it took too long');
    const flood = await programs.run('php', [], { signal });
    expect(flood.fault).toBe('it said too much');
    expect(flood.output.length).toBeLessThanOrEqual(64_000);
    expect((await programs.run('ruby', ['$(touch x);`id`'], { signal })).output).toBe('$(touch x);`id`\n');
    expect(await programs.run('docker', [], { signal })).toEqual({ code: null, output: '', fault: 'docker is not installed' });
  });

  test('[VAL-56] a declared program is asked instead of one of the folders, contained like those, and not if it lies in a root', async () => {
    const tools = makeTree({ weaver: '#!/bin/sh\n[ "$1" = version ] && echo "Weaver v2.4.1"\n', bash: '#!/bin/sh\necho "bash 9.9 $HOME"\n' });
    const root = makeTree({ weaver: '#!/bin/sh\necho planted > planted\n' });
    for (const path of [join(tools, 'weaver'), join(tools, 'bash'), join(root, 'weaver')]) chmodSync(path, 0o755);
    symlinkSync(join(root, 'weaver'), join(tools, 'linked'));
    const verdict = (claim: string, name: string, path: string, args = ['--version']) => {
      const declared = [{ name, path, args }];
      return verdictOn(claim, aroundOf(root, { programs: createPrograms(undefined, undefined, { declared, roots: [root] }) }));
    };
    const told = await verdict('We are using `weaver` 2.4.', 'Weaver', join(tools, 'weaver'), ['version']);
    expect([told.outcome, told.checked.find(({ attempt }) => attempt.method === 'system_program')?.attempt.evidence]).toEqual([
      'confirmed',
      'weaver 2.4.1',
    ]);
    expect((await verdict('We are using Bash 9.9.', 'bash', join(tools, 'bash'))).outcome).toBe('confirmed');
    for (const path of [join(root, 'weaver'), join(tools, 'linked'), join(tools, 'nowhere')])
      expect(
        (await verdict('We are using `weaver` 2.4.', 'weaver', path)).checked.find(({ attempt }) => attempt.method === 'system_program'),
      ).toMatchObject({
        attempt: { says: 'nothing', fault: 'weaver is not where it was declared' },
      });
    expect(existsSync(join(root, 'planted'))).toBe(false);
  });
});
