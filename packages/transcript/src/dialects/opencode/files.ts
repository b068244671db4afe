import type { FileRole } from '../../dialect.ts';

/** OPEN-1: a session goes by the path of what it is kept in and its id; a sub-agent's also by that of the session it belongs to. */
export const classifyPath = (path: string): FileRole => {
  const place = placeOf(path);
  if (place === null) return { role: 'foreign', reason: 'not a session of opencode', ...(BESIDE.test(path) ? { isKnown: true } : {}) };
  const { root, session } = place;
  return root === null ? { role: 'main', sessionId: session } : { role: 'agent', agentId: session, sessionId: root };
};

export type SessionPlace = { readonly container: string; readonly root: string | null; readonly session: string };

/** Where a session is kept; null for a path that is none. */
export const placeOf = (path: string): SessionPlace | null => {
  const [, container, root, session] = /^(.+?[/\\](?:[^/\\]+\.db|storage))[/\\](?:(ses_\w+)[/\\])?(ses_\w+)$/u.exec(path) ?? [];
  return container === undefined || session === undefined ? null : { container, root: root ?? null, session };
};

export const pathOf = ({ container, root, session }: SessionPlace): string => [container, ...(root === null ? [] : [root]), session].join('/');

/** Also what builds of other channels write. */
export const isDatabase = (name: string): boolean => /^opencode(?:-[\w.-]+)?\.db$/u.test(name);

/** The root of a tree of files. */
export const isContainer = (folder: string, names: readonly string[]): boolean => folder === 'storage' && names.includes('session');

/** What may be left of such a tree. */
export const isRest = (folder: string, names: readonly string[]): boolean =>
  folder === 'storage' && (names.includes('message') || names.includes('part'));

export const nameOf = (path: string): string => path.split(/[/\\]/u).at(-1) ?? '';

/** Which folders it was used in, how far its own tree has been moved to a newer form, and what belongs to its database. */
const BESIDE = /[/\\]storage[/\\](?:project[/\\][^/\\]+\.json|migration)$|[/\\]opencode[^/\\]*\.db-(?:wal|shm|journal)$/u;
