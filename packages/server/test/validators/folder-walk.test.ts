import { createHook } from 'node:async_hooks';
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchFiles } from '../../src/validators/search.ts';
import { aroundOf, makeTree } from './trees.ts';

const NEVER = new AbortController().signal;
const searching = (root: string, isWanted: (name: string) => boolean = () => false) =>
  searchFiles(aroundOf(root).reach, isWanted, { signal: NEVER, most: 10_000 });

/** How often the file system is asked while something is done. */
const asksOf = async (work: () => Promise<unknown>): Promise<number> => {
  let asks = 0;
  const hook = createHook({ init: (_, type) => void (asks += type.startsWith('FSREQ') ? 1 : 0) }).enable();
  await work();
  hook.disable();
  return asks;
};

/** Folders that are so deep, each with so many in it. */
const deepTree = (depth: number, width: number): string => {
  const root = makeTree({ 'x.txt': '' });
  const fill = (folder: string, left: number): void => {
    for (let n = 0; n < width; n += 1) {
      const inner = join(folder, `d${n}`);
      mkdirSync(inner);
      writeFileSync(join(inner, 'f.txt'), '');
      if (left > 1 && n === 0) fill(inner, left - 1);
    }
  };
  fill(root, depth);
  return root;
};

const held = (root: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(root));
    } catch {
      return []; // the one that this list was read with
    }
  });

describe('a search walks', () => {
  test('[VAL-50] the system is asked as often for each folder, however deep it lies and however many there are', async () => {
    for (const [depth, width] of [
      [2, 10],
      [20, 10],
      [2, 200],
      [20, 40],
    ] as const) {
      const root = deepTree(depth, width);
      const asks = await asksOf(() => searching(root));
      expect(asks / (depth * width + 1), `${depth} deep, ${width} wide`).toBeLessThan(5);
    }
  });

  test('[VAL-50] what was opened is closed, whether a search saw everything or not', async () => {
    const root = deepTree(3, 150);
    await searching(root);
    await searchFiles(aroundOf(root).reach, (name) => name === 'f.txt', { signal: NEVER, most: 3 });
    await searchFiles(aroundOf(root).reach, () => false, { signal: NEVER, mostEntries: 50 });
    await expect.poll(() => held(root)).toEqual([]);
  });

  test('[VAL-50] it finds what lies in a tree, each once, and nothing by way of a link', async () => {
    const name = fc.constantFrom('a', 'b', 'c', '.env', 'node_modules', 'key.pem', 'x.txt');
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(paths, fc.nat(), async (all, link) => {
        const root = makeTree({ 'first.txt': '' });
        for (const parts of all) {
          mkdirSync(join(root, ...parts.slice(0, -1).map((part) => `${part}.d`)), { recursive: true });
          writeFileSync(join(root, ...parts.slice(0, -1).map((part) => `${part}.d`), parts.at(-1) ?? ''), '');
        }
        const into = all[link % all.length] ?? [];
        symlinkSync(root, join(root, ...into.slice(0, -1).map((part) => `${part}.d`), 'back'));
        const { found, isWhole } = await searching(root, () => true);
        const expected = readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => (entry.isFile() || entry.isDirectory()) && !/^\.env|\.pem$/u.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((path) => !path.slice(root.length).includes('/.env.d/'));
        expect(isWhole).toBe(true);
        expect(found.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
        rmSync(root, { recursive: true });
      }),
    );
  });

  test('[VAL-16] a folder that is swapped for a link while one searches leads nowhere', async () => {
    const outside = makeTree({ 'in/theirs.txt': '' });
    const root = makeTree({ 'a/in/mine.txt': '' });
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        renameSync(join(root, 'a'), join(root, 'b'));
        symlinkSync(outside, join(root, 'a'));
        await new Promise(setImmediate);
        rmSync(join(root, 'a'));
        renameSync(join(root, 'b'), join(root, 'a'));
        await new Promise(setImmediate);
      }
    })();
    for (let i = 0; i < 200; i += 1) {
      const { found } = await searching(root, (name) => name.endsWith('.txt'));
      expect(found.filter(({ name }) => name === 'theirs.txt')).toEqual([]);
    }
    isOver = true;
    await swapping;
  });
});
