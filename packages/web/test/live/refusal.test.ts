import { expect, test } from 'vitest';
import { inPlainWords } from '../../src/live/refusal.ts';

test('[PAGE-194] a refusal is told without the names of operations', () => {
  const told = [
    'AGENT-review, the curator, has not checked the package (sidebar_check_merge)',
    'SB-2 is archived; fork it (sidebar_fork) to go on',
    'SB-1 has children at work: SB-2 (ACTIVE)',
    'the build (see build_log) failed',
  ];
  expect(told.map(inPlainWords)).toEqual([
    'AGENT-review, the curator, has not checked the package',
    'SB-2 is archived; fork it to go on',
    'SB-1 has children at work: SB-2 (ACTIVE)',
    'the build (see build_log) failed',
  ]);
});
