import type { OutputOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { minute, spaced } from './sidebar.ts';

/** The task list, then the prompts, one per line. */
export const printOutline = (
  { items, tasks, prompts, next_cursor: next }: OutputOf<'outline'>,
  { columns }: { readonly columns: number },
): string => {
  const list = (tasks?.items ?? []).map(({ id, text, state }) => `${MARKS.get(state) ?? ''} ${id === null ? '' : `#${id} `}${printableLine(text)}`);
  const done = (tasks?.items ?? []).filter(({ state }) => state === 'completed').length;
  const rows = items.map(({ ref, at, kind, text }) => {
    const head = spaced([at === null ? '' : minute(at), ref ?? '', kind === 'compaction' ? '(compacted)' : '']);
    const room = Math.max(20, columns - head.length - 2);
    const line = kind === 'compaction' ? '' : printableLine(text);
    return spaced([head, line.length > room ? `${line.slice(0, room - 1)}…` : line]);
  });
  return [
    ...(list.length === 0 ? [] : [`tasks, ${done} of ${list.length} done:`, ...list, '']),
    ...(rows.length === 0 ? ['nothing was asked in this conversation yet'] : rows),
    ...(next === null ? [] : [`${prompts} prompts in all; more: --cursor ${next}`]),
    '',
  ].join('\n');
};

const MARKS: ReadonlyMap<string, string> = new Map([
  ['pending', '[ ]'],
  ['in_progress', '[~]'],
  ['completed', '[x]'],
]);
