/**
 * Text in a form that databases can store. Transcripts have NUL, which PostgreSQL refuses, and halves of surrogate pairs, which both would replace:
 * what comes back would not be what was hashed. Each becomes a private character with its four digits, and so does that character itself.
 */
export const storedOf = (text: string): string =>
  UNSTORABLE.test(text) ? text.replaceAll(EVERY_UNSTORABLE, (unit) => `${MARK}${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;

export const textFrom = (stored: string): string =>
  stored.includes(MARK) ? stored.replaceAll(STORED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))) : stored;

export const storedOrNull = (text: string | null): string | null => (text === null ? null : storedOf(text));

export const textOrNull = (stored: string | null): string | null => (stored === null ? null : textFrom(stored));

/** A list as one text; an empty list is null. */
export const listText = (list: readonly string[]): string | null => (list.length === 0 ? null : JSON.stringify(list));

// A text edited by hand may not parse; it then reads as something no chain agrees with.
export const listFrom = (text: string | null): readonly string[] => {
  if (text === null) return NONE;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? (list as readonly string[]) : [text]; // we wrote it
  } catch {
    return [text];
  }
};

const NONE: readonly string[] = [];
const MARK = '\ue000';
// With the flag u, \p{Cs} is an unpaired half.
const UNSTORABLE = /[\0\ue000\p{Cs}]/u;
const EVERY_UNSTORABLE = new RegExp(UNSTORABLE.source, 'gu');
const STORED = /\ue000([0-9a-f]{4})/gu;
