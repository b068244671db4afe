/** A reference being typed before the cursor. */
export type ReferenceBegun = { readonly from: number; readonly typed: string };

/** PAGE-641: null if no reference is being typed there. In lower case, only a number may follow: `gold-standard` is a word. */
export const referenceBegun = (text: string, cursor: number): ReferenceBegun | null => {
  const typed = BEGUN.exec(text.slice(Math.max(0, cursor - MOST_BEFORE), cursor))?.[0];
  return typed === undefined ? null : { from: cursor - typed.length, typed };
};

/** The text with the reference completed, and the new cursor position. */
export const withReference = (text: string, { from, typed }: ReferenceBegun, ref: string): { readonly text: string; readonly cursor: number } => {
  const before = `${text.slice(0, from)}${ref} `;
  return { text: `${before}${text.slice(from + typed.length).replace(/^ /u, '')}`, cursor: before.length };
};

const BEGUN = /(?<![\p{L}\p{N}_:@#./-])(?:(?:MSG|GOLD|SB|SCRATCH)-[\p{L}\p{N}_:-]{0,80}|(?:msg|gold|sb|scratch)-\d{0,15})$/u;
const MOST_BEFORE = 100;
