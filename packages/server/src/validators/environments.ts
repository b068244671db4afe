import { join } from 'node:path';
import type { Pin } from './manifests.ts';
import type { Reach } from './reach.ts';

/** The packages installed in a project's virtual environments, according to their metadata. Starts no interpreter. */
export const venvsIn = async (reach: Reach, folder: string): Promise<readonly Pin[]> => {
  const venvs = await Promise.all(VENVS.map((name) => venvAt(reach, join(folder, name), name)));
  return venvs.flat();
};

const venvAt = async (reach: Reach, path: string, shown: string): Promise<readonly Pin[]> => {
  const config = await reach.read(join(path, 'pyvenv.cfg'));
  if (config.kind !== 'text') return [];
  const file = { path: config.path, stamp: config.stamp };
  const [, version] = /^version(?:_info)?\s*=\s*(\d+(?:\.\d+)*)/mu.exec(config.text) ?? [];
  const python: readonly Pin[] =
    version === undefined ? [] : [{ name: 'python', registry: 'tool', version, where: `${shown}: python ${version}`, kind: 'installed', file }];
  const libraries = ((await reach.list(join(path, 'lib'), 20)) ?? []).filter(({ name, isFolder }) => isFolder && name.startsWith('python3'));
  const lists = await Promise.all(libraries.map(({ name }) => reach.list(join(path, 'lib', name, 'site-packages'), 20_000)));
  const packages = lists
    .flatMap((list) => list ?? [])
    .flatMap(({ name, isFolder }) => {
      const [, project, number] = /^([\w.]+)-([\w.!+]+)\.dist-info$/u.exec(name) ?? [];
      if (!isFolder || project === undefined || number === undefined) return [];
      return [
        { name: project, registry: 'pypi' as const, version: number, where: `${shown}: ${project} ${number}`, kind: 'installed' as const, file },
      ];
    });
  return [...python, ...packages];
};

/** A package in `node_modules`. Nearly all are in lower case, whatever a sentence begins with. */
export const nodeModule = async (reach: Reach, folder: string, name: string): Promise<Pin | null> =>
  (await moduleCalled(reach, folder, name)) ?? (name === name.toLowerCase() ? null : await moduleCalled(reach, folder, name.toLowerCase()));

const moduleCalled = async (reach: Reach, folder: string, name: string): Promise<Pin | null> => {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/u.test(name)) return null;
  const read = await reach.read(join(folder, 'node_modules', ...name.split('/'), 'package.json'));
  if (read.kind !== 'text') return null;
  const [, version = null] = /"version"\s*:\s*"([\w.+-]{1,100})"/u.exec(read.text) ?? [];
  const where = `node_modules: ${name} ${version ?? ''}`.trim();
  return { name, registry: 'npm', version, where, kind: 'installed', file: { path: read.path, stamp: read.stamp } };
};

export const hasNodeModules = async (reach: Reach, folder: string): Promise<boolean> =>
  (await reach.look(join(folder, 'node_modules'))).kind === 'folder';
export const hasVenv = async (reach: Reach, folder: string): Promise<boolean> => {
  const seen = await Promise.all(VENVS.map((name) => reach.look(join(folder, name, 'pyvenv.cfg'))));
  return seen.some(({ kind }) => kind === 'file');
};

const VENVS = ['.venv', 'venv', 'env'];
