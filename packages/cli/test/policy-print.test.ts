import { expect, test } from 'vitest';
import { printAnswer } from '../src/print/answer.ts';
import { withShownSigns } from '../src/print/signs.ts';

test('[AUTO-2] what keeps a sidebar from merging automatically is reported in the words of the terminal', () => {
  const obstacles = [
    { obstacle: 'off', message: 'automatic merges are off (auto_merge_config)', refs: [], facts: {} },
    { obstacle: 'from-the-future', message: 'the moon is full', refs: [], facts: {} },
  ];
  const told = (isFree: boolean): string =>
    printAnswer('auto_merge_obstacles', { ['sidebar_id']: 'SB-1', ['would_merge']: isFree, obstacles: isFree ? [] : obstacles }, { columns: 100 });
  expect(told(false)).toBe(
    'SB-1 does not merge automatically:\n  - automatic merges are off (`yarnboard policy auto-merge`)\n  - the moon is full\n',
  );
  expect(told(true)).toBe('SB-1 merges automatically once its curator approves it\n');
});

test('[CLI-62] a terminal that shows no Unicode gets signs of ASCII, with the same word beside them', () => {
  const rows = 'SB-2:CLAIM-1  ✓ confirmed  0.95\nSB-2:CLAIM-2  ✗ contradicted\nSB-2:CLAIM-3  ? unverified\n“✓” was said\n';
  const plain = 'SB-2:CLAIM-1  + confirmed  0.95\nSB-2:CLAIM-2  x contradicted\nSB-2:CLAIM-3  ? unverified\n“✓” was said\n';
  expect(withShownSigns(rows, { LANG: 'de_DE.ISO-8859-1' })).toBe(plain);
  expect(withShownSigns(rows, { LANG: 'en_US.UTF-8', ['LC_ALL']: 'C' })).toBe(plain);
  expect(withShownSigns(rows, { LANG: 'C', ['LC_ALL']: 'C.utf8' })).toBe(rows);
  expect(withShownSigns(rows, { ['LC_ALL']: '', LANG: 'C.UTF-8' })).toBe(rows);
  expect(withShownSigns(rows, {})).toBe(rows);
});
