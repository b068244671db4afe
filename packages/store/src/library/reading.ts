import type { Entry } from '@yarnboard/domain';
import { claudeCode, originalOf, readEntry, withoutOriginal, type Entry as Reading, type JsonObject } from '@yarnboard/transcript';
import { contextOf, NOWHERE } from './draft.ts';

/** The parsed record; null for an unreadable line, and for one whose payload was forgotten. */
export const recordOf = (entry: Pick<Entry, 'note'>, bytes: Uint8Array | null): JsonObject | null => {
  const value = bytes === null || entry.note !== null ? null : valueOf(bytes);
  return value === null ? null : withoutOriginal(value);
};

/** DIALECT-3: a record's line as its file had it; for other tools, the line the record was made from. */
export const lineOf = (entry: Pick<Entry, 'originatingClient'>, bytes: Uint8Array): Uint8Array => {
  const value = entry.originatingClient === claudeCode.name ? null : valueOf(bytes);
  const line = value === null ? null : originalOf(value);
  return line === null ? bytes : Buffer.from(line);
};

const valueOf = (bytes: Uint8Array): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null; // JSON.parse returns nothing else
  } catch {
    return null; // kept as it is, counted as unreadable
  }
};

/**
 * What is left of a record whose payload was forgotten: its place in the conversation, and who said it. It keeps its number and its neighbours; its
 * words and its cost are gone.
 */
export const ghostRecordOf = ({ refs, senderType, uuid, parentMsgId, sessionId }: Entry): JsonObject | null => {
  if (refs.length === 0) return null;
  const type = senderType === 'human' ? 'user' : senderType === 'agent' ? 'assistant' : 'system';
  return { type, uuid, parentUuid: parentMsgId, sessionId, isMeta: true };
};

export const ghostOf = (entry: Entry): Reading | null => {
  const record = ghostRecordOf(entry);
  return record === null ? null : readEntry(record, NOWHERE, contextOf(entry.contextId).agentId !== null);
};

/** The reading of a record that was forgotten before it arrived again: everything except its words, which the library would keep. */
export const wordless = (reading: Reading | null): Reading | null =>
  reading === null
    ? null
    : {
        ...reading,
        text: null,
        uses: reading.uses.map(({ id, name }) => ({ id, name, call: null })),
        more: reading.more === null ? null : { ...reading.more, title: null, mentions: [] },
      };

export const readingOf = (entry: Pick<Entry, 'note' | 'contextId'>, bytes: Uint8Array | null): Reading | null => {
  const record = recordOf(entry, bytes);
  return record === null ? null : readEntry(record, NOWHERE, contextOf(entry.contextId).agentId !== null);
};
