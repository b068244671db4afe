import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isExcludedBy, isExcludedFolder, type Settings } from '../../src/home/settings.ts';
import { makeBoard } from '../operations/boards.ts';
import { prompt } from '../operations/records.ts';

const excluding = (...excludedProjects: readonly string[]): Settings => ({ excludedProjects, roots: [] });

const makeFolders = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'yb-excluded-')));
  for (const name of ['open', 'data/secret/below']) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(folder, 'data'), join(folder, 'link'));
  return { open: join(folder, 'open'), real: join(folder, 'data/secret'), linked: join(folder, 'link/secret'), folder };
};

test('[SRV-41] a project is excluded by whatever way its folder is named', () => {
  const { open, real, linked, folder } = makeFolders();
  for (const written of [real, linked, `${real}/`, join(open, '..', 'data', 'secret'), `${open}/../link/secret/.`]) {
    const [isExcluded, isFolder] = [isExcludedBy(excluding(written)), isExcludedFolder(excluding(written))];
    // As transcripts name it.
    expect([written, isExcluded('', real), isExcluded('', `${real}/below`)]).toEqual([written, true, true]);
    for (const named of [real, linked, `${linked}/below`, `${folder}/open/../data/secret`, `${open}/../link/secret/below`])
      expect([written, named, isFolder(named)]).toEqual([written, named, true]);
    for (const named of [open, folder, `${real}-too`, `${folder}/data`]) expect([written, named, isFolder(named)]).toEqual([written, named, false]);
  }
  expect(isExcludedBy(excluding('~/work'))('', join(homedir(), 'work', 'x'))).toBe(true);
  expect(isExcludedFolder(excluding())(real)).toBe(false);
});

test('[SRV-41] [RUN-15] a run is refused in an excluded folder, also behind a link or a way around', async () => {
  const { open, real, linked } = makeFolders();
  const board = await makeBoard({
    settings: excluding(linked),
    files: { 'p/a.jsonl': [prompt('a', null, 0, 'hello', { cwd: real, sessionId: 'a' })] },
  });
  for (const cwd of [real, linked, `${linked}/below`, `${open}/../data/secret`]) {
    const init = { method: 'POST', body: JSON.stringify({ cwd }), headers: { authorization: `Bearer ${board.token}` } };
    expect(await board.problem('/api/v1/runs', init)).toMatchObject({ code: 'bad-directory', detail: expect.stringContaining('excludes') as string });
  }
  expect((await board.get('sessions')).items).toEqual([]);
});
