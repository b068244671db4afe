import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export type SourceText = { readonly path: string; readonly text: string };

/** Files below a folder of the repository whose path fits, with slashes whatever the system. */
export const filesIn = (folder: string, pattern: RegExp): readonly SourceText[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)).split(sep).join('/'))
    .filter((path) => pattern.test(path) && !/(?:^|\/)(?:node_modules|dist)\//u.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** What a module imports, static or dynamic, types included: also those that are named where they are used, `import('./x.ts').X`. */
export const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w$.'-])(?:(?:from|import)\s*'([\w@./:-]+)'|import\s*\(\s*['"`]([\w@./:-]+)['"`])/gu)].map(
    ([, named, loaded]) => named ?? loaded ?? '',
  );
