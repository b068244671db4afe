import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, root } from './source-files.ts';

test('[DOC-8] docs/screens holds the pictures that the documents show, and no others', () => {
  const folder = join(root, 'docs', 'screens');
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const atTheRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const documents = [...atTheRoot.map((name) => ({ text: readFileSync(join(root, name), 'utf8') })), ...filesIn('docs', /\.md$/u)];
  const shown = documents.flatMap(({ text }) =>
    [...text.matchAll(/!\[[^\]]*\]\((?:docs\/screens\/)?([\w-]+\.png)\)/gu)].map(([, name = '']) => name),
  );
  expect([...new Set(shown)].toSorted()).toEqual(pictures.toSorted());
  expect(pictures.length).toBeGreaterThanOrEqual(12);
  expect(pictures.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(2_000_000);
});
