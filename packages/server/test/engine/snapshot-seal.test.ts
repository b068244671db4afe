import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { snapshotIn } from '../../src/engine/snapshot.ts';
import type { Home } from '../../src/home/home.ts';
import { makeBoard } from '../operations/boards.ts';

/** A home whose server has stopped, with a sidebar in its snapshot. */
const makeStopped = async (): Promise<Home> => {
  const board = await makeBoard({});
  await board.command('sidebar_spawn', { parent_id: null, task_description: 'the true task' });
  await board.close();
  return board.home;
};

const taskIn = async (home: Home): Promise<string> => {
  const board = await makeBoard({ home });
  const { task_description: task } = await board.command('sidebar', { sidebar_id: 'SB-1' });
  await board.close();
  return task;
};

/** Another task, with the hash that belongs to it. */
const edited = (snapshot: string): string => {
  const [first = '', ...rest] = snapshot.split('\n');
  const body = rest.join('\n');
  const other = body.replaceAll('the true task', 'a false task.');
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  expect([body.includes('the true task'), first.includes(hash(body))]).toEqual([true, true]);
  return `${first.replace(hash(body), hash(other))}\n${other}`;
};

test('[ENGINE-55] a snapshot that was edited, hash and all, is passed over', async () => {
  const home = await makeStopped();
  const text = readFileSync(home.snapshotFile, 'utf8');
  expect(statSync(home.snapshotFile).mode & 0o777).toBe(0o600);
  const json = edited(text).slice(65);
  for (const wrong of [edited(text), json, `${'0'.repeat(64)} ${json}`, '', 'x', text.slice(0, 64), text.slice(0, 200)]) {
    writeFileSync(home.snapshotFile, wrong);
    expect(snapshotIn(home, true).read()).toBeNull();
    expect(await taskIn(home)).toBe('the true task');
  }
});

test('[ENGINE-55] one that is whole is used, and one that another key sealed is not', async () => {
  const home = await makeStopped();
  const text = readFileSync(home.snapshotFile, 'utf8');
  expect(snapshotIn(home, true).read()).toBe(text.slice(65));
  rmSync(join(home.stateFolder, 'signing-key.pem'));
  expect(snapshotIn(home, true).read()).toBeNull();
  // Whoever only reads makes no key.
  expect(() => statSync(join(home.stateFolder, 'signing-key.pem'))).toThrow('ENOENT');
  expect(await taskIn(home)).toBe('the true task');
});
