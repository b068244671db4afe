import type { ContentType, Draft, Happening } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText } from '../home/json-text.ts';

/** What has been decided as it goes on the log, and its payload as text. */
export type EntryItem = { readonly item: Item; readonly text: string };

/** ENGINE-10: one happening is one entry of the log. `text` is what was decided; what is kept also names the entry (ENGINE-35). */
export const entryItemOf = (happening: Happening, { now, client }: { readonly now: number; readonly client: string }): EntryItem => {
  const { type, uuid, contextId, numbers, by, payload } = happening;
  const text = jsonText(payload);
  const talk = happening.type === 'chat.message' ? happening.payload : null;
  // Field by field: spreading thirty of them takes longer than deciding what happens.
  const draft: Draft = {
    uuid,
    type,
    version: 1,
    timestamp: now,
    processingTimeMs: null,
    contentType: contentTypeOf(happening),
    contentLength: wordsOf(happening)?.length ?? text.length,
    tokenCount: null,
    sender: by.id,
    senderType: by.type,
    contextId,
    parentMsgId: talk?.inReplyTo ?? null,
    // A sidebar is a session of the log, and so is the board itself.
    sessionId: contextId,
    agentModelVersion: null,
    citationsUsed: talk?.citations ?? (happening.type === 'memory.merged' ? happening.payload.citations : NONE),
    mediaAttached: talk?.media ?? NONE,
    toolsInvoked: null,
    toolResultsSummary: null,
    senderConfidence: talk?.confidence ?? null,
    flaggedUncertain: false,
    errorOccurred: false,
    errorRef: null,
    originatingClient: client,
    clientVersion: null,
    occurrence: null,
    numbers,
    note: null,
  };
  return { item: { draft, payload: Buffer.from(ownedBy(uuid, text)), reading: null }, text };
};

/**
 * ENGINE-35: payloads are kept by their hash. With nothing of its own in it, what is said twice would be one payload: forgotten here, it would be gone
 * there, too, and could never be said again.
 */
const ownedBy = (uuid: string, text: string): string => `{"entry":${JSON.stringify(uuid)}${text === '{}' ? '' : ','}${text.slice(1)}`;

/** What was decided, out of what is kept of it. */
export const decidedIn = (payload: Uint8Array): Readonly<Record<string, unknown>> => {
  // Nobody else writes decided entries; what was kept before they had names has none.
  const { entry: _, ...told } = JSON.parse(Buffer.from(payload).toString()) as Readonly<Record<string, unknown>>;
  return told;
};

const wordsOf = (happening: Happening): string | null => {
  if (happening.type === 'chat.message') return happening.payload.content;
  return happening.type === 'memory.merged' ? happening.payload.text : null;
};

const contentTypeOf = ({ type }: Happening): ContentType => {
  if (type === 'chat.message' || type === 'memory.merged') return 'text';
  return type === 'media.uploaded' ? 'media_ref' : 'system';
};

const NONE: readonly never[] = [];
