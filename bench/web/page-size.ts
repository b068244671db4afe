import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PageSize } from './job.ts';

/** What a browser loads before anything is shown: what the page names, and everything that those import at once. */
export const measurePageSize = (folder: string): PageSize => {
  const assets = join(folder, 'assets');
  const texts = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
  );
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const initial = new Set<string>();
  const visit = (name: string): void => {
    if (initial.has(name) || !texts.has(name)) return;
    initial.add(name);
    for (const [, imported = ''] of (texts.get(name) ?? '').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/gu)) visit(imported);
  };
  for (const [, name = ''] of html.matchAll(/\/assets\/([^"']+\.js)/gu)) visit(name);
  const files = [...texts]
    .map(([name, text]) => ({ name, gzip: gzipSync(text).length, isInitial: initial.has(name) }))
    .toSorted((a, b) => b.gzip - a.gzip);
  const sum = (of: readonly { readonly gzip: number }[]): number => of.reduce((total, { gzip }) => total + gzip, 0);
  return {
    initialBytes: [...initial].reduce((total, name) => total + (texts.get(name)?.length ?? 0), 0),
    initialGzip: sum(files.filter(({ isInitial }) => isInitial)),
    allGzip: sum(files),
    files,
  };
};
