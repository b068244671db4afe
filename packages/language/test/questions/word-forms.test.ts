import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formsOf, isStopWord } from '../../src/index.ts';

test('[FIND-40] the forms of a word are those that people use for the same thing', () => {
  for (const [word, forms] of [
    ['fail', ['fails', 'failed', 'failing', 'failure', 'failures']],
    ['ran', ['run', 'runs', 'running']],
    ['config', ['configuration', 'configure', 'configured']],
    ['queries', ['query']],
    ['worktree', ['worktrees']],
    ['tokenization', ['tokenize', 'tokenizer', 'tokenized']],
  ] as const)
    expect([word, forms.filter((form) => !formsOf(word).includes(form))]).toEqual([word, []]);
  expect(formsOf('x2')).toEqual([]);
  expect(['how', 'the', 'tell'].every(isStopWord)).toBe(true);
  expect(['login', 'redirect'].some(isStopWord)).toBe(false);
});

test('[FIND-40] any text has forms, never itself, never one twice, and not many', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,30}$/u)), (word) => {
      const forms = formsOf(word);
      expect(forms).not.toContain(word);
      expect([new Set(forms).size, forms.length < 300]).toEqual([forms.length, true]);
    }),
  );
});
