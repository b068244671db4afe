import { parseRef, type ChainedEntry, type ContentType, type Entry, type SenderType } from '@yarnboard/domain';
import { listFrom, listText } from '../stored-text.ts';
import type { Column, Rows } from './database.ts';

/** A row of the log as PostgreSQL keeps it. */
export type EntryRow = {
  readonly position: number;
  readonly uuid: string;
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly recordedAt: number;
  readonly msg: number | null;
  readonly otherRefs: string | null;
  readonly payloadHash: Buffer | null;
  readonly contentType: string;
  readonly contentLength: number;
  readonly tokenCount: number | null;
  readonly processingTimeMs: number | null;
  readonly sender: string;
  readonly senderType: string;
  readonly context: string;
  readonly parentMsgId: string | null;
  readonly session: string;
  readonly agentModelVersion: string | null;
  readonly citationsUsed: string | null;
  readonly mediaAttached: string | null;
  readonly toolsInvoked: string | null;
  readonly toolResultsSummary: string | null;
  readonly senderConfidence: number | null;
  readonly flaggedUncertain: number;
  readonly errorOccurred: number;
  readonly errorRef: string | null;
  readonly originatingClient: string;
  readonly clientVersion: string | null;
  readonly occurrence: number | null;
  readonly copyOf: number | null;
  readonly note: string | null;
  readonly innerHash: Buffer;
  readonly checksum: Buffer;
};

const COLUMNS = [
  ['position', 'bigint'],
  ['uuid', 'text'],
  ['type', 'text'],
  ['version', 'bigint'],
  ['at', 'bigint'],
  ['recorded_at', 'bigint'],
  ['msg', 'bigint'],
  ['other_refs', 'text'],
  ['payload_hash', 'bytea'],
  ['content_type', 'text'],
  ['content_length', 'bigint'],
  ['token_count', 'bigint'],
  ['processing_time_ms', 'bigint'],
  ['sender', 'text'],
  ['sender_type', 'text'],
  ['context', 'text'],
  ['parent_msg_id', 'text'],
  ['session', 'text'],
  ['agent_model_version', 'text'],
  ['citations_used', 'text'],
  ['media_attached', 'text'],
  ['tools_invoked', 'text'],
  ['tool_results_summary', 'text'],
  ['sender_confidence', 'double precision'],
  ['flagged_uncertain', 'smallint'],
  ['error_occurred', 'smallint'],
  ['error_ref', 'text'],
  ['originating_client', 'text'],
  ['client_version', 'text'],
  ['occurrence', 'bigint'],
  ['copy_of', 'bigint'],
  ['note', 'text'],
  ['inner_hash', 'bytea'],
  ['checksum', 'bytea'],
] as const satisfies readonly Column[];

const SELECTED = COLUMNS.map(([column]) => column).join(', ');

/** A SELECT of whole entries; the caller adds the rest of the statement. */
export const selectEntries = (rest: string): string => `SELECT ${SELECTED} FROM entries ${rest}`;

/**
 * The entries of one session, or of one type, after a position, in order: $1 and $2. Compared as rows, since only the index on both columns can serve
 * that. With `session = $1`, the planner may scan the whole log by position and filter, however long that takes.
 */
export const behind = (column: 'session' | 'type'): string =>
  `(${column}, position) > ($1, $2::bigint) AND (${column}, position) <= ($1, ${Number.MAX_SAFE_INTEGER}) ORDER BY ${column}, position`;

/** The same before a position, in descending order. */
export const inFront = (column: 'session'): string =>
  `(${column}, position) < ($1, $2::bigint) AND (${column}, position) >= ($1, 0) ORDER BY ${column} DESC, position DESC`;

export type Linked = { readonly entry: Entry; readonly innerHash: Buffer; readonly checksum: Buffer };

/** Rows of the log and of its references. */
export const rowsOfEntries = (linked: readonly Linked[]): readonly Rows[] => {
  const refs = linked.flatMap(({ entry }) =>
    entry.refs.flatMap((text) => {
      const parsed = parseRef(text);
      return parsed.ok && parsed.value.kind === 'numbered' ? [[parsed.value.type, parsed.value.number, entry.position]] : [];
    }),
  );
  return [
    { table: 'entries', columns: COLUMNS, rows: linked.map(valuesOf) },
    { table: 'refs', columns: REF_COLUMNS, rows: refs },
  ];
};

const REF_COLUMNS = [
  ['type', 'text'],
  ['number', 'bigint'],
  ['position', 'bigint'],
] as const satisfies readonly Column[];

// In the order of COLUMNS.
const valuesOf = ({ entry, innerHash, checksum }: Linked): readonly unknown[] => {
  const [first, ...others] = entry.refs;
  const isMessage = first?.startsWith('MSG-') === true;
  return [
    entry.position,
    entry.uuid,
    entry.type,
    entry.version,
    entry.timestamp,
    entry.recordedAt,
    isMessage ? Number(first.slice('MSG-'.length)) : null,
    listText(isMessage ? others : entry.refs),
    entry.payloadHash === null ? null : Buffer.from(entry.payloadHash, 'hex'),
    entry.contentType,
    entry.contentLength,
    entry.tokenCount,
    entry.processingTimeMs,
    entry.sender,
    entry.senderType,
    entry.contextId,
    entry.parentMsgId,
    entry.sessionId,
    entry.agentModelVersion,
    listText(entry.citationsUsed),
    listText(entry.mediaAttached),
    entry.toolsInvoked === null ? null : JSON.stringify(entry.toolsInvoked),
    entry.toolResultsSummary,
    entry.senderConfidence,
    entry.flaggedUncertain ? 1 : 0,
    entry.errorOccurred ? 1 : 0,
    entry.errorRef,
    entry.originatingClient,
    entry.clientVersion,
    entry.occurrence,
    entry.copyOf,
    entry.note,
    innerHash,
    checksum,
  ];
};

export const entryFrom = (row: EntryRow): ChainedEntry => ({
  position: row.position,
  uuid: row.uuid,
  type: row.type,
  version: row.version,
  timestamp: row.at,
  recordedAt: row.recordedAt,
  refs: refsFrom(row),
  payloadHash: row.payloadHash === null ? null : row.payloadHash.toString('hex'),
  // We write only values of these types; anything else fails verification.
  contentType: row.contentType as ContentType,
  contentLength: row.contentLength,
  tokenCount: row.tokenCount,
  processingTimeMs: row.processingTimeMs,
  sender: row.sender,
  senderType: row.senderType as SenderType,
  contextId: row.context,
  parentMsgId: row.parentMsgId,
  sessionId: row.session,
  agentModelVersion: row.agentModelVersion,
  citationsUsed: listFrom(row.citationsUsed),
  mediaAttached: listFrom(row.mediaAttached),
  toolsInvoked: row.toolsInvoked === null ? null : listFrom(row.toolsInvoked),
  toolResultsSummary: row.toolResultsSummary,
  senderConfidence: row.senderConfidence,
  flaggedUncertain: row.flaggedUncertain === 1,
  errorOccurred: row.errorOccurred === 1,
  errorRef: row.errorRef,
  originatingClient: row.originatingClient,
  clientVersion: row.clientVersion,
  occurrence: row.occurrence,
  copyOf: row.copyOf,
  note: row.note,
  innerHash: row.innerHash.toString('hex'),
  checksum: row.checksum.toString('hex'),
});

export const refsFrom = ({ msg, otherRefs }: Pick<EntryRow, 'msg' | 'otherRefs'>): readonly string[] => [
  ...(msg === null ? [] : [`MSG-${msg}`]),
  ...listFrom(otherRefs),
];
