import type { EmergencyAddition, EmergencyDocument, UnreadableDocument } from '@yarnboard/domain';

/** Something found in a place that can't be trusted. */
export type Doubtful = {
  /** `unreachable`: the place itself could not be read. */
  readonly kind: UnreadableDocument['kind'] | 'unreachable';
  readonly why: string;
  readonly place: string;
  readonly where: string;
};

export type Found = {
  /** Whole documents, each with its additions. */
  readonly documents: readonly EmergencyDocument[];
  readonly doubtful: readonly Doubtful[];
};

/** One place's copy of a document, and whether it matches the union of all copies. */
export type Copy = { readonly place: string; readonly agrees: boolean; readonly updatedAt: string };

/** REC-5: one place that keeps emergencies. All of them pass one suite (`testing/emergency.ts`). */
export type EmergencyPlace = {
  /** Its name in answers and notes: `home`, `state`, `sqlite`, `redis`, `nas`. */
  readonly name: string;
  /** What it survives, in words. */
  readonly survives: string;
  /** Whether it stores on a disk of this machine: only those places count for `durable_in`. */
  readonly isLocal: boolean;
  /** Prepares what it needs in advance, including the space for a full disk. */
  readonly prepare: () => Promise<void>;
  /** Replaces the whole document, or leaves the previous one. Durable when it resolves. `text` is its text, if it was made already. */
  readonly write: (document: EmergencyDocument, text?: string) => Promise<void>;
  /** Adds to a document at constant cost. Durable when it resolves; a failed addition may be repeated. */
  readonly add: (cacheId: string, additions: readonly EmergencyAddition[]) => Promise<void>;
  readonly find: () => Promise<Found>;
  readonly remove: (cacheId: string) => Promise<void>;
  /** How many bytes still fit there, if known. */
  readonly room: () => Promise<number | null>;
  /** The disk of this machine it is on; places without one leave it out. */
  readonly device?: () => Promise<number | null>;
  readonly close: () => Promise<void>;
};

export type FoundEverywhere = Found & {
  /** Which places have it, by `cache_id`. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
};

/** Where something is durable now, and which places failed. */
export type Kept = {
  /** Names of local places. */
  readonly durableIn: readonly string[];
  readonly failures: readonly { readonly place: string; readonly why: string }[];
};

/** How a place is doing, for `doctor`, `status` and metrics. */
export type PlaceState = Pick<EmergencyPlace, 'name' | 'survives' | 'isLocal'> & {
  readonly failures: number;
  /** Why it last failed; null if it has succeeded since. */
  readonly failing: string | null;
};

/** All places together. */
export type EmergencyCache = {
  /** Prepares every place before anything happens. */
  readonly prepare: () => Promise<void>;
  /** Writes the whole document everywhere. Resolves when every local place has answered or timed out; the others follow on their own. */
  readonly write: (document: EmergencyDocument) => Promise<Kept>;
  /** The same for additions. Concurrent additions are written together. */
  readonly add: (cacheId: string, additions: readonly EmergencyAddition[]) => Promise<Kept>;
  /** REC-4: every document that any place has, merged by id, oldest first. */
  readonly find: () => Promise<FoundEverywhere>;
  readonly remove: (cacheId: string) => Promise<void>;
  /** REC-72: how many bytes each place can still take, by its name; null if unknown. */
  readonly rooms: () => Promise<ReadonlyMap<string, number | null>>;
  /** REC-72: for each local folder, the other ones on the same disk, which would be lost with it. */
  readonly sharing: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** How much was written for a document since this process started. */
  readonly used: (cacheId: string) => { readonly writes: number; readonly bytes: number };
  readonly places: () => readonly PlaceState[];
  /** Waits for places that are behind, then closes all. */
  readonly close: () => Promise<void>;
};
