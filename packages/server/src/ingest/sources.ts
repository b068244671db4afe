import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { classifyFile, dialectNamed, type Dialects } from '@yarnboard/transcript';
import type { FileMark } from '@yarnboard/store';
import { reasonOf } from '../home/reason.ts';
import { discover, isWithin, realOf, type Found } from './discover.ts';
import { planGroups, type Group, type GroupFile } from './plan.ts';
import { isKept } from './kept.ts';
import type { SourceFile } from './source.ts';
import { outsideOf } from './views.ts';

export type Size = { readonly bytes: number; readonly modified: number };

export type SourcePlan = {
  readonly files: readonly SourceFile[];
  readonly groups: readonly Group[];
  readonly sizes: ReadonlyMap<string, Size>;
  readonly bounds: readonly string[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
};

/**
 * Which files below these paths belong on the log, and to which session. A file keeps the session and the dialect in its mark: the first
 * classification counts, even if later lines, or other dialects, name others.
 */
export const planSources = (paths: readonly string[], marks: ReadonlyMap<string, FileMark>, dialects: Dialects): SourcePlan => {
  const found = discover(paths, dialects);
  const fresh = { ...found, files: found.files.filter((file) => !marks.has(file.path) && file.bytes > 0) };
  const agents = new Map([...marks.values()].map(({ agentId, sessionId }) => [agentId, sessionId]));
  const { groups, skipped } = planGroups(fresh, dialects, (agentId) => agents.get(agentId) ?? null);
  const known = found.files.flatMap(({ path, dialect }) => {
    const mark = marks.get(path);
    const known = mark === undefined ? null : dialectNamed(dialects, mark.dialect);
    return mark === undefined ? [] : [transcript({ path, dialect: known?.name ?? dialect, agentId: mark.agentId }, mark.sessionId)];
  });
  const files = [
    ...known,
    ...groups.flatMap((group) => group.files.map((file) => transcript(file, group.sessionId))),
    ...companionsOf(found, dialects),
    ...[...found.indexes].map(([path, dialect]): SourceFile => ({ ...transcript({ path, dialect, agentId: null }, ''), isIndex: true })),
  ];
  return { files, groups, skipped, sizes: sizesOf(found), bounds: found.bounds };
};

/** The sizes of everything found, companions included. */
export const sizesOf = (found: Found): ReadonlyMap<string, Size> => {
  const sizes = new Map<string, Size>(found.files.map(({ path, bytes, modified }) => [path, { bytes, modified }]));
  for (const path of [...found.companions.keys(), ...found.indexes.keys()]) {
    const size = sizeAt(path);
    if (size !== null) sizes.set(path, size);
  }
  return sizes;
};

/** Null if there is no such file, or it can't be examined: its reader gets the reason. */
export const sizeAt = (path: string): Size | null => {
  try {
    const found = outsideOf(path);
    return found?.isFile === true ? { bytes: found.size, modified: found.mtimeMs } : null;
  } catch {
    return null;
  }
};

/** Whether a walk would find a path that the file system reported; throws the file system's errors. */
export const isSource = (dialects: Dialects, path: string, roots: readonly string[]): boolean => {
  if (classifyFile(dialects, path).role.role === 'foreign') return false;
  // The file system doesn't know paths below a database.
  if (isKept(path) && !existsSync(path)) return outsideOf(path) !== null;
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined) return false;
  if (!link.isSymbolicLink()) return link.isFile();
  return statSync(path).isFile() && isWithin(roots.map(realOf), realOf(path));
};

export type Roots = { readonly there: readonly string[]; readonly unreadable: SourcePlan['skipped'] };

/** Which roots can be walked: one that is missing for now (never created, an unmounted disk) must not hide the others. */
export const splitRoots = (roots: readonly string[]): Roots => {
  const there: string[] = [];
  const unreadable: { file: string; reason: string }[] = [];
  for (const root of roots) {
    try {
      if (statSync(root).isDirectory()) readdirSync(root);
      there.push(root);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') unreadable.push({ file: root, reason: `unreadable: ${reasonOf(cause)}` });
    }
  }
  return { there, unreadable };
};

const transcript = ({ path, dialect, agentId }: Pick<GroupFile, 'path' | 'dialect' | 'agentId'>, sessionId: string): SourceFile => ({
  path,
  dialect,
  context: { sessionId, agentId },
  role: agentId === null ? 'main' : 'agent',
  name: null,
  isLines: true,
});

const companionsOf = (found: Found, dialects: Dialects): readonly SourceFile[] =>
  [...found.companions].flatMap(([path, sessionId]) => {
    const { role: kind, dialect } = classifyFile(dialects, path);
    if (sessionId === null || kind.role !== 'companion') return [];
    const parts = path.split(/[/\\]/u);
    const at = parts.lastIndexOf(sessionId);
    const name = at === -1 ? (parts.at(-1) ?? '') : parts.slice(at + 1).join('/');
    return [
      {
        path,
        dialect: dialect?.name ?? '',
        context: { sessionId, agentId: null },
        role: 'companion' as const,
        name,
        isLines: kind.what === 'workflow journal',
      },
    ];
  });
