import { ENTRY_TYPES, isTranscript, type ChainedEntry, type Entry } from '@yarnboard/domain';
import { agentMetaIn, contextOf, ghostRecordOf, recordOf, type LogPort } from '@yarnboard/store';
import { readEntry, saidAt, type Entry as Reading, type JsonObject, type Node, type Place } from '@yarnboard/transcript';
import { withdrawalIn } from '../ingest/taken-back.ts';
import { byNode, type SessionInput, type SessionRecords } from './session-records.ts';

/** The records of a session on the log. A second read continues where the first one stopped. */
export type LogRecords = SessionRecords & {
  /** The position up to which it was read. */
  readonly position: () => number;
};

export const logRecords = (log: LogPort, sessionId: string): LogRecords => {
  /** How many lines of each file were read: adjacent numbers identify neighbours. */
  const lines = new Map<string, number>();
  let position = 0;
  let latest: Reading | null = null;

  async function* read(): AsyncGenerator<readonly SessionInput[], void, undefined> {
    for (let more = await log.linesOf(sessionId, position, STEP); more.length > 0; more = await log.linesOf(sessionId, position, STEP)) {
      const inputs: SessionInput[] = [];
      for (const logged of more) {
        const { type, note, bytes, contextId } = logged;
        ({ position } = logged);
        const meta = type === ENTRY_TYPES.companion ? agentMetaIn(note ?? '', bytes) : null;
        if (meta !== null) inputs.push({ kind: 'meta', ...meta });
        if (type === ENTRY_TYPES.takenBack) inputs.push({ kind: 'withdrawal', ...withdrawalIn(bytes) });
        if (!isTranscript(type) || type === ENTRY_TYPES.companion) continue;
        const line = (lines.get(contextId) ?? 0) + 1;
        lines.set(contextId, line);
        const record = bytes === null ? leftOf(await log.entryAt(position)) : recordOf(logged, bytes);
        const found = readLogged(logged, record, placeAt(position, line, bytes), latest);
        if (found === null) continue;
        latest = found.entry;
        inputs.push({ kind: 'record', file: contextId, agentId: contextOf(contextId).agentId, ...found });
      }
      yield inputs;
    }
  }

  return {
    sessionId,
    position: () => position,
    read,
    records: async (nodes) => {
      const found = await recordsAt(log, nodes.map(positionOf));
      return byNode(nodes, (node) => saidAt(node, found.get(positionOf(node)) ?? null));
    },
  };
};

/** An entry with its payload; null without one, or if it was forgotten. */
type LoggedEntry = { readonly entry: ChainedEntry; readonly bytes: Uint8Array | null };

/** Everything the log has of a session after a position, in order and in parts: its records, and reports about it beside them. */
export async function* entriesOfSession(
  log: Pick<LogPort, 'entriesOf' | 'payloadsOf'>,
  sessionId: string,
  after: number,
  pageSize = STEP,
): AsyncGenerator<readonly LoggedEntry[], void, undefined> {
  for (let position = after; ;) {
    const entries = await log.entriesOf(sessionId, position, pageSize);
    const last = entries.at(-1);
    if (last === undefined) return;
    const payloads = await log.payloadsOf(entries.map((entry) => entry.position));
    yield entries.map((entry) => ({ entry, bytes: payloads.get(entry.position) ?? null }));
    ({ position } = last);
  }
}

/** The place of a line on the log: its offset is its position there, its length 0 if its words are gone. */
export const placeAt = (position: number, line: number, bytes: Uint8Array | null): Place => ({
  line,
  part: 0,
  offset: position,
  length: bytes?.length ?? 0,
});

/** The log position of a record read from it. */
export const positionOf = ({ entry }: Pick<Node, 'entry'>): number => entry.place.offset;

/** Records by their positions; without those whose words are gone. */
export const recordsAt = async (log: Pick<LogPort, 'payloadsOf'>, positions: readonly number[]): Promise<ReadonlyMap<number, JsonObject>> => {
  const found = new Map<number, JsonObject>();
  for (const [position, bytes] of await log.payloadsOf([...new Set(positions)].sort((a, b) => a - b))) {
    const record = recordOf({ note: null }, bytes);
    if (record !== null) found.set(position, record);
  }
  return found;
};

/** The content of a transcript's entry; its remains if the payload was forgotten; null for an unreadable line. */
export const recordOfLine = (entry: Entry, bytes: Uint8Array | null): JsonObject | null => (bytes === null ? leftOf(entry) : recordOf(entry, bytes));

const leftOf = (entry: Entry | null): JsonObject | null => (entry === null ? null : ghostRecordOf(entry));

/** A record of the log with its reading. One without a uuid gets its entry's. */
export const readLogged = (
  { uuid, contextId }: Pick<Entry, 'uuid' | 'contextId'>,
  record: JsonObject | null,
  place: Place,
  before: Reading | null = null,
): { readonly record: JsonObject; readonly entry: Reading } | null => {
  if (record === null) return null;
  const inAgentFile = contextOf(contextId).agentId !== null;
  const entry = readEntry(record, place, inAgentFile, before);
  if (entry.uuid?.startsWith('line:') !== true) return { record, entry };
  const named = { ...record, uuid };
  return { record: named, entry: readEntry(named, place, inAgentFile, before) };
};

const STEP = 500;
