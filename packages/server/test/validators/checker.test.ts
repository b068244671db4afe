import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createChecker } from '../../src/validators/checker.ts';
import type { Place } from '../../src/validators/job.ts';
import { makeTree } from './trees.ts';

const CHILD = [
  process.execPath,
  '--conditions=yarnboard-source',
  '--import',
  'tsx',
  fileURLToPath(new URL('../../src/validators/child.ts', import.meta.url)),
];
const placeIn = (root: string): Place => ({
  roots: { folders: [root], closed: [], problems: [] },
  cwd: root,
  services: [],
  mayAskContainers: false,
  ownPids: [],
  calls: null,
});
const question = { type: 'file_exists', path: 'src/a.ts' } as const;

test('[VAL-11] a check runs in a process of its own, and its answers come in the order of the methods', async () => {
  const root = makeTree({ 'src/a.ts': '' });
  const checker = createChecker({ command: CHILD, now: () => 5 });
  const [checked, stamps, methods] = await Promise.all([
    checker.check(question, placeIn(root)),
    checker.stamps([join(root, 'src/a.ts'), join(root, 'gone'), '/etc/hostname'], placeIn(root)),
    checker.methods(placeIn(root)),
  ]);
  expect(checked.map(({ attempt }) => [attempt.method, attempt.says])).toEqual([
    ['as_given', 'nothing'],
    ['from_session_directory', 'supports'],
    ['from_repository_root', 'nothing'],
    ['search_by_name', 'nothing'],
  ]);
  expect([...stamps]).toEqual([
    [join(root, 'src/a.ts'), expect.any(String)],
    [join(root, 'gone'), null],
  ]);
  expect(methods.length).toBe(31);
  await checker.close();
  expect(await checker.methods(placeIn(root))).toEqual([]);
});

test("[VAL-51] a person's check is the next one, however many agents and automatic checks wait", async () => {
  const root = makeTree({ 'src/a.ts': '' });
  const checker = createChecker({ command: null, now: () => 0 });
  const done: string[] = [];
  const ask = (name: string, lane: 'person' | 'agent' | 'nobody'): Promise<void> =>
    checker.check(question, placeIn(root), undefined, lane).then(() => void done.push(name));
  const all = [
    ask('auto', 'nobody'),
    checker.stamps([], placeIn(root)).then(() => void done.push('stamps')),
    ...Array.from({ length: 20 }, (_, n) => ask(`agent ${n}`, 'agent')),
    ask('person', 'person'),
  ];
  await Promise.all(all);
  expect(done).toEqual(['person', ...Array.from({ length: 20 }, (_, n) => `agent ${n}`), 'auto', 'stamps']);
  const late = ask('once more', 'agent');
  await checker.close();
  await late;
  expect(done.at(-1)).toBe('once more');
});

test('[VAL-11] one that hangs is killed: what it said counts, the rest took too long; it has neither our environment nor our directory', async () => {
  const root = makeTree();
  const program = join(root, 'child.sh');
  const said = {
    method: 'as_given',
    environment: 'project',
    startedAt: 1,
    duration: 1,
    says: 'supports',
    isDecisive: true,
    evidence: '',
    fault: null,
    foundAt: [],
  };
  const piece = JSON.stringify({ kind: 'checked', checked: [{ attempt: said, files: [] }] });
  writeFileSync(program, `#!/bin/sh\nenv > ${join(root, 'env')}\ntrap "" TERM\necho '${piece}'\nsleep 600 &\nsleep 600\n`);
  chmodSync(program, 0o755);
  const checker = createChecker({ command: [program], now: () => 5, patience: 1500 });
  const checked = await checker.check(question, placeIn(root));
  expect(checked.map(({ attempt }) => [attempt.method, attempt.says, attempt.fault])).toEqual([
    ['as_given', 'supports', null],
    ['from_session_directory', 'nothing', 'it took too long'],
    ['from_repository_root', 'nothing', 'it took too long'],
    ['search_by_name', 'nothing', 'it took too long'],
  ]);
  const names = readFileSync(join(root, 'env'), 'utf8')
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names.filter((name) => /HOME|TOKEN|USER|YARNBOARD/u.test(name ?? ''))).toEqual([]);
  await checker.close();
});

test('[VAL-11] a program that cannot be started says nothing, and nobody waits', async () => {
  const checker = createChecker({ command: ['/nowhere/at/all'], now: () => 5 });
  expect((await checker.check(question, placeIn(makeTree()))).every(({ attempt }) => attempt.says === 'nothing')).toBe(true);
  await checker.close();
});
