/** The name being typed after an @ at the cursor; null if there is none. */
export type MentionAt = { readonly from: number; readonly typed: string };

export const mentionAt = (text: string, cursor: number): MentionAt | null => {
  const found = /(?<![\w@./-])@([\w.-]{0,64})$/u.exec(text.slice(0, cursor));
  return found === null ? null : { from: found.index, typed: found[1] ?? '' };
};

/** The text with the name completed, and the new cursor position. */
export const withMention = (text: string, { from, typed }: MentionAt, name: string): { readonly text: string; readonly cursor: number } => {
  const before = `${text.slice(0, from)}@${name} `;
  const after = text.slice(from + 1 + typed.length).replace(/^ /u, '');
  return { text: `${before}${after}`, cursor: before.length };
};

/** First the names that begin with the typed text, then those that contain it. */
export const namesFitting = (names: readonly string[], typed: string): readonly string[] => {
  const wanted = typed.toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  return [
    ...fitting.filter((name) => name.toLowerCase().startsWith(wanted)),
    ...fitting.filter((name) => !name.toLowerCase().startsWith(wanted)),
  ].slice(0, MOST_OFFERED);
};

const MOST_OFFERED = 8;
