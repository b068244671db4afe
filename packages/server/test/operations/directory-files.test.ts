import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsFitting, pathsIn } from '../../src/operations/directory-files.ts';
import { makeBoard, makeFolder } from './boards.ts';
import { prompt } from './records.ts';

const ID = '44444444-0000-4000-8000-000000000004';

const makeWork = (): string => {
  const work = makeFolder();
  for (const folder of ['src/loom', 'node_modules/x', '.git']) mkdirSync(join(work, folder), { recursive: true });
  for (const file of ['README.md', 'src/loom.ts', 'src/loom/weave.ts', 'node_modules/x/index.js', '.git/config', '.env'])
    writeFileSync(join(work, file), '');
  return work;
};

test('[RUN-42] names what is in the directory and below, the nearest first, and follows no link', async () => {
  const work = makeWork();
  const elsewhere = makeFolder();
  writeFileSync(join(elsewhere, 'secret.txt'), '');
  symlinkSync(elsewhere, join(work, 'away'));
  symlinkSync(join(elsewhere, 'secret.txt'), join(work, 'secret.txt'));
  const { paths, isCut } = await pathsIn(work, () => 0);
  expect(isCut).toBe(false);
  expect(paths).toEqual(['.env', 'README.md', 'src/', 'src/loom/', 'src/loom.ts', 'src/loom/weave.ts']);
  expect(pathsFitting(paths, 'loom')).toEqual(['src/loom/', 'src/loom.ts', 'src/loom/weave.ts']);
  expect(pathsFitting(paths, 'EAD')).toEqual(['README.md']);
  expect(pathsFitting(paths, '../')).toEqual([]);
});

test('[RUN-42] stops when its time is over, and says so', async () => {
  let now = 0;
  const late = await pathsIn(makeWork(), () => (now += 1000));
  expect(late.isCut).toBe(true);
  expect(late.paths.length).toBeGreaterThan(0);
  expect(await pathsIn(join(makeFolder(), 'gone'), () => 0)).toEqual({ paths: [], isCut: false });
});

test('[RUN-42] tells the operator, and nobody else, what a session could mention', async () => {
  const cwd = makeWork();
  const board = await makeBoard({ files: { [`-work/${ID}.jsonl`]: [prompt('a', null, 0, 'weave', { cwd })] } });
  expect(await board.command('directory_files', { id: ID, words: 'weave' })).toEqual({ directory: cwd, items: ['src/loom/weave.ts'], is_cut: false });
  expect(await board.command('directory_files', { id: ID, limit: 1 })).toMatchObject({ items: ['.env'], is_cut: true });
  expect(await board.problem(`/api/v1/sessions/${ID}/directory`)).toMatchObject({ code: 'token-needed' });
});
