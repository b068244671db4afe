/** SHOW-5, CLI-11: control characters of a transcript become visible signs; a terminal must not obey them. Tabs and newlines stay. */
export const printable = (text: string): string =>
  text.replace(/\r$/gmu, '').replace(CONTROL, (sign) => (sign < ' ' ? String.fromCharCode(0x2400 + sign.charCodeAt(0)) : '\ufffd'));

// C0 and C1 codes, and marks that reverse text direction.
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** The same on one line: a title or a file name must not add lines of its own. */
export const printableLine = (text: string): string => printable(text.replace(/\s+/gu, ' ').trim());
