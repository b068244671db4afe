/** A command to run in a folder (null if unknown), for a POSIX shell. */
export const startedIn = (folder: string | null, command: string): string => {
  if (folder === null || folder === '') return command;
  // A leading dash would make it an option, and "-" alone means the previous folder.
  return `cd ${folder.startsWith('-') ? '-- ./' : ''}${shellWord(folder)} && ${command}`;
};

/** Quotes any text as one shell word. */
export const shellWord = (text: string): string => {
  if (PLAIN.test(text)) return text;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // Pasted raw, control characters would act as key presses.
  const visible = text.replace(/[\\']/gu, String.raw`\$&`).replace(UNSEEN_SIGNS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${visible}'`;
};

const PLAIN = /^[\w./:@%+,-]+$/u;
const UNSEEN = /\p{Cc}/u;
const UNSEEN_SIGNS = new RegExp(UNSEEN.source, 'gu');
