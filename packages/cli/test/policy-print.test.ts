import { expect, test } from 'vitest';
import { printAnswer } from '../src/print/answer.ts';

test('[AUTO-2] what keeps a sidebar from merging automatically is told in the words of the terminal', () => {
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
