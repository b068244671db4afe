/** A command that is started in a folder (null where nobody knows it). It is written for a POSIX shell. */
export const startedIn = (folder: string | null, command: string): string => {
  if (folder === null || folder === '') return command;
  // What begins with a dash would be an option, and "-" alone the folder before.
  return `cd ${folder.startsWith('-') ? '-- ./' : ''}${shellWord(folder)} && ${command}`;
};

/** One word to a shell, whatever it is made of. */
export const shellWord = (text: string): string => {
  if (PLAIN.test(text)) return text;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // Pasted as they are, control characters would be keys that somebody presses.
  const visible = text.replace(/[\\']/gu, String.raw`\$&`).replace(UNSEEN_SIGNS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${visible}'`;
};

const PLAIN = /^[\w./:@%+,-]+$/u;
const UNSEEN = /\p{Cc}/u;
const UNSEEN_SIGNS = new RegExp(UNSEEN.source, 'gu');
