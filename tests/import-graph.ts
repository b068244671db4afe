import { posix } from 'node:path';
import { importsOf, type SourceText } from './source-files.ts';

/** What imports what: names of files, or of folders. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Which file of a package imports which other, types included. Paths are relative to the folder of its sources. */
export const graphOfFiles = (root: string, sources: readonly SourceText[]): Graph => {
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, text }) => [
      posix.relative(root, path),
      new Set(
        importsOf(text)
          .filter((name) => name.startsWith('.'))
          .map((name) => posix.join(posix.dirname(path), name))
          .filter((target) => known.has(target))
          .map((target) => posix.relative(root, target)),
      ),
    ]),
  );
};

/** The same between folders. Files that lie beside the folders, such as `index.ts`, stand for themselves: they may import what is imported from elsewhere. */
export const graphOfFolders = (files: Graph): Graph => {
  const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : path);
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const from = folderOf(file);
    const known = folders.get(from) ?? new Set();
    for (const target of targets) if (folderOf(target) !== from) known.add(folderOf(target));
    folders.set(from, known);
  }
  return folders;
};

/** Groups whose members all reach each other: every cycle lies within one of them. Sorted, the larger ones of a graph without cycles are none. */
export const cyclesIn = (graph: Graph): readonly (readonly string[])[] => {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    lowest.set(node, index.get(node) ?? 0);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== index.get(node)) return;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1 || graph.get(node)?.has(node) === true) found.push(group.toSorted());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
};
