import type { Begin } from './anchors.ts';
import { inClass, runEnd, runStart, shape, type Shape } from './shape.ts';
import { isPlaceholder, looksChosen } from './secret-values.ts';

// Passwords on the command line of programs, and in files that such programs read.

const { raw } = String;

/** What a shell takes for one word, without its quotes. */
const ARGUMENT = inClass(raw`\w+/$!@#%^&*~.:?|={},-`);

/** A flag, up to its value, after the name of a program on the same line. */
const given = (programs: string, flags: string, isGlued = false): Shape =>
  shape(
    'password',
    programs
      .replaceAll(' ', '[ ]')
      .replaceAll('|', ' ')
      .replace(/\b7z\b/u, '7z[ .]'),
    raw`(?<![\w-])(?:${programs})(?:\.exe)?(?: (?!${flags})[^\n|;&\s]{1,60}){0,8}? ${flags}${isGlued ? '' : raw`[ =]`}["']?[^\s"'\u0060$-][^\s"'\u0060]{3}`,
    (text, _, end) => {
      const from = end - 4;
      const to = runEnd(text, from, ARGUMENT);
      const value = text.slice(from, to);
      const secret = !isPlaceholder(value) && looksChosen(value.length < 6 ? `${value}__` : value, false);
      return { from, to: secret ? to : from, secret };
    },
  );

/** The name before the colon isn't secret. */
const pair = shape(
  'password',
  'curl wget smbclient',
  raw`(?<![\w-])(?:curl|wget|smbclient)(?: (?!-u|--user|-a|-U)[^\n|;&\s]{1,80}){0,8}? (?:-u|--user|--proxy-user|-a|--auth|-U)[ =]?["']?[\w.@+\\-]{1,64}[:%][^\s"'\u0060]{3}`,
  (text, _, end) => {
    const from = end - 3;
    const to = runEnd(text, from, ARGUMENT);
    const value = text.slice(from, to);
    // Of nothing a mask would be masked again.
    return { from, to, secret: value !== '' && !isPlaceholder(value) && !value.startsWith('$') };
  },
);

const netrc = shape(
  'password',
  'machine',
  raw`machine\s{1,4}[^\s]{1,128}\s{1,8}login\s{1,4}[^\s]{1,128}\s{1,8}password\s{1,4}[^\s]{4}`,
  (text, _, end) => {
    const to = runEnd(text, end - 4, ARGUMENT);
    return { from: end - 4, to, secret: to > end - 4 && !isPlaceholder(text.slice(end - 4, to)) };
  },
);

const HOST = inClass(raw`\w.*-`);

/** The host before the colon. */
const atHost: Begin = (text, at) => {
  const from = runStart(text, at, HOST, 64);
  // If the name is too long, whatever follows a star.
  return HOST[text.charCodeAt(from - 1)] === 1 && text.charAt(from - 1) !== '*' ? text.slice(from, at).indexOf('*') + from + 1 : from;
};

const pgpass = shape(
  'password',
  ':5432: :5433: :6432: :*:',
  raw`(?<![\w.-])[\w.*-]{1,64}:(?:5432|5433|6432|\*):[\w*-]{1,64}:[\w*-]{1,64}:[^\s:"'\u0060]{4}`,
  (text, _, end) => {
    const to = runEnd(text, end - 4, ARGUMENT);
    return { from: end - 4, to, secret: to > end - 4 && !isPlaceholder(text.slice(end - 4, to)) };
  },
  atHost,
);

export const COMMAND_SHAPES: readonly Shape[] = [
  given('mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|7z|7za', '-p', true),
  given('sshpass|docker login|podman login|mongo|mongosh|mongodump|mongorestore|twine upload|az login|sqlcmd', '(?:-p|-P)'),
  given('redis-cli', '(?:-a|--pass)'),
  given('ldapsearch|ldapadd|ldapmodify', '-w'),
  given('openssl', '-(?:pass|passin|passout) (?:pass:)', true),
  pair,
  netrc,
  pgpass,
];
