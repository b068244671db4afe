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

/** ENGINE-39: parses an entry of the log, in one place for folding and for sending. */
export const storedEvent = (entry: Entry, payload: Uint8Array): Result<Recorded, Unreadable> => {
  const read = readEvent({ type: entry.type, version: entry.version, payload: heldIn(payload) });
  return read.ok ? ok(recordedOf(entry, read.value)) : read;
};

/**
 * ENGINE-13: what is left of an entry whose payload was forgotten: that it happened, where and by whom, without words. Null for an entry that means
 * nothing without its payload (which status, which finding, which agent): it is skipped.
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
  return { type, uuid, contextId, position, at: timestamp, refs, by: { id: sender, type: senderType }, payload } as Recorded; // validated by its schema
};

/** The decision within a stored payload (ENGINE-35: that also names its entry); null if it isn't a JSON object. */
export const heldIn = (bytes: Uint8Array): Readonly<Record<string, unknown>> | null => {
  try {
    const kept: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (typeof kept !== 'object' || kept === null) return null;
    const { entry: _entry, asked: _asked, amendedBy: _amendedBy, ...held } = kept as Readonly<Record<string, unknown>>; // any object has such fields
    return held;
  } catch {
    return null; // reported as malformed
  }
};

/** ENGINE-42: the hash of the request that led to this decision; null if it wasn't kept. */
export const fingerprintIn = (bytes: Uint8Array): string | null => {
  try {
    const kept = JSON.parse(Buffer.from(bytes).toString()) as { readonly asked?: unknown } | null; // checked below
    return typeof kept?.asked === 'string' ? kept.asked : null;
  } catch {
    return null;
  }
};
