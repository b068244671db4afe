import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where a board keeps its things. */
export type Home = {
  readonly folder: string;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly database: string;
  /** The second place: checkpoints of the log, and the key they are signed with. Never inside the home. */
  readonly stateFolder: string;
  readonly lockFile: string;
  /** Which process holds the lock. */
  readonly holderFile: string;
  readonly serverFile: string;
  readonly tokenFile: string;
  readonly settingsFile: string;
  /** What was decided, folded: a shortcut for the next start. */
  readonly snapshotFile: string;
  /** What the clocks showed last: a clock that is set while no server runs is found out by it. */
  readonly clockFile: string;
  /** REC-16: that the last server stopped as it should. */
  readonly stoppedFile: string;
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

/** Makes a folder that only its owner may enter. */
export const makePrivateFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
};

/** Writes a file that only its owner may read, whole or not at all. */
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

/** The text of a file of ours; null when there is none. HOME-2: a file that somebody else put there says nothing. */
export const readTextIfThere = (path: string): string | null => {
  try {
    return isForeign(path) ? null : readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
};

/** HOME-2: whether a file belongs to another user. Root's are anybody's; root itself works for whoever owns the folder. */
export const isForeign = (path: string): boolean => {
  const me = process.getuid?.();
  if (me === undefined) return false;
  const { uid } = lstatSync(path);
  return uid !== me && uid !== 0 && (me !== 0 || uid !== lstatSync(dirname(path)).uid);
};

/** HOME-1: takes away from others what they may do with what Yarnboard keeps in a home, whoever made it and however. */
export const closeToOthers = ({ folder, stateFolder }: Home): void => {
  for (const path of [folder, stateFolder]) closeOne(path);
  for (const name of KEPT) closeBelow(join(folder, name));
  for (const name of WITNESSES) closeBelow(join(stateFolder, name));
};

const closeBelow = (path: string): void => {
  if (closeOne(path)) for (const name of readdirSync(path)) closeBelow(join(path, name));
};

/** Whether it is a folder of ours, to be looked into. */
const closeOne = (path: string): boolean => {
  try {
    const stats = lstatSync(path);
    // A folder in which everybody makes files was chosen for a home by mistake, and is not ours to close.
    if (stats.isSymbolicLink() || (stats.mode & STICKY) !== 0) return false;
    if ((stats.mode & 0o077) !== 0) chmodSync(path, stats.mode & 0o700);
    return stats.isDirectory();
  } catch {
    return false; // not there, or another user's, which is not believed
  }
};

const STICKY = 0o1000;
// By name: whoever calls a folder of other things home keeps them as they are.
const KEPT =
  'board backups launches told seats heads witness lock.db lock.pid server.json operator.token settings.json sidebars.snapshot clock.json embedding.json home.id emergency stopped.json'.split(
    ' ',
  );
const WITNESSES = ['checkpoints', 'signing-key.pem', 'emergency'];
