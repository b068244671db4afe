import { formatRef, type ChainedEntry, type ContentType, type Entry, type NumberedType, type SenderType } from '@yarnboard/domain';
import { listFrom, listText, storedOf, storedOrNull, textFrom, textOrNull } from '../stored-text.ts';
import type { Db } from './database.ts';
import type { Names } from './names.ts';

/** A row of the log as SQLite stores it: repeated texts are ids of `names`. */
export type EntryRow = {
  readonly position: number;
  readonly uuid: string;
  readonly type: number;
  readonly version: number;
  readonly at: number;
  readonly recordedAt: number;
  readonly msg: number | null;
  readonly otherRefs: string | null;
  readonly payloadHash: Buffer | null;
  readonly contentType: number;
  readonly contentLength: number;
  readonly tokenCount: number | null;
  readonly processingTimeMs: number | null;
  readonly sender: number;
  readonly senderType: number;
  readonly context: number;
  readonly parentMsgId: string | null;
  readonly session: number;
  readonly agentModelVersion: number | null;
  readonly citationsUsed: string | null;
  readonly mediaAttached: string | null;
  readonly toolsInvoked: string | null;
  readonly toolResultsSummary: string | null;
  readonly senderConfidence: number | null;
  readonly flaggedUncertain: number;
  readonly errorOccurred: number;
  readonly errorRef: string | null;
  readonly originatingClient: number;
  readonly clientVersion: number | null;
  readonly occurrence: number | null;
  readonly copyOf: number | null;
  readonly note: string | null;
  readonly innerHash: Buffer;
  readonly checksum: Buffer;
};

/** Column by column, with the name each has in a row. */
const COLUMNS = [
  ['position', 'position'],
  ['uuid', 'uuid'],
  ['type', 'type'],
  ['version', 'version'],
  ['at', 'at'],
  ['recorded_at', 'recordedAt'],
  ['msg', 'msg'],
  ['other_refs', 'otherRefs'],
  ['payload_hash', 'payloadHash'],
  ['content_type', 'contentType'],
  ['content_length', 'contentLength'],
  ['token_count', 'tokenCount'],
  ['processing_time_ms', 'processingTimeMs'],
  ['sender', 'sender'],
  ['sender_type', 'senderType'],
  ['context', 'context'],
  ['parent_msg_id', 'parentMsgId'],
  ['session', 'session'],
  ['agent_model_version', 'agentModelVersion'],
  ['citations_used', 'citationsUsed'],
  ['media_attached', 'mediaAttached'],
  ['tools_invoked', 'toolsInvoked'],
  ['tool_results_summary', 'toolResultsSummary'],
  ['sender_confidence', 'senderConfidence'],
  ['flagged_uncertain', 'flaggedUncertain'],
  ['error_occurred', 'errorOccurred'],
  ['error_ref', 'errorRef'],
  ['originating_client', 'originatingClient'],
  ['client_version', 'clientVersion'],
  ['occurrence', 'occurrence'],
  ['copy_of', 'copyOf'],
  ['note', 'note'],
  ['inner_hash', 'innerHash'],
  ['checksum', 'checksum'],
] as const satisfies readonly (readonly [string, keyof EntryRow])[];

/** The same row as an array, in the order of COLUMNS: SQLite returns it in half the time. */
export type RawEntry = RawOf<typeof COLUMNS>;
type RawOf<T extends readonly (readonly [string, keyof EntryRow])[]> = { readonly [I in keyof T]: EntryRow[T[I][1]] };

export const rowFrom = (raw: RawEntry): EntryRow => {
  const [
    position,
    uuid,
    type,
    version,
    at,
    recordedAt,
    msg,
    otherRefs,
    payloadHash,
    contentType,
    contentLength,
    tokenCount,
    processingTimeMs,
    sender,
    senderType,
    context,
    parentMsgId,
    session,
    agentModelVersion,
    citationsUsed,
    mediaAttached,
    toolsInvoked,
    toolResultsSummary,
    senderConfidence,
    flaggedUncertain,
    errorOccurred,
    errorRef,
    originatingClient,
    clientVersion,
    occurrence,
    copyOf,
    note,
    innerHash,
    checksum,
  ] = raw;
  return {
    position,
    uuid,
    type,
    version,
    at,
    recordedAt,
    msg,
    otherRefs,
    payloadHash,
    contentType,
    contentLength,
    tokenCount,
    processingTimeMs,
    sender,
    senderType,
    context,
    parentMsgId,
    session,
    agentModelVersion,
    citationsUsed,
    mediaAttached,
    toolsInvoked,
    toolResultsSummary,
    senderConfidence,
    flaggedUncertain,
    errorOccurred,
    errorRef,
    originatingClient,
    clientVersion,
    occurrence,
    copyOf,
    note,
    innerHash,
    checksum,
  };
};

const SELECTED = COLUMNS.map(([column, name]) => (column === name ? column : `${column} AS ${name}`)).join(', ');

/** A SELECT of whole entries; the caller adds the rest of the statement. */
export const selectEntries = (rest: string): string => `SELECT ${SELECTED} FROM entries ${rest}`;

export type EntryWriter = (entry: Entry, payloadHash: Buffer | null, innerHash: Buffer, checksum: Buffer) => void;

export const entryWriter = (db: Db, names: Names): EntryWriter => {
  const insert = db.prepare(`INSERT INTO entries (${COLUMNS.map(([column]) => column).join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const ref = db.prepare<[string, number, number]>('INSERT INTO refs (type, number, position) VALUES (?, ?, ?)');
  return (entry, payloadHash, innerHash, checksum) => {
    // Positional parameters bind three times faster than named ones.
    insert.run(rawOf(entry, payloadHash, innerHash, checksum, names.idOf));
    for (const text of entry.refs) {
      const { type, number } = numberedIn(text);
      ref.run(type, number, entry.position);
    }
  };
};

/** The type and number of a reference, as in `refs`. */
export const numberedIn = (ref: string): { readonly type: string; readonly number: number } => {
  const dash = ref.indexOf('-');
  return { type: ref.slice(0, dash), number: Number(ref.slice(dash + 1)) };
};

/** The one row that an entry is stored as, in the order of COLUMNS. */
const rawOf = (entry: Entry, payloadHash: Buffer | null, innerHash: Buffer, checksum: Buffer, idOf: (text: string) => number): RawEntry => {
  const first = numberOf(entry.refs[0], 'MSG');
  const others = first === null ? entry.refs : entry.refs.slice(1);
  return [
    entry.position,
    storedOf(entry.uuid),
    idOf(entry.type),
    entry.version,
    entry.timestamp,
    entry.recordedAt,
    first,
    listText(others),
    payloadHash,
    idOf(entry.contentType),
    entry.contentLength,
    entry.tokenCount,
    entry.processingTimeMs,
    idOf(entry.sender),
    idOf(entry.senderType),
    idOf(entry.contextId),
    storedOrNull(entry.parentMsgId),
    idOf(entry.sessionId),
    entry.agentModelVersion === null ? null : idOf(entry.agentModelVersion),
    listText(entry.citationsUsed),
    listText(entry.mediaAttached),
    entry.toolsInvoked === null ? null : JSON.stringify(entry.toolsInvoked),
    storedOrNull(entry.toolResultsSummary),
    entry.senderConfidence,
    entry.flaggedUncertain ? 1 : 0,
    entry.errorOccurred ? 1 : 0,
    storedOrNull(entry.errorRef),
    idOf(entry.originatingClient),
    entry.clientVersion === null ? null : idOf(entry.clientVersion),
    entry.occurrence,
    entry.copyOf,
    storedOrNull(entry.note),
    innerHash,
    checksum,
  ];
};

/** The columns of a row that we wouldn't write like this for this entry: the same values in another spelling, which no hash reveals. */
export const oddColumns = (raw: RawEntry, names: Names): readonly string[] => {
  const row = rowFrom(raw);
  const wanted = rawOf(entryFrom(row, names), row.payloadHash, row.innerHash, row.checksum, (text) => names.find(text) ?? -1);
  return COLUMNS.flatMap(([column], i) => (Object.is(raw[i], wanted[i]) ? [] : [column]));
};

export const entryFrom = (row: EntryRow, names: Names): ChainedEntry => ({
  position: row.position,
  uuid: textFrom(row.uuid),
  type: names.textOf(row.type),
  version: row.version,
  timestamp: row.at,
  recordedAt: row.recordedAt,
  refs: [...(row.msg === null ? [] : [`MSG-${row.msg}`]), ...listFrom(row.otherRefs)],
  payloadHash: row.payloadHash === null ? null : row.payloadHash.toString('hex'),
  // We write only values of these types; anything else fails verification.
  contentType: names.textOf(row.contentType) as ContentType,
  contentLength: row.contentLength,
  tokenCount: row.tokenCount,
  processingTimeMs: row.processingTimeMs,
  sender: names.textOf(row.sender),
  senderType: names.textOf(row.senderType) as SenderType,
  contextId: names.textOf(row.context),
  parentMsgId: textOrNull(row.parentMsgId),
  sessionId: names.textOf(row.session),
  agentModelVersion: row.agentModelVersion === null ? null : names.textOf(row.agentModelVersion),
  citationsUsed: listFrom(row.citationsUsed),
  mediaAttached: listFrom(row.mediaAttached),
  toolsInvoked: row.toolsInvoked === null ? null : listFrom(row.toolsInvoked),
  toolResultsSummary: textOrNull(row.toolResultsSummary),
  senderConfidence: row.senderConfidence,
  flaggedUncertain: row.flaggedUncertain === 1,
  errorOccurred: row.errorOccurred === 1,
  errorRef: textOrNull(row.errorRef),
  originatingClient: names.textOf(row.originatingClient),
  clientVersion: row.clientVersion === null ? null : names.textOf(row.clientVersion),
  occurrence: row.occurrence,
  copyOf: row.copyOf,
  note: textOrNull(row.note),
  innerHash: row.innerHash.toString('hex'),
  checksum: row.checksum.toString('hex'),
});

/** The next numbers of a board, one counter per type; kept in memory between commits of the single writer. */
export const createCounters = (db: Db): { readonly next: (type: NumberedType) => string; readonly reset: () => void } => {
  const select = db.prepare<[string], { readonly last: number | null }>('SELECT max(number) AS last FROM refs WHERE type = ?');
  const last = new Map<NumberedType, number>();
  return {
    next: (type) => {
      const number = (last.get(type) ?? select.get(type)?.last ?? 0) + 1;
      last.set(type, number);
      return formatRef({ kind: 'numbered', type, number, part: null });
    },
    reset: () => {
      last.clear();
    },
  };
};

const numberOf = (ref: string | undefined, type: NumberedType): number | null =>
  ref?.startsWith(`${type}-`) === true ? Number(ref.slice(type.length + 1)) : null;
