import { draftOfDeed, ENTRY_TYPES, type Actor, type EmergencyDocument, type PendingOutcome } from '@yarnboard/domain';
import { uuidFor, type Item } from '@yarnboard/store';

/** REC-20: the uuid of the entry that says that nothing of a cache is open any more. It is made of the cache, so that there is one however often it is tried. */
export const resolvedId = (cacheId: string): string => uuidFor(`emergency|${cacheId}|resolved`);

/** REC-20, REC-60: an outage as an entry of the log: how long it lasted, and what became of everything that had to wait. */
export const emergencyItem = (document: EmergencyDocument, uuid: string, by: Pick<Actor, 'id' | 'type'>, at: number): Item => {
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
