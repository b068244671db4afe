// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { Diff, PatchDiff } from '../../src/ui/diff.tsx';
import { lineDiff } from '../../src/ui/line-diff.ts';

afterEach(cleanup);

test('[PAGE-8] a diff has rows with the numbers of both sides, and says what it leaves out', () => {
  const before = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`);
  const after = before.with(1, 'second').toSpliced(18, 0, 'new');
  expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual([
    { kind: 'same', before: 1, after: 1, text: 'line 1' },
    { kind: 'removed', before: 2, text: 'line 2' },
    { kind: 'added', after: 2, text: 'second' },
    { kind: 'same', before: 3, after: 3, text: 'line 3' },
    { kind: 'same', before: 4, after: 4, text: 'line 4' },
    { kind: 'same', before: 5, after: 5, text: 'line 5' },
    { kind: 'gap', lines: 10 },
    { kind: 'same', before: 16, after: 16, text: 'line 16' },
    { kind: 'same', before: 17, after: 17, text: 'line 17' },
    { kind: 'same', before: 18, after: 18, text: 'line 18' },
    { kind: 'added', after: 19, text: 'new' },
    { kind: 'same', before: 19, after: 20, text: 'line 19' },
    { kind: 'same', before: 20, after: 21, text: 'line 20' },
  ]);
});

test('[PAGE-8] whatever was changed, the rows that went are the old text and those that came the new one', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '-x', '+y', '\\ no');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
      const rows = lineDiff(before.map((one) => `${one}\n`).join(''), after.map((one) => `${one}\n`).join(''));
      const left = rows.flatMap((row) => (row.kind === 'removed' || row.kind === 'same' ? [[row.before, row.text]] : []));
      const right = rows.flatMap((row) => (row.kind === 'added' || row.kind === 'same' ? [[row.after, row.text]] : []));
      expect(left).toEqual(left.map(([n]) => [n, before[Number(n) - 1]]));
      expect(right).toEqual(right.map(([n]) => [n, after[Number(n) - 1]]));
      expect(rows.filter(({ kind }) => kind === 'removed').length - rows.filter(({ kind }) => kind === 'added').length).toBe(
        before.length - after.length,
      );
    }),
  );
});

test('[PAGE-8] what came and what went is said by signs, and counted in words', () => {
  render(<Diff before={'same\nold\n'} after={'same\nnew <b>\u202e\n'} />);
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['11same', '2−old', '2+new <b>\ufffd']);
  expect(screen.getByText('1 line added, 1 line removed')).toBeTruthy();
});

test('[PAGE-8] a long diff is cut, and shown whole when asked', async () => {
  const user = userEvent.setup();
  render(<Diff before="" after={Array.from({ length: 450 }, (_, n) => `line ${n}`).join('\n')} />);
  expect(screen.getAllByRole('row')).toHaveLength(200);
  await user.click(screen.getByRole('button', { name: 'Show all 450 lines' }));
  expect(screen.getAllByRole('row')).toHaveLength(450);
});

test('[PAGE-8] two large texts with nothing in common are shown one after the other', () => {
  const text = (word: string): string => Array.from({ length: 3000 }, (_, n) => `${word} ${n}`).join('\n');
  const rows = lineDiff(text('old'), text('new'));
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([
    6000,
    { kind: 'removed', before: 1, text: 'old 0' },
    { kind: 'added', after: 3000, text: 'new 2999' },
  ]);
});

test('[PAGE-157] a patch has the numbers of its file; lines of which nobody knows where they stand have none', () => {
  render(<PatchDiff hunks={[{ oldStart: 41, oldLines: 2, newStart: 43, lines: [' rim', '-reed', '+willow', '\\ No newline at end of file'] }]} />);
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['4143rim', '42−reed', '44+willow']);
  cleanup();
  render(<Diff before={'rim\nreed'} after={'rim\nwillow'} firstLine={null} />);
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['rim', '−reed', '+willow']);
});
