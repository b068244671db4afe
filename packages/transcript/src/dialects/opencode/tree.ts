import type { Access, Look } from '../../dialect.ts';
import { objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { byId, FIRST, inOrder, instantOf, revertOf, type MessageRow, type SessionRow, type SessionRows, type Stray } from './rows.ts';

/** The file tree of versions up to 1.1: one file per session, message and part. */
export const treeRows = (storage: string, access: Access): SessionRows => {
  const read = (path: string): JsonObject | null => objectOf(parseJson(access.text(path) ?? ''));

  const fileOf = (id: string): string | null =>
    access
      .names(`${storage}/session`)
      .map((project) => `${storage}/session/${project}/${id}.json`)
      .find((path) => access.look(path) !== null) ?? null;

  const sessionFiles = (): readonly { readonly name: string; readonly row: SessionRow | null }[] =>
    access
      .names(`${storage}/session`)
      .flatMap((project) => access.names(`${storage}/session/${project}`).map((name) => ({ name, path: `${storage}/session/${project}/${name}` })))
      .filter(({ name }) => name.endsWith('.json'))
      .map(({ name, path }) => {
        const row = read(path);
        return { name: withoutEnding(name), row: row === null || !/^ses_\w+$/u.test(stringOf(row['id']) ?? '') ? null : sessionOf(row) };
      });

  const sessions = (): readonly SessionRow[] => inOrder(sessionFiles().flatMap(({ row }) => row ?? []));

  const messageFiles = (id: string): readonly string[] => access.names(`${storage}/message/${id}`).filter((name) => name.endsWith('.json'));

  /** The contents of a file; invalid JSON is kept as it is. Null if the file is gone. */
  const readAll = (path: string): JsonObject | null => {
    const text = access.text(path);
    return text === null ? null : (objectOf(parseJson(text)) ?? { unreadable: text });
  };

  const messageOf = (id: string, name: string): MessageRow | null => {
    const read = readAll(`${storage}/message/${id}/${name}`);
    if (read === null) return null;
    const { id: named, sessionID: _session, ...data } = read;
    const own = stringOf(named) ?? withoutEnding(name);
    const folder = `${storage}/part/${withoutEnding(name)}`;
    const parts = access.names(folder).flatMap((file) => {
      const found = readAll(`${folder}/${file}`);
      if (found === null) return [];
      const { id: part, sessionID: _of, messageID: _in, ...rest } = found;
      return [{ id: stringOf(part) ?? withoutEnding(file), createdAt: Number.NaN, data: rest }];
    });
    return { id: own, createdAt: instantOf(objectOf(data['time'])?.['created']), data, parts: byId(parts) };
  };

  const filesOf = (id: string): readonly string[] =>
    messageFiles(id).flatMap((name) => {
      const folder = `${storage}/part/${withoutEnding(name)}`;
      return [`${storage}/message/${id}/${name}`, ...access.names(folder).map((part) => `${folder}/${part}`)];
    });

  const partFiles = (message: string): readonly string[] => access.names(`${storage}/part/${message}`);

  /** The session that a message's parts say they belong to. */
  const sessionOfParts = (message: string): string | null => {
    for (const file of partFiles(message)) {
      const named = stringOf(read(`${storage}/part/${message}/${file}`)?.['sessionID']);
      if (named !== null) return named;
    }
    return null;
  };

  const stray = (): Stray => {
    // opencode writes a message before its parts, so every message whose parts are listed here exists already.
    const withParts = access.names(`${storage}/part`);
    const folders = access.names(`${storage}/message`).map((id) => ({ id, messages: messageFiles(id).map(withoutEnding) }));
    const files = sessionFiles();
    const known = new Set(files.flatMap(({ row }) => row?.id ?? []));
    const placed = new Map(folders.flatMap(({ id, messages }) => messages.map((message) => [message, id])));
    const sessions = new Set(files.flatMap(({ name, row }) => (row === null ? [name] : [])));
    const gone = new Map<string, number>();
    let [messages, parts] = [0, 0];
    for (const folder of folders) {
      if (known.has(folder.id) || folder.messages.length === 0) continue;
      sessions.add(folder.id);
      messages += folder.messages.length;
    }
    for (const message of withParts) {
      const above = placed.get(message);
      if (above !== undefined && known.has(above)) continue;
      const many = partFiles(message).length;
      if (many === 0) continue;
      const session = above ?? sessionOfParts(message);
      if (session !== null && known.has(session)) gone.set(message, many);
      else {
        sessions.add(session ?? `that of ${message}`);
        parts += many;
      }
    }
    return { sessions, messages, parts, gone };
  };

  const isHalf = (path: string): boolean =>
    access.now - (access.look(path)?.modified ?? 0) < JUST_NOW && objectOf(parseJson(access.text(path) ?? '{}')) === null;

  const looks = (paths: readonly string[]): readonly Look[] => paths.flatMap((path) => access.look(path) ?? []);

  // The names of messages ascend with their times.
  const messagesOf = (id: string, names: readonly string[]): readonly MessageRow[] => inOrder(names.flatMap((name) => messageOf(id, name) ?? []));

  return {
    sessions,
    stray,
    isBeingWritten: (id) => filesOf(id).some(isHalf),
    session: (id) => {
      const path = fileOf(id);
      const row = path === null ? null : read(path);
      return row === null ? null : sessionOf(row);
    },
    messages: (id) => messagesOf(id, messageFiles(id)),
    endsOf: (id) => {
      const names = [...messageFiles(id)].sort();
      return { first: messagesOf(id, names.slice(0, FIRST)), last: messagesOf(id, names.slice(-1)) };
    },
    look: (id) => {
      const path = fileOf(id);
      if (path === null) return null;
      const files = messageFiles(id);
      // Message names ascend, so the last ones hold whatever is being written.
      const recent = [...files].sort().slice(-RECENT);
      const parts = recent.flatMap((name) => {
        const folder = `${storage}/part/${withoutEnding(name)}`;
        return access.names(folder).map((part) => `${folder}/${part}`);
      });
      const seen = looks([path, ...recent.map((name) => `${storage}/message/${id}/${name}`), ...parts]);
      return { bytes: 1 + files.length + parts.length, modified: seen.reduce((latest, { modified }) => Math.max(latest, modified), 0) };
    },
    begunWith: (instant) => sessions().filter(({ id }) => messagesOf(id, messageFiles(id))[0]?.createdAt === instant),
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

const withoutEnding = (name: string): string => name.replace(/\.json$/u, '');

const RECENT = 4;
/** By then, any file has been written completely. */
const JUST_NOW = 2000;
