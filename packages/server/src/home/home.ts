import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The files of a board. */
export type Home = {
  readonly folder: string;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: string;
  /** The second place: checkpoints of the log, and their signing key. Never inside the home. */
  readonly stateFolder: string;
  readonly lockFile: string;
  /** The process that holds the lock. */
  readonly holderFile: string;
  readonly serverFile: string;
  readonly tokenFile: string;
  readonly settingsFile: string;
  /** The folded decisions: a shortcut for the next start. */
  readonly snapshotFile: string;
  /** The last readings of the clocks, to detect a clock that was set while no server was running. */
  readonly clockFile: string;
  /** REC-16: says that the last server stopped properly. */
  readonly stoppedFile: string;
};

export type Place = { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string; readonly database?: string | undefined };

/** `YARNBOARD_HOME`, otherwise `~/.yarnboard`; `YARNBOARD_STATE`, otherwise the user's state folder. */
export const homeOf = ({ env, home, database }: Place): Home => {
  const folder = resolve(set(env['YARNBOARD_HOME']) ?? join(home, '.yarnboard'));
  const stateFolder = resolve(set(env['YARNBOARD_STATE']) ?? join(set(env['XDG_STATE_HOME']) ?? join(home, '.local', 'state'), 'yarnboard'));
  return {
    folder,
    database: database ?? `sqlite:${join(folder, 'board', 'board.db')}`,
    stateFolder,
    lockFile: join(folder, 'lock.db'),
    holderFile: join(folder, 'lock.pid'),
    serverFile: join(folder, 'server.json'),
    tokenFile: join(folder, 'operator.token'),
    settingsFile: join(folder, 'settings.json'),
    snapshotFile: join(folder, 'sidebars.snapshot'),
    clockFile: join(folder, 'clock.json'),
    stoppedFile: join(folder, 'stopped.json'),
  };
};

const set = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** Makes a folder that only its owner can enter. */
export const makePrivateFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
};

/** Writes a file that only its owner can read, atomically. */
export const writePrivateFile = (path: string, text: string): void => {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { mode: 0o600, flush: true });
    renameSync(part, path);
  } catch (cause) {
    rmSync(part, { force: true });
    throw cause;
  }
};

/** The text of one of our files; null if there is none. HOME-2: a file from another user proves nothing. */
export const readTextIfThere = (path: string): string | null => {
  try {
    return isForeign(path) ? null : readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
};

/** HOME-2: whether a file belongs to another user. Root's files are acceptable to anyone; root itself acts for the folder's owner. */
export const isForeign = (path: string): boolean => {
  const me = process.getuid?.();
  if (me === undefined) return false;
  const { uid } = lstatSync(path);
  return uid !== me && uid !== 0 && (me !== 0 || uid !== lstatSync(dirname(path)).uid);
};

/** HOME-1: removes others' permissions on Yarnboard's files in a home, whoever created them. */
export const closeToOthers = ({ folder, stateFolder }: Home): void => {
  for (const path of [folder, stateFolder]) closeOne(path);
  for (const name of KEPT) closeBelow(join(folder, name));
  for (const name of WITNESSES) closeBelow(join(stateFolder, name));
};

const closeBelow = (path: string): void => {
  if (closeOne(path)) for (const name of readdirSync(path)) closeBelow(join(path, name));
};

/** Whether it is a folder of ours, to be searched. */
const closeOne = (path: string): boolean => {
  try {
    const stats = lstatSync(path);
    // A world-writable folder was chosen as a home by mistake, and isn't ours to close.
    if (stats.isSymbolicLink() || (stats.mode & STICKY) !== 0) return false;
    if ((stats.mode & 0o077) !== 0) chmodSync(path, stats.mode & 0o700);
    return stats.isDirectory();
  } catch {
    return false; // missing, or another user's, which isn't trusted
  }
};

const STICKY = 0o1000;
// By name: other files in a folder used as home stay as they are.
const KEPT =
  'board backups launches told seats heads witness lock.db lock.pid server.json operator.token settings.json sidebars.snapshot clock.json embedding.json home.id emergency stopped.json'.split(
    ' ',
  );
const WITNESSES = ['checkpoints', 'signing-key.pem', 'emergency'];
