import { jsonText } from '../../json-text.ts';
import { objectOf, stringOf, type JsonObject } from '../../json.ts';
import type { MessageRow, Messages, SessionRow, SessionRows } from './rows.ts';

/** What a session copied from another: the originals, by the ids of the copies. */
export type Fork = { readonly from: string; readonly originals: ReadonlyMap<string, { readonly session: string; readonly message: MessageRow }> };

/**
 * OPEN-9: a fork holds copies of messages under new ids but with the original times, and no link to its origin. A session whose first message is
 * older than the session itself is a fork, and comes from one of those that began with the same message.
 */
export const forkOf = (session: SessionRow, messages: Messages, rows: SessionRows): Fork | null => {
  const [first] = messages;
  if (first === undefined || !(first.createdAt < session.createdAt)) return null;
  const others = rows.begunWith(first.createdAt).filter((other) => other.id !== session.id && other.createdAt < session.createdAt);
  const written = others.map((other) => ({ other, messages: [...rows.messages(other.id)] }));
  const originals = new Map<string, { readonly session: string; readonly message: MessageRow }>();
  const byKey = new Map<string, { readonly session: string; readonly message: MessageRow }>();
  for (const { other, messages: theirs } of written)
    for (const message of theirs) if (!byKey.has(keyOf(message))) byKey.set(keyOf(message), { session: other.id, message });
  let last: string | null = null;
  for (const message of messages) {
    const original = message.createdAt < session.createdAt ? byKey.get(keyOf(message)) : undefined;
    if (original === undefined) continue;
    originals.set(message.id, original);
    last = keyOf(message);
  }
  const holding = written.filter(({ messages: theirs }) => theirs.some((message) => keyOf(message) === last)).map(({ other }) => other);
  const from = holding.find(({ title }) => title === titleBefore(session.title)) ?? holding[0];
  return from === undefined ? null : { from: from.id, originals };
};

/** Two messages with the same key say the same. */
const keyOf = ({ createdAt, data, parts }: MessageRow): string =>
  jsonText([createdAt, data['role'] ?? null, data['tokens'] ?? null, parts.length, parts.map(({ data: part }) => callOf(part))]);

const callOf = (part: JsonObject): string => stringOf(part['callID']) ?? stringOf(objectOf(part['time'])?.['start']) ?? stringOf(part['type']) ?? '';

// A fork of "Pond" is called "Pond (fork #1)", and a fork of that "Pond (fork #2)".
const titleBefore = (title: string | null): string | null => {
  const [, name, number] = /^(.+) \(fork #(\d+)\)$/u.exec(title ?? '') ?? [];
  if (name === undefined || number === undefined) return null;
  return Number(number) <= 1 ? name : `${name} (fork #${Number(number) - 1})`;
};
