import { rejectionOf } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { inPlainWords, refusalWords } from '../../src/live/refusal.ts';

test('[PAGE-194] a refusal is shown without the names of operations', () => {
  expect(inPlainWords(rejectionOf('package-unchecked', { curator: 'AGENT-review' }))).toBe(
    'The curator, AGENT-review, has not checked this merge yet.',
  );
  expect(inPlainWords(rejectionOf('sidebar-ended', { sidebar: 'SB-2', status: 'ARCHIVED' }))).toBe(
    'SB-2 is archived, so nothing can be added to it. Fork it to continue.',
  );
  expect(inPlainWords(rejectionOf('package-unfit', { notes: 'the build (see build_log) failed' }))).toBe(
    'The curator requested changes: the build (see build_log) failed. Prepare the merge again.',
  );
});

test('[WORDS-5] what the server refused is worded anew; what only it knows is told as it came', () => {
  const rejected = { kind: 'rejected', code: 'not-found', message: 'there is no sidebar SB-9 on this board; sidebars lists them' } as const;
  expect(refusalWords({ ...rejected, reason: 'unknown-sidebar', facts: { asked: 'SB-9' } })).toBe('There is no sidebar SB-9 on this board.');
  for (const told of [{}, { reason: 'from-the-future', facts: {} }, { reason: 'unknown-sidebar', facts: {} }])
    expect(refusalWords({ ...rejected, ...told })).toBe(rejected.message);
});
