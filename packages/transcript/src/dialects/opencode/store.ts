import type { Access, Kept, KeptLines, KeptSessions } from '../../dialect.ts';
import { isContainer, isDatabase, isRest, nameOf, pathOf, placeOf } from './files.ts';
import { forkOf } from './forks.ts';
import { linesOf } from './lines.ts';
import { databaseRows, newerForm } from './database.ts';
import { strayOf } from './stray.ts';
import { treeRows } from './tree.ts';
import type { SessionRow, SessionRows } from './rows.ts';

/** OPEN-2: the sessions of a database or a tree, each under a path of its own. */
export const opencodeStore: KeptSessions = {
  sessionsIn: (path, names, isNamed, access) => {
    if (names !== null) return keptInTree(path, names, access);
    if (!isDatabase(nameOf(path)) && !(isNamed && path.endsWith('.db'))) return null;
    const problem = newerForm(path, access);
    return problem?.isWhole === true ? { sessions: [], problem: problem.text } : keptIn(path, databaseRows(path, access), problem?.text ?? null);
  },
  holds: (path) => placeOf(path) !== null,
  lookAt: (path, access) => {
    const place = placeOf(path);
    return place === null ? null : rowsIn(place.container, access).look(place.session);
  },
  linesIn: (path, access) => {
    const place = placeOf(path);
    if (place === null) return NOTHING;
    const rows = rowsIn(place.container, access);
    const session = rows.session(place.session);
    if (session === null) return NOTHING;
    if (rows.isBeingWritten(session.id)) return { lines: null, problem: 'some of it is being written just now' };
    const messages = rows.messages(session.id);
    return { lines: linesOf(session, messages, forkOf(session, messages, rows), access.now), problem: null };
  },
  endsOf: (path, access) => {
    const place = placeOf(path);
    const rows = place === null ? null : rowsIn(place.container, access);
    const session = rows?.session(place?.session ?? '') ?? null;
    if (rows === null || session === null) return null;
    const { first, last } = rows.endsOf(session.id);
    // What a fork has copied is only found among everything.
    if (first[0] === undefined || first[0].createdAt < session.createdAt) return null;
    const kept = { ...session, revert: null };
    return { first: linesOf(kept, first, null, access.now), last: linesOf(kept, last, null, access.now) };
  },
  concerns: (path) => {
    const name = nameOf(path);
    return isDatabase(name.replace(/-wal$/u, '')) || (/[/\\]storage[/\\](?:session|message|part)[/\\]/u.test(path) && name.endsWith('.json'));
  },
};

const rowsIn = (container: string, access: Access): SessionRows =>
  nameOf(container) === 'storage' ? treeRows(container, access) : databaseRows(container, access);

const FIRST_TREE = 'unreadable: written by one of the first versions of opencode, which kept each project in its own folder and is not supported';

const NOTHING: KeptLines = { lines: [], problem: null };

/** A tree without its session folder is recognised by what is left in it. */
const keptInTree = (path: string, names: readonly string[], access: Access): Kept | null => {
  // The first versions kept a tree per project; newer versions have migrated the trees they found there.
  if (isContainer(nameOf(path), names) && access.names(`${path}/session`).includes('info')) return { sessions: [], problem: FIRST_TREE };
  if (isContainer(nameOf(path), names)) return keptIn(path, treeRows(path, access), null);
  const kept = isRest(nameOf(path), names) ? keptIn(path, treeRows(path, access), null) : null;
  return kept?.problem === null ? null : kept;
};

const keptIn = (container: string, rows: SessionRows, problem: string | null): Kept => {
  const all = new Map(rows.sessions().map((session) => [session.id, session]));
  const sessions = [...all.values()].flatMap((session) => {
    const look = rows.look(session.id);
    const root = rootOf(session, all);
    const path = pathOf({ container, root: root === session.id ? null : root, session: session.id });
    return look === null ? [] : [{ path, ...look, ...(session.isArchived ? { isArchived: true as const } : {}) }];
  });
  const problems = [problem, strayOf(rows.stray(), nameOf(container) === 'storage' ? 'files' : 'rows')].filter((one) => one !== null);
  return { sessions, problem: problems.length === 0 ? null : problems.join('; ') };
};

/** The root session of a sub-agent's session. If one above is gone, its id stands in; in a cycle, each session is its own root. */
const rootOf = (session: SessionRow, all: ReadonlyMap<string, SessionRow>): string => {
  const seen = new Set<string>();
  let at = session;
  while (at.parentId !== null && !seen.has(at.id)) {
    seen.add(at.id);
    const above = all.get(at.parentId);
    if (above === undefined) return at.parentId;
    at = above;
  }
  return at.parentId === null ? at.id : session.id;
};
