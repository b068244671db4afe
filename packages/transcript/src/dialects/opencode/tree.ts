import type { Access, Look } from '../../dialect.ts';
import { objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { byId, inOrder, instantOf, revertOf, type MessageRow, type SessionRow, type SessionRows } from './rows.ts';

/** The tree of files of versions up to 1.1: one file for each session, message and part. */
export const treeRows = (storage: string, access: Access): SessionRows => {
  const read = (path: string): JsonObject | null => objectOf(parseJson(access.text(path) ?? ''));

  const fileOf = (id: string): string | null =>
    access
      .names(`${storage}/session`)
      .map((project) => `${storage}/session/${project}/${id}.json`)
      .find((path) => access.look(path) !== null) ?? null;

  const sessions = (): readonly SessionRow[] =>
    inOrder(
      access
        .names(`${storage}/session`)
        .flatMap((project) => access.names(`${storage}/session/${project}`).map((name) => `${storage}/session/${project}/${name}`))
        .flatMap((path) => {
          const row = path.endsWith('.json') ? read(path) : null;
          return row === null || !/^ses_\w+$/u.test(stringOf(row['id']) ?? '') ? [] : [sessionOf(row)];
        }),
    );

  const messageFiles = (id: string): readonly string[] => access.names(`${storage}/message/${id}`).filter((name) => name.endsWith('.json'));

  const messageOf = (id: string, name: string): MessageRow | null => {
    const { id: own, sessionID: _session, ...data } = read(`${storage}/message/${id}/${name}`) ?? {};
    if (typeof own !== 'string') return null;
    const parts = access.names(`${storage}/part/${own}`).flatMap((file) => {
      const { id: part, sessionID: _of, messageID: _in, ...rest } = read(`${storage}/part/${own}/${file}`) ?? {};
      return typeof part === 'string' ? [{ id: part, createdAt: Number.NaN, data: rest }] : [];
    });
    return { id: own, createdAt: instantOf(objectOf(data['time'])?.['created']), data, parts: byId(parts) };
  };

  const looks = (paths: readonly string[]): readonly Look[] => paths.flatMap((path) => access.look(path) ?? []);

  return {
    sessions,
    session: (id) => {
      const path = fileOf(id);
      const row = path === null ? null : read(path);
      return row === null ? null : sessionOf(row);
    },
    messages: (id) => inOrder(messageFiles(id).flatMap((name) => messageOf(id, name) ?? [])),
    look: (id) => {
      const path = fileOf(id);
      if (path === null) return null;
      const files = messageFiles(id);
      // Names of messages go up: what is being written is in the last ones.
      const recent = [...files].sort().slice(-RECENT);
      const parts = recent.flatMap((name) => {
        const folder = `${storage}/part/${name.replace(/\.json$/u, '')}`;
        return access.names(folder).map((part) => `${folder}/${part}`);
      });
      const seen = looks([path, ...recent.map((name) => `${storage}/message/${id}/${name}`), ...parts]);
      return { bytes: 1 + files.length + parts.length, modified: seen.reduce((latest, { modified }) => Math.max(latest, modified), 0) };
    },
    begunWith: (instant) =>
      sessions().filter(({ id }) => inOrder(messageFiles(id).flatMap((name) => messageOf(id, name) ?? []))[0]?.createdAt === instant),
  };
};

const sessionOf = (row: JsonObject): SessionRow => ({
  id: stringOf(row['id']) ?? '',
  parentId: stringOf(row['parentID']),
  directory: stringOf(row['directory']),
  title: stringOf(row['title']),
  version: stringOf(row['version']),
  createdAt: instantOf(objectOf(row['time'])?.['created']),
  isArchived: Number.isFinite(instantOf(objectOf(row['time'])?.['archived'])),
  revert: revertOf(row['revert']),
});

const RECENT = 4;
