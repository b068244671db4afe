/** The last part of a path, as a file may be called on anybody's machine. */
export const nameOfFile = (path: string): string => {
  const last = path.split(/[/\\]/u).findLast((part) => part !== '') ?? '';
  // Control characters, also those that turn the direction of what follows: a name must not pretend to be another.
  const name = last.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '').slice(0, 200);
  return name === '' || /^\.+$/u.test(name) ? 'file' : name;
};
