import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest } from '../../../../tests/afterwards.ts';
import { homeOf, readTextIfThere, type Home } from '../../src/home/home.ts';
import { findServer } from '../../src/home/running-server.ts';
import { readSettings } from '../../src/home/settings.ts';
import { operatorToken } from '../../src/home/token.ts';
import { openBoard } from '../../src/main.ts';
import { HomeInUse, lockHome } from '../../src/threads/lock.ts';

const homeIn = (): Home => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-lock-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
};

const NOBODY = 65_534;
const ONLY_ROOT = 'only root can act as another user';
const isRoot = process.getuid?.() === 0;

const modesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`);

test('[SRV-40] whoever waits gets the lock when it is free; whoever waited too long is told for how long and by whom it is held', async () => {
  const home = homeIn();
  const first = await lockHome(home);
  await expect(lockHome(home)).rejects.toThrow(`another yarnboard works on ${home.folder} (process ${process.pid}); use that one`);
  const late = await lockHome(home, { patience: 120 }).catch((cause: unknown) => cause);
  expect(late).toBeInstanceOf(HomeInUse);
  expect(String(late)).toMatch(/\(process \d+\), and was not done after 0 s;/u);
  const order: number[] = [];
  const waiting = [1, 2, 3, 4, 5].map(async (n) => {
    const lock = await lockHome(home, { patience: 60_000 });
    order.push(n);
    lock.release();
  });
  expect(order).toEqual([]);
  first.release();
  await Promise.all(waiting);
  expect(order.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  expect(readTextIfThere(home.holderFile)).toBeNull();
});

test('[SRV-40] a server is not waited for', async () => {
  const home = homeIn();
  const lock = await lockHome(home);
  writeFileSync(home.serverFile, JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:1', startedAt: '', version: '0', database: '' }));
  // Longer than any test may take.
  await expect(lockHome(home, { patience: 3_600_000 })).rejects.toThrow(HomeInUse);
  lock.release();
});

test('[HOME-1] every file of a home is its owner’s alone, those too that were open to others', async () => {
  const home = homeIn();
  const open = async () => openBoard({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: 'test', programs: null });
  await (await open()).close();
  mkdirSync(join(home.stateFolder, 'checkpoints'), { recursive: true });
  const outside = join(home.folder, '..', 'outside');
  writeFileSync(outside, '');
  chmodSync(outside, 0o644);
  symlinkSync(outside, join(home.folder, 'board/link'));
  for (const folder of [home.folder, join(home.folder, 'board'), home.stateFolder]) chmodSync(folder, 0o777);
  for (const name of ['lock.db', 'operator.token', 'board/board.db']) chmodSync(join(home.folder, name), 0o666);
  writeFileSync(home.settingsFile, '{}', { mode: 0o644 });
  for (const name of ['backups', 'seats', 'heads', 'witness']) {
    mkdirSync(join(home.folder, name), { recursive: true, mode: 0o755 });
    chmodSync(join(home.folder, name), 0o755);
    writeFileSync(join(home.folder, name, 'one'), '', { mode: 0o644 });
  }
  writeFileSync(join(home.folder, 'notes'), '', { mode: 0o644 });
  const board = await open();
  const modes = [...modesBelow(home.folder), ...modesBelow(home.stateFolder)].filter((line) => !/^(?:board\/link|notes) /u.test(line));
  expect(modes.filter((line) => !/ [67]00$/u.test(line))).toEqual([]);
  expect(modes).toEqual(expect.arrayContaining(['lock.db 600', 'board 700', 'board/board.db 600', 'board/board.db-wal 600', 'settings.json 600']));
  expect([home.folder, home.stateFolder].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
  // What a link leads to, and what is not ours, is somebody else's business.
  expect(statSync(outside).mode & 0o777).toBe(0o644);
  expect(statSync(join(home.folder, 'notes')).mode & 0o777).toBe(0o644);
  await board.close();
});

test('[HOME-2] a token, a note of a server and settings that another user put there are not believed', async ({ skip }) => {
  if (!isRoot) skip(ONLY_ROOT);
  const home = homeIn();
  mkdirSync(home.folder);
  const mark = { pid: process.pid, url: 'http://127.0.0.1:1', startedAt: '', version: '0', database: home.database };
  for (const [path, text] of [
    [home.tokenFile, 'chosen-by-somebody-else'],
    [home.serverFile, JSON.stringify(mark)],
    [home.settingsFile, '{}'],
  ] as const) {
    writeFileSync(path, text);
    chownSync(path, NOBODY, NOBODY);
  }
  const lock = await lockHome(home);
  expect(await findServer(home)).toBeNull();
  expect(operatorToken(home)).not.toBe('chosen-by-somebody-else');
  expect(readFileSync(home.tokenFile, 'utf8')).not.toContain('chosen');
  expect(() => readSettings(home)).toThrow('belongs to another user');
  lock.release();
});

test('[HOME-3] a lock that another user holds keeps nobody from starting, and makes nobody believe that a server runs', async ({ skip }) => {
  if (!isRoot) skip(ONLY_ROOT);
  const home = homeIn();
  (await lockHome(home)).release();
  chmodSync(home.folder, 0o755);
  chmodSync(home.lockFile, 0o644);
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
  const program = `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(home.lockFile)}, { readonly: true });
    db.exec('BEGIN'); db.prepare('SELECT * FROM sqlite_master').all(); console.log('held'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['-e', program], { uid: NOBODY, gid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  afterTest(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  writeFileSync(home.serverFile, JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:1', startedAt: '', version: '0', database: '' }));
  expect(await findServer(home)).toBeNull();
  const lock = await lockHome(home);
  await expect(lockHome(home)).rejects.toThrow(HomeInUse);
  lock.release();
  // A file of theirs, too.
  chownSync(home.lockFile, NOBODY, NOBODY);
  (await lockHome(home)).release();
  expect(statSync(home.lockFile)).toMatchObject({ uid: 0 });
});
