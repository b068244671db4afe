import type { Access } from '../../dialect.ts';
import { objectOf, parseJson, stringOf, type Json, type JsonObject } from '../../json.ts';
import {
  byId,
  FIRST,
  inOrder,
  instantOf,
  revertOf,
  type MessageRow,
  type Messages,
  type PartRow,
  type SessionRow,
  type SessionRows,
  type Stray,
} from './rows.ts';

/** OPEN-3: what is unreadable: the whole database if a table or column is missing, or the sessions a later version keeps elsewhere. */
export const newerForm = (database: string, access: Access): { readonly text: string; readonly isWhole: boolean } | null => {
  const tables = new Set(access.query(database, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name));
  for (const [table, columns] of Object.entries(NEEDED)) {
    if (!tables.has(table)) return { isWhole: true, text: `${UNKNOWN}: it has no table "${table}"` };
    const there = new Set(access.query(database, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name));
    const missing = columns.find((column) => !there.has(column));
    if (missing !== undefined) return { isWhole: true, text: `${UNKNOWN}: its table "${table}" has no column "${missing}"` };
  }
  for (const table of LATER) {
    if (tables.has(table) && access.query(database, `SELECT 1 FROM "${table}" LIMIT 1`).length > 0)
      return { isWhole: false, text: `${UNKNOWN}: the table "${table}" is left alone` };
  }
  return null;
};

export const databaseRows = (database: string, access: Access): SessionRows => {
  // Only the parts of the last message change, so look at no others: there may be very many.
  const look = (id: string) => {
    const [messages] = access.query(
      database,
      `SELECT count(*) AS many, max(time_updated) AS latest, (SELECT id FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1) AS last
       FROM message WHERE session_id = ?`,
      [id, id],
    );
    const [parts] = access.query(database, 'SELECT count(*) AS many, max(time_updated) AS latest FROM part WHERE message_id = ?', [
      stringOf(messages?.['last']) ?? '',
    ]);
    const [session] = access.query(database, 'SELECT time_updated AS latest FROM session WHERE id = ?', [id]);
    if (session === undefined) return null;
    const times = [session, messages, parts].map((row) => instantOf(row?.['latest'])).map((at) => (Number.isFinite(at) ? at : 0));
    // The latest time may stay the same while another one changes, so all of them are hashed into a fraction of a millisecond.
    const mixed = times.reduce((sum, at) => (sum * 31 + at) % 1021, countIn(messages) * 7 + countIn(parts));
    return { bytes: 1 + (countIn(messages) + countIn(parts)), modified: Math.max(...times) + mixed / 1024 };
  };

  /** Message by message: what is not followed need not be kept. */
  const messagesOnce = (id: string): Messages => {
    // No index finds ids that are bytes.
    if (access.query(database, HAS_ODD_IDS, [id, id]).length > 0) return messages(id);
    const found = access.query(database, 'SELECT id, time_created, data FROM message WHERE session_id = ?', [id]);
    // Without an index, each message would cost a walk over all parts there are.
    if (found.length > FEW && access.query(database, PARTS_BY_MESSAGE).length === 0) return messages(id);
    const order = inOrder(found.map((row) => ({ id: stringOf(row['id']) ?? '', createdAt: instantOf(row['time_created']), row })));
    return {
      length: order.length,
      *[Symbol.iterator]() {
        for (const { row } of order) yield messageOf(id, row);
      },
    };
  };

  const messages = (id: string): readonly MessageRow[] => {
    const parts = new Map<string, PartRow[]>();
    for (const row of access.rows(database, 'part', id, ['message_id', 'time_created', 'data'])) {
      const message = stringOf(row['message_id']) ?? '';
      const known = parts.get(message) ?? [];
      known.push(partOf(row));
      parts.set(message, known);
    }
    const rows = access.rows(database, 'message', id, ['time_created', 'data']).map((row) => {
      const message = partOf(row);
      return { ...message, parts: byId(parts.get(message.id) ?? []) };
    });
    return inOrder(rows);
  };

  const partOf = (row: JsonObject): PartRow => ({
    id: stringOf(row['id']) ?? '',
    createdAt: instantOf(row['time_created']),
    data: dataOf(row['data']),
  });

  const messageOf = (session: string, row: JsonObject): MessageRow => {
    const message = partOf(row);
    const parts = access.query(database, PARTS, [message.id, session]);
    return { ...message, parts: byId(parts.map(partOf)) };
  };

  const ordered = (id: string, order: 'ASC' | 'DESC', many: number): readonly MessageRow[] => {
    const found = access.query(
      database,
      `SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created ${order}, id ${order} LIMIT ${many}`,
      [id],
    );
    return inOrder(found.map((row) => messageOf(id, row)));
  };

  // Not every version has this column.
  const hasArchive = (): boolean => access.query(database, "SELECT 1 FROM pragma_table_info('session') WHERE name = 'time_archived'").length > 0;

  return {
    sessions: () =>
      access.query(database, `SELECT ${COLUMNS}${hasArchive() ? ', time_archived' : ''} FROM session ORDER BY time_created, id`).map(sessionOf),
    session: (id) => access.query(database, `SELECT ${COLUMNS} FROM session WHERE id = ?`, [id]).map(sessionOf)[0] ?? null,
    stray: () => strayIn(database, access),
    isBeingWritten: () => false, // queries see a consistent snapshot
    messages: access.isOnce ? messagesOnce : messages,
    endsOf: (id) => ({ first: ordered(id, 'ASC', FIRST), last: ordered(id, 'DESC', 1) }),
    look,
    begunWith: (instant) =>
      access
        .query(
          database,
          `SELECT ${COLUMNS} FROM session s WHERE
           (SELECT time_created FROM message WHERE session_id = s.id ORDER BY time_created, id LIMIT 1) = CAST(? AS INTEGER) ORDER BY time_created, id`,
          [String(instant)],
        )
        .map(sessionOf),
  };
};

/** The database itself prevents strays, unless the program that wrote to it had turned that off. */
const strayIn = (database: string, access: Access): Stray => {
  const messages = access.query(
    database,
    'SELECT session_id AS session, count(*) AS many FROM message WHERE session_id NOT IN (SELECT id FROM session) GROUP BY session_id',
  );
  const parts = access.query(
    database,
    `SELECT p.message_id AS message, p.session_id AS session, p.session_id IN (SELECT id FROM session) AS hasSession, count(*) AS many
     FROM part p LEFT JOIN message m ON m.id = p.message_id WHERE m.session_id IS NOT p.session_id OR hasSession = 0
     GROUP BY p.message_id, p.session_id`,
  );
  const sessions = new Set([...messages, ...parts.filter((row) => row['hasSession'] !== 1)].map((row) => stringOf(row['session']) ?? ''));
  const gone = new Map<string, number>();
  for (const row of parts) {
    const message = stringOf(row['message']) ?? '';
    if (row['hasSession'] === 1) gone.set(message, (gone.get(message) ?? 0) + countIn(row));
  }
  const sum = (rows: readonly JsonObject[]): number => rows.reduce((all, row) => all + countIn(row), 0);
  return { sessions, messages: sum(messages), parts: sum(parts.filter((row) => row['hasSession'] !== 1)), gone };
};

const sessionOf = (row: JsonObject): SessionRow => ({
  id: stringOf(row['id']) ?? '',
  parentId: stringOf(row['parent_id']),
  directory: stringOf(row['directory']),
  title: stringOf(row['title']),
  version: stringOf(row['version']),
  createdAt: instantOf(row['time_created']),
  isArchived: Number.isFinite(instantOf(row['time_archived'])),
  revert: revertOf(dataOf(row['revert'])),
});

// Keeps invalid JSON as it is, as unreadable.
const dataOf = (value: Json | undefined): JsonObject =>
  value === null || value === undefined ? {} : (objectOf(parseJson(stringOf(value) ?? '')) ?? { unreadable: value });

const countIn = (row: JsonObject | undefined): number => (typeof row?.['many'] === 'number' ? row['many'] : 0);

// The sign keeps SQLite from going through all parts of the session instead.
const PARTS = 'SELECT id, time_created, data FROM part WHERE message_id = ? AND +session_id = ?';
const PARTS_BY_MESSAGE =
  "SELECT 1 FROM pragma_index_list('part') AS i, pragma_index_info(i.name) AS c WHERE i.partial = 0 AND c.seqno = 0 AND c.name = 'message_id'";
/** In messages. */
const FEW = 100;
const HAS_ODD_IDS =
  "SELECT 1 FROM message WHERE session_id = ? AND typeof(id) <> 'text' UNION ALL SELECT 1 FROM part WHERE session_id = ? AND typeof(message_id) <> 'text' LIMIT 1";
const UNKNOWN = 'unreadable: written by an unknown version of opencode';
const COLUMNS = 'id, parent_id, directory, title, version, revert, time_created';
const NEEDED = {
  session: ['id', 'parent_id', 'directory', 'title', 'version', 'revert', 'time_created', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};
const LATER = ['session_v2', 'session_message'];
