import { printable } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { markWords } from './claims.ts';
import { minute, spaced } from './sidebar.ts';

export type MemoryItem = OutputOf<'sidebar_memory'>['items'][number];

/** A sidebar's memory as a conversation. */
export const printMemory = ({ items, next_cursor: next }: OutputOf<'sidebar_memory'>): string => {
  if (items.length === 0) return 'nothing was said yet\n';
  const lines = items.map((item) => `${messageHead(item)}\n${indented(item.content)}\n`);
  return `${lines.join('\n')}${next === null ? '' : `\nmore: --cursor ${next}\n`}`;
};

/** Who said it, when, and its reference. */
const messageHead = (item: MemoryItem): string => {
  const relevance = item.relevance === null ? '' : `relevance ${item.relevance.toFixed(2)}`;
  return spaced([
    item.ref ?? `entry ${item.seq}`,
    item.exchange_id ?? '',
    minute(item.timestamp),
    item.sender,
    item.in_focus ? 'in focus' : '',
    relevance,
    // A server of an earlier version sends no marks.
    typeof item.local_verification !== 'string' ? '' : markWords(item.mark ?? UNMARKED),
  ]);
};

const UNMARKED = { verification: 'unverified', was: null, disputed: false, marked_at: null } as const;

/** The lines unchanged, indented. */
export const indented = (text: string): string =>
  printable(text)
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
