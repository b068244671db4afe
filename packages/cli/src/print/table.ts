import { printable } from '@yarnboard/transcript';
import stringWidth from 'string-width';

export type TableLayout = {
  /** Width of the terminal. */
  readonly columns: number;
  /** The column that shrinks when the table is too wide. */
  readonly flexible: number;
};

/** Columns of text under a head; a head that begins with ">" is right-aligned. Control characters never reach the terminal. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], layout?: TableLayout): string => {
  const titles = head.map((title) => title.replace(/^>/u, ''));
  const cells = [titles, ...rows].map((row) => row.map(clean));
  const widths = titles.map((_, at) => Math.max(...cells.map((row) => width(row[at] ?? ''))));
  if (layout !== undefined) {
    const total = widths.reduce((sum, one) => sum + one + 2, -2);
    const current = widths[layout.flexible] ?? 0;
    widths[layout.flexible] = Math.max(Math.min(current, 16), current - Math.max(0, total - layout.columns));
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => fit(cell, widths[at] ?? 0, head[at]?.startsWith('>') === true))
      .join('  ')
      .trimEnd();
  return `${cells.map(line).join('\n')}\n`;
};

const fit = (text: string, wanted: number, toRight: boolean): string => {
  const cut = width(text) <= wanted ? text : cutTo(text, wanted);
  const space = ' '.repeat(Math.max(0, wanted - width(cut)));
  return toRight ? space + cut : cut + space;
};

const cutTo = (text: string, wanted: number): string => {
  let cut = '';
  for (const { segment } of SEGMENTER.segment(text)) {
    if (width(cut) + width(segment) >= wanted) break;
    cut += segment;
  }
  return `${cut}…`;
};

// Chinese, Japanese and Korean characters are two columns wide.
const width = (text: string): number => stringWidth(text);

const SEGMENTER = new Intl.Segmenter();

const clean = (text: string): string => printable(text.replace(/\s+/gu, ' ').trim());
