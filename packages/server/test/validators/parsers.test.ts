import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionsIn } from '../../src/validators/code-text.ts';
import { settingsIn } from '../../src/validators/config-formats.ts';
import { isKey } from '../../src/validators/config-value.ts';
import { brewedVersions, launchedIn, macMemoryIn, macNamesIn, macPortsIn } from '../../src/validators/mac.ts';
import { portsIn } from '../../src/validators/machine.ts';
import { readerOf } from '../../src/validators/manifests.ts';
import { compare, tellable } from '../../src/validators/quantities.ts';
import { containerIn, processesOf, unitIn } from '../../src/validators/processes.ts';
import { samplesIn } from '../../src/validators/current-state.ts';
import { foldersOf, isStandIn } from '../../src/validators/programs.ts';
import { versionIn } from '../../src/validators/version-check.ts';
import { isInRange, isVersionOf } from '../../src/validators/versions.ts';
import { makeTree } from './trees.ts';

const FORMATS: Readonly<Record<string, string>> = {
  'app.json': '{\n  // how long\n  "server": { "timeout_ms": 500, "hosts": ["a", "b"], },\n  "debug": true\n}',
  'app.toml': '[server]\ntimeout_ms = 500 # how long\nname = "x # y"\n\n[other]\ntimeout_ms = 7',
  'app.yaml': 'server: &anchor\n  timeout_ms: 500 # how long\n  text: |\n    timeout_ms: 3\nother:\n  <<: *anchor\n',
  'app.ini': '; old\n[server]\ntimeout_ms=500\n',
  'app.properties': '# old\nserver.timeout_ms = 500\n',
  'app.xml': '<?xml version="1.0"?>\n<config><!-- <timeout_ms>3</timeout_ms> --><server name="a"><timeout_ms>500</timeout_ms></server></config>',
  'app.conf': 'server {\n  timeout_ms 500;\n  # timeout_ms 3;\n}\n',
};

describe('formats that are read as data', () => {
  test.each(Object.entries(FORMATS))(
    '[VAL-24] %s: a setting is found by the names that lead to it, with its line, outside comments',
    (file, text) => {
      const found = (settingsIn(file, text) ?? []).filter((setting) => isKey(setting, 'server timeout'));
      expect(found.map(({ value }) => value)).toEqual(['500']);
      expect(text.split('\n')[(found[0]?.line ?? 0) - 1]).toContain('500');
      expect((settingsIn(file, `\uFEFF${text}`) ?? []).filter((setting) => isKey(setting, 'server timeout'))).toHaveLength(1);
    },
  );

  test('[VAL-24] no text breaks a reader, and what it reads is bounded', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(FORMATS)), fc.string({ unit: 'binary', maxLength: 300 }), (file, noise) => {
        expect((settingsIn(file, noise) ?? []).every(({ path, line }) => path.length > 0 && line >= 1)).toBe(true);
        settingsIn(file, `${FORMATS[file]}${noise}`);
      }),
    );
    for (const file of Object.keys(FORMATS)) expect((settingsIn(file, '{"a":'.repeat(100_000)) ?? []).length).toBeLessThanOrEqual(20_000);
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: [*a${i - 1}, *a${i - 1}]`).join('\n');
    expect(settingsIn('bomb.yaml', bomb)).toEqual([]);
  });

  test('[VAL-24] any plain setting that JSON can write is read from it', () => {
    const word = fc.stringMatching(/^[a-z][a-z_]{0,10}$/u);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), fc.integer(), (names, value) => {
        const tree = names.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value);
        expect(settingsIn('x.json', JSON.stringify(tree, null, 2))).toMatchObject([{ path: names, value: String(value) }]);
      }),
    );
  });
});

describe('amounts and versions', () => {
  test('[VAL-24] amounts are compared in one unit, and what has no unit is only refuted when none could fit', () => {
    const claimed = { value: '500', unit: 'ms', bound: 'exactly' } as const;
    expect([
      compare(claimed, '0.5s'),
      compare(claimed, '500'),
      compare(claimed, '0.5'),
      compare(claimed, '300'),
      compare(claimed, '300', 'ms'),
    ]).toEqual([true, true, null, false, false]);
    expect(compare(claimed, '5 MB')).toBeNull();
    expect(compare({ value: 'true', unit: null, bound: 'exactly' }, 'on')).toBe(true);
    expect(compare({ value: '80', unit: '%', bound: 'at-least' }, '85%')).toBe(true);
    expect(['500', '"info"', 'true', 'https://user:pw@host/x', 'AKIA1234567890ABCDEF', 'a b c'].map(tellable)).toEqual([
      '500',
      '"info"',
      'true',
      'another value',
      'another value',
      'another value',
    ]);
  });

  test('[VAL-24] a time is the same in every unit it is written in', () => {
    const units = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
    const unit = fc.constantFrom(...(['ms', 's', 'min', 'h'] as const));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), unit, unit, (amount, a, b) => {
        const there = `${(amount * units[a]) / units[b]}`;
        expect(compare({ value: String(amount), unit: a, bound: 'exactly' }, there, b)).toBe(true);
        expect(compare({ value: String(amount), unit: a, bound: 'exactly' }, String(amount + 1), a)).toBe(false);
      }),
    );
  });

  test('[VAL-24] versions compare by the numbers that both have, and ranges hold what they say', () => {
    expect(isVersionOf('3.11.4', '3.11', 'exactly')).toBe(true);
    expect(isVersionOf('3.1', '3.11', 'exactly')).toBe(false);
    expect(isVersionOf('3', '3.11', 'exactly')).toBeNull();
    expect(isVersionOf('20.5.0', '18', 'at-least')).toBe(true);
    expect([
      isInRange('1.4.0', '^1.2.0'),
      isInRange('2.0.0', '^1.2.0'),
      isInRange('1.2.9', '~1.2.0'),
      isInRange('3.10', '>=3.9,<4'),
      isInRange('3.8', '>=3.9,<4'),
    ]).toEqual([true, false, true, true, false]);
    expect([isInRange('0.2.5', '^0.2.1'), isInRange('0.3.0', '^0.2.1'), isInRange('5.0', '4.x || 5.x'), isInRange('1', 'workspace:*')]).toEqual([
      true,
      false,
      true,
      null,
    ]);
    const version = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30));
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [x, y] = [a.join('.'), b.join('.')];
        const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(isVersionOf(x, y, 'exactly')).toBe(order === 0);
        expect(isVersionOf(x, y, 'at-least')).toBe(order >= 0);
        expect(isInRange(x, `>=${y}`)).toBe(order >= 0);
        expect(isInRange(x, `^${y}`)).toBe(order >= 0 && caret(a, b));
      }),
    );
  });

  const caret = (a: readonly number[], b: readonly number[]): boolean => {
    const fixed = b[0] !== 0 ? 1 : b[1] !== 0 ? 2 : b[2] !== 0 ? 3 : 1;
    return a.slice(0, fixed).join('.') === b.slice(0, fixed).join('.');
  };
});

describe('what programs and files say', () => {
  test('[VAL-26] a unit, a container and a process are meant by their own names, never by part of one', () => {
    expect(unitIn('LoadState=loaded\nActiveState=active\nSubState=running\n', 'redis')).toMatchObject({ isUp: true, isDecisive: true });
    expect(unitIn('LoadState=not-found\nActiveState=inactive\nSubState=dead\n', 'redis')).toBeNull();
    expect(unitIn('LoadState=loaded\nActiveState=failed\nSubState=failed\n', 'redis')).toMatchObject({ isUp: false, isHealthy: false });
    const listed =
      'redis-exporter\toliver/redis_exporter:v1\trunning\tUp 2 hours\nweb\tnginx:1.25\texited\tExited (0)\ncache\tdocker.io/library/redis:7\trunning\tUp 2 hours (unhealthy)\n';
    expect(containerIn(listed, 'redis')).toMatchObject({ isUp: true, isHealthy: false });
    expect(containerIn(listed, 'nginx')).toMatchObject({ isUp: false });
    expect(containerIn(listed, 'exporter')).toBeNull();
    expect([...processesOf('redis')]).toEqual(['redis', 'redis-server', 'valkey-server']);
    expect(portsIn('  sl  local_address rem_address   st\n   0: 0100007F:1F90 00000000:0000 0A 0\n   1: 0100007F:1F91 0100007F:1F90 01 0\n')).toEqual(
      [8080],
    );
    expect(samplesIn('# HELP x\npool_used{app="a"} 80\npool_ratio 0.8 1700000000\nbroken\n')).toEqual([
      { name: 'pool_used', value: 80 },
      { name: 'pool_ratio', value: 0.8 },
    ]);
  });

  test('[VAL-36] what launchctl, netstat and ps say on macOS is read by whole names, ports and states', () => {
    const jobs = [
      'PID\tStatus\tLabel',
      '-\t0\tcom.apple.SafariHistoryServiceAgent',
      '512\t0\thomebrew.mxcl.redis',
      '-\t-9\thomebrew.mxcl.mysql',
      '-\t0\thomebrew.mxcl.postgresql@14',
      '877\t0\thomebrew.mxcl.postgresql@16',
      '-\t78\tcom.example.worker',
      '22076\t0\tUIKitApplication:com.apple.mobilesafari[2b0f][rb-legacy]',
      '421\t-\tcom.apple.usernoted',
      '640\t0\tcom.oliver006.redis_exporter',
    ].join('\n');
    expect(launchedIn(jobs, 'redis')).toEqual({ label: 'homebrew.mxcl.redis', pid: 512, exit: 0 });
    expect(launchedIn(jobs, 'MySQL')).toEqual({ label: 'homebrew.mxcl.mysql', pid: null, exit: -9 });
    expect(launchedIn(jobs, 'postgresql')).toEqual({ label: 'homebrew.mxcl.postgresql@16', pid: 877, exit: 0 });
    expect(launchedIn(jobs, 'com.example.worker')).toEqual({ label: 'com.example.worker', pid: null, exit: 78 });
    expect(launchedIn(jobs, 'com.apple.usernoted')).toMatchObject({ pid: 421, exit: null });
    expect([launchedIn(jobs, 'worker'), launchedIn(jobs, 'redis_exporter'), launchedIn(jobs, 'Label'), launchedIn('', 'redis')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const sockets = [
      'Active Internet connections (including servers)',
      'Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)    ',
      'tcp6       0      0  ::1.27017              *.*                    LISTEN     ',
      'tcp4       0      0  127.0.0.1.6379         *.*                    LISTEN     ',
      'tcp46      0      0  *.5432                 *.*                    LISTEN     ',
      'tcp4       0      0  192.168.1.20.52344     93.184.216.34.443      ESTABLISHED',
      'tcp4       0      0  127.0.0.1.8080         127.0.0.1.61762        TIME_WAIT  ',
      'tcp4       0      0  *.3000                 *.*                    LISTEN             0            0  131072  131072      node:90094  00001',
      'udp4       0      0  *.5353                 *.*                               ',
    ].join('\n');
    expect(macPortsIn(sockets)).toEqual([27_017, 6379, 5432, 3000]);
    const listed = [
      '    1 Ss   launchd',
      '  512 S    redis-server',
      '  640 S    redis_exporter',
      '  733 R+   ps',
      '  801 Z    (postgres)',
      ' 1042 S    Google Chrome Helper',
      ' 2001 Ss   /usr/sbin/httpd',
      '',
    ].join('\n');
    expect([...macNamesIn(listed)]).toEqual([
      [1, 'launchd'],
      [512, 'redis-server'],
      [640, 'redis_exporter'],
      [733, 'ps'],
      [1042, 'Google Chrome H'],
      [2001, 'httpd'],
    ]);
    // `sw_vers -productVersion`, and what programs of macOS say of themselves.
    expect(
      ['14.5\n', '10.13.1\n', 'GNU bash, version 3.2.57(1)-release (arm64-apple-darwin23)\n', 'git version 2.39.3 (Apple Git-146)\n'].map(versionIn),
    ).toEqual(['14.5', '10.13.1', '3.2.57', '2.39.3']);
    expect([...macNamesIn(listed).values()].filter((name) => processesOf('redis').has(name))).toEqual(['redis-server']);
  });

  test('[VAL-36] memory of macOS is what programs can still have, by the pages that vm_stat counts', () => {
    const told = [
      'Mach Virtual Memory Statistics: (page size of 16384 bytes)',
      'Pages free:                               74812.',
      'Pages active:                            403185.',
      'Pages inactive:                          401322.',
      'Pages speculative:                         1204.',
      'Pages throttled:                              0.',
      'Pages wired down:                        123456.',
      'Pages purgeable:                           2345.',
      '"Translation faults":                2189204523.',
      'Pages copy-on-write:                   61543211.',
      'File-backed pages:                       210345.',
      'Pages stored in compressor:              512345.',
      '',
    ].join('\n');
    expect(macMemoryIn(told)).toBe((74_812 + 401_322 + 1204) * 16_384);
    expect(macMemoryIn(told.replace('16384', '4096'))).toBe((74_812 + 401_322 + 1204) * 4096);
    expect([macMemoryIn(''), macMemoryIn(told.replace('Pages inactive', 'Pages idle')), macMemoryIn(told.replace('page size', 'size'))]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('[VAL-36] packages of macOS are the formulas and casks of Homebrew, with their versions, by whole names', async () => {
    const cellar = makeTree({
      'Cellar/jq/1.7.1/bin/jq': '',
      'Cellar/postgresql@14/14.11_1/bin/postgres': '',
      'Cellar/postgresql@16/16.3/bin/postgres': '',
      'Cellar/redis/7.2.5/bin/redis-server': '',
      'Cellar/redis/.brew/redis.rb': '',
      'Cellar/redis-exporter/1.0/x': '',
      'Caskroom/docker/4.30.0,149282/x': '',
    });
    const folders = [join(cellar, 'Cellar'), join(cellar, 'Caskroom'), join(cellar, 'nowhere')];
    const all = await Promise.all(['jq', 'postgresql', 'postgresql@16', 'redis', 'docker', 'red', '..'].map((name) => brewedVersions(name, folders)));
    expect(all.map((versions) => versions.toSorted())).toEqual([['1.7.1'], ['14.11', '16.3'], ['16.3'], ['7.2.5'], ['4.30.0,149282'], [], []]);
    expect(isVersionOf('4.30.0,149282', '4.30', 'exactly')).toBe(true);
  });

  test('[VAL-36] on macOS, programs are found where a shell finds them, and none of those that only ask to install the tools', () => {
    expect(foldersOf('darwin').slice(0, 2)).toEqual(['/opt/homebrew/bin', '/usr/local/bin']);
    const [tools, stubs] = ['/Library/Developer/CommandLineTools/usr/bin', '/usr/bin'];
    expect(foldersOf('darwin').indexOf(tools)).toBeLessThan(foldersOf('darwin').indexOf(stubs));
    expect(['git', 'python3', 'gcc', 'make'].map((name) => [isStandIn('darwin', stubs, name), isStandIn('darwin', tools, name)])).toEqual(
      Array.from({ length: 4 }, () => [true, false]),
    );
    expect([isStandIn('darwin', stubs, 'perl'), isStandIn('linux', stubs, 'git'), foldersOf('linux').includes(tools)]).toEqual([false, false, false]);
  });

  test('[VAL-36] no text breaks what reads it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(macPortsIn(text).every((port) => Number.isSafeInteger(port))).toBe(true);
        expect([...macNamesIn(text)].every(([pid, name]) => Number.isInteger(pid) && name.length <= 15)).toBe(true);
        launchedIn(text, 'redis');
        macMemoryIn(`(page size of 4096 bytes)\nPages free: ${text}`);
      }),
    );
  });

  test.each([
    [
      'a.ts',
      'export const load = () => 1;\n// function gone() {}\nconst x = "function quoted() {}";\nclass Cache {\n  get(key: string) {\n  }\n}\nexport { x };',
      ['load', 'x', 'Cache', 'get'],
    ],
    ['a.js', 'function a() {}\nmodule.exports = { a };\n`\nfunction inText() {}\n`', ['a']],
    [
      'a.py',
      '"""\ndef gone(): pass\n"""\nasync def load(x):\n    pass\nclass Cache:\n    def get(self):\n        pass\n# def no():\nLIMIT = 3',
      ['load', 'Cache', 'get', 'LIMIT'],
    ],
    [
      'a.go',
      'package a\nfunc (c *Cache) Get(k string) int { return 1 }\nfunc load() {}\ntype Cache struct {}\nconst Limit = 3',
      ['Get', 'load', 'Cache', 'Limit'],
    ],
    ['a.rs', 'pub fn load<T>(x: T) {}\npub(crate) struct Cache;\nconst LIMIT: u8 = 3;\n/* fn gone() {} */', ['load', 'Cache', 'LIMIT']],
    ['A.java', 'public class Cache {\n  private static int load(String x) {\n  }\n}', ['Cache', 'load']],
    ['a.rb', 'module Store\n  class Cache\n    def self.load(x)\n    end\n  end\nend', ['Store', 'Cache', 'load']],
    ['a.c', '#define LIMIT 3\nstatic int load(int x)\n{\n  if (x) return load(1);\n}\nstruct cache {', ['LIMIT', 'load', 'cache']],
    ['a.php', '<?php\nfinal class Cache {\n  public function load($x) {}\n}', ['Cache', 'load']],
  ])('[VAL-27] definitions are found in %s outside comments and strings', (file, text, names) => {
    expect(definitionsIn(file, text)?.map(({ name }) => name)).toEqual(names);
  });

  test('[VAL-27] no text breaks the reader of code', () => {
    fc.assert(
      fc.property(fc.constantFrom('a.ts', 'a.py', 'a.c', 'a.rb'), fc.string({ maxLength: 300 }), (file, text) => {
        expect(definitionsIn(file, `${text}\n`)?.every(({ line }) => line >= 1)).toBe(true);
      }),
    );
  });

  test('[VAL-28] manifests, locks and images say which versions a project names', () => {
    const read = (file: string, text: string) => (readerOf(file)?.(text, file) ?? []).map(({ name, version, kind }) => `${name} ${version} ${kind}`);
    expect(read('package.json', '{"engines":{"node":">=20"},"dependencies":{"react":"^19.0.0"}}')).toEqual([
      'node >=20 range',
      'react ^19.0.0 range',
    ]);
    expect(
      read(
        'package-lock.json',
        '{"packages":{"":{"version":"1.0.0"},"node_modules/react":{"version":"19.1.0"},"node_modules/a/node_modules/react":{"version":"1.0.0"}}}',
      ),
    ).toEqual(['react 19.1.0 installed']);
    expect(read('requirements.txt', 'flask==3.0.1  # web\nrequests[socks]>=2,<3; python_version > "3"\n-r other.txt\n')).toEqual([
      'flask ==3.0.1 pin',
      'requests >=2,<3 range',
    ]);
    expect(read('Dockerfile', 'FROM --platform=linux/amd64 python:3.11-slim AS base\n')).toEqual(['python 3.11 pin']);
    expect(read('.tool-versions', 'nodejs 20.5.1\n')).toEqual(['node 20.5.1 pin']);
    expect(read('.nvmrc', 'v20\n')).toEqual(['node 20 pin']);
    expect(read('poetry.lock', '[[package]]\nname = "flask"\nversion = "3.0.1"\n')).toEqual(['flask 3.0.1 installed']);
    expect(read('go.mod', 'module x\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\n')).toEqual(['go 1.22 pin', 'github.com/a/b v1.2.3 pin']);
    expect(read('yarn.lock', '"react@^19.0.0":\n  version "19.1.0"\n')).toEqual(['react 19.1.0 installed']);
    expect(read('pyproject.toml', '[project]\nrequires-python = ">=3.9"\ndependencies = [\n  "flask>=3",\n]\n')).toEqual([
      'python >=3.9 range',
      'flask >=3 range',
    ]);
    expect(read('main.ts', 'x')).toEqual([]);
  });
});
