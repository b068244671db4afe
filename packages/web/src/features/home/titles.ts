import { printable, printableLine } from '@yarnboard/transcript';

/** A session by the name people know it by: on one line, and never nothing. */
export const sessionTitle = (title: string | null): string => {
  const line = printableLine(title ?? '');
  return line === '' ? 'Untitled session' : line;
};

/** What is being done, without the sign in front of it: the page has icons of its own. */
export const doingText = (doing: string): string => printable(doing).replace(/^\p{Extended_Pictographic}\u{FE0F}?\s+/u, '');
