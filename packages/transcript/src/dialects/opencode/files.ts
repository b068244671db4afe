import type { FileRole } from '../../dialect.ts';

/** OPEN-1: a session's path is that of its container plus its id; a sub-agent's also includes the id of its root session. */
export const classifyPath = (path: string): FileRole => {
  const place = placeOf(path);
  if (place === null) return { role: 'foreign', reason: 'not a session of opencode', ...(BESIDE.test(path) ? { isKnown: true } : {}) };
  const { root, session } = place;
  return root === null ? { role: 'main', sessionId: session } : { role: 'agent', agentId: session, sessionId: root };
};

export type SessionPlace = { readonly container: string; readonly root: string | null; readonly session: string };

/** The parts of a session's path; null for any other path. */
export const placeOf = (path: string): SessionPlace | null => {
  const [, container, root, session] = /^(.+?[/\\](?:[^/\\]+\.db|storage))[/\\](?:(ses_\w+)[/\\])?(ses_\w+)$/u.exec(path) ?? [];
  return container === undefined || session === undefined ? null : { container, root: root ?? null, session };
};

export const pathOf = ({ container, root, session }: SessionPlace): string => [container, ...(root === null ? [] : [root]), session].join('/');

/** Includes the databases of builds from other release channels. */
export const isDatabase = (name: string): boolean => /^opencode(?:-[\w.-]+)?\.db$/u.test(name);

/** The root of a file tree. */
export const isContainer = (folder: string, names: readonly string[]): boolean => folder === 'storage' && names.includes('session');

/** What may be left of a broken tree. */
export const isRest = (folder: string, names: readonly string[]): boolean =>
  folder === 'storage' && (names.includes('message') || names.includes('part'));

export const nameOf = (path: string): string => path.split(/[/\\]/u).at(-1) ?? '';

/** Files about the folders it was used in and the migration of its tree, and the companions of its database. */
const BESIDE = /[/\\]storage[/\\](?:project[/\\][^/\\]+\.json|migration)$|[/\\]opencode[^/\\]*\.db-(?:wal|shm|journal)$/u;
