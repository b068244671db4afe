import { ENTRY_TYPES, isDecided, isDeed } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import { recordOf } from '../library/reading.ts';
import { decidedTextOf } from './decided-text.ts';
import { searchTextOf } from './text.ts';

export type Source = { readonly type: string; readonly note: string | null; readonly copyOf: number | null };

/** The text that an entry is found by; empty for one that has none. */
export const sourceTextOf = (source: Source, bytes: Buffer | null): string => {
  // A copy is found where the original is.
  if (source.copyOf !== null || bytes === null || isDeed(source.type)) return '';
  const record = sourceRecordOf(source, bytes);
  if (record !== null) return recordTextOf(source.type, record);
  // What could not be read as a record may still be looked for; what we wrote ourselves can be read, or was tampered with.
  return isDecided(source.type) ? '' : bytes.toString('utf8');
};

/** What an entry is read as before its text is taken; null where its bytes are the text. */
export const sourceRecordOf = ({ type, note }: Pick<Source, 'type' | 'note'>, bytes: Uint8Array | null): JsonObject | null => {
  if (type === ENTRY_TYPES.companion) return null;
  // Elsewhere a note says why a line could not be read.
  return recordOf({ note: isDecided(type) ? null : note }, bytes);
};

/** What a record is found by, according to its entry's type. */
export const recordTextOf = (type: string, record: JsonObject): string => (isDecided(type) ? decidedTextOf(type, record) : searchTextOf(record));
