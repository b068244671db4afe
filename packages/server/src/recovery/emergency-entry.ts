import { draftOfDeed, ENTRY_TYPES, openWrites, type Actor, type EmergencyDocument, type PendingOutcome } from '@yarnboard/domain';
import { uuidFor, type Item, type LogPort } from '@yarnboard/store';
import * as z from 'zod';

/** The last number that a cache has assigned in its queue. */
export const lastPlaceIn = ({ pendingWrites, pendingArchives }: EmergencyDocument): number =>
  [...pendingWrites, ...pendingArchives].reduce((most, { n }) => Math.max(most, n), 0);

/**
 * REC-20: the uuid of the entry that closes a cache up to this number. It derives from the cache, so retries produce a single entry. A server that
 * was only cut off may have queued more after it.
 */
export const resolvedId = (cacheId: string, upTo: number): string => uuidFor(`emergency|${cacheId}|resolved|${upTo}`);

/** REC-20, REC-60: makes a log entry for an outage: how long it lasted, and what became of everything queued. */
export const emergencyItem = (
  document: EmergencyDocument,
  { uuid, isOver }: { readonly uuid: string; readonly isOver: boolean },
  by: Pick<Actor, 'id' | 'type'>,
  at: number,
): Item => {
  const { cacheId, reason, servicesDown, createdAt, pendingWrites, pendingArchives, resolvedAt, resolutionNotes } = document;
  const all = [...pendingWrites, ...pendingArchives];
  const count = (kind: PendingOutcome['kind']): number => all.filter(({ outcome }) => outcome.kind === kind).length;
  const told = {
    cacheId,
    reason,
    servicesDown,
    from: createdAt,
    to: resolvedAt ?? new Date(at).toISOString(),
    queued: all.length,
    replayed: count('replayed'),
    known: count('known'),
    conflicts: count('conflict'),
    discarded: count('discarded'),
    notes: resolutionNotes,
    ...(isOver ? { resolvedUpTo: lastPlaceIn(document) } : {}),
  };
  const text = JSON.stringify(told);
  const draft = draftOfDeed({
    uuid,
    type: ENTRY_TYPES.emergency,
    timestamp: at,
    sender: by.id,
    senderType: by.type,
    contextId: 'board',
    sessionId: 'board',
    contentLength: text.length,
    note: cacheId,
  });
  return { draft, payload: Buffer.from(text), reading: null };
};

type Log = Pick<LogPort, 'positionsOfType' | 'entriesAt' | 'payloadsOf' | 'entryByUuid'>;

/**
 * REC-20: the log decides what is resolved, whatever an old copy says. Of the writes up to the resolved number, those on the log are known and the
 * others were discarded. Anything queued after it is still open.
 */
export const settledByLog = async (log: Log, document: EmergencyDocument): Promise<EmergencyDocument> => {
  // Nothing in it depends on the log any more. There may be many of these, and the log has an entry for each.
  if (document.resolvedAt !== null && openWrites(document).length === 0) return document;
  const end = await endOn(log, document.cacheId);
  if (end === null) return document;
  const outcomes = new Map<string, PendingOutcome>();
  for (const { n, uuid } of openWrites(document)) {
    if (n > end.upTo) continue;
    const entry = await log.entryByUuid(uuid);
    outcomes.set(
      uuid,
      entry === null ? { kind: 'discarded', by: end.by, at: end.at } : { kind: 'known', position: entry.position, refs: [...entry.refs] },
    );
  }
  const settled = ({ pendingWrites, ...others }: EmergencyDocument): EmergencyDocument => ({
    ...others,
    pendingWrites: pendingWrites.map((write) => ({ ...write, outcome: outcomes.get(write.uuid) ?? write.outcome })),
  });
  const known = settled(document);
  // An earlier end says nothing about writes queued after it. Those stay open until the log closes them, too.
  if (known.resolvedAt !== null || openWrites(known).length > 0 || end.upTo < lastPlaceIn(known)) return known;
  return { ...known, resolvedAt: end.at, resolutionNotes: `Resolved by entry ${end.position} of the log.` };
};

type End = { readonly position: number; readonly by: string; readonly at: string; readonly upTo: number };

/** The entry that resolves a cache the furthest; null if there is none. */
const endOn = async (log: Log, cacheId: string): Promise<End | null> => {
  const entries = (await log.entriesAt(await log.positionsOfType(ENTRY_TYPES.emergency))).filter(({ note }) => note === cacheId);
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  let last: End | null = null;
  for (const { position, uuid, sender, timestamp } of entries) {
    const read = told.safeParse(jsonIn(payloads.get(position)));
    // Before writes had numbers, one entry resolved all of them.
    const upTo = (read.success ? read.data.resolvedUpTo : undefined) ?? (uuid === uuidFor(`emergency|${cacheId}|resolved`) ? Infinity : null);
    if (upTo !== null && upTo >= (last?.upTo ?? 0)) last = { position, by: sender, at: new Date(timestamp).toISOString(), upTo };
  }
  return last;
};

const told = z.object({ resolvedUpTo: z.number().optional() });

const jsonIn = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString());
  } catch {
    return null; // `verify` reports what is wrong with it
  }
};
