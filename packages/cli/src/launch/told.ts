import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a session has been told already, so that it is told once: ids of sidebars and references of waypoints. */
export type ToldBefore = ReadonlySet<string>;

export const toldFolderOf = (home: string): string => join(home, 'told');

/** An id becomes a file name, so nothing else may be in it. */
export const canRemember = (sessionId: string): boolean => /^[\w-]{1,100}$/u.test(sessionId);

export const toldBefore = (home: string, sessionId: string): ToldBefore => {
  try {
    const ids: unknown = JSON.parse(readFileSync(fileOf(home, sessionId), 'utf8'));
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set(); // at worst, it is told again
  }
};

/** Notes what was told. The oldest entries make room: neither a session's file nor the folder grows forever. */
export const rememberTold = (home: string, sessionId: string, ids: Iterable<string>): void => {
  const folder = toldFolderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = fileOf(home, sessionId);
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify([...ids].slice(-MOST_IDS))}\n`, { mode: 0o600 });
  renameSync(part, path);
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= MOST_SESSIONS) return;
  const byAge = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 })).sort((a, b) => a.at - b.at);
  for (const { file } of byAge.slice(0, files.length - MOST_SESSIONS)) rmSync(file, { force: true });
};

const fileOf = (home: string, sessionId: string): string => join(toldFolderOf(home), `${sessionId}.json`);

const MOST_IDS = 500;
const MOST_SESSIONS = 200;
