/**
 * What resumes a session in a terminal. Claude Code looks for sessions by the folder it is started in, so the command goes to where this one began
 * (null where nobody knows). It is written for a POSIX shell.
 */
export const resumeCommand = (sessionId: string, folder: string | null): string => {
  const resume = `claude --resume ${shellWord(sessionId)}`;
  if (folder === null || folder === '') return resume;
  // What begins with a dash would be an option, and "-" alone the folder before.
  return `cd ${folder.startsWith('-') ? '-- ./' : ''}${shellWord(folder)} && ${resume}`;
};

/** One word to a shell, whatever it is made of. */
const shellWord = (text: string): string => {
  if (PLAIN.test(text)) return text;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // Pasted as they are, control characters would be keys that somebody presses.
  const visible = text.replace(/[\\']/gu, String.raw`\$&`).replace(UNSEEN_SIGNS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${visible}'`;
};

const PLAIN = /^[\w./:@%+,-]+$/u;
const UNSEEN = /\p{Cc}/u;
const UNSEEN_SIGNS = new RegExp(UNSEEN.source, 'gu');
