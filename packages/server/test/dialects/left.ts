import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SkippedFile } from '@yarnboard/transcript';
import { openDatabase } from './homes.ts';

/** OPEN-12: what belongs to no session or message that is there, counted without the dialect, and as it is named. */
export const leftOf = (
  folder: string,
  read: ReadonlySet<string>,
  skipped: readonly SkippedFile[],
): { readonly found: number; readonly named: number } => {
  const containers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /^opencode.*\.db$/u.test(basename(path)) || (basename(path) === 'storage' && existsSync(join(path, 'part'))));
  return {
    found: containers.reduce((sum, container) => sum + (container.endsWith('.db') ? leftInDatabase(container) : leftInTree(container, read)), 0),
    named: skipped.reduce((sum, { reason }) => sum + namedIn(reason), 0),
  };
};

const namedIn = (reason: string): number => {
  const [, messages = '0', parts = '0'] = /(\d+) messages? and (\d+) parts? are left of them/u.exec(reason) ?? [];
  const [, alone = '0'] = /not a part of any message of its session, as after a revert: (\d+) of/u.exec(reason) ?? [];
  return Number(messages) + Number(parts) + Number(alone);
};

const leftInDatabase = (path: string): number => {
  const database = openDatabase(path);
  try {
    const idsOf = (sql: string): ReadonlySet<string> =>
      new Set((database.prepare(sql).all() as readonly { readonly id: string }[]).map(({ id }) => id)); // rows are objects
    const sessions = idsOf('SELECT id FROM session');
    const messages = database.prepare('SELECT id, session_id AS above FROM message').all() as readonly Row[]; // as it was asked for
    const placed = new Set(messages.filter(({ above }) => sessions.has(above)).map(({ id, above }) => `${above}/${id}`));
    const parts = database.prepare("SELECT id, session_id || '/' || message_id AS above FROM part").all() as readonly Row[]; // as it was asked for
    return messages.length - placed.size + parts.filter(({ above }) => !placed.has(above)).length;
  } finally {
    database.close();
  }
};

type Row = { readonly id: string; readonly above: string };

const leftInTree = (storage: string, read: ReadonlySet<string>): number => {
  const sessions = new Set([...read].filter((path) => dirname(path).startsWith(storage)).map((path) => basename(path)));
  const below = (kind: string): readonly Row[] =>
    namesIn(join(storage, kind)).flatMap((above) => namesIn(join(storage, kind, above)).map((name) => ({ id: name.replace(/\.json$/u, ''), above })));
  const messages = below('message');
  const placed = new Set(messages.filter(({ above }) => sessions.has(above)).map(({ id }) => id));
  return messages.filter(({ above }) => !sessions.has(above)).length + below('part').filter(({ above }) => !placed.has(above)).length;
};

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
