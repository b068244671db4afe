import { ENTRY_TYPES, genesisOf, innerHashOf, linkOf, type ChainedEntry } from '@yarnboard/domain';
import { sha256 } from './hash.ts';
import { StoreFault, type LogPort } from './port.ts';

/** The first problem of the log, and why. */
export type Broken = {
  readonly position: number;
  readonly kind:
    | 'missing-entry'
    | 'entry-changed'
    | 'link-broken'
    | 'payload-changed'
    | 'payload-missing'
    | 'tail-removed'
    | 'tail-rewritten'
    | 'checkpoints-removed'
    | 'witness-changed'
    | 'board-replaced'
    | 'unreadable';
  readonly why: string;
};

export type RangeVerdict = {
  readonly entries: number;
  readonly payloads: number;
  readonly bytes: number;
  /** Hashes of payloads that the operator deleted for good. */
  readonly forgotten: readonly string[];
  readonly broken: Broken | null;
};

export type RangeOptions = {
  /** Hashes whose payload may be missing: the log itself says that they were forgotten. */
  readonly forgotten: ReadonlySet<string>;
  readonly onProgress?: (entries: number) => void;
  readonly signal?: AbortSignal;
};

/**
 * LOG-4: verifies entries from one position to another: every entry against its own hash, every link against its predecessor, every payload against
 * the hash in its entry. Ranges are independent of one another (each trusts the checksum before it), so threads can share them.
 */
export const verifyRange = async (log: LogPort, from: number, to: number, options: RangeOptions): Promise<RangeVerdict> => {
  let previous = from <= 1 ? genesisOf(log.boardId, sha256).checksum : await checksumAt(log, from - 1);
  const verdict = { entries: 0, payloads: 0, bytes: 0, forgotten: [] as string[] };
  let position = from;
  while (position <= to) {
    options.signal?.throwIfAborted();
    const entries = await log.entriesAfter(position - 1, Math.min(STEP, to - position + 1));
    if (entries.length === 0) return { ...verdict, broken: missing(position) };
    const payloads = await payloadsOf(log, entries);
    for (const entry of entries) {
      if (entry.position !== position) return { ...verdict, broken: missing(position) };
      const inner = innerHashOf(entry, sha256);
      if (toHex(inner) !== entry.innerHash)
        return {
          ...verdict,
          broken: broken(position, 'entry-changed', 'a field of the entry was changed: it does not have the hash it was written with'),
        };
      const checksum = linkOf(previous, inner, sha256);
      if (toHex(checksum) !== entry.checksum) {
        return {
          ...verdict,
          broken: broken(position, 'link-broken', 'its checksum does not follow from the entry before it: something here or before was replaced'),
        };
      }
      if (entry.payloadHash !== null) {
        const payload = payloads.get(position);
        if (payload === 'unreadable')
          return { ...verdict, broken: broken(position, 'payload-changed', 'its payload cannot be unpacked: it is not the one it was written with') };
        if (payload === undefined) {
          // It may have been forgotten since verification began, so check again before raising an alarm.
          if (!options.forgotten.has(entry.payloadHash) && !(await forgottenIn(log)).has(entry.payloadHash))
            return {
              ...verdict,
              broken: broken(
                position,
                'payload-missing',
                `its payload ${entry.payloadHash.slice(0, 12)}… is gone, and no entry says that it was forgotten`,
              ),
            };
          verdict.forgotten.push(entry.payloadHash);
        } else {
          if (toHex(sha256(payload)) !== entry.payloadHash)
            return { ...verdict, broken: broken(position, 'payload-changed', 'its payload is not the one it was written with') };
          verdict.payloads += 1;
          verdict.bytes += payload.length;
        }
      }
      previous = checksum;
      position += 1;
      verdict.entries += 1;
    }
    options.onProgress?.(entries.length);
  }
  return { ...verdict, broken: null };
};

/** Hashes of payloads that the operator deleted for good, according to the log. */
export const forgottenIn = async (log: LogPort): Promise<ReadonlySet<string>> => {
  const hashes = new Set<string>();
  for (const { note } of await log.entriesAt(await log.positionsOfType(ENTRY_TYPES.forgotten))) if (note !== null) hashes.add(note);
  return hashes;
};

/** A payload that can't even be unpacked is reported by its entry, not by the unpacking error. */
const payloadsOf = async (log: LogPort, entries: readonly ChainedEntry[]): Promise<ReadonlyMap<number, Uint8Array | 'unreadable'>> => {
  try {
    return await log.payloadsOf(entries.map((entry) => entry.position));
  } catch (cause) {
    if (cause instanceof StoreFault && cause.kind !== 'corrupt') throw cause;
  }
  const found = new Map<number, Uint8Array | 'unreadable'>();
  for (const { position } of entries) {
    const [one] = await log.payloadsOf([position]).then(
      (some) => [...some.values()],
      () => ['unreadable' as const],
    );
    if (one !== undefined) found.set(position, one);
  }
  return found;
};

const checksumAt = async (log: LogPort, position: number): Promise<Uint8Array> => {
  const entry = await log.entryAt(position);
  return Buffer.from(entry?.checksum ?? '', 'hex');
};

const missing = (position: number): Broken => broken(position, 'missing-entry', 'no entry at this position, although there are later ones');

const broken = (position: number, kind: Broken['kind'], why: string): Broken => ({ position, kind, why });

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const STEP = 512;
