import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesIn, linesChanged, linesOfChange, mayChange, type FileChange, type Hunk } from '../src/changes.ts';
import type { Json } from '../src/json.ts';

const only = (changes: readonly FileChange[]): FileChange => {
  const [one, ...others] = changes;
  if (one === undefined || others.length > 0) throw new Error(`${changes.length} changes`);
  return one;
};
const edit = (before: string, after: string, more: { readonly [key: string]: Json } = {}): FileChange =>
  only(
    changesIn('Edit', Object.fromEntries([['file_path', '/a'], ['old_string', before], ['new_string', after], ...Object.entries(more)]), undefined),
  );
const input = (...pairs: readonly (readonly [string, Json])[]): Json => Object.fromEntries(pairs);
const texts = (hunks: readonly Hunk[]): { readonly before: readonly string[]; readonly after: readonly string[] } => ({
  before: hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))),
  after: hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1))),
});

test('[CHANGE-1] the tools that change files are known by their common names; a shell is not among them', () => {
  expect(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch'].every(mayChange)).toBe(true);
  expect(['Bash', 'PowerShell', 'Read', 'toString', ''].some(mayChange)).toBe(false);
  expect(changesIn('Bash', input(['command', 'rm a']), undefined)).toEqual([]);
  for (const bad of [undefined, null, 'text', [], 3, {}, input(['file_path', 3]), input(['file_path', ''])])
    for (const name of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch']) expect(changesIn(name, bad, undefined)).toEqual([]);
});

test('[CHANGE-2] the patch of the record is what changed, with the numbers of the file', () => {
  const report = {
    structuredPatch: [{ oldStart: 7, oldLines: 2, newStart: 8, newLines: 2, lines: ['-a', '+b', ' c', '\\ No newline at end of file'] }],
  };
  expect(only(changesIn('Edit', input(['file_path', '/a'], ['old_string', 'x'], ['new_string', 'y']), report))).toEqual({
    path: '/a',
    kind: 'edited',
    basis: 'patch',
    isEverywhere: false,
    hunks: [{ oldStart: 7, oldLines: 2, newStart: 8, newLines: 2, lines: ['-a', '+b', ' c'] }],
  });
});

test('[CHANGE-2] without a patch the texts are what changed, and what nobody knows is said', () => {
  expect(edit('a\nb\nc', 'a\nB\nc')).toMatchObject({
    basis: 'texts',
    hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+B', ' c'] }],
  });
  expect(edit('x', 'y', { ['replace_all']: true })).toMatchObject({ isEverywhere: true });
  expect(only(changesIn('Write', input(['file_path', '/a'], ['content', 'new\n']), undefined))).toMatchObject({
    kind: 'written',
    basis: 'after',
    hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+new'] }],
  });
  expect(only(changesIn('Write', input(['file_path', '/a'], ['content', 'new']), { type: 'create', structuredPatch: [] }))).toMatchObject({
    kind: 'created',
    basis: 'patch',
  });
  expect(
    only(changesIn('Write', input(['file_path', '/a'], ['content', 'b']), { type: 'update', originalFile: 'a', structuredPatch: [] })),
  ).toMatchObject({ basis: 'patch', hunks: [{ lines: ['-a', '+b'] }] });
  expect(only(changesIn('NotebookEdit', input(['notebook_path', '/n'], ['new_source', 'print()']), undefined))).toMatchObject({
    path: '/n',
    basis: 'after',
  });
  expect(only(changesIn('NotebookEdit', input(['notebook_path', '/n'], ['new_source', ''], ['edit_mode', 'delete']), undefined))).toMatchObject({
    basis: 'none',
    hunks: [],
  });
  expect(only(changesIn('Edit', input(['file_path', '/a']), { structuredPatch: [{ lines: 3 }] }))).toMatchObject({ basis: 'none', hunks: [] });
  const pair = (before: string, after: string) => input(['old_string', before], ['new_string', after]);
  expect(
    only(changesIn('MultiEdit', input(['file_path', '/a'], ['edits', [pair('a', 'b'), pair('c', 'd')]]), undefined)).hunks.map(({ lines }) => lines),
  ).toEqual([
    ['-a', '+b'],
    ['-c', '+d'],
  ]);
});

test('[CHANGE-2] a patch of several files is a change of each of them', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: a.ts',
    '+one',
    '*** Update File: b.ts',
    '@@',
    ' keep',
    '-old',
    '+new',
    '@@ fn',
    '-x',
    '*** Delete File: c.ts',
    '*** End Patch',
  ].join('\n');
  expect(changesIn('apply_patch', { patch }, undefined).map(({ path, kind, hunks }) => [path, kind, hunks.map(({ lines }) => lines)])).toEqual([
    ['a.ts', 'created', [['+one']]],
    ['b.ts', 'edited', [[' keep', '-old', '+new'], ['-x']]],
    ['c.ts', 'deleted', []],
  ]);
});

test('[CHANGE-3] whatever the texts are, what stayed and went is the old one, what stayed and came the new one', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '-x', '+y');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 15 }), fc.array(line, { maxLength: 15 }), (before, after) => {
      const { hunks } = edit(before.map((one) => `${one}\n`).join(''), after.map((one) => `${one}\n`).join(''));
      const sides = texts(hunks);
      const { oldStart, oldLines, newStart, newLines } = hunks[0] ?? { oldStart: 1, oldLines: 0, newStart: 1, newLines: 0 };
      const place = (start: number, count: number): number => (count === 0 ? start : start - 1);
      const [old, now] = [place(oldStart, oldLines), place(newStart, newLines)];
      expect(before.slice(old, old + oldLines)).toEqual(sides.before);
      expect(after.slice(now, now + newLines)).toEqual(sides.after);
      expect([...before.slice(0, old), ...sides.after, ...before.slice(old + oldLines)]).toEqual(after);
    }),
  );
});

test('[CHANGE-5] the lines of a change come in parts, which are the whole when they are put together', () => {
  const lines = fc.array(fc.constantFrom(' a', '-b', '+c'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 4 }), fc.integer({ min: 1, max: 7 }), (all, most) => {
      let [old, now] = [1, 1];
      const hunks = all.map((one): Hunk => {
        const sides = { old: one.filter((text) => !text.startsWith('+')).length, now: one.filter((text) => !text.startsWith('-')).length };
        const hunk = {
          oldStart: sides.old === 0 ? old - 1 : old,
          oldLines: sides.old,
          newStart: sides.now === 0 ? now - 1 : now,
          newLines: sides.now,
          lines: one,
        };
        old += sides.old + 5;
        now += sides.now + 5;
        return hunk;
      });
      const total = linesChanged({ hunks }).lines;
      const parts: Hunk[] = [];
      for (let from = 0; from < total; from += most) parts.push(...linesOfChange(hunks, from, most));
      expect(parts.flatMap((part) => part.lines)).toEqual(hunks.flatMap((hunk) => hunk.lines));
      // Every line keeps its number.
      const numbered = (list: readonly Hunk[]): readonly string[] =>
        list.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => {
          let [left, right] = [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart];
          return own.map((text) => (text.startsWith('-') ? `-${left++}` : text.startsWith('+') ? `+${right++}` : ` ${left++} ${right++}`));
        });
      expect(numbered(parts)).toEqual(numbered(hunks));
      for (const part of parts) expect(part.lines.length).toBeLessThanOrEqual(most);
    }),
  );
});

test('[CHANGE-6] each side of a patch is shown as a whole, so that a secret over several lines is hidden', () => {
  const hide = (text: string): string => text.replace(/BEGIN[^]*?END/u, '[hidden]');
  const report = { structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 3, lines: [' keep', '+BEGIN', '+secret', '+END'] }] };
  const { hunks } = only(changesIn('Edit', input(['file_path', '/a']), report, hide));
  expect(JSON.stringify(hunks)).not.toContain('secret');
  expect(texts(hunks)).toEqual({ before: ['keep'], after: ['keep', '[hidden]'] });
  expect(JSON.stringify(changesIn('Write', input(['file_path', '/a'], ['content', 'BEGIN\nsecret\nEND']), undefined, hide))).not.toContain('secret');
});

test('[CHANGE-6] a secret within a line leaves the lines around it as they were', () => {
  const hide = (text: string): string => text.replaceAll('SECRET', '[hidden]');
  const lines = [' keep', '-key SECRET', '+key other', '+', ' SECRET stays', ' end'];
  const report = { structuredPatch: [{ oldStart: 7, oldLines: 4, newStart: 7, newLines: 5, lines }] };
  const change = only(changesIn('Edit', input(['file_path', '/a']), report, hide));
  expect(change.hunks).toMatchObject([{ oldStart: 7, oldLines: 4, newStart: 7, newLines: 5, lines: lines.map(hide) }]);
  expect(linesChanged(change)).toEqual({ added: 2, removed: 1, lines: 6 });
});

test('[CHANGE-5] a text of 200,000 lines is taken apart in one pass', () => {
  const before = Array.from({ length: 200_000 }, (_, n) => `line ${n}`).join('\n');
  const after = before.replace('line 100000\n', 'changed\n');
  expect(edit(before, after).hunks).toMatchObject([{ oldStart: 99_998, lines: { length: 8 } }]);
  expect(linesChanged(edit(before, ''))).toEqual({ added: 0, removed: 200_000, lines: 200_000 });
});
