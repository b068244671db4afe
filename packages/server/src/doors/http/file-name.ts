/** The last part of a path, as a file name that is valid on any machine. */
export const nameOfFile = (path: string): string => {
  const last = path.split(/[/\\]/u).findLast((part) => part !== '') ?? '';
  // Control characters, including those that reverse text direction: a name must not pretend to be another.
  const name = last.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '').slice(0, 200);
  return name === '' || /^\.+$/u.test(name) ? 'file' : name;
};
