import type { EmergencyAddition, EmergencyDocument, UnreadableDocument } from '@yarnboard/domain';

/** What was found in a place and is not believed. */
export type Doubtful = {
  /** `unreachable`: the place itself could not be looked at. */
  readonly kind: UnreadableDocument['kind'] | 'unreachable';
  readonly why: string;
  readonly place: string;
  readonly where: string;
};

export type Found = {
  /** Whole documents, each with everything that was added to it. */
  readonly documents: readonly EmergencyDocument[];
  readonly doubtful: readonly Doubtful[];
};

/** One place's copy of a document, and whether it says the same as all of them together. */
export type Copy = { readonly place: string; readonly agrees: boolean; readonly updatedAt: string };

/** REC-5: one place where an emergency is kept. All pass one suite (`testing/emergency.ts`). */
export type EmergencyPlace = {
  /** What it is called in answers and notes: `home`, `state`, `sqlite`, `redis`, `nas`. */
  readonly name: string;
  /** In words: what it outlives. */
  readonly survives: string;
  /** Whether what it holds is on a disk of this machine: only those count for `durable_in`. */
  readonly isLocal: boolean;
  /** Makes what is needed beforehand, room for a full disk included. */
  readonly prepare: () => Promise<void>;
  /** Replaces the whole document, or leaves the one before. Durable when it resolves. */
  readonly write: (document: EmergencyDocument) => Promise<void>;
  /** Adds to a document that was written, at the same cost each time. Durable when it resolves; what failed may be added again. */
  readonly add: (cacheId: string, additions: readonly EmergencyAddition[]) => Promise<void>;
  readonly find: () => Promise<Found>;
  readonly remove: (cacheId: string) => Promise<void>;
  /** How many bytes can be written there, as far as it is known. */
  readonly room: () => Promise<number | null>;
  /** Which disk of this machine it lies on; places that have none leave it out. */
  readonly device?: () => Promise<number | null>;
  readonly close: () => Promise<void>;
};

export type FoundEverywhere = Found & {
  /** By `cache_id`: which places have it. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
};

/** Where something is durable now, and which places failed. */
export type Kept = {
  /** Names of local places. */
  readonly durableIn: readonly string[];
  readonly failures: readonly { readonly place: string; readonly why: string }[];
};

/** How a place fares, for `doctor`, `status` and metrics. */
export type PlaceState = Pick<EmergencyPlace, 'name' | 'survives' | 'isLocal'> & {
  readonly failures: number;
  /** Why it failed last; null when it did what it was asked since. */
  readonly failing: string | null;
};

/** All places together. */
export type EmergencyCache = {
  /** Makes room in every place before anything happens. */
  readonly prepare: () => Promise<void>;
  /** Writes the whole document everywhere. Resolves when every local place has answered, or its patience is over; the others follow by themselves. */
  readonly write: (document: EmergencyDocument) => Promise<Kept>;
  /** The same for what comes to it. What is added at one time is added together. */
  readonly add: (cacheId: string, additions: readonly EmergencyAddition[]) => Promise<Kept>;
  /** REC-4: every document that any place has, united by its id, the oldest first. */
  readonly find: () => Promise<FoundEverywhere>;
  readonly remove: (cacheId: string) => Promise<void>;
  /** REC-72: how many bytes each place still takes, by its name; null where nobody knows. */
  readonly rooms: () => Promise<ReadonlyMap<string, number | null>>;
  /** REC-72: for each local folder, which other one lies on the same disk, and is lost with it. */
  readonly sharing: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** How much was written for a document since this process began. */
  readonly used: (cacheId: string) => { readonly writes: number; readonly bytes: number };
  readonly places: () => readonly PlaceState[];
  /** Waits for places that are behind, then closes all. */
  readonly close: () => Promise<void>;
};
