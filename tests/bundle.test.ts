import { build, type Metafile } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { directImports, redirected } from '../scripts/direct-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files whose code a command loads at once, as the built command has it; what it loads later, on demand, is not among them. */
const loadedBy = async (entry: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'nowhere',
    write: false,
    metafile: true,
    external: ['better-sqlite3', 'pg', '@redis/client'],
    conditions: ['yarnboard-source'],
    plugins: [directImports(root)],
  });
  const first = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)?.[0] ?? '';
  return [...reached(metafile, first)].flatMap((path) =>
    Object.entries(metafile.outputs[path]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );
};

const reached = ({ outputs }: Metafile, first: string): ReadonlySet<string> => {
  const seen = new Set([first]);
  for (const path of seen)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement' && outputs[next] !== undefined) seen.add(next);
  return seen;
};

test('[CLI-38] a command that asks a running server loads no rules about language, no deciders and no dialects', async () => {
  const files = await loadedBy('packages/cli/src/verbs/search.ts');
  expect(files).toContain('packages/cli/src/board/client.ts');
  expect(
    files.filter((file) => /^packages\/(?:language|domain\/src\/\w+\/decide|transcript\/src\/dialects\/|server\/src\/engine)/u.test(file)),
  ).toEqual([]);
});

test.each(['search', 'similar', 'verify', 'status'])(
  '[CLI-64] `yarnboard %s` loads no schema of any operation to ask a running server',
  async (verb) => {
    const files = await loadedBy(`packages/cli/src/verbs/${verb}.ts`);
    expect(files).toContain('packages/cli/src/board/ask-server.ts');
    expect(
      files.filter((file) => /^packages\/protocol\/src\/(?:registry\/(?!daily-routes)|families|wire)|^packages\/domain\/src\/messages/u.test(file)),
    ).toEqual([]);
  },
);

test('[CLI-38] imports of a package go to the files that export the names; types vanish, and lines stay where they are', () => {
  const index = new Map([
    ['a', { name: 'a', file: join('/x', 'packages', 'one', 'src', 'a.ts') }],
    ['c', { name: 'b', file: join('/x', 'packages', 'one', 'src', 'deep', 'b.ts') }],
  ]);
  const path = join('/x', 'packages', 'two', 'src', 'main.ts');
  const text = "import { a,\n  type T,\n  c as d } from '@yarnboard/one';\nd(a);";
  expect(redirected(text, path, () => index)).toBe(
    "import { a } from '../../one/src/a.ts'; import { b as d } from '../../one/src/deep/b.ts';\n\n\nd(a);",
  );
  // A name that the index does not have is left to the bundler, which says so.
  expect(redirected("import { z } from '@yarnboard/one';", path, () => index)).toBe("import { z } from '@yarnboard/one';");
});
