import { openWrites, type EmergencyDocument, type PendingWrite } from './document.ts';

/** What the present board says about a waiting write. */
export type Present =
  | { readonly kind: 'done'; readonly wouldDo: string }
  | { readonly kind: 'known'; readonly position: number; readonly refs: readonly string[] }
  | { readonly kind: 'conflict'; readonly code: string; readonly message: string };

export type ReplayStep = { readonly write: PendingWrite; readonly present: Present };

export type ReplayPlan = {
  /** In the order they were said. */
  readonly steps: readonly ReplayStep[];
  readonly counts: Readonly<Record<Present['kind'], number>>;
  /** The document's remarks: the word "conflict" appears only while one is open. */
  readonly notes: readonly string[];
};

/** REC-9: what a replay would do now, and what it leaves to a person. `chosen` are numbers of writes; by default all of them. */
export const planReplay = (document: EmergencyDocument, presentOf: (write: PendingWrite) => Present, chosen?: ReadonlySet<number>): ReplayPlan => {
  const steps = openWrites(document)
    .filter(({ n }) => chosen === undefined || chosen.has(n))
    .map((write) => ({ write, present: presentOf(write) }));
  const counts = { done: 0, known: 0, conflict: 0 };
  for (const { present } of steps) counts[present.kind] += 1;
  const notes = steps.flatMap(({ write, present }) => (present.kind === 'conflict' ? [conflictNote(write, present)] : []));
  return { steps, counts, notes };
};

export const conflictNote = (
  { n, sender }: Pick<PendingWrite, 'n' | 'sender'>,
  { code, message }: { readonly code: string; readonly message: string },
): string => `Pending write ${n} of ${sender.id} is in conflict (${code}): ${message}`;

/** The notes of a document for the present state of its writes: settled conflicts are no longer mentioned. */
export const currentNotes = (document: EmergencyDocument): readonly string[] => {
  const open = openWrites(document).flatMap((write) => (write.outcome.kind === 'conflict' ? [conflictNote(write, write.outcome)] : []));
  return [...document.recoveryNotes.filter((note) => !note.includes('conflict')), ...open];
};
