import type { Entry } from '@yarnboard/domain';
import { ghostRecordOf, NOWHERE, recordOf } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';

/** What an entry of a transcript says; what is left of it when its payload was forgotten; null for a line that could not be read. */
export const loggedRecordOf = (entry: Entry, bytes: Uint8Array | null): JsonObject | null =>
  bytes === null ? ghostRecordOf(entry) : recordIn(entry, bytes);

export const recordIn = (entry: Pick<Entry, 'uuid' | 'note'>, bytes: Uint8Array): JsonObject | null => {
  const record = recordOf(entry, bytes);
  // A record without a uuid is called on the log by its entry's.
  if (record === null || (typeof record['uuid'] === 'string' && record['uuid'] !== '')) return record;
  return readEntry(record, NOWHERE).uuid === null ? record : { ...record, uuid: entry.uuid };
};
