import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export type ClaudePlaces = { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string };

export type FoundClaude = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string };

/** LAUNCH-2: finds the user's own `claude`, never Yarnboard itself; `own` is the program that runs now. */
export const findClaude = ({ env, home }: ClaudePlaces, own: string): FoundClaude => {
  const named = env['YARNBOARD_CLAUDE'] ?? '';
  if (named !== '') {
    const path = resolve(named);
    if (isClaude(path, own)) return { ok: true, path };
    return {
      ok: false,
      why: `YARNBOARD_CLAUDE is "${named}", which is no program that can be run as claude; correct it, or leave it out to look in PATH`,
    };
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  // Where Claude Code's installers put it. A shell may know it only as an alias, which other programs don't see.
  const others = [join(home, '.local', 'bin'), join(home, '.claude', 'local')];
  const path = [...folders, ...others].map((folder) => resolve(folder, 'claude')).find((one) => isClaude(one, own));
  if (path !== undefined) return { ok: true, path };
  return {
    ok: false,
    why: 'found no `claude` in PATH; install it with `npm install -g @anthropic-ai/claude-code`, or set YARNBOARD_CLAUDE to where it is, and try again',
  };
};

const isClaude = (path: string, own: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && realpathSync(path) !== realpathSync(own) && !isWrapper(path);
  } catch {
    return false;
  }
};

/** A user's script that calls us: we would call each other forever. */
const isWrapper = (path: string): boolean => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD);
    const text = head.toString('latin1', 0, readSync(file, head, 0, HEAD, 0));
    return text.startsWith('#!') && /\byarnboard(?:\.mjs)?['"]?\s+claude\b/u.test(text);
  } finally {
    closeSync(file);
  }
};

const HEAD = 4096;
