import { ENTRY_TYPES, isDecided, isDeed, maskJson, maskSecrets, maskUnder } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import { recordOf } from '../library/reading.ts';
import { maskedText } from '../masked-text.ts';
import { decidedTextOf } from './decided-text.ts';
import { searchTextIf, searchTextOf } from './text.ts';

export type Source = { readonly type: string; readonly note: string | null; readonly copyOf: number | null };

export type SourceText = { readonly text: string; readonly isMasked: boolean };

/**
 * SEC-23: the text that an entry is found by, empty for one that has none. It is masked as a whole, before it is split into words: what nobody may see
 * must not be in the index, where questions could find it out. In a piece a secret may lack its beginning, and in plain text the key that gives it away.
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

/** Whether masking all of a record would leave this text of it alone. A private key may be in pieces, one a line: no line shows it. */
const isShownAsItIs = (text: string, under: string | null): boolean => maskUnder(under, text) === text && !text.includes('PRIVATE KEY');

/** The same with its secrets: for whoever may see them, and never for an index. */
export const wholeTextOf = (source: Source, bytes: Uint8Array | null): string => {
  const said = saidIn(source, bytes);
  return typeof said === 'string' ? said : recordTextOf(source.type, said);
};

/** A record, or a text where the bytes of an entry are all there is. */
const saidIn = (source: Source, bytes: Uint8Array | null): JsonObject | string => {
  // A copy is found where the original is.
  if (source.copyOf !== null || bytes === null || isDeed(source.type)) return '';
  const record = sourceRecordOf(source, bytes);
  if (record !== null) return record;
  // What could not be read as a record may still be looked for; what we wrote ourselves can be read, or was tampered with.
  return isDecided(source.type) ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
};

/** What an entry is read as before its text is taken; null where its bytes are the text. */
export const sourceRecordOf = ({ type, note }: Pick<Source, 'type' | 'note'>, bytes: Uint8Array | null): JsonObject | null => {
  if (type === ENTRY_TYPES.companion) return null;
  // Elsewhere a note says why a line could not be read.
  return recordOf({ note: isDecided(type) ? null : note }, bytes);
};

/** What a record is found by, according to its entry's type. */
export const recordTextOf = (type: string, record: JsonObject): string => (isDecided(type) ? decidedTextOf(type, record) : searchTextOf(record));
