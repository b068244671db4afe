import type { Entry } from '@yarnboard/domain';
import { ghostRecordOf, NOWHERE, recordOf } from '@yarnboard/store';
import { readEntry, readMeta, type AgentMeta, type JsonObject } from '@yarnboard/transcript';

/** What an entry of a transcript says; what is left of it when its payload was forgotten; null for a line that could not be read. */
export const loggedRecordOf = (entry: Entry, bytes: Uint8Array | null): JsonObject | null =>
  bytes === null ? ghostRecordOf(entry) : namedBy(entry, recordOf(entry, bytes));

/** What the meta file of a sub-agent says, where a companion is one. */
export const agentMetaIn = (name: string, bytes: Uint8Array | null): { readonly agentId: string; readonly meta: AgentMeta } | null => {
  const agentId = /(?:^|\/)agent-(.+)\.meta\.json$/u.exec(name)?.[1];
  if (agentId === undefined || bytes === null) return null;
  const record = recordOf({ note: null }, bytes);
  const meta = record === null ? null : readMeta(record);
  return meta === null ? null : { agentId, meta };
};

// A record without a uuid is called on the log by its entry's.
const namedBy = (entry: Entry, record: JsonObject | null): JsonObject | null => {
  if (record === null || (typeof record['uuid'] === 'string' && record['uuid'] !== '')) return record;
  return readEntry(record, NOWHERE).uuid === null ? record : { ...record, uuid: entry.uuid };
};
