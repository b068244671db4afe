import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LoggedLine } from '../port.ts';
import { insertRows, type Column, type Db, type Insert, type Rows, type Run } from './database.ts';
import { behind, type EntryRow } from './entries.ts';

type PayloadRow = { readonly bytes: Buffer; readonly isDeflated: number };

/**
 * Payloads are beside the rows, by their hash, compressed where it pays. Only `dropPayload` ever changes one. Payloads too large for one statement
 * are written here; the others are returned.
 */
export const rowsOfPayloads = async (run: Run, payloads: ReadonlyMap<string, Uint8Array>): Promise<Rows> => {
  let waiting: (readonly unknown[])[] = [];
  let bytes = 0;
  for (const [hash, payload] of payloads) {
    if (bytes > STATEMENT_BYTES) {
      await insertRows(run, PAYLOADS.table, COLUMNS, waiting, PAYLOADS.rest);
      waiting = [];
      bytes = 0;
    }
    const small = payload.length >= WORTH_IT ? deflateRawSync(payload, { level: 1 }) : null;
    const isDeflated = small !== null && small.length < payload.length * 0.9;
    const kept = isDeflated ? small : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    waiting.push([Buffer.from(hash, 'hex'), payload.length, isDeflated ? 1 : 0, kept]);
    bytes += kept.length;
  }
  return { ...PAYLOADS, rows: waiting };
};

export const payloadsAt = async (run: Run, positions: readonly number[]): Promise<ReadonlyMap<number, Buffer>> => {
  const rows = await run<PayloadRow & { readonly position: number }>(
    `SELECT e.position, p.is_deflated, p.bytes FROM entries e JOIN payloads p ON p.hash = e.payload_hash
     WHERE e.position = ANY($1::bigint[]) AND p.bytes IS NOT NULL ORDER BY e.position`,
    [positions],
    'yarnboard_payloads',
  );
  return new Map(rows.map((row) => [row.position, bytesFrom(row)]));
};

export const linesOf = async (run: Run, values: readonly [string, number, number]): Promise<readonly LoggedLine[]> => {
  const rows = await run<LineRow>(LINES_BEHIND, [...values]);
  return rows.map(({ position, uuid, type, context, note, bytes, isDeflated }) => ({
    position,
    uuid,
    type,
    contextId: context,
    note,
    bytes: bytes === null ? null : bytesFrom({ bytes, isDeflated }),
  }));
};

export const LINES_BEHIND = `SELECT e.position, e.uuid, e.type, e.context, e.note, p.is_deflated, p.bytes
  FROM (SELECT position, uuid, type, context, note, payload_hash FROM entries WHERE ${behind('session')} LIMIT $3) e
  LEFT JOIN payloads p ON p.hash = e.payload_hash ORDER BY e.position`;

type LineRow = Pick<EntryRow, 'position' | 'uuid' | 'type' | 'context' | 'note'> & { readonly bytes: Buffer | null; readonly isDeflated: number };

export const payloadByHash = async (run: Run, hash: string): Promise<Buffer | null> => {
  const [row] = await run<PayloadRow>('SELECT is_deflated, bytes FROM payloads WHERE hash = $1 AND bytes IS NOT NULL', [Buffer.from(hash, 'hex')]);
  return row === undefined ? null : bytesFrom(row);
};

export const dropPayload = async (db: Db, hash: string): Promise<boolean> => {
  const dropped = await db.run('UPDATE payloads SET bytes = NULL WHERE hash = $1 AND bytes IS NOT NULL RETURNING 1', [Buffer.from(hash, 'hex')]);
  // Until then, the old row is still in the table's file. The write-ahead log and its archive are the operator's.
  if (dropped.length > 0) await db.run('VACUUM payloads');
  return dropped.length > 0;
};

const bytesFrom = ({ bytes, isDeflated }: PayloadRow): Buffer => (isDeflated === 1 ? inflateRawSync(bytes) : bytes);

const COLUMNS = [
  ['hash', 'bytea'],
  ['length', 'bigint'],
  ['is_deflated', 'smallint'],
  ['bytes', 'bytea'],
] as const satisfies readonly Column[];

// A forgotten payload stays forgotten: its row exists, without bytes.
const PAYLOADS = { table: 'payloads', columns: COLUMNS, rest: 'ON CONFLICT (hash) DO NOTHING' } as const satisfies Insert;

const WORTH_IT = 200;
const STATEMENT_BYTES = 16 * 1024 * 1024;
