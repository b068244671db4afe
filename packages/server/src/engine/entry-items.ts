import { definitionOf, isCode, type Circumstances, type Draft, type Happening } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText } from '@yarnboard/transcript';

/** A decision as it is logged, with its payload as text. */
export type EntryItem = { readonly item: Item; readonly text: string };

/** How a decision came to be requested. */
export type Filed = {
  readonly now: number;
  readonly client: string;
  readonly clientVersion?: string | null | undefined;
  readonly circumstances?: Circumstances | undefined;
  readonly fingerprint?: string | null;
  readonly amendedBy?: string | undefined;
};

/** ENGINE-10: one event is one entry of the log. `text` is the decision; the stored payload also names the entry (ENGINE-35). */
export const entryItemOf = (
  happening: Happening,
  { now, client, clientVersion = null, circumstances = {}, fingerprint = null, amendedBy }: Filed,
): EntryItem => {
  const { type, uuid, contextId, numbers, by, payload } = happening;
  const text = jsonText(payload);
  const { version, filing } = definitionOf(type);
  const { contentType = 'system', said = null, citations = NONE, media = NONE, inReplyTo = null, confidence = null } = filing(payload);
  // Field by field: spreading thirty fields takes longer than deciding.
  const draft: Draft = {
    uuid,
    type,
    version,
    timestamp: now,
    processingTimeMs: circumstances.processingTimeMs ?? null,
    contentType: contentType !== 'text' ? contentType : (circumstances.contentType ?? (said !== null && isCode(said) ? 'code' : 'text')),
    contentLength: said?.length ?? text.length,
    tokenCount: circumstances.tokenCount ?? null,
    sender: by.id,
    senderType: by.type,
    contextId,
    parentMsgId: inReplyTo,
    // A sidebar is a session of the log, and so is the board itself.
    sessionId: contextId,
    agentModelVersion: circumstances.agentModelVersion ?? null,
    citationsUsed: citations,
    mediaAttached: media,
    toolsInvoked: circumstances.toolsInvoked ?? null,
    toolResultsSummary: null,
    senderConfidence: confidence,
    flaggedUncertain: circumstances.flaggedUncertain ?? false,
    errorOccurred: circumstances.errorRef !== undefined,
    errorRef: circumstances.errorRef ?? null,
    originatingClient: client,
    clientVersion,
    occurrence: null,
    numbers,
    note: null,
  };
  return { item: { draft, payload: Buffer.from(ownedBy(uuid, { asked: fingerprint ?? undefined, amendedBy }, text)), reading: null }, text };
};

/**
 * ENGINE-35: payloads are stored by hash. Without the entry's own id, two identical texts would share a payload: forgetting one would remove both,
 * and the text could never be said again.
 */
const ownedBy = (uuid: string, facts: { readonly asked: string | undefined; readonly amendedBy: string | undefined }, text: string): string =>
  `${JSON.stringify({ entry: uuid, ...facts }).slice(0, -1)}${text === '{}' ? '' : ','}${text.slice(1)}`;

const NONE: readonly never[] = [];
