import { printable, printableLine } from '@yarnboard/transcript';

/** A session's title: on one line, and never empty. */
export const sessionTitle = (title: string | null): string => {
  const line = printableLine(wordsOf(title ?? '')).trim();
  return line === '' ? 'Untitled session' : line;
};

/** PAGE-156: the first prompt without what editors and the CLI prepend; if nothing is left, the file it is about. */
const wordsOf = (title: string): string => {
  if (!title.includes('<')) return title;
  const words = title.replace(WRAPPERS, ' ').replace(TAGS, '$2').trim();
  if (words !== '') return words;
  const file = /(?:opened the file|from) (\S+?):?(?:\s|$)/u.exec(title)?.[1];
  return file === undefined ? '' : `About ${file.split(/[/\\]/u).at(-1) ?? file}`;
};

// Titles are truncated: a tag may lack its end.
const WRAPPERS = /<(ide_\w+|system-reminder|local-command-caveat|command-message|command-contents)>[\s\S]*?(?:<\/\1>|$)/gu;
const TAGS = /<(command-name|command-args|local-command-std(?:out|err)|bash-input|user-memory-input)>([\s\S]*?)(?:<\/\1>|$)/gu;

/** The current activity without its leading emoji: the page has its own icons. */
export const doingText = (doing: string): string => printable(doing).replace(/^\p{Extended_Pictographic}\u{FE0F}?\s+/u, '');
