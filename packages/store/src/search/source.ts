import { ENTRY_TYPES, isDeed } from '@yarnboard/domain';
import { recordOf } from '../library/reading.ts';
import { searchTextOf } from './text.ts';

export type Source = { readonly type: string; readonly note: string | null; readonly copyOf: number | null };

/** The text that an entry is found by; empty for one that has none. */
export const sourceTextOf = (source: Source, bytes: Buffer | null): string => {
  // A copy is found where the original is.
  if (source.copyOf !== null || bytes === null || isDeed(source.type)) return '';
  if (source.type === ENTRY_TYPES.companion) return bytes.toString('utf8');
  const record = recordOf(source, bytes);
  // What could not be read as a record may still be looked for.
  return record === null ? bytes.toString('utf8') : searchTextOf(record);
};
