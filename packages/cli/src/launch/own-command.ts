/** How to call this program from anywhere. */
export const ownWords = (...words: readonly string[]): readonly string[] => {
  // A debugger is for us, not for the programs we start.
  const options = process.execArgv.filter((option) => !option.startsWith('--inspect'));
  return [process.execPath, ...options, process.argv[1] ?? '', ...words];
};

/** For a POSIX shell, with which Claude Code calls hooks. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
