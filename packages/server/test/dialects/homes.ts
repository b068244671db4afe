import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';

const Sqlite = createRequire(import.meta.url)('better-sqlite3') as typeof Database; // the package's own types

/** A scenario as its tool has it on a disk: databases are loaded, trees unfolded. */
export type Home = { readonly folder: string; readonly close: () => void };

export const homeOf = (tool: string, scenario: string): Home => {
  const above = mkdtempSync(join(tmpdir(), 'yarnboard-home-'));
  const folder = join(above, tool);
  cpSync(scenario, folder, { recursive: true, filter: (path) => !path.endsWith('expected.json') });
  const [sql, tree] = [join(folder, 'opencode.sql'), join(folder, 'storage.json')];
  if (existsSync(sql)) {
    openDatabase(join(folder, 'opencode.db')).exec(readFileSync(sql, 'utf8')).close();
    rmSync(sql);
  }
  if (existsSync(tree)) {
    // Ours: paths and what the CLI wrote there.
    for (const [path, text] of Object.entries(JSON.parse(readFileSync(tree, 'utf8')) as Record<string, string>)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    rmSync(tree);
  }
  return { folder, close: () => rmSync(above, { recursive: true, force: true }) };
};

/** A database that its tool writes to. */
export const openDatabase = (path: string): Database.Database => {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('foreign_keys = OFF'); // rows are put again in any order
  return database;
};
