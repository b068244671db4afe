/** What a command did, according to git and its hosts. */
export type GitDeed =
  | { readonly kind: 'commit'; readonly hash: string; readonly branch: string | null; readonly subject: string }
  | { readonly kind: 'pull-request'; readonly url: string; readonly number: number };

/** GIT-1: whether a command's output may report a commit or a pull request. */
export const mayTellGit = (command: string): boolean => COMMITS.test(command) || REQUESTS.test(command);

/** GIT-1: commits and pull requests made by a command, according to its output. The command itself proves nothing: it may have failed. */
export const gitDeedsIn = (command: string, output: string): readonly GitDeed[] => {
  const deeds: GitDeed[] = [];
  // A line cut in half may contain half a secret, which no longer looks like one.
  const read = output.length <= MOST_READ ? output : output.slice(0, Math.max(0, output.lastIndexOf('\n', MOST_READ)));
  if (COMMITS.test(command)) {
    for (const [, where = '', hash = '', subject = ''] of read.matchAll(COMMIT_LINE)) {
      const branch = where.replace(/ \(root-commit\)$/u, '');
      deeds.push({ kind: 'commit', hash, branch: branch === 'detached HEAD' ? null : branch, subject: subject.trim() });
    }
  }
  if (REQUESTS.test(command)) {
    const urls = new Map([...read.matchAll(REQUEST_URL)].map(([url, number = '']) => [url, Number(number)]));
    for (const [url, number] of urls) deeds.push({ kind: 'pull-request', url, number });
  }
  return deeds;
};

const COMMITS = /\bgit\b[^\n;|&]*\b(?:commit|merge|cherry-pick|revert)\b/u;
const REQUESTS = /\b(?:gh\s+pr|glab\s+mr)\s+(?:create|new)\b/u;
/** "[main (root-commit) 1a2b3c4] Subject" */
const COMMIT_LINE = /^\[([^\]\n]{1,300}) ([0-9a-f]{7,64})\] ([^\n]*)/gmu;
const REQUEST_URL = /https:\/\/[^\s/"'<>]{1,200}\/[^\s"'<>]{1,400}?\/(?:pull|merge_requests)\/(\d{1,9})\b/gu;
/** Git's report is at the beginning, however long the list of files is. */
const MOST_READ = 100_000;
