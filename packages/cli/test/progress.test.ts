import { expect, test } from 'vitest';
import { progressLine, progressText } from '../src/print/progress.ts';
import type { Io } from '../src/io.ts';

test('[CLI-13] the bar says how much, how fast and how long', () => {
  expect(progressText('importing', 0, 300e6, 0)).toBe('importing ░░░░░░░░░░░░░░░░░░░░ 0 %  0.0 MB of 300 MB  0.0 MB/s  0 s left');
  expect(progressText('importing', 150e6, 300e6, 10)).toBe('importing ██████████░░░░░░░░░░ 50 %  150 MB of 300 MB  15 MB/s  10 s left');
  expect(progressText('importing', 3e6, 3000e6, 3)).toContain('1.0 MB/s  50 min left');
  expect(progressText('importing', 10, 0, 1)).toContain('100 %');
});

test('[CLI-2] without a terminal there is no bar', () => {
  let err = '';
  const io = { isErrTerminal: false, now: () => 0, err: (text: string) => (err += text) } as unknown as Io; // nothing else is asked of it
  const bar = progressLine(io, 'importing');
  bar.show(1, 2);
  bar.end();
  expect(err).toBe('');
});
