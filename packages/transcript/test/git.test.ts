import { expect, test } from 'vitest';
import { gitDeedsIn, mayTellGit } from '../src/git.ts';

test('[GIT-1] commits are what git says it made, with branch, hash and subject', () => {
  expect(gitDeedsIn('git add -A && git commit -m "Weave"', '[main 1a2b3c4] Weave\n 1 file changed')).toEqual([
    { kind: 'commit', hash: '1a2b3c4', branch: 'main', subject: 'Weave' },
  ]);
  expect(gitDeedsIn('git commit -qm x', '[main (root-commit) 1a2b3c4d] First')).toMatchObject([{ branch: 'main', hash: '1a2b3c4d' }]);
  expect(gitDeedsIn('git -C /x commit', '[detached HEAD 1a2b3c4] Loose')).toMatchObject([{ branch: null }]);
  expect(gitDeedsIn('git commit', '[feature/a-b 1a2b3c4] One\n[feature/a-b 5d6e7f8] Two').map((deed) => ('hash' in deed ? deed.hash : ''))).toEqual([
    '1a2b3c4',
    '5d6e7f8',
  ]);
});

test('[GIT-1] what only looks like a commit is none', () => {
  expect(gitDeedsIn('git commit -m x', 'nothing to commit, working tree clean')).toEqual([]);
  expect(gitDeedsIn('cat log', '[main 1a2b3c4] Weave')).toEqual([]);
  expect(gitDeedsIn('git log', '[main 1a2b3c4] Weave')).toEqual([]);
  expect(gitDeedsIn('git commit', '[INFO hello] x')).toEqual([]);
  expect(mayTellGit('npm test')).toBe(false);
});

test('[GIT-1] pull requests are those that were made, each once', () => {
  const url = 'https://github.com/ada/loom/pull/12';
  expect(gitDeedsIn('gh pr create --fill', `Creating pull request\n\n${url}\n${url}\n`)).toEqual([{ kind: 'pull-request', url, number: 12 }]);
  expect(gitDeedsIn('glab mr create', 'https://gitlab.com/ada/x/loom/-/merge_requests/3')).toMatchObject([{ number: 3 }]);
  expect(gitDeedsIn('gh pr view', url)).toEqual([]);
  expect(gitDeedsIn('gh pr create', 'javascript:alert(1)/pull/3 http://x/pull/4')).toEqual([]);
});

test('[GIT-1] hostile output is read in linear time', () => {
  expect(gitDeedsIn('git commit; gh pr create', `${'['.repeat(100_000)}${'https://a/'.repeat(20_000)}`)).toEqual([]);
});
