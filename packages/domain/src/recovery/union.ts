import {
  openWrites,
  type EmergencyAddition,
  type EmergencyDocument,
  type PendingOutcome,
  type PendingWrite,
  type WriteOutcomeKind,
} from './document.ts';

/** REC-4: merges all complete copies of a document: the newest one counts, no copy's writes are lost, and what was settled anywhere is settled. */
export const uniteCopies = (copies: readonly EmergencyDocument[]): EmergencyDocument | null => {
  const [newest, ...others] = copies.toSorted(byAge);
  if (newest === undefined) return null;
  const resolved = copies.filter(({ resolvedAt }) => resolvedAt !== null).toSorted(byResolution)[0];
  return stillOpen({
    ...newest,
    pendingWrites: uniteWrites([newest, ...others].map(({ pendingWrites }) => pendingWrites)),
    pendingArchives: uniteWrites([newest, ...others].map(({ pendingArchives }) => pendingArchives)),
    resolvedAt: resolved?.resolvedAt ?? null,
    resolutionNotes: resolved?.resolutionNotes ?? newest.resolutionNotes,
  });
};

/** Commands queued after a resolution, by a server cut off from whoever resolved it, aren't covered by the resolution. */
const stillOpen = (document: EmergencyDocument): EmergencyDocument =>
  document.resolvedAt !== null && openWrites(document).length > 0 ? { ...document, resolvedAt: null } : document;

/** A document with additions applied. */
export const withAdditions = (document: EmergencyDocument, additions: readonly EmergencyAddition[]): EmergencyDocument => {
  if (additions.length === 0) return document;
  const settled = new Map<string, PendingOutcome>();
  for (const one of additions) {
    if (one.kind !== 'outcome') continue;
    settled.set(one.uuid, further(settled.get(one.uuid) ?? PENDING, one.outcome));
  }
  const settle = (write: PendingWrite): PendingWrite => {
    const outcome = settled.get(write.uuid);
    return outcome === undefined ? write : { ...write, outcome: further(write.outcome, outcome) };
  };
  const added = (kind: 'write' | 'archive'): readonly PendingWrite[] => additions.flatMap((one) => (one.kind === kind ? [one.write] : []));
  return {
    ...document,
    pendingWrites: uniteWrites([document.pendingWrites, added('write')]).map(settle),
    pendingArchives: uniteWrites([document.pendingArchives, added('archive')]).map(settle),
  };
};

const uniteWrites = (lists: readonly (readonly PendingWrite[])[]): readonly PendingWrite[] => {
  const writes = new Map<string, PendingWrite>();
  for (const write of lists.flat()) {
    const known = writes.get(write.uuid);
    writes.set(write.uuid, known === undefined ? write : { ...known, outcome: further(known.outcome, write.outcome) });
  }
  return [...writes.values()].toSorted((a, b) => a.n - b.n || compare(a.uuid, b.uuid));
};

/** The more definite outcome. Anything on the log stays there, so that comes first. */
const further = (a: PendingOutcome, b: PendingOutcome): PendingOutcome => {
  const by = RANKS[a.kind] - RANKS[b.kind] || compare(JSON.stringify(a), JSON.stringify(b));
  return by >= 0 ? a : b;
};

const RANKS = { pending: 0, conflict: 1, discarded: 2, known: 3, replayed: 4 } as const satisfies Record<WriteOutcomeKind, number>;
const PENDING: PendingOutcome = { kind: 'pending' };

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// Two copies of the same moment differ only by chance; any order will do, as long as it is the same everywhere.
const byAge = (a: EmergencyDocument, b: EmergencyDocument): number =>
  compare(b.updatedAt, a.updatedAt) || compare(JSON.stringify(b), JSON.stringify(a));

const byResolution = (a: EmergencyDocument, b: EmergencyDocument): number =>
  compare(a.resolvedAt ?? '', b.resolvedAt ?? '') || compare(a.resolutionNotes ?? '', b.resolutionNotes ?? '');
