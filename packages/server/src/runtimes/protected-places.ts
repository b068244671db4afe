import { realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

export type ProtectedPlaces = {
  /** The Yarnboard home: the operator's token, the log, the settings. */
  readonly home: string;
  /** The folder inside the home that belongs to seats. */
  readonly seats: string;
  /** The user's home, with Claude's credentials. */
  readonly userHome: string;
  /** Their location if `CLAUDE_CONFIG_DIR` is set. */
  readonly configured?: string | undefined;
};

/**
 * RT-58: why a seat's request must be refused; null if the operator may be asked. It checks only the input's text and can't know what a program does
 * once it runs.
 */
export const protectionOf =
  ({ home, seats, userHome, configured = '' }: ProtectedPlaces) =>
  (input: Readonly<Record<string, unknown>>, directory: string | null): string | null => {
    const folders = [home, realOf(home)];
    const elsewhere = configured.split(',').filter((one) => one.trim() !== '');
    const files = [...CREDENTIALS.map((name) => join(userHome, name)), ...elsewhere.map((one) => join(one.trim(), '.credentials.json'))];
    for (const text of textsIn(input)) {
      const plain = text.replaceAll(/(?<![\w.])~(?=\/)|\$\{?HOME\}?/gu, userHome);
      const path = realOf(resolve(directory ?? seats, plain));
      const isInHome = folders.some((folder) => isBelow(path, folder)) && !isBelow(path, seats) && !isBelow(path, realOf(seats));
      const isCredential = files.some((file) => path === file || path === realOf(file));
      // Mentioned somewhere in a command.
      const isNamed = [...folders, ...files].some((place) => mentions(plain, place, seats)) || /\boperator\.token\b/u.test(plain);
      if (isInHome || isCredential || isNamed) return REFUSAL;
    }
    return null;
  };

const mentions = (text: string, place: string, seats: string): boolean => {
  for (let at = text.indexOf(place); at >= 0; at = text.indexOf(place, at + 1)) {
    const rest = text.slice(at);
    if (/^[\w-]/u.test(rest.slice(place.length))) continue;
    if (!rest.startsWith(`${seats}${sep}`) || rest.includes('..')) return true;
  }
  return false;
};

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

/** Resolves links in the part of a path that exists. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), path.slice(above.length));
  }
};

/** All strings in an input, at any depth, that say what to access; not the content to write. */
const textsIn = (input: Readonly<Record<string, unknown>>): readonly string[] => {
  const texts: string[] = [];
  const open: unknown[] = [input];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === 'string') texts.push(one.slice(0, LONGEST));
    else if (typeof one === 'object' && one !== null) {
      for (const [key, part] of Object.entries(one)) if (part !== undefined && part !== null && !WRITTEN.has(key)) open.push(part);
    }
  }
  return texts;
};

const REFUSAL = 'No agent may use the Yarnboard home or Claude’s credentials.';
const CREDENTIALS = ['.claude/.credentials.json', '.claude.json', '.config/claude/credentials.json'];
const WRITTEN: ReadonlySet<string> = new Set(['content', 'old_string', 'new_string', 'new_source', 'description', 'prompt']);
const LONGEST = 150_000;
