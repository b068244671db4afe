import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createChecker } from '../../src/validators/checker.ts';
import type { Place } from '../../src/validators/job.ts';
import { makeTree } from './trees.ts';

const CHILD = fileURLToPath(new URL('../../src/validators/child.ts', import.meta.url));
const placeIn = (root: string): Place => ({
  roots: { folders: [root], closed: [], problems: [] },
  cwd: root,
  services: [],
  mayAskContainers: false,
  ownPids: [],
  calls: null,
});

test('[VAL-39] a file system that does not answer holds up only what waits for it, and the check ends all the same', async ({ skip }) => {
  const shim = join(makeTree(), 'stalled-opens.so');
  const source = fileURLToPath(new URL('stalled-opens.c', import.meta.url));
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || compiled.error !== undefined) skip('needs Linux and a C compiler (cc)');
  expect([compiled.status, compiled.stderr]).toEqual([0, '']);
  const mounts = Array.from({ length: 20 }, (_, n) => [`no-answer-${n}/x`, ''] as const);
  const root = makeTree({ ...Object.fromEntries(mounts), 'src/a.ts': '' });
  const program = [process.execPath, '--conditions=yarnboard-source', '--import', import.meta.resolve('tsx'), CHILD];
  const checker = createChecker({
    command: ['/usr/bin/env', `LD_PRELOAD=${shim}`, 'STALL_PATH=no-answer', ...program],
    now: () => 0,
    // Far more than a test may take: whoever waits for what does not answer would never come back.
    patience: 3_600_000,
  });
  const checked = await checker.check({ type: 'file_exists', path: 'src/a.ts' }, placeIn(root));
  expect(checked.map(({ attempt }) => [attempt.method, attempt.says, attempt.fault])).toEqual([
    ['as_given', 'nothing', 'the path is relative'],
    ['from_session_directory', 'supports', null],
    ['from_repository_root', 'nothing', 'the session began there'],
    ['search_by_name', 'nothing', 'it took too long'],
  ]);
  await checker.close();
});

test('[VAL-39] a check that is killed takes along what it had started, also what is in a group of its own', async ({ skip }) => {
  skip(!existsSync('/usr/bin/setsid'), 'setsid is not installed');
  const root = makeTree();
  const program = join(root, 'child.sh');
  const lines = [
    '#!/bin/sh',
    'setsid sleep 600 > /dev/null &',
    'echo "{\\"kind\\":\\"group\\",\\"pid\\":$!,\\"isOver\\":false}"',
    `echo $! > ${root}/pid`,
    'sleep 600',
  ];
  writeFileSync(program, `${lines.join('\n')}\n`);
  chmodSync(program, 0o755);
  const checker = createChecker({ command: [program], now: () => 0 });
  const stop = new AbortController();
  const checking = checker.check({ type: 'file_exists', path: 'a' }, placeIn(root), stop.signal);
  await expect.poll(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8')).toMatch(/^\d+\n$/u);
  const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
  stop.abort();
  await checking;
  await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  await checker.close();
});
