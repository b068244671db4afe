import { structuredPatch } from 'diff';

export type DiffRow =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }
  | { readonly kind: 'added'; readonly after: number; readonly text: string }
  /** Lines that are equal on both sides and omitted. */
  | { readonly kind: 'gap'; readonly lines: number };

/** A piece of a patch: its start on both sides, and its lines, each with a sign. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly lines: readonly string[];
};

/** The changes of a text, line by line, with some unchanged context. Line numbers begin at `firstLine`. */
export const lineDiff = (before: string, after: string, firstLine = 1): readonly DiffRow[] => {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT, maxEditLength: MOST_EDITS, timeout: PATIENCE_MS });
  // Too different to compare in time: all of one, then all of the other.
  if (patch === undefined) return [...whole(before, 'removed', firstLine), ...whole(after, 'added', firstLine)];
  return patchRows(patch.hunks, firstLine);
};

/** The rows of a patch, which has the line numbers of its file. */
export const patchRows = (hunks: readonly Hunk[], firstLine = 1): readonly DiffRow[] => {
  const rows: DiffRow[] = [];
  let reached = 1;
  for (const { oldStart, newStart, oldLines, lines } of hunks) {
    // A hunk without old lines names the line before it.
    const start = oldLines === 0 ? oldStart + 1 : oldStart;
    if (start > reached && rows.length > 0) rows.push({ kind: 'gap', lines: start - reached });
    let left = oldStart + firstLine - 1;
    let right = newStart + firstLine - 1;
    for (const line of lines) {
      const text = line.slice(1);
      if (line.startsWith('-')) rows.push({ kind: 'removed', before: left++, text });
      else if (line.startsWith('+')) rows.push({ kind: 'added', after: right++, text });
      else if (line.startsWith(' ')) rows.push({ kind: 'same', before: left++, after: right++, text });
    }
    reached = start + oldLines;
  }
  return rows;
};

const whole = (text: string, kind: 'removed' | 'added', firstLine: number): readonly DiffRow[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/u, '')
        .split('\n')
        .map((line, n): DiffRow => (kind === 'removed' ? { kind, before: firstLine + n, text: line } : { kind, after: firstLine + n, text: line }));

const CONTEXT = 3;
const MOST_EDITS = 2000;
const PATIENCE_MS = 100;
