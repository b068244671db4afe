import { definitionOf, type Draft, type Happening } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText } from '../home/json-text.ts';

/** What has been decided as it goes on the log, and its payload as text. */
export type EntryItem = { readonly item: Item; readonly text: string };

/** ENGINE-10: one happening is one entry of the log. `text` is what was decided; what is kept also names the entry (ENGINE-35). */
export const entryItemOf = (
  happening: Happening,
  { now, client, fingerprint = null }: { readonly now: number; readonly client: string; readonly fingerprint?: string | null },
): EntryItem => {
  const { type, uuid, contextId, numbers, by, payload } = happening;
  const text = jsonText(payload);
  const { version, filing } = definitionOf(type);
  const { contentType = 'system', said = null, citations = NONE, media = NONE, inReplyTo = null, confidence = null } = filing(payload);
  // Field by field: spreading thirty of them takes longer than deciding what happens.
  const draft: Draft = {
    uuid,
    type,
    version,
    timestamp: now,
    processingTimeMs: null,
    contentType,
    contentLength: said?.length ?? text.length,
    tokenCount: null,
    sender: by.id,
    senderType: by.type,
    contextId,
    parentMsgId: inReplyTo,
    // A sidebar is a session of the log, and so is the board itself.
    sessionId: contextId,
    agentModelVersion: null,
    citationsUsed: citations,
    mediaAttached: media,
    toolsInvoked: null,
    toolResultsSummary: null,
    senderConfidence: confidence,
    flaggedUncertain: false,
    errorOccurred: false,
    errorRef: null,
    originatingClient: client,
    clientVersion: null,
    occurrence: null,
    numbers,
    note: null,
  };
  return { item: { draft, payload: Buffer.from(ownedBy(uuid, fingerprint, text)), reading: null }, text };
};

/**
 * ENGINE-35: payloads are kept by their hash. With nothing of its own in it, what is said twice would be one payload: forgotten here, it would be gone
 * there, too, and could never be said again.
 */
const ownedBy = (uuid: string, fingerprint: string | null, text: string): string =>
  `{"entry":${JSON.stringify(uuid)}${fingerprint === null ? '' : `,"asked":${JSON.stringify(fingerprint)}`}${text === '{}' ? '' : ','}${text.slice(1)}`;

const NONE: readonly never[] = [];
