import type { OutputOf } from '@yarnboard/protocol';
import { printable, printableLine } from '@yarnboard/transcript';
import { minute, spaced } from './sidebar.ts';
import { table } from './table.ts';

/** The files of a session with their counts, and what can't be determined. */
export const printFiles = (answer: OutputOf<'changed_files'>, { columns }: { readonly columns: number }): string => {
  const { items, edits, files, failed, added, removed, unknown_calls: shells, next_cursor: next } = answer;
  const unknown = shells === 0 ? '' : `${counted(shells, 'shell command')} may have changed more files\n`;
  if (items.length === 0) return `no file was changed with a file tool\n${unknown}`;
  const rows = items.map((one) => [
    one.path,
    String(one.edits),
    `+${one.added}`,
    `-${one.removed}${one.is_partial ? '?' : ''}`,
    one.failed === 0 ? '' : String(one.failed),
    one.last_at === null ? '' : minute(one.last_at),
  ]);
  const sum = `${counted(edits, 'edit')} in ${counted(files, 'file')}, +${added} -${removed}${failed === 0 ? '' : `, ${failed} failed or rejected`}`;
  return `${table(['file', '>edits', '>added', '>removed', '>failed', 'latest (UTC)'], rows, { columns, flexible: 0 })}${sum}\n${unknown}${more(next)}`;
};

/** Branches, commits and pull requests, one per line. */
export const printGit = ({ branches, commits, pull_requests: requests }: OutputOf<'session_git'>): string => {
  const lines = [
    ...(branches.length === 0 ? [] : [`on ${branches.map(printableLine).join(', ')}`]),
    ...commits.map(({ hash, subject, branch, ref, at }) => spaced([hash, subject, branch ?? 'detached', ref ?? '', minute(at)])),
    ...requests.map(({ url, ref, at }) => spaced([url, ref ?? '', minute(at)])),
  ];
  return lines.length === 0 ? 'no branch, commit or pull request on record\n' : `${lines.join('\n')}\n`;
};

/** Edits as a unified diff, each below a line that identifies it. */
export const printChanges = ({ items, next_cursor: next }: OutputOf<'changes'>): string => {
  if (items.length === 0) return `no edits here\n${more(next)}`;
  return `${items.map(printEdit).join('\n')}${more(next)}`;
};

const printEdit = (edit: OutputOf<'changes'>['items'][number]): string => {
  const { path, ref, tool, outcome, at, agent_id: agent, session_title: title, added, removed, hunks, basis, everywhere } = edit;
  const head = spaced([
    printableLine(path),
    ref ?? '',
    tool,
    agent === null ? '' : `by sub-agent ${printableLine(agent)}`,
    at === null ? '' : minute(at),
    `+${added} -${removed}`,
    outcome === 'done' ? '' : OUTCOMES[outcome],
    title === null ? '' : `“${printableLine(title)}”`,
  ]);
  const told = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const left = edit.lines_total - edit.lines_from - told;
  const notes = [
    ...(everywhere ? ['(replaced everywhere; one occurrence is shown)'] : []),
    ...(basis === 'none' ? ['(the record does not say what changed)'] : []),
    ...(left > 0 ? [`(${counted(left, 'more line')}: --edit ${ref ?? edit.uuid} --lines-from ${edit.lines_from + told})`] : []),
  ];
  const lines = hunks.flatMap((hunk) => [
    ...(basis === 'patch' ? [`@@ -${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`] : ['@@']),
    ...hunk.lines.map(printable),
  ]);
  return `${[head, ...lines, ...notes].join('\n')}\n`;
};

const OUTCOMES = { failed: 'failed: nothing was changed', rejected: 'rejected: nothing was changed', open: 'no result' } as const;

const more = (next: string | null): string => (next === null ? '' : `more: --cursor ${next}\n`);

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
