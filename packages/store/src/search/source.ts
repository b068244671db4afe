import { ENTRY_TYPES, isDecided, isDeed, maskJson, maskSecrets, maskUnder } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import { recordOf } from '../library/reading.ts';
import { maskedText } from '../masked-text.ts';
import { decidedTextOf } from './decided-text.ts';
import { searchTextIf, searchTextOf } from './text.ts';

export type Source = { readonly type: string; readonly note: string | null; readonly copyOf: number | null };

export type SourceText = { readonly text: string; readonly isMasked: boolean };

/**
 * SEC-23: the text an entry is found by, empty for one without text. It is masked as a whole before it is split into words: what nobody may see must
 * not be in the index, where queries could reveal it. A piece of a secret may lack its beginning, and plain text the key that gives it away.
 */
export const sourceTextOf = (source: Source, bytes: Uint8Array | null): SourceText => {
  const said = saidIn(source, bytes);
  if (typeof said === 'string') {
    const text = maskedText(said);
    return { text, isMasked: text !== said };
  }
  const plain = isDecided(source.type) ? null : searchTextIf(said, isShownAsItIs);
  if (plain !== null) {
    const { text, masked } = maskSecrets(plain);
    return { text, isMasked: masked > 0 };
  }
  const record = maskJson(said) as JsonObject; // same shape, other texts
  const { text, masked } = maskSecrets(recordTextOf(source.type, record));
  return { text, isMasked: record !== said || masked > 0 };
};

/** Whether masking the whole record would leave this text of it unchanged. A private key may be split into lines, none of which reveals it. */
const isShownAsItIs = (text: string, under: string | null): boolean => maskUnder(under, text) === text && !text.includes('PRIVATE KEY');

/** The same including its secrets: for callers that may see them, and never for an index. */
export const wholeTextOf = (source: Source, bytes: Uint8Array | null): string => {
  const said = saidIn(source, bytes);
  return typeof said === 'string' ? said : recordTextOf(source.type, said);
};

/** A record, or a text if the entry is nothing but its bytes. */
const saidIn = (source: Source, bytes: Uint8Array | null): JsonObject | string => {
  // A copy is found at its original.
  if (source.copyOf !== null || bytes === null || isDeed(source.type)) return '';
  const record = sourceRecordOf(source, bytes);
  if (record !== null) return record;
  // An unreadable record can still be searched for; what we wrote ourselves is readable, or was tampered with.
  return isDecided(source.type) ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
};

/** How an entry is parsed before its text is extracted; null if its bytes are the text. */
export const sourceRecordOf = ({ type, note }: Pick<Source, 'type' | 'note'>, bytes: Uint8Array | null): JsonObject | null => {
  if (type === ENTRY_TYPES.companion) return null;
  // Elsewhere, a note says why a line could not be read.
  return recordOf({ note: isDecided(type) ? null : note }, bytes);
};

/** The text a record is found by, depending on its entry's type. */
export const recordTextOf = (type: string, record: JsonObject): string => (isDecided(type) ? decidedTextOf(type, record) : searchTextOf(record));
