import { formatRef, genesisOf, SESSION_ENTRY_TYPES, type Head, type NumberedType } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';
import type { Run } from './database.ts';
import { DECIDED_BEHIND } from './decided.ts';
import { refsFrom, type EntryRow } from './entries.ts';

export type Known = { readonly position: number; readonly uuid: string; readonly session: string; readonly refs: readonly string[] };
export type KnownRow = Pick<EntryRow, 'position' | 'uuid' | 'session' | 'msg' | 'otherRefs'>;
export type Tip = Head & { readonly recordedAt: number };

/** What a batch needs to know about the log it is appended to. */
export type Surroundings = {
  readonly tip: Tip;
  /** The first entry decided after a position; null if there is none, or it wasn't requested. */
  readonly decided: number | null;
  /** The checksum of the last entry this process knew; null if it is missing, or wasn't requested. */
  readonly knownChecksum: Uint8Array | null;
  readonly nextRef: (type: NumberedType) => string;
  readonly byUuid: Map<string, Known>;
  /** The hashes of payloads deleted for good. */
  readonly dropped: ReadonlySet<string>;
};

export type Wanted = {
  readonly decidedAt: number | undefined;
  readonly known: number | null;
  readonly numbers: Iterable<NumberedType>;
  readonly uuids: Iterable<string>;
  readonly hashes: Iterable<string>;
};

/**
 * STORE-61: all of it in one statement, under the lock: a caller waiting for durability pays for every round trip, and so does everyone else who
 * wants to append.
 */
export const surroundingsOf = async (run: Run, boardId: string, wanted: Wanted): Promise<Surroundings> => {
  const rows = await run<LookedUp>(
    LOOK,
    [
      SESSION_ENTRY_TYPES,
      wanted.decidedAt ?? null,
      [...new Set(wanted.numbers)],
      [...new Set(wanted.uuids)],
      [...new Set(wanted.hashes)].map((hash) => Buffer.from(hash, 'hex')),
      wanted.known,
    ],
    'yarnboard_look',
  );
  const last = new Map<string, number>();
  const byUuid = new Map<string, Known>();
  const dropped = new Set<string>();
  let tip: Tip = { ...genesisOf(boardId, sha256), recordedAt: 0 };
  let decided: number | null = null;
  let knownChecksum: Uint8Array | null = null;
  for (const row of rows) {
    switch (row.what) {
      case 'tip':
        tip = { count: row.position, checksum: row.hash, recordedAt: row.recordedAt };
        break;
      case 'decided':
        decided = row.position;
        break;
      case 'here':
        knownChecksum = row.hash;
        break;
      case 'last':
        last.set(row.uuid, row.position);
        break;
      case 'known':
        byUuid.set(row.uuid, knownFrom(row));
        break;
      case 'dropped':
        dropped.add(row.hash.toString('hex'));
        break;
    }
  }
  return { tip, decided, knownChecksum, nextRef: counting(last), byUuid, dropped };
};

export const knownFrom = (row: KnownRow): Known => ({ position: row.position, uuid: row.uuid, session: row.session, refs: refsFrom(row) });

const counting = (last: Map<string, number>) => (type: NumberedType) => {
  const number = (last.get(type) ?? 0) + 1;
  last.set(type, number);
  return formatRef({ kind: 'numbered', type, number, part: null });
};

type LookedUp = KnownRow & {
  readonly what: 'tip' | 'decided' | 'here' | 'last' | 'known' | 'dropped';
  readonly hash: Buffer;
  readonly recordedAt: number;
};

const row = (what: LookedUp['what'], parts: Partial<Record<(typeof PARTS)[number][0], string>>): string =>
  `SELECT '${what}' AS what, ${PARTS.map(([part, type]) => `${parts[part] ?? `NULL::${type}`} AS ${part}`).join(', ')}`;

const PARTS = [
  ['position', 'bigint'],
  ['uuid', 'text'],
  ['session', 'text'],
  ['msg', 'bigint'],
  ['other_refs', 'text'],
  ['hash', 'bytea'],
  ['recorded_at', 'bigint'],
] as const;

const LOOK = [
  `${row('tip', { position: 'l.position', hash: 'l.checksum', recorded_at: 'l.recorded_at' })}
   FROM (SELECT position, checksum, recorded_at FROM entries ORDER BY position DESC LIMIT 1) l`,
  `${row('decided', { position: 'd.position' })} FROM (${DECIDED_BEHIND}) d`,
  `${row('here', { position: 'h.position', hash: 'h.checksum' })} FROM entries h WHERE h.position = $6::bigint`,
  `${row('last', { position: 'n.number', uuid: 'w.type' })} FROM unnest($3::text[]) w (type)
   CROSS JOIN LATERAL (SELECT number FROM refs r WHERE r.type = w.type ORDER BY number DESC LIMIT 1) n`,
  `${row('known', { position: 'position', uuid: 'uuid', session: 'session', msg: 'msg', other_refs: 'other_refs' })}
   FROM entries WHERE uuid = ANY($4::text[])`,
  `${row('dropped', { hash: 'p.hash' })} FROM payloads p WHERE p.hash = ANY($5::bytea[]) AND p.bytes IS NULL`,
].join('\nUNION ALL\n');
