import {
  definitionOf,
  isDecided,
  ok,
  readEvent,
  sidebarIdOfContext,
  type Board,
  type Entry,
  type EventType,
  type Recorded,
  type Result,
  type Unreadable,
} from '@yarnboard/domain';

/** ENGINE-39: what an entry of the log tells, read in one place for whoever folds it or tells it on. */
export const storedEvent = (entry: Entry, payload: Uint8Array): Result<Recorded, Unreadable> => {
  const read = readEvent({ type: entry.type, version: entry.version, payload: heldIn(payload) });
  return read.ok ? ok(recordedOf(entry, read.value)) : read;
};

/**
 * ENGINE-13: what is left of an entry whose payload was forgotten: that it happened, where and by whom, in no words. Null for one that tells nothing
 * without its payload (which status, which finding, which agent): it is passed over.
 */
export const forgottenEvent = (board: Board, entry: Entry): Recorded | null => {
  if (!isDecided(entry.type)) return null;
  const { remains } = definitionOf(entry.type);
  if (remains === null) return null;
  const { sender, senderType, contextId, citationsUsed, mediaAttached, senderConfidence, parentMsgId } = entry;
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '') ?? null;
  const by = { id: sender, type: senderType };
  const payload = remains({ by, contextId, citationsUsed, mediaAttached, senderConfidence, parentMsgId, sidebar });
  return recordedOf(entry, { type: entry.type, payload });
};

const recordedOf = (entry: Entry, { type, payload }: { readonly type: EventType; readonly payload: unknown }): Recorded => {
  const { uuid, contextId, position, timestamp, refs, sender, senderType } = entry;
  return { type, uuid, contextId, position, at: timestamp, refs, by: { id: sender, type: senderType }, payload } as Recorded; // read by the schema of its type
};

/** What was decided, out of what is kept of it (ENGINE-35: it names its entry); null when that is not a JSON object. */
export const heldIn = (bytes: Uint8Array): Readonly<Record<string, unknown>> | null => {
  try {
    const kept: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (typeof kept !== 'object' || kept === null) return null;
    const { entry: _entry, asked: _asked, amendedBy: _amendedBy, ...held } = kept as Readonly<Record<string, unknown>>; // any object has such fields
    return held;
  } catch {
    return null; // told as malformed
  }
};

/** ENGINE-42: what was asked for when this was decided, as a hash; null where it was not kept. */
export const fingerprintIn = (bytes: Uint8Array): string | null => {
  try {
    const kept = JSON.parse(Buffer.from(bytes).toString()) as { readonly asked?: unknown } | null; // looked at below
    return typeof kept?.asked === 'string' ? kept.asked : null;
  } catch {
    return null;
  }
};
