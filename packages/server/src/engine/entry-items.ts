import { draftOfDeed, type ContentType, type Draft, type Happening } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText } from '../http/json-text.ts';

/** What has been decided as it goes on the log, and its payload as text. */
export type EntryItem = { readonly item: Item; readonly text: string };

/** ENGINE-10: one happening is one entry of the log. */
export const entryItemOf = (happening: Happening, { now, client }: { readonly now: number; readonly client: string }): EntryItem => {
  const { type, uuid, contextId, numbers, by, payload } = happening;
  const text = jsonText(payload);
  const draft: Draft = {
    ...draftOfDeed({
      uuid,
      type,
      timestamp: now,
      sender: by.id,
      senderType: by.type,
      // A sidebar is a session of the log, and so is the board itself.
      sessionId: contextId,
      contextId,
      contentLength: wordsOf(happening)?.length ?? text.length,
      note: null,
    }),
    contentType: contentTypeOf(happening),
    numbers,
    originatingClient: client,
    ...aboutTalk(happening),
  };
  return { item: { draft, payload: Buffer.from(text), reading: null }, text };
};

const wordsOf = (happening: Happening): string | null => {
  if (happening.type === 'chat.message') return happening.payload.content;
  return happening.type === 'memory.merged' ? happening.payload.text : null;
};

const contentTypeOf = ({ type }: Happening): ContentType => {
  if (type === 'chat.message' || type === 'memory.merged') return 'text';
  return type === 'media.uploaded' ? 'media_ref' : 'system';
};

const aboutTalk = (happening: Happening): Partial<Draft> => {
  if (happening.type === 'memory.merged') return { citationsUsed: happening.payload.citations };
  if (happening.type !== 'chat.message') return {};
  const { citations, media, confidence, inReplyTo } = happening.payload;
  return { citationsUsed: citations, mediaAttached: media, senderConfidence: confidence, parentMsgId: inReplyTo };
};
