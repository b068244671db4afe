import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where a board keeps its things. */
export type Home = {
  readonly folder: string;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: string;
  /** The second place: checkpoints of the log, and the key they are signed with. Never inside the home. */
  readonly stateFolder: string;
  readonly lockFile: string;
  readonly serverFile: string;
  readonly tokenFile: string;
  readonly settingsFile: string;
  /** What was decided, folded: a shortcut for the next start. */
  readonly snapshotFile: string;
  /** What the clocks showed last: a clock that is set while no server runs is found out by it. */
  readonly clockFile: string;
};

export type Place = { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string; readonly database?: string | undefined };

/** `YARNBOARD_HOME`, else `~/.yarnboard`; `YARNBOARD_STATE`, else the user's state folder. */
export const homeOf = ({ env, home, database }: Place): Home => {
  const folder = resolve(set(env['YARNBOARD_HOME']) ?? join(home, '.yarnboard'));
  const stateFolder = resolve(set(env['YARNBOARD_STATE']) ?? join(set(env['XDG_STATE_HOME']) ?? join(home, '.local', 'state'), 'yarnboard'));
  return {
    folder,
    database: database ?? `sqlite:${join(folder, 'board', 'board.db')}`,
    stateFolder,
    lockFile: join(folder, 'lock.db'),
    serverFile: join(folder, 'server.json'),
    tokenFile: join(folder, 'operator.token'),
    settingsFile: join(folder, 'settings.json'),
    snapshotFile: join(folder, 'sidebars.snapshot'),
    clockFile: join(folder, 'clock.json'),
  };
};

const set = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** Makes a folder that only its owner may enter. */
export const makePrivateFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
};

/** Writes a file that only its owner may read, whole or not at all. */
export const writePrivateFile = (path: string, text: string): void => {
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text, { mode: 0o600, flush: true });
  renameSync(part, path);
};

export const readTextIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
};
