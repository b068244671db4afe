import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import { createChecker } from '../../src/validators/checker.ts';
import type { Place } from '../../src/validators/job.ts';
import { makeTree } from './trees.ts';

const sourceOf = (name: string): readonly string[] => [
  '--conditions=yarnboard-source',
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL(name, import.meta.url)),
];
const place: Place = { roots: { folders: [], closed: [], problems: [] }, cwd: null, services: [], mayAskContainers: false, ownPids: [], calls: null };
const question = { type: 'file_exists', path: 'a' } as const;

/** A folder with a program that ignores SIGTERM, forks and never ends; with `go` beside it, it ends at once. */
const makeHanging = (): string => {
  const folder = makeTree();
  const program = join(folder, 'systemctl');
  const lines = [
    '#!/bin/sh',
    `[ -f ${folder}/go ] && exit 0`,
    'trap "" TERM HUP INT PIPE',
    'sleep 3600 &',
    `echo $PPID $$ $! > ${folder}/written`,
    `mv ${folder}/written ${folder}/pids`,
    'sleep 3600',
  ];
  writeFileSync(program, `${lines.join('\n')}\n`);
  chmodSync(program, 0o755);
  return folder;
};

/** The process that checks, its program, and what that forked. */
const pidsIn = async (folder: string): Promise<readonly number[]> => {
  await expect.poll(() => existsSync(join(folder, 'pids'))).toBe(true);
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
  afterFile(() => {
    for (const pid of alive(pids)) process.kill(pid, 'SIGKILL');
  });
  expect(pids).toHaveLength(3);
  expect(alive(pids)).toEqual(pids);
  return pids;
};

// One that has ended and is still listed has no program any more.
const alive = (pids: readonly number[]): readonly number[] => pids.filter((pid) => existsSync(`/proc/${pid}/exe`));

test('[VAL-52] SIGKILL of whoever asked: the process that checks ends, and takes along its program and what that forked', async ({ skip }) => {
  skip(process.platform !== 'linux', 'reads /proc');
  const folder = makeHanging();
  const server = spawn(process.execPath, [...sourceOf('asking-server.ts'), process.execPath, ...sourceOf('hanging-child.ts'), folder], {
    stdio: 'ignore',
  });
  afterFile(() => void server.kill('SIGKILL'));
  const pids = await pidsIn(folder);
  server.kill('SIGKILL');
  await expect.poll(() => alive(pids)).toEqual([]);
});

test('[VAL-52] SIGKILL of the process that checks: its program is gone, what it had not said is nothing, and the next check runs', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'reads /proc');
  const folder = makeHanging();
  const checker = createChecker({ command: [process.execPath, ...sourceOf('hanging-child.ts'), folder], now: () => 0, patience: 3_600_000 });
  const checking = checker.check(question, place);
  const pids = await pidsIn(folder);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  expect(new Set((await checking).map(({ attempt }) => attempt.says))).toEqual(new Set(['nothing']));
  await expect.poll(() => alive(pids)).toEqual([]);
  rmSync(join(folder, 'pids'));
  const next = checker.check(question, place);
  const others = await pidsIn(folder);
  expect(others).not.toContain(pids[0]);
  process.kill(others[0] ?? 0, 'SIGKILL');
  await next;
  writeFileSync(join(folder, 'go'), '');
  expect(await checker.check(question, place)).toHaveLength(4);
  await checker.close();
  await expect.poll(() => alive(others)).toEqual([]);
});
